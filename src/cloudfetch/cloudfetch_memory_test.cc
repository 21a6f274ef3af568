// SPDX-License-Identifier: Apache-2.0
// What a stream holds in memory, whatever its reader does.
#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "cloudfetch/testing/fake_storage.h"

namespace dbx {
namespace {

constexpr int64_t kMiB = 1 << 20;

/// Files of about 1.3 MB decoded that do not shrink much when stored.
FakeStorage MakeLargeResult(int64_t num_chunks) {
  return FakeStorage(std::vector<FakeChunk>(static_cast<size_t>(num_chunks),
                                            {.num_rows = 20'000, .rows_per_batch = 2000}));
}

CloudFetchOptions WithLimit(int64_t limit_bytes) {
  CloudFetchOptions options = TestOptions();
  options.memory_limit_bytes = limit_bytes;
  return options;
}

TEST(CloudFetchMemory, StaysWithinTheLimitAndOneReserveForAReaderThatReleases) {
  FakeStorage storage = MakeLargeResult(24);
  for (const int64_t limit : {1 * kMiB, 4 * kMiB, 16 * kMiB}) {
    const auto stream = storage.MakeStream(WithLimit(limit));
    const ReadResult read = ReadAll(*stream);
    EXPECT_EQ(read.end.ToString(), "ok");
    EXPECT_EQ(read.num_rows, 480'000);
    // The reserve: the head's slab, the one before it, and a ticket.
    const int64_t slab = static_cast<int64_t>(storage.pool().CapacityFor(2 * kMiB));
    EXPECT_LE(stream->statistics().peak_charged_bytes, limit + 2 * slab + kMiB) << limit;
  }
  EXPECT_EQ(storage.pool().statistics().bytes_lent, 0);
}

TEST(CloudFetchMemory, GivesEverythingToAReaderThatKeepsEverything) {
  FakeStorage storage = MakeLargeResult(12);
  std::vector<RecordBatch> kept;
  const auto stream = storage.MakeStream(WithLimit(1 * kMiB));
  const ReadResult read =
      ReadAll(*stream, [&](RecordBatch batch) { kept.push_back(std::move(batch)); });
  EXPECT_EQ(read.end.ToString(), "ok");
  EXPECT_EQ(read.num_rows, 240'000);
  EXPECT_GT(stream->statistics().peak_charged_bytes, 12 * kMiB);
}

TEST(CloudFetchMemory, GoesOnDownloadingAheadForAReaderThatKeepsEverything) {
  FakeStorage storage = MakeLargeResult(16);
  std::vector<RecordBatch> kept;
  const auto stream = storage.MakeStream(WithLimit(8 * kMiB));
  const ReadResult read =
      ReadAll(*stream, [&](RecordBatch batch) { kept.push_back(std::move(batch)); });
  EXPECT_EQ(read.num_rows, 320'000);
  EXPECT_GE(stream->statistics().peak_downloads, 2);
}

TEST(CloudFetchMemory, LetsAChunkThatIsLargerThanTheLimitIn) {
  FakeStorage storage(
      {{.num_rows = 500},
       {.num_rows = 150'000, .rows_per_batch = 2000},
       {.num_rows = 500},
       {.num_rows = 60'000, .rows_per_batch = 60'000},  // one message larger than the limit
       {.num_rows = 500}});
  const ReadResult read = ReadAll(*storage.MakeStream(WithLimit(1 * kMiB)));
  EXPECT_EQ(read.end.ToString(), "ok");
  EXPECT_EQ(read.num_rows, 211'500);
}

TEST(CloudFetchMemory, HoldsNoMoreThanTheLimitWhileTheReaderPauses) {
  FakeStorage storage = MakeLargeResult(24);
  const auto stream = storage.MakeStream(WithLimit(4 * kMiB));
  auto batch = stream->Next();
  ASSERT_TRUE(batch.ok() && batch->has_value());
  // Everything that may begin has begun when the budget is what the pipeline waits for.
  ASSERT_TRUE(storage.server().WaitForRequests(2));
  EXPECT_LE(stream->statistics().peak_charged_bytes, 7 * kMiB);
  int64_t num_rows = (*batch)->num_rows();
  while (batch.ok() && batch->has_value()) {
    batch = stream->Next();
    if (batch.ok() && batch->has_value()) num_rows += (*batch)->num_rows();
  }
  EXPECT_EQ(batch.status().ToString(), "ok");
  EXPECT_EQ(num_rows, 480'000);
}

TEST(CloudFetchMemory, ReturnsWhatAFailedStreamHeld) {
  FakeStorage storage = MakeLargeResult(6);
  storage.Refuse(2, 1000, 400);
  {
    const auto stream = storage.MakeStream(WithLimit(4 * kMiB));
    EXPECT_EQ(ReadAll(*stream).num_rows, 40'000);
  }
  EXPECT_EQ(storage.pool().statistics().bytes_lent, 0);
}

}  // namespace
}  // namespace dbx
