// SPDX-License-Identifier: Apache-2.0
#include "warehouse/thrift/thrift_schema.h"

#include <gtest/gtest.h>

#include "arrow/testing/ipc_writer.h"
#include "result/column_values.h"
#include "warehouse/thrift/testing/fake_replies.h"

namespace dbx::thrift {
namespace {

std::vector<std::string> Formats(const TGetResultSetMetadataResp& metadata, RowForm form) {
  const auto schema = SchemaOf(metadata, form, "UTC");
  if (!schema.ok()) return {schema.status().ToString()};
  std::vector<std::string> formats;
  for (int64_t column = 0; column < (*schema)->num_columns(); ++column) {
    formats.emplace_back((*schema)->c_schema()->children[column]->format);
  }
  return formats;
}

TGetResultSetMetadataResp EveryType() {
  std::vector<TColumnDesc> columns;
  for (int type = TTypeId::BOOLEAN_TYPE; type <= TTypeId::INTERVAL_DAY_TIME_TYPE; ++type) {
    columns.push_back(Column("c", static_cast<TTypeId::type>(type)));
  }
  columns.push_back(DecimalColumn("d", 10, 2));
  columns.push_back(DecimalColumn("wrong", 77, 2));
  return ColumnMetadata(columns);
}

TEST(ThriftSchema, MakesEveryTypeForColumns) {
  EXPECT_EQ(Formats(EveryType(), RowForm::kColumns),
            (std::vector<std::string>{"b",       "c",   "s", "i", "l", "f", "g",      "u",
                                      "tsu:UTC", "z",   "u", "u", "u", "u", "u",      "u",
                                      "n",       "tdD", "u", "u", "u", "u", "d:10,2", "u"}));
}

TEST(ThriftSchema, MakesEveryTypeForArrowWithoutASchema) {
  EXPECT_EQ(
      Formats(EveryType(), RowForm::kArrow),
      (std::vector<std::string>{"b", "c", "s", "i", "l", "f",   "g", "u", "tsu:", "z", "u", "u",
                                "u", "u", "u", "u", "n", "tdD", "u", "u", "u",    "u", "u", "u"}));
}

TEST(ThriftSchema, TakesAColumnOfAnUnknownTypeForText) {
  TColumnDesc untyped;
  untyped.columnName = "x";
  EXPECT_EQ(Formats(ColumnMetadata({Column("c", static_cast<TTypeId::type>(99)), untyped}),
                    RowForm::kColumns),
            (std::vector<std::string>{"u", "u"}));
}

TEST(ThriftSchema, C23_KeepsTheMetadataAndZonesOfTheArrowSchema) {
  nanoarrow::UniqueSchema schema;
  ArrowSchemaInit(schema.get());
  ASSERT_EQ(ArrowSchemaSetTypeStruct(schema.get(), 2), NANOARROW_OK);
  ASSERT_EQ(ArrowSchemaSetType(schema->children[0], NANOARROW_TYPE_STRING), NANOARROW_OK);
  ASSERT_EQ(ArrowSchemaSetName(schema->children[0], "v"), NANOARROW_OK);
  ASSERT_EQ(ArrowSchemaSetTypeDateTime(schema->children[1], NANOARROW_TYPE_TIMESTAMP,
                                       NANOARROW_TIME_UNIT_MICRO, "UTC+08:00"),
            NANOARROW_OK);
  ASSERT_EQ(ArrowSchemaSetName(schema->children[1], "t"), NANOARROW_OK);
  nanoarrow::UniqueBuffer field_metadata;
  ASSERT_EQ(ArrowMetadataBuilderInit(field_metadata.get(), nullptr), NANOARROW_OK);
  ASSERT_EQ(
      ArrowMetadataBuilderAppend(field_metadata.get(), ArrowCharView("Spark:DataType:SqlName"),
                                 ArrowCharView("VARIANT")),
      NANOARROW_OK);
  ASSERT_EQ(ArrowSchemaSetMetadata(schema->children[0],
                                   reinterpret_cast<const char*>(field_metadata->data)),
            NANOARROW_OK);
  TGetResultSetMetadataResp metadata = ColumnMetadata({Column("v", TTypeId::STRING_TYPE)});
  metadata.__set_arrowSchema(WriteSchemaMessage(*schema.get()));
  const auto decoded = SchemaOf(metadata, RowForm::kArrow, "UTC");
  ASSERT_TRUE(decoded.ok()) << decoded.status().ToString();
  const ArrowSchema& columns = *(*decoded)->c_schema();
  ArrowStringView name;
  ASSERT_EQ(ArrowMetadataGetValue(columns.children[0]->metadata,
                                  ArrowCharView("Spark:DataType:SqlName"), &name),
            NANOARROW_OK);
  EXPECT_EQ(std::string_view(name.data, static_cast<size_t>(name.size_bytes)), "VARIANT");
  EXPECT_STREQ(columns.children[1]->format, "tsu:UTC+08:00");
}

TEST(ThriftSchema, C24_TakesNestedTypesInColumnsForText) {
  EXPECT_EQ(
      Formats(ColumnMetadata({Column("a", TTypeId::ARRAY_TYPE), Column("m", TTypeId::MAP_TYPE)}),
              RowForm::kColumns),
      (std::vector<std::string>{"u", "u"}));
  const auto schema =
      SchemaOf(ColumnMetadata({Column("a", TTypeId::ARRAY_TYPE)}), RowForm::kColumns, "UTC");
  const auto batch =
      ColumnsToBatch(**schema, {{std::vector<std::string>{"[\"not \"valid\" JSON\"]"}, ""}});
  EXPECT_TRUE(batch.ok()) << batch.status().ToString();
}

TEST(ThriftSchema, RefusesWhatIsNoSchemaMessage) {
  TGetResultSetMetadataResp metadata = ArrowMetadata();
  metadata.arrowSchema.resize(20);
  EXPECT_EQ(SchemaOf(metadata, RowForm::kArrow, "").status().code(), StatusCode::kInvalidData);
}

TEST(ThriftSchema, KnowsTheZoneOfTimestampsInColumns) {
  EXPECT_EQ(ColumnTimezone({}), "UTC");
  EXPECT_EQ(ColumnTimezone({{"timezone", "Etc/UTC"}}), "Etc/UTC");
  EXPECT_EQ(ColumnTimezone({{"spark.sql.session.timeZone", "Asia/Tokyo"}}), "");
}

}  // namespace
}  // namespace dbx::thrift
