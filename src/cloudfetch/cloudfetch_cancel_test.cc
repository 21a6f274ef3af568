// SPDX-License-Identifier: Apache-2.0
// Streams that are ended before their last row.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <thread>
#include <vector>

#include "cloudfetch/testing/fake_storage.h"

namespace dbx {
namespace {

#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
constexpr std::chrono::milliseconds kAtOnce{500};
#else
constexpr std::chrono::milliseconds kAtOnce{50};
#endif

int64_t CountEntries(const char* folder) {
  const std::filesystem::directory_iterator entries(folder);
  return std::distance(begin(entries), end(entries));
}

/// Answers that stop after some bytes, until the server goes.
void Silence(FakeStorage& storage, int64_t chunk_index, int64_t after) {
  storage.SetFault(chunk_index, [after](const FakeRequest&, FakeAnswer& answer) {
    answer.gate = std::make_shared<FakeGate>();
    answer.gate_after = after;
  });
}

/// Reads on a thread of its own; what the blocked Next returned.
Status NextCancelledBy(CloudFetchStream& stream, const std::function<void()>& wait_for_phase) {
  Status status;
  std::thread reader([&] {
    while (true) {
      const auto batch = stream.Next();
      if (batch.ok() && batch->has_value()) continue;
      status = batch.status();
      return;
    }
  });
  wait_for_phase();
  stream.Cancel(Status(StatusCode::kTimeout, "the caller's own reason"));
  reader.join();
  return status;
}

TEST(CloudFetchCancel, EndsAReaderThatWaitsForLinks) {
  FakeStorage storage(3, 10);
  storage.links().BlockAfter(0);
  const auto stream = storage.MakeStream(TestOptions());
  const Status status = NextCancelledBy(*stream, [&] { storage.links().WaitUntilBlocked(); });
  EXPECT_EQ(status.code(), StatusCode::kTimeout);
  EXPECT_EQ(status.message(), "the caller's own reason");
  EXPECT_EQ(stream->Next().status().code(), StatusCode::kTimeout);
}

TEST(CloudFetchCancel, EndsAReaderThatWaitsForAFreshLink) {
  FakeStorage storage(3, 10);
  storage.ExpireLinks();
  storage.links().BlockRefresh();
  const auto stream = storage.MakeStream(TestOptions());
  const Status status = NextCancelledBy(*stream, [&] { storage.links().WaitUntilBlocked(); });
  EXPECT_EQ(status.message(), "the caller's own reason");
}

TEST(CloudFetchCancel, EndsAReaderThatWaitsForAnAnswer) {
  FakeStorage storage(3, 10);
  Silence(storage, 0, FakeAnswer::kBeforeHead);
  const auto stream = storage.MakeStream(TestOptions());
  const Status status = NextCancelledBy(*stream, [&] { storage.server().WaitForRequests(3); });
  EXPECT_EQ(status.message(), "the caller's own reason");
}

TEST(CloudFetchCancel, EndsAReaderThatWaitsForTheRestOfABody) {
  FakeStorage storage(3, 1000);
  Silence(storage, 1, 3000);
  const auto stream = storage.MakeStream(TestOptions());
  const Status status = NextCancelledBy(*stream, [&] { storage.server().WaitForRequests(3); });
  EXPECT_EQ(status.message(), "the caller's own reason");
}

TEST(CloudFetchCancel, EndsAReaderThatWaitsForARetry) {
  FakeStorage storage(2, 10);
  storage.Refuse(0, 1000, 503, "busy", {{"Retry-After", "60"}});
  CloudFetchOptions options = TestOptions();
  options.retry.budget = std::chrono::minutes(10);
  const auto stream = storage.MakeStream(options);
  const Status status = NextCancelledBy(*stream, [&] { storage.server().WaitForRequests(2); });
  EXPECT_EQ(status.message(), "the caller's own reason");
}

TEST(CloudFetchCancel, GivesNoRowsAfterItAlthoughSomeWereThere) {
  FakeStorage storage(3, 100);
  const auto stream = storage.MakeStream(TestOptions());
  ASSERT_TRUE(stream->Next().ok());
  stream->Cancel(Status::Cancelled("enough"));
  for (int i = 0; i < 2; ++i) {
    const auto batch = stream->Next();
    EXPECT_EQ(batch.status().message(), "enough");
  }
  stream->Cancel(Status::Cancelled("again"));
  EXPECT_EQ(stream->Next().status().message(), "enough");
}

TEST(CloudFetchCancel, DestroysAnUnreadStreamWith64TransfersAtOnce) {
  std::chrono::steady_clock::duration best = std::chrono::hours(1);
  for (int i = 0; i < 3; ++i) {  // the machine may be busy with other things once
    FakeStorage storage(64, 300);
    for (int64_t chunk = 0; chunk < 64; ++chunk) Silence(storage, chunk, 500);
    CloudFetchOptions options = TestOptions();
    options.parallel_downloads = 64;
    options.chunks_ahead = 64;
    auto stream = storage.MakeStream(options);
    ASSERT_TRUE(storage.server().WaitForRequests(64));
    const auto start = std::chrono::steady_clock::now();
    stream.reset();
    best = std::min(best, std::chrono::steady_clock::now() - start);
    EXPECT_TRUE(storage.server().WaitForClosedConnections(64));
    EXPECT_EQ(storage.pool().statistics().bytes_lent, 0);
    EXPECT_TRUE(storage.links().is_destroyed());
  }
  EXPECT_LT(best, kAtOnce);
}

TEST(CloudFetchCancel, GivesBackItsThreadsAndFiles) {
  FakeStorage storage(3, 10);
  storage.links().BlockAfter(0);
  const int64_t num_threads = CountEntries("/proc/self/task");
  const int64_t num_files = CountEntries("/proc/self/fd");
  {
    const auto stream = storage.MakeStream(TestOptions());
    storage.links().WaitUntilBlocked();
    EXPECT_GT(CountEntries("/proc/self/task"), num_threads);
  }
  EXPECT_EQ(CountEntries("/proc/self/task"), num_threads);
  EXPECT_EQ(CountEntries("/proc/self/fd"), num_files);
}

TEST(CloudFetchCancel, MayComeAtAnyMomentFromAnyThread) {
  FakeStorage storage(30, 200);
  for (int64_t num_requests = 0; num_requests < 30; ++num_requests) {
    const auto stream = storage.MakeStream(TestOptions());
    int64_t num_batches = 0;
    std::thread other;
    const ReadResult read = ReadAll(*stream, [&](const RecordBatch&) {
      if (num_batches++ != num_requests * 3) return;
      other = std::thread([&] { stream->Cancel(Status::Cancelled("now")); });
    });
    other.join();
    if (!read.end.ok()) {
      EXPECT_EQ(read.end.message(), "now");
    } else {
      EXPECT_EQ(read.num_rows, 6000);
    }
  }
}

TEST(CloudFetchCancel, SurvivesDestructionRightAfterItsMaking) {
  FakeStorage storage(10, 100);
  for (int i = 0; i < 50; ++i) storage.MakeStream(TestOptions()).reset();
}

}  // namespace
}  // namespace dbx
