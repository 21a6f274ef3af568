// SPDX-License-Identifier: Apache-2.0
// Second GETs: hedges against late files, and halves of the last ones.
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>

#include "cloudfetch/testing/fake_storage.h"

namespace dbx {
namespace {

/// The first request for `chunk` is silent from byte `after` on, for ever.
void Silence(FakeStorage& storage, int64_t chunk, int64_t after) {
  storage.SetFault(chunk, [after](const FakeRequest& request, FakeAnswer& answer) {
    if (request.repeat > 0) return;
    answer.gate = std::make_shared<FakeGate>();  // nobody opens it
    answer.gate_after = after;
  });
}

TEST(CloudFetchSecondGet, HedgesAFileThatIsLate) {
  for (const int64_t after : {int64_t{0}, int64_t{5'000}}) {
    FakeStorage storage(12, 3000);
    Silence(storage, 8, after);
    const auto stream = storage.MakeStream(TestOptions());
    const ReadResult read = ReadAll(*stream);
    EXPECT_EQ(read.end.ToString(), "ok");
    EXPECT_EQ(read.num_rows, 36'000);
    EXPECT_EQ(storage.num_requests(8), 2);
    EXPECT_EQ(stream->statistics().second_gets, 1);
    EXPECT_EQ(stream->statistics().second_gets_joined, 1);
    EXPECT_EQ(stream->statistics().retries, 0);
  }
}

TEST(CloudFetchSecondGet, LeavesLateFilesAloneWhenToldSo) {
  FakeStorage storage(12, 3000);
  Silence(storage, 8, 5'000);
  CloudFetchOptions options = TestOptions();
  options.hedge = false;
  options.stall_timeout = std::chrono::milliseconds(300);
  const auto stream = storage.MakeStream(options);
  EXPECT_EQ(ReadAll(*stream).num_rows, 36'000);
  EXPECT_EQ(stream->statistics().second_gets, 0);
  EXPECT_EQ(stream->statistics().retries, 1);
}

TEST(CloudFetchSecondGet, GoesOnWithTheFirstWhenTheHedgeIsRefused) {
  FakeStorage storage(12, 3000);
  const auto gate = std::make_shared<FakeGate>();
  storage.SetFault(8, [&](const FakeRequest& request, FakeAnswer& answer) {
    if (request.repeat == 0) {
      answer.gate = gate;
      answer.gate_after = 5'000;
      return;
    }
    answer = {.status = 503, .body = "SlowDown"};
    gate->Open();
  });
  const auto stream = storage.MakeStream(TestOptions());
  const ReadResult read = ReadAll(*stream);
  EXPECT_EQ(read.end.ToString(), "ok");
  EXPECT_EQ(read.num_rows, 36'000);
  EXPECT_EQ(stream->statistics().second_gets_joined, 0);
}

TEST(CloudFetchSecondGet, RefusesAHedgeOfAnotherFile) {
  FakeStorage storage(12, 3000);
  const auto gate = std::make_shared<FakeGate>();
  storage.SetFault(8, [&](const FakeRequest& request, FakeAnswer& answer) {
    if (request.repeat == 0) {
      answer.gate = gate;
      answer.gate_after = 5'000;
      return;
    }
    answer.headers.clear();
    answer.headers.emplace_back("ETag", "\"another\"");
    answer.headers.emplace_back("Content-Range", "bytes 5000-9999/10000");
    gate->Open();
  });
  const auto stream = storage.MakeStream(TestOptions());
  EXPECT_EQ(ReadAll(*stream).num_rows, 36'000);
  EXPECT_EQ(stream->statistics().second_gets_joined, 0);
}

/// One file of some megabytes, whose first GET rests after its first bytes until a second one has
/// been asked for, which `spoil` changes the answer of.
struct LoneFile {
  explicit LoneFile(std::function<void(FakeAnswer&)> spoil = {})
      : storage({{.num_rows = 120'000, .rows_per_batch = 4000, .lz4 = std::nullopt}}) {
    const auto gate = std::make_shared<FakeGate>();
    storage.SetFault(0, [gate, spoil](const FakeRequest& request, FakeAnswer& answer) {
      if (!request.HasHeader("Range")) {
        answer.gate = gate;
        answer.gate_after = 1'500'000;
        return;
      }
      if (spoil) spoil(answer);
      gate->Open();
    });
  }

  FakeStorage storage;
};

TEST(CloudFetchSecondGet, AsksForTheSecondHalfOfALastFileThatIsSlow) {
  LoneFile file;
  const auto stream = file.storage.MakeStream(TestOptions());
  const ReadResult read = ReadAll(*stream);
  EXPECT_EQ(read.end.ToString(), "ok");
  EXPECT_EQ(read.num_rows, 120'000);
  EXPECT_EQ(stream->statistics().second_gets, 1);
  EXPECT_TRUE(file.storage.server().requests().at(1).HasHeader("Range"));
}

TEST(CloudFetchSecondGet, GoesOnWithTheFirstWhenTheSecondHalfFails) {
  for (const int64_t after : {FakeAnswer::kBeforeHead, int64_t{0}, int64_t{100'000}}) {
    LoneFile file([after](FakeAnswer& answer) { answer.reset_after = after; });
    const auto stream = file.storage.MakeStream(TestOptions());
    const ReadResult read = ReadAll(*stream);
    EXPECT_EQ(read.end.ToString(), "ok") << after;
    EXPECT_EQ(read.num_rows, 120'000);
  }
}

TEST(CloudFetchSecondGet, KeepsToATightLimit) {
  LoneFile file;
  CloudFetchOptions options = TestOptions();
  options.memory_limit_bytes = 2 << 20;
  const ReadResult read = ReadAll(*file.storage.MakeStream(options));
  EXPECT_EQ(read.end.ToString(), "ok");
  EXPECT_EQ(read.num_rows, 120'000);
}

}  // namespace
}  // namespace dbx
