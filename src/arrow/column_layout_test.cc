// SPDX-License-Identifier: Apache-2.0
#include "arrow/column_layout.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace dbx {
namespace {

struct Column {
  std::string name;
  std::string format;
  std::vector<Column> children = {};
};

void Fill(ArrowSchema* schema, const Column& column) {
  ArrowSchemaInit(schema);
  ASSERT_EQ(ArrowSchemaSetFormat(schema, column.format.c_str()), NANOARROW_OK);
  ASSERT_EQ(ArrowSchemaSetName(schema, column.name.c_str()), NANOARROW_OK);
  ASSERT_EQ(ArrowSchemaAllocateChildren(schema, static_cast<int64_t>(column.children.size())),
            NANOARROW_OK);
  for (size_t i = 0; i < column.children.size(); ++i) Fill(schema->children[i], column.children[i]);
}

std::shared_ptr<const Schema> SchemaOf(std::vector<Column> columns) {
  nanoarrow::UniqueSchema schema;
  Fill(schema.get(), {"", "+s", std::move(columns)});
  return std::make_shared<Schema>(std::move(schema));
}

TEST(ColumnLayout, KnowsBuffersOfEachType) {
  const auto layout = LayoutOf(*SchemaOf({{"n", "n"},
                                          {"b", "b"},
                                          {"i", "l"},
                                          {"s", "u"},
                                          {"d", "d:7,2"},
                                          {"w", "w:16"},
                                          {"l", "+l", {{"element", "U"}}}}));
  ASSERT_TRUE(layout.ok()) << layout.status().ToString();
  const std::vector<ColumnLayout>& columns = layout->children;
  EXPECT_EQ(columns[0].buffers.size(), 0U);
  EXPECT_EQ(columns[1].buffers[1].element_bits, 1);
  EXPECT_EQ(columns[2].buffers[1].alignment, 8U);
  EXPECT_EQ(columns[3].buffers[1].alignment, 4U);
  EXPECT_EQ(columns[3].buffers[2].element_bits, 0);
  EXPECT_EQ(columns[4].buffers[1].alignment, 16U);
  EXPECT_EQ(columns[5].buffers[1].alignment, 1U);
  EXPECT_EQ(columns[6].children[0].buffers[1].alignment, 8U);
  EXPECT_EQ(CountNodes(*layout), 9);
  EXPECT_EQ(CountBuffers(*layout), 1 + 0 + 2 + 2 + 3 + 2 + 2 + 2 + 3);
}

TEST(ColumnLayout, RefusesTypesThatTheServiceNeverSends) {
  for (const char* const format : {"vu", "vz"}) {
    const Status status = LayoutOf(*SchemaOf({{"odd", format}})).status();
    EXPECT_EQ(status.code(), StatusCode::kNotImplemented) << format;
    EXPECT_NE(status.message().find("odd"), std::string::npos);
  }
  EXPECT_EQ(LayoutOf(*SchemaOf({{"u", "+ud:0", {{"a", "i"}}}})).status().code(),
            StatusCode::kNotImplemented);
  EXPECT_EQ(
      LayoutOf(*SchemaOf({{"r", "+r", {{"run_ends", "i"}, {"values", "i"}}}})).status().code(),
      StatusCode::kNotImplemented);
  EXPECT_EQ(LayoutOf(*SchemaOf({{"l", "+l", {{"element", "vu"}}}})).status().code(),
            StatusCode::kNotImplemented);
}

TEST(CheckSameTypes, NamesAndZonesMayDiffer) {
  EXPECT_TRUE(
      CheckSameTypes(*SchemaOf({{"a", "i"}, {"t", "tsu:Etc/UTC"}, {"l", "+l", {{"element", "u"}}}}),
                     *SchemaOf({{"b", "i"}, {"t", "tsu:UTC+08:00"}, {"l", "+l", {{"item", "u"}}}}))
          .ok());
}

TEST(CheckSameTypes, NamesTheColumnAndBothTypes) {
  const Status status = CheckSameTypes(*SchemaOf({{"a", "i"}, {"price", "d:7,2"}}),
                                       *SchemaOf({{"a", "i"}, {"stale", "d:9,2"}}));
  EXPECT_EQ(status.code(), StatusCode::kInvalidData);
  for (const char* const part : {"column 1", "price", "(7, 2)", "(9, 2)"}) {
    EXPECT_NE(status.message().find(part), std::string::npos) << status.message();
  }
}

TEST(CheckSameTypes, SeesEachDifference) {
  const std::vector<std::pair<Column, Column>> pairs = {
      {{"a", "i"}, {"a", "l"}},
      {{"a", "i"}, {"a", "n"}},
      {{"a", "d:7,2"}, {"a", "d:7,3"}},
      {{"a", "d:7,2"}, {"a", "d:7,2,256"}},
      {{"a", "tsu:"}, {"a", "tsu:UTC"}},
      {{"a", "tsu:UTC"}, {"a", "tsm:UTC"}},
      {{"a", "tDu"}, {"a", "tDn"}},
      {{"a", "tiM"}, {"a", "tiD"}},
      {{"a", "w:3"}, {"a", "w:4"}},
      {{"a", "u"}, {"a", "U"}},
      {{"a", "+l", {{"e", "i"}}}, {"a", "+l", {{"e", "l"}}}},
      {{"a", "+s", {{"e", "i"}}}, {"a", "+s", {{"e", "i"}, {"f", "i"}}}},
  };
  for (const auto& [result, file] : pairs) {
    EXPECT_FALSE(CheckSameTypes(*SchemaOf({result}), *SchemaOf({file})).ok())
        << result.format << file.format;
    EXPECT_FALSE(CheckSameTypes(*SchemaOf({file}), *SchemaOf({result})).ok())
        << result.format << file.format;
  }
  EXPECT_FALSE(CheckSameTypes(*SchemaOf({{"a", "i"}}), *SchemaOf({})).ok());
}

}  // namespace
}  // namespace dbx
