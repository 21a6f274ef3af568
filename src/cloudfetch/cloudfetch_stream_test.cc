// SPDX-License-Identifier: Apache-2.0
#include "cloudfetch/cloudfetch_stream.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "arrow/testing/ipc_writer.h"
#include "base/str_cat.h"
#include "cloudfetch/testing/fake_storage.h"

namespace dbx {
namespace {

void ExpectAllRows(const ReadResult& read, int64_t num_rows) {
  EXPECT_EQ(read.end.ToString(), "ok");
  EXPECT_EQ(read.num_rows, num_rows);
}

TEST(CloudFetchStream, DeliversEveryRowInOrder) {
  FakeStorage storage(20, 300);
  const auto stream = storage.MakeStream(TestOptions());
  ExpectAllRows(ReadAll(*stream), 6000);
  const CloudFetchStatistics statistics = stream->statistics();
  EXPECT_EQ(statistics.rows, 6000);
  EXPECT_EQ(statistics.batches, 120);
  EXPECT_EQ(statistics.chunks, 20);
  EXPECT_EQ(statistics.chunks_total, 20);
  EXPECT_EQ(statistics.retries, 0);
  EXPECT_GT(statistics.bytes_decoded, statistics.bytes_downloaded);
  EXPECT_LE(statistics.peak_downloads, 16);
  EXPECT_GT(statistics.time_to_first_batch.count(), 0);
}

TEST(CloudFetchStream, KeepsRowOrderWhenLaterChunksArriveFirst) {
  FakeStorage storage(4, 200);
  const auto gate = std::make_shared<FakeGate>();
  storage.SetFault(0, [gate](const FakeRequest&, FakeAnswer& answer) {
    answer.gate = gate;
    answer.gate_after = 100;
  });
  // The last chunk's answer lets the first one go on.
  storage.SetFault(3, [gate](const FakeRequest&, FakeAnswer&) { gate->Open(); });
  ExpectAllRows(ReadAll(*storage.MakeStream(TestOptions())), 800);
}

TEST(CloudFetchStream, HandsOutTheFirstBatchesBeforeTheFileHasArrived) {
  FakeStorage storage({{.num_rows = 20'000, .rows_per_batch = 1000, .lz4 = std::nullopt}});
  const auto gate = std::make_shared<FakeGate>();
  storage.SetFault(0, [gate](const FakeRequest&, FakeAnswer& answer) {
    answer.gate = gate;
    answer.gate_after = static_cast<int64_t>(answer.body.size()) / 2;
  });
  const auto stream = storage.MakeStream(TestOptions());
  const auto batch = stream->Next();  // would wait for ever if it needed the whole file
  ASSERT_TRUE(batch.ok() && batch->has_value());
  EXPECT_EQ(CheckRows(**batch, 0).ToString(), "ok");
  gate->Open();
  int64_t num_rows = (*batch)->num_rows();
  while (true) {
    const auto next = stream->Next();
    ASSERT_TRUE(next.ok());
    if (!next->has_value()) break;
    EXPECT_EQ(CheckRows(**next, num_rows).ToString(), "ok");
    num_rows += (*next)->num_rows();
  }
  EXPECT_EQ(num_rows, 20'000);
}

TEST(CloudFetchStream, EndsAgainAndAgainAfterTheLastRow) {
  FakeStorage storage(2, 10);
  const auto stream = storage.MakeStream(TestOptions());
  ExpectAllRows(ReadAll(*stream), 20);
  for (int i = 0; i < 3; ++i) {
    const auto batch = stream->Next();
    ASSERT_TRUE(batch.ok());
    EXPECT_FALSE(batch->has_value());
  }
}

TEST(CloudFetchStream, SendsTheLinksHeadersAndNoOthers) {
  FakeStorage storage(1, 10);
  ExpectAllRows(ReadAll(*storage.MakeStream(TestOptions())), 10);
  const std::vector<FakeRequest> requests = storage.server().requests();
  ASSERT_EQ(requests.size(), 1U);
  EXPECT_EQ(requests[0].Header("x-storage-key"), "key-0");
  EXPECT_FALSE(requests[0].HasHeader("Authorization"));
  EXPECT_FALSE(requests[0].HasHeader("Range"));
}

TEST(CloudFetchStream, DecodesEveryLayoutThatServicesSend) {
  FakeStorage storage({
      {.num_rows = 3000, .lz4 = Lz4Layout{}},
      {.num_rows = 3000, .lz4 = Lz4Layout{.frame_per_message = true}},
      {.num_rows = 3000, .lz4 = Lz4Layout{.linked_blocks = true, .small_blocks = true}},
      {.num_rows = 3000, .lz4 = Lz4Layout{.checksums = true, .content_size = true}},
      {.num_rows = 3000, .lz4 = Lz4Layout{.frame_per_message = true, .checksums = true}},
      {.num_rows = 3000, .lz4 = std::nullopt},  // plain, in spite of the manifest
  });
  ExpectAllRows(ReadAll(*storage.MakeStream(TestOptions())), 18'000);
}

TEST(CloudFetchStream, ReadsPlainFilesOfAPlainResult) {
  FakeStorage storage(
      {{.num_rows = 500, .lz4 = std::nullopt}, {.num_rows = 1, .lz4 = std::nullopt}});
  storage.manifest().compression = Compression::kNone;
  ExpectAllRows(ReadAll(*storage.MakeStream(TestOptions())), 501);
}

TEST(CloudFetchStream, CutsFilesThatHoldMoreRowsThanDeclared) {
  FakeStorage storage(
      {{.num_rows = 120, .padding_rows = 0}, {.num_rows = 130, .padding_rows = 500}});
  ExpectAllRows(ReadAll(*storage.MakeStream(TestOptions())), 250);
}

TEST(CloudFetchStream, DoesNotBelieveTheStatedSizeOfAChunk) {
  for (const int64_t stated : {int64_t{0}, int64_t{1}, int64_t{100}, int64_t{1} << 50}) {
    FakeStorage storage({{.num_rows = 9000, .stated_bytes = stated}});
    ExpectAllRows(ReadAll(*storage.MakeStream(TestOptions())), 9000);
  }
}

TEST(CloudFetchStream, EndsAtOnceWithoutLinks) {
  FakeStorage storage(std::vector<FakeChunk>{});
  const auto stream = storage.MakeStream(TestOptions());
  ExpectAllRows(ReadAll(*stream), 0);
  EXPECT_EQ(stream->schema()->num_columns(), RowSchema()->num_columns());
  EXPECT_EQ(stream->statistics().chunks_total, 0);
}

TEST(CloudFetchStream, PassesOverChunksAndBatchesWithoutRows) {
  FakeStorage storage({{.num_rows = 0}, {.num_rows = 60}, {.num_rows = 0}, {.num_rows = 60}});
  // A batch of no rows before those of the second chunk.
  IpcMessages messages = MakeIpcMessages(0, 60, 50);
  const IpcMessages nothing = MakeIpcMessages(0, 0, 50);
  std::string stream_bytes = messages.schema;
  for (const std::string& batch : nothing.batches) stream_bytes += batch;
  const RecordBatch empty = MakeRowBatch(0, 0);
  stream_bytes += WriteBatchMessage(*RowSchema()->c_schema(), *empty.c_array());
  for (const std::string& batch : messages.batches) stream_bytes += batch;
  storage.set_file(1, stream_bytes + messages.end);
  ExpectAllRows(ReadAll(*storage.MakeStream(TestOptions())), 120);
  EXPECT_EQ(storage.num_requests(0), 0);
}

TEST(CloudFetchStream, ReadsAFileWithoutAnEndMarker) {
  FakeStorage storage(1, 100);
  const IpcMessages messages = MakeIpcMessages(0, 100, 50);
  storage.set_file(0, messages.schema + messages.batches[0] + messages.batches[1]);
  ExpectAllRows(ReadAll(*storage.MakeStream(TestOptions())), 100);
}

TEST(CloudFetchStream, NamesTheColumnsAsTheManifestDoes) {
  // A result cache may serve files of an earlier query, with its names.
  FakeStorage storage(1, 10);
  nanoarrow::UniqueSchema renamed;
  ASSERT_TRUE(RowSchema()->CopyTo(renamed.get()).ok());
  ASSERT_EQ(ArrowSchemaSetName(renamed->children[0], "other"), NANOARROW_OK);
  auto schema = Schema::Take(renamed.get());
  ASSERT_TRUE(schema.ok());
  storage.manifest().schema = *schema;
  const auto stream = storage.MakeStream(TestOptions());
  ExpectAllRows(ReadAll(*stream), 10);
  EXPECT_EQ(stream->schema()->column_name(0), "other");
}

TEST(CloudFetchStream, RefusesAFileWithOtherTypes) {
  FakeStorage storage(2, 10);
  nanoarrow::UniqueSchema other;
  ASSERT_TRUE(RowSchema()->CopyTo(other.get()).ok());
  ASSERT_EQ(ArrowSchemaSetFormat(other->children[0], "u"), NANOARROW_OK);
  const RecordBatch batch = MakeRowBatch(10, 10);
  storage.set_file(1, WriteSchemaMessage(*other.get()) +
                          WriteBatchMessage(*RowSchema()->c_schema(), *batch.c_array()) +
                          EndOfStream());
  const ReadResult read = ReadAll(*storage.MakeStream(TestOptions()));
  EXPECT_EQ(read.num_rows, 10);
  EXPECT_EQ(read.end.code(), StatusCode::kInvalidData);
  EXPECT_NE(read.end.message().find("chunk 1"), std::string::npos) << read.end.message();
}

TEST(CloudFetchStream, EndsOnlyAtTheManifestsTotals) {
  FakeStorage few_rows(3, 50);
  few_rows.manifest().num_rows = 200;
  const ReadResult rows = ReadAll(*few_rows.MakeStream(TestOptions()));
  EXPECT_EQ(rows.num_rows, 150);
  EXPECT_EQ(rows.end.code(), StatusCode::kIntegrity);

  FakeStorage few_chunks(3, 50);
  few_chunks.manifest().num_rows = 150;
  few_chunks.manifest().num_chunks = 4;
  const ReadResult chunks = ReadAll(*few_chunks.MakeStream(TestOptions()));
  EXPECT_EQ(chunks.num_rows, 150);
  EXPECT_EQ(chunks.end.code(), StatusCode::kIntegrity);
}

TEST(CloudFetchStream, ReadsManyChunksThroughOneDownloadAndANarrowWindow) {
  FakeStorage storage(30, 40);
  CloudFetchOptions options = TestOptions();
  options.parallel_downloads = 1;
  options.parallel_downloads = 4;
  options.chunks_ahead = 2;
  options.link_prefetch_window = 1;
  options.decode_threads = 1;
  const auto stream = storage.MakeStream(options);
  ExpectAllRows(ReadAll(*stream), 1200);
  EXPECT_EQ(stream->statistics().peak_downloads, 1);
}

TEST(CloudFetchStream, ReadsFilesWhoseStatedSizeIsBeyondAllMeasure) {
  const FakeChunk chunk = {
      .num_rows = 100, .lz4 = std::nullopt, .stated_bytes = std::numeric_limits<int64_t>::max()};
  FakeStorage storage(std::vector<FakeChunk>(6, chunk));
  CloudFetchOptions options = TestOptions();
  options.memory_limit_bytes = 400 << 20;
  const auto stream = storage.MakeStream(options);
  ExpectAllRows(ReadAll(*stream), 600);
  EXPECT_EQ(stream->statistics().peak_downloads, 1);  // no two of them fit
}

TEST(CloudFetchStream, FetchesNoMoreLinksAndFilesThanItsWindows) {
  FakeStorage storage(40, 10);
  CloudFetchOptions options = TestOptions();
  options.chunks_ahead = 6;
  options.parallel_downloads = 4;
  options.link_prefetch_window = 9;
  const auto stream = storage.MakeStream(options);
  const auto batch = stream->Next();  // and then the reader pauses
  ASSERT_TRUE(batch.ok() && batch->has_value());
  ASSERT_TRUE(storage.server().WaitForRequests(6));
  EXPECT_LE(storage.server().num_requests(), 6);
  EXPECT_LE(storage.links().num_given(), 9U);
}

TEST(CloudFetchStream, BatchesOutliveTheirStream) {
  FakeStorage storage(3, 100);
  std::vector<RecordBatch> kept;
  {
    const auto stream = storage.MakeStream(TestOptions());
    ReadAll(*stream, [&](RecordBatch batch) { kept.push_back(std::move(batch)); });
  }
  int64_t row = 0;
  for (const RecordBatch& batch : kept) {
    EXPECT_EQ(CheckRows(batch, row).ToString(), "ok");
    row += batch.num_rows();
  }
  EXPECT_EQ(row, 300);
  kept.clear();
  EXPECT_EQ(storage.pool().statistics().bytes_lent, 0);
}

TEST(CloudFetchStream, StatesWhatItDidInItsStatistics) {
  FakeStorage storage(3, 1000);
  storage.Refuse(1, 1, 500);
  const auto stream = storage.MakeStream(TestOptions());
  ExpectAllRows(ReadAll(*stream), 3000);
  const CloudFetchStatistics statistics = stream->statistics();
  int64_t stored = 0;
  for (int64_t i = 0; i < 3; ++i) stored += static_cast<int64_t>(storage.file(i).size());
  EXPECT_EQ(statistics.bytes_downloaded, stored);
  EXPECT_EQ(statistics.retries, 1);
  EXPECT_EQ(statistics.link_refreshes, 0);
  EXPECT_GT(statistics.peak_charged_bytes, 0);
  EXPECT_GT(statistics.decode_time.count(), 0);
  EXPECT_GT(statistics.reader_waited.count(), 0);
}

}  // namespace
}  // namespace dbx
