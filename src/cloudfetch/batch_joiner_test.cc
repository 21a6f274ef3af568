// SPDX-License-Identifier: Apache-2.0
#include "cloudfetch/batch_joiner.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "arrow/testing/every_type.h"
#include "arrow/testing/ipc_writer.h"
#include "cloudfetch/batch_slice.h"
#include "cloudfetch/testing/fake_storage.h"

namespace dbx {
namespace {

RecordBatch Copy(const EveryType& every) {
  const std::string stream = WriteSchemaMessage(*every.schema()->c_schema()) +
                             WriteBatchMessage(*every.schema()->c_schema(), *every.array()) +
                             EndOfStream();
  auto batches = ReadIpcStream(stream);
  // Its buffers are slices of `stream`: joined alone it gets memory of its own.
  auto copy = JoinBatches(*every.schema(), *batches);
  EXPECT_EQ(copy.status().ToString(), "ok");
  return std::move(*copy);
}

/// Gives the bits after the last one, which mean nothing, the values that they have in `model`.
void LevelSpareBits(const ArrowSchema& schema, const ArrowArray& model, const ArrowArray& array) {
  const int used = static_cast<int>(array.length % 8);
  const int64_t num_bitmaps = std::string_view(schema.format) == "b" ? 2 : 1;
  for (int64_t i = 0; i < std::min(num_bitmaps, array.n_buffers) && used != 0; ++i) {
    if (!array.buffers[i] || !model.buffers[i]) continue;
    auto* const last =
        static_cast<uint8_t*>(const_cast<void*>(array.buffers[i])) + array.length / 8;
    const uint8_t other = static_cast<const uint8_t*>(model.buffers[i])[array.length / 8];
    const auto mask = static_cast<uint8_t>(0xFF << used);
    *last = static_cast<uint8_t>((*last & ~mask) | (other & mask));
  }
  for (int64_t i = 0; i < array.n_children; ++i) {
    LevelSpareBits(*schema.children[i], *model.children[i], *array.children[i]);
  }
}

TEST(BatchJoiner, KeepsEveryRowOfFlatColumns) {
  std::vector<RecordBatch> parts;
  parts.push_back(MakeRowBatch(0, 13));
  parts.push_back(MakeRowBatch(13, 1));
  parts.push_back(MakeRowBatch(14, 500));
  const auto joined = JoinBatches(*RowSchema(), parts);
  ASSERT_EQ(joined.status().ToString(), "ok");
  EXPECT_EQ(joined->num_rows(), 514);
  EXPECT_EQ(CheckRows(*joined, 0).ToString(), "ok");
}

TEST(BatchJoiner, HeedsWhereSlicesBeginAndEnd) {
  std::vector<RecordBatch> parts;
  parts.push_back(MakeRowBatch(0, 40));
  DropFront(parts[0], 7);
  parts[0].Truncate(20);  // rows 7..26
  parts.push_back(MakeRowBatch(20, 40));
  DropFront(parts[1], 7);  // rows 27..59
  const auto joined = JoinBatches(*RowSchema(), parts);
  ASSERT_EQ(joined.status().ToString(), "ok");
  EXPECT_EQ(joined->num_rows(), 53);
  EXPECT_EQ(CheckRows(*joined, 7).ToString(), "ok");
}

TEST(BatchJoiner, JoinsEveryTypeThatResultsHave) {
  const EveryType whole(100);
  std::vector<RecordBatch> parts;
  for (const int64_t first : {0, 1, 33, 70}) {
    const int64_t last = first == 0 ? 1 : first == 1 ? 33 : first == 33 ? 70 : 100;
    RecordBatch part = Copy(whole);
    part.Truncate(last);
    DropFront(part, first);
    parts.push_back(std::move(part));
  }
  const auto joined = JoinBatches(*whole.schema(), parts);
  ASSERT_EQ(joined.status().ToString(), "ok");
  EXPECT_EQ(joined->num_rows(), 100);
  LevelSpareBits(*whole.schema()->c_schema(), *whole.array(), *joined->c_array());
  EXPECT_EQ(whole.DifferenceTo(*joined->c_array()), "");
}

TEST(BatchJoiner, MakesTheStreamsBatchesAsLargeAsAskedFor) {
  FakeStorage storage(4, 1000);  // 20 batches of 50 rows each
  CloudFetchOptions options = TestOptions();
  options.batch_rows = 400;
  std::vector<int64_t> sizes;
  const auto stream = storage.MakeStream(options);
  const ReadResult read =
      ReadAll(*stream, [&](const RecordBatch& batch) { sizes.push_back(batch.num_rows()); });
  EXPECT_EQ(read.end.ToString(), "ok");
  EXPECT_EQ(read.num_rows, 4000);
  EXPECT_EQ(sizes,
            std::vector<int64_t>({400, 400, 200, 400, 400, 200, 400, 400, 200, 400, 400, 200}));
}

TEST(BatchJoiner, LeavesLargeBatchesAsTheyAre) {
  FakeStorage storage(
      {{.num_rows = 900, .rows_per_batch = 300}, {.num_rows = 100, .rows_per_batch = 100}});
  CloudFetchOptions options = TestOptions();
  options.batch_rows = 250;
  std::vector<int64_t> sizes;
  const auto stream = storage.MakeStream(options);
  ReadAll(*stream, [&](const RecordBatch& batch) { sizes.push_back(batch.num_rows()); });
  EXPECT_EQ(sizes, std::vector<int64_t>({300, 300, 300, 100}));
}

TEST(BatchJoiner, GivesTheRowsBeforeAnErrorFirst) {
  FakeStorage storage({{.num_rows = 1000, .padding_rows = -350}});
  CloudFetchOptions options = TestOptions();
  options.batch_rows = 400;
  const ReadResult read = ReadAll(*storage.MakeStream(options));
  EXPECT_EQ(read.num_rows, 650);
  EXPECT_EQ(read.end.code(), StatusCode::kIntegrity);
}

}  // namespace
}  // namespace dbx
