// SPDX-License-Identifier: Apache-2.0
// Seeded runs with random faults: each ends with every row, or with an error that says why; never
// with fewer rows.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "cloudfetch/testing/fake_storage.h"

namespace dbx {
namespace {

class Dice {
 public:
  explicit Dice(uint64_t seed) : engine_(seed) {}
  int64_t Throw(int64_t sides) {
    return static_cast<int64_t>(engine_() % static_cast<uint64_t>(sides));
  }

 private:
  std::mt19937_64 engine_;
};

/// What goes wrong with one answer: chosen by chunk and request, so that a seed always gives the
/// same.
void Spoil(uint64_t seed, int64_t chunk, const FakeRequest& request, const std::string& whole,
           FakeAnswer& answer) {
  Dice dice(seed * 1'000'003 + static_cast<uint64_t>(chunk) * 8191 +
            static_cast<uint64_t>(request.repeat));
  if (request.repeat > 6 || dice.Throw(2) == 0) return;
  const auto size = static_cast<int64_t>(answer.body.size());
  const int64_t position = dice.Throw(std::max<int64_t>(size, 1));
  switch (dice.Throw(10)) {
    case 0:
      answer.reset_after = position;
      break;
    case 1:
      answer.reset_after = FakeAnswer::kBeforeHead;
      break;
    case 2:
      answer.cut_after = position;
      break;
    case 3:
      answer = {.status = 403, .body = "<Error><Code>AccessDenied</Code></Error>"};
      break;
    case 4:
      answer = {.status = 503, .body = "SlowDown"};
      break;
    case 5:
      answer = {.status = 500, .body = "InternalError"};
      break;
    case 6:  // knows no ranges today
      answer = {.body = whole};
      break;
    case 7:
      if (size > 0)
        answer.body[static_cast<size_t>(position)] ^= static_cast<char>(1 + dice.Throw(255));
      break;
    case 8:  // a length that is a lie
      answer.body.resize(static_cast<size_t>(position));
      break;
    default:
      if (dice.Throw(20) == 0) {
        answer = {.status = 404, .body = "NoSuchKey"};
      } else if (dice.Throw(2) == 0) {  // silent from there on, for ever
        answer.gate = std::make_shared<FakeGate>();
        answer.gate_after = position;
      }
      break;
  }
}

struct FaultyRun {
  explicit FaultyRun(uint64_t seed) : dice(seed), storage(Chunks(dice)) {
    for (int64_t chunk = 0; chunk < static_cast<int64_t>(storage.all_links().size()); ++chunk) {
      storage.SetFault(chunk, [this, seed, chunk](const FakeRequest& request, FakeAnswer& answer) {
        Spoil(seed, chunk, request, storage.file(chunk), answer);
      });
    }
  }

  /// Each file with checksums: otherwise nobody could tell a flipped bit from a value.
  static std::vector<FakeChunk> Chunks(Dice& dice) {
    std::vector<FakeChunk> chunks;
    const int64_t num_chunks = 1 + dice.Throw(8);
    for (int64_t i = 0; i < num_chunks; ++i) {
      chunks.push_back({.num_rows = dice.Throw(400),
                        .padding_rows = dice.Throw(4) == 0 ? dice.Throw(100) : 0,
                        .rows_per_batch = 1 + dice.Throw(90),
                        .lz4 = Lz4Layout{.frame_per_message = dice.Throw(3) == 0,
                                         .linked_blocks = dice.Throw(2) == 0,
                                         .checksums = true,
                                         .content_size = dice.Throw(2) == 0,
                                         .small_blocks = dice.Throw(2) == 0},
                        .stated_bytes = dice.Throw(3) == 0 ? dice.Throw(1'000'000) : -1});
    }
    return chunks;
  }

  CloudFetchOptions Options() {
    CloudFetchOptions options = TestOptions();
    options.parallel_downloads = static_cast<int32_t>(1 + dice.Throw(8));
    options.chunks_ahead = static_cast<int32_t>(1 + dice.Throw(10));
    options.link_prefetch_window = static_cast<int32_t>(1 + dice.Throw(10));
    options.memory_limit_bytes = int64_t{1} << (10 + dice.Throw(16));
    options.range_resume = dice.Throw(4) != 0;
    options.hedge = dice.Throw(4) != 0;
    options.stall_timeout = std::chrono::milliseconds(150);
    return options;
  }

  Dice dice;
  FakeStorage storage;
};

#if defined(__SANITIZE_THREAD__)
constexpr uint64_t kNumRuns = 20;  // each takes some twenty times as long there
#else
constexpr uint64_t kNumRuns = 200;
#endif

TEST(CloudFetchRandomFaults, EndWithEveryRowOrANamedError) {
  int num_whole = 0;
  for (uint64_t seed = 1; seed <= kNumRuns; ++seed) {
    FaultyRun run(seed);
    const auto stream = run.storage.MakeStream(run.Options());
    const ReadResult read = ReadAll(*stream);
    if (read.end.ok()) {
      ++num_whole;
      EXPECT_EQ(read.num_rows, run.storage.num_rows()) << "seed " << seed;
      continue;
    }
    EXPECT_LE(read.num_rows, run.storage.num_rows()) << "seed " << seed;
    EXPECT_NE(read.end.code(), StatusCode::kInternal)
        << "seed " << seed << ": " << read.end.ToString();
    EXPECT_NE(read.end.message().find("chunk "), std::string::npos)
        << "seed " << seed << ": " << read.end.message();
    EXPECT_EQ(stream->Next().status().ToString(), read.end.ToString());
  }
  EXPECT_GT(num_whole, static_cast<int>(kNumRuns / 2));  // most faults can be mended
  RecordProperty("whole", num_whole);
}

}  // namespace
}  // namespace dbx
