// SPDX-License-Identifier: Apache-2.0
#include "checksum.h"

#include <gtest/gtest.h>

#include <optional>

namespace dbx::cli {
namespace {

nanoarrow::UniqueSchema Schema() {
  nanoarrow::UniqueSchema schema;
  ArrowSchemaInit(schema.get());
  NANOARROW_THROW_NOT_OK(ArrowSchemaSetTypeStruct(schema.get(), 2));
  NANOARROW_THROW_NOT_OK(ArrowSchemaSetType(schema->children[0], NANOARROW_TYPE_INT64));
  NANOARROW_THROW_NOT_OK(ArrowSchemaSetName(schema->children[0], "number"));
  NANOARROW_THROW_NOT_OK(ArrowSchemaSetType(schema->children[1], NANOARROW_TYPE_STRING));
  NANOARROW_THROW_NOT_OK(ArrowSchemaSetName(schema->children[1], "text"));
  return schema;
}

using Row = std::pair<int64_t, std::optional<std::string>>;

void Add(ColumnChecksums& checksums, const std::vector<Row>& rows) {
  const nanoarrow::UniqueSchema schema = Schema();
  nanoarrow::UniqueArray array;
  NANOARROW_THROW_NOT_OK(ArrowArrayInitFromSchema(array.get(), schema.get(), nullptr));
  NANOARROW_THROW_NOT_OK(ArrowArrayStartAppending(array.get()));
  for (const auto& [number, text] : rows) {
    NANOARROW_THROW_NOT_OK(ArrowArrayAppendInt(array->children[0], number));
    if (text) {
      NANOARROW_THROW_NOT_OK(
          ArrowArrayAppendString(array->children[1], ArrowCharView(text->c_str())));
    } else {
      NANOARROW_THROW_NOT_OK(ArrowArrayAppendNull(array->children[1], 1));
    }
    NANOARROW_THROW_NOT_OK(ArrowArrayFinishElement(array.get()));
  }
  NANOARROW_THROW_NOT_OK(ArrowArrayFinishBuildingDefault(array.get(), nullptr));
  checksums.Add(*array.get());
}

ColumnChecksums Of(const std::vector<std::vector<Row>>& batches) {
  ColumnChecksums checksums(Schema().get());
  for (const std::vector<Row>& rows : batches) Add(checksums, rows);
  return checksums;
}

TEST(ColumnChecksums, AreTheSameForAnyOrderAndCut) {
  const uint64_t whole = Of({{{1, "a"}, {2, std::nullopt}, {3, "c"}}}).Total();
  EXPECT_EQ(Of({{{3, "c"}}, {{2, std::nullopt}, {1, "a"}}}).Total(), whole);
}

TEST(ColumnChecksums, TellADoubledAMissingAndAChangedRow) {
  const uint64_t whole = Of({{{1, "a"}, {2, "b"}, {3, "c"}}}).Total();
  EXPECT_NE(Of({{{1, "a"}, {2, "b"}, {3, "c"}, {3, "c"}}}).Total(), whole);
  EXPECT_NE(Of({{{1, "a"}, {2, "b"}}}).Total(), whole);
  EXPECT_NE(Of({{{1, "a"}, {2, "B"}, {3, "c"}}}).Total(), whole);
  EXPECT_NE(Of({{{1, "a"}, {2, std::nullopt}, {3, "c"}}}).Total(), whole);
}

TEST(ColumnChecksums, CountNulls) {
  const ColumnChecksums checksums = Of({{{1, "a"}, {2, std::nullopt}}});
  EXPECT_EQ(checksums.columns()[0].nulls, 0);
  EXPECT_EQ(checksums.columns()[1].nulls, 1);
  EXPECT_EQ(checksums.columns()[1].name, "text");
}

}  // namespace
}  // namespace dbx::cli
