// SPDX-License-Identifier: Apache-2.0
#include "arrow/record_batch.h"

#include <gtest/gtest.h>

#include <string_view>
#include <utility>

#include "arrow/testing/ipc_writer.h"

namespace dbx {
namespace {

TEST(RecordBatch, TruncateKeepsTheFirstRowsOfEveryColumn) {
  RecordBatch batch = MakeRowBatch(100, 20);
  batch.Truncate(7);
  EXPECT_EQ(batch.num_rows(), 7);
  EXPECT_EQ(RowNumbers(batch), RowRange(100, 107));
  for (int64_t i = 0; i < 3; ++i) EXPECT_EQ(batch.c_array()->children[i]->length, 7);
  EXPECT_TRUE(CheckRows(batch, 100).ok());
}

TEST(RecordBatch, TruncateMarksANullCountAsUnknownOnlyWhereThereAreNulls) {
  RecordBatch batch = MakeRowBatch(0, 20);
  ASSERT_GT(batch.c_array()->children[2]->null_count, 0);
  batch.Truncate(2);
  EXPECT_EQ(batch.c_array()->children[0]->null_count, 0);
  EXPECT_EQ(batch.c_array()->children[2]->null_count, -1);
}

TEST(RecordBatch, TruncateToMoreRowsThanThereAreChangesNothing) {
  RecordBatch batch = MakeRowBatch(0, 5);
  batch.Truncate(6);
  EXPECT_EQ(batch.num_rows(), 5);
  batch.Truncate(-1);
  EXPECT_EQ(batch.num_rows(), 0);
}

TEST(RecordBatch, MoveToLeavesNothingBehind) {
  RecordBatch batch = MakeRowBatch(0, 5);
  nanoarrow::UniqueArray out;
  batch.MoveTo(out.get());
  EXPECT_EQ(out->length, 5);
  EXPECT_EQ(batch.num_rows(), 0);
  batch.Truncate(1);
  EXPECT_EQ(out->length, 5);
}

TEST(RecordBatch, AnEmptyOneHasNoRows) {
  const RecordBatch batch;
  EXPECT_EQ(batch.num_rows(), 0);
}

TEST(Schema, CopyToGivesAnIndependentCopy) {
  nanoarrow::UniqueSchema copy;
  {
    const auto schema = RowSchema();
    ASSERT_TRUE(schema->CopyTo(copy.get()).ok());
  }
  EXPECT_EQ(std::string_view(copy->children[1]->name), "text");
  EXPECT_EQ(std::string_view(copy->children[2]->format), "d:18,2");
}

TEST(Schema, TakeRefusesWhatIsNoStruct) {
  ArrowSchema schema;
  ArrowSchemaInit(&schema);
  ASSERT_EQ(ArrowSchemaSetType(&schema, NANOARROW_TYPE_INT32), NANOARROW_OK);
  EXPECT_EQ(Schema::Take(&schema).status().code(), StatusCode::kInvalidData);
  EXPECT_EQ(schema.release, nullptr);
}

TEST(Schema, TakeRefusesAnUnknownFormatDeepInside) {
  ArrowSchema schema;
  ArrowSchemaInit(&schema);
  ASSERT_EQ(ArrowSchemaSetTypeStruct(&schema, 1), NANOARROW_OK);
  ASSERT_EQ(ArrowSchemaSetFormat(schema.children[0], "?!"), NANOARROW_OK);
  EXPECT_EQ(Schema::Take(&schema).status().code(), StatusCode::kInvalidData);
  EXPECT_EQ(schema.release, nullptr);
}

TEST(Schema, AColumnMayHaveNoName) {
  ArrowSchema schema;
  ArrowSchemaInit(&schema);
  ASSERT_EQ(ArrowSchemaSetTypeStruct(&schema, 1), NANOARROW_OK);
  ASSERT_EQ(ArrowSchemaSetType(schema.children[0], NANOARROW_TYPE_INT32), NANOARROW_OK);
  ASSERT_EQ(ArrowSchemaSetName(schema.children[0], nullptr), NANOARROW_OK);
  const auto taken = Schema::Take(&schema);
  ASSERT_TRUE(taken.ok()) << taken.status().ToString();
  EXPECT_EQ((*taken)->column_name(0), "");
  EXPECT_EQ((*taken)->num_columns(), 1);
}

}  // namespace
}  // namespace dbx
