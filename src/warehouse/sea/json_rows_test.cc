// SPDX-License-Identifier: Apache-2.0
#include "warehouse/sea/json_rows.h"

#include <gtest/gtest.h>

#include "base/str_cat.h"
#include "warehouse/sea/column_type.h"
#include "warehouse/sea/interval_text.h"
#include "warehouse/sea/manifest_schema.h"

namespace dbx::sea {
namespace {

using Cell = std::optional<std::string>;

std::shared_ptr<const Schema> SchemaOf(const std::vector<std::string>& types) {
  std::vector<ColumnMessage> columns;
  for (const std::string& type : types) {
    columns.push_back({.name = StrCat("c", columns.size()), .type_text = type});
  }
  auto schema = SchemaFromManifest(columns, "Etc/UTC");
  EXPECT_TRUE(schema.ok()) << schema.status().ToString();
  return schema.ok() ? *schema : nullptr;
}

/// The one column's view after reading `cells` as `type`; keeps what it looks at.
struct ReadColumn {
  std::shared_ptr<const Schema> schema;
  Result<RecordBatch> batch = Status::Internal("not read");
  nanoarrow::UniqueArrayView view;

  ReadColumn(const std::string& type, const std::vector<Cell>& cells) : schema(SchemaOf({type})) {
    std::vector<JsonRow> rows;
    for (const Cell& cell : cells) rows.push_back({cell});
    batch = JsonRowsToBatch(*schema, rows);
    if (!batch.ok()) return;
    EXPECT_EQ(ArrowArrayViewInitFromSchema(view.get(), schema->c_schema(), nullptr), NANOARROW_OK);
    EXPECT_EQ(ArrowArrayViewSetArray(view.get(), batch->c_array(), nullptr), NANOARROW_OK);
    EXPECT_EQ(ArrowArrayViewValidate(view.get(), NANOARROW_VALIDATION_LEVEL_FULL, nullptr),
              NANOARROW_OK);
  }

  const ArrowArrayView* column() const { return view->children[0]; }
  int64_t Integer(int64_t row) const { return ArrowArrayViewGetIntUnsafe(column(), row); }
  std::string Text(const ArrowArrayView* from, int64_t row) const {
    const ArrowStringView text = ArrowArrayViewGetStringUnsafe(from, row);
    return {text.data, static_cast<size_t>(text.size_bytes)};
  }
};

TEST(JsonRows, ReadsPlainTypes) {
  const ReadColumn truth("BOOLEAN", {"true", std::nullopt, "false"});
  ASSERT_TRUE(truth.batch.ok());
  EXPECT_EQ(truth.Integer(0), 1);
  EXPECT_TRUE(ArrowArrayViewIsNull(truth.column(), 1));
  EXPECT_EQ(ReadColumn("TINYINT", {"-128"}).Integer(0), -128);
  EXPECT_EQ(ReadColumn("SMALLINT", {"32767"}).Integer(0), 32767);
  EXPECT_EQ(ReadColumn("BIGINT", {"-9223372036854775808"}).Integer(0), INT64_MIN);
  EXPECT_EQ(ReadColumn("DATE", {"1970-01-02"}).Integer(0), 1);
  EXPECT_EQ(ReadColumn("TIMESTAMP", {"2021-01-01T10:00:00.000-08:00"}).Integer(0),
            1'609'524'000'000'000);
  EXPECT_EQ(ReadColumn("TIMESTAMP_NTZ", {"1970-01-01T00:00:01.5"}).Integer(0), 1'500'000);
  EXPECT_EQ(ReadColumn("INTERVAL MONTH", {"100-0"}).batch->num_rows(), 1);
  EXPECT_EQ(ReadColumn("INTERVAL DAY TO SECOND", {"3 04:30:20.123000000"}).Integer(0),
            275'420'123'000);
  const ReadColumn text("STRING", {" as it is ", ""});
  EXPECT_EQ(text.Text(text.column(), 0), " as it is ");
  const ReadColumn number("DOUBLE", {"1.5E-3", "NaN", "-Infinity"});
  EXPECT_EQ(ArrowArrayViewGetDoubleUnsafe(number.column(), 0), 0.0015);
  const ReadColumn decimal("DECIMAL(38,2)", {"-123456789012345678901234567890.10"});
  ASSERT_TRUE(decimal.batch.ok());
  ArrowDecimal value;
  ArrowDecimalInit(&value, 128, 38, 2);
  ArrowArrayViewGetDecimalUnsafe(decimal.column(), 0, &value);
  nanoarrow::UniqueBuffer digits;
  ASSERT_EQ(ArrowDecimalAppendDigitsToBuffer(&value, digits.get()), NANOARROW_OK);
  EXPECT_EQ(std::string(reinterpret_cast<const char*>(digits->data),
                        static_cast<size_t>(digits->size_bytes)),
            "-12345678901234567890123456789010");
}

TEST(JsonRows, ReadsBinaryOfBothSpellings) {
  const ReadColumn base64("BINARY", {"AP8=", "", std::nullopt});
  ASSERT_TRUE(base64.batch.ok());
  EXPECT_EQ(base64.Text(base64.column(), 0), std::string("\0\xFF", 2));
  const ReadColumn hex("BINARY", {"00fF", "0a", "00112233"});
  ASSERT_TRUE(hex.batch.ok());
  EXPECT_EQ(hex.Text(hex.column(), 0), std::string("\0\xFF", 2));
  EXPECT_EQ(hex.Text(hex.column(), 2), std::string("\0\x11\x22\x33", 4));
  EXPECT_FALSE(ReadColumn("BINARY", {"no!"}).batch.ok());
}

TEST(JsonRows, ReadsNestedTypes) {
  const ReadColumn list("ARRAY<DECIMAL(10,2)>", {"[1.10,null,\"2\"]", std::nullopt, "[]"});
  ASSERT_TRUE(list.batch.ok()) << list.batch.status().ToString();
  EXPECT_EQ(list.column()->children[0]->length, 3);
  EXPECT_TRUE(ArrowArrayViewIsNull(list.column(), 1));
  EXPECT_TRUE(ArrowArrayViewIsNull(list.column()->children[0], 1));

  const ReadColumn map("MAP<INT, STRING>", {R"({"2":"b","1":null})"});
  ASSERT_TRUE(map.batch.ok()) << map.batch.status().ToString();
  const ArrowArrayView* const entries = map.column()->children[0];
  EXPECT_EQ(entries->length, 2);
  EXPECT_EQ(ArrowArrayViewGetIntUnsafe(entries->children[0], 0), 2);
  EXPECT_EQ(map.Text(entries->children[1], 0), "b");

  const ReadColumn record("STRUCT<a: INT, b: ARRAY<STRING>, c: DATE>",
                          {R"({"b":["x","\u00e9"],"a":1})", std::nullopt});
  ASSERT_TRUE(record.batch.ok()) << record.batch.status().ToString();
  EXPECT_EQ(ArrowArrayViewGetIntUnsafe(record.column()->children[0], 0), 1);
  EXPECT_EQ(record.Text(record.column()->children[1]->children[0], 1), "\xC3\xA9");
  EXPECT_TRUE(ArrowArrayViewIsNull(record.column()->children[2], 0));
  EXPECT_TRUE(ArrowArrayViewIsNull(record.column(), 1));

  // A text within is text whatever JSON it looks like.
  const ReadColumn texts("ARRAY<STRING>", {R"(["{}",1,true,{"a":[2]}])"});
  ASSERT_TRUE(texts.batch.ok());
  EXPECT_EQ(texts.Text(texts.column()->children[0], 3), R"({"a":[2]})");
}

TEST(JsonRows, RefusesWhatDoesNotFitWithoutShowingIt) {
  const std::vector<std::pair<std::string, std::string>> bad = {
      {"INT", "2147483648"},    {"INT", "SECRET"},         {"TINYINT", "128"},
      {"BOOLEAN", "SECRET"},    {"DATE", "SECRET"},        {"DECIMAL(4,2)", "123.45"},
      {"ARRAY<INT>", "[1"},     {"ARRAY<INT>", "{}"},      {"MAP<STRING, INT>", "1"},
      {"STRUCT<a: INT>", "[]"}, {"INTERVAL YEAR", "1-12"}, {"VOID", "SECRET"}};
  for (const auto& [type, cell] : bad) {
    const ReadColumn column(type, {cell});
    EXPECT_EQ(column.batch.status().code(), StatusCode::kInvalidData) << type << " " << cell;
    EXPECT_EQ(column.batch.status().message().find("SECRET"), std::string::npos);
  }
  const auto wide = JsonRowsToBatch(*SchemaOf({"INT"}), {{"1", "2"}});
  EXPECT_EQ(wide.status().code(), StatusCode::kInvalidData);
}

TEST(IntervalText, ReadsWhatResultsHave) {
  EXPECT_EQ(ParseYearMonth("100-0"), 1200);
  EXPECT_EQ(ParseYearMonth("-0-10"), -10);
  EXPECT_EQ(ParseYearMonth("INTERVAL '-1-2' YEAR TO MONTH"), -14);
  EXPECT_EQ(ParseYearMonth("1"), std::nullopt);
  EXPECT_EQ(ParseYearMonth("999999999-0"), std::nullopt);
  EXPECT_EQ(ParseDayTime("-8 00:00:00.000000000"), -691'200'000'000);
  EXPECT_EQ(ParseDayTime("0 00:00:45.789"), 45'789'000);
  EXPECT_EQ(ParseDayTime("INTERVAL '1 02:03:04' DAY TO SECOND"), 93'784'000'000);
  EXPECT_EQ(ParseDayTime("1 24:00:00"), std::nullopt);
  EXPECT_EQ(ParseDayTime("1 00:00:00.0000001"), std::nullopt);
  EXPECT_EQ(ParseDayTime("999999999999 00:00:00"), std::nullopt);
}

TEST(ColumnType, TellsSparksJson) {
  const auto json = [](std::string_view text) {
    const ColumnType type = ParseColumnType(text);
    nanoarrow::UniqueSchema schema;
    ArrowSchemaInit(schema.get());
    EXPECT_TRUE(SetArrowType(type, "UTC", schema.get()).ok()) << text;
    return SparkJson(type, *schema.get());
  };
  EXPECT_EQ(json("INT"), "\"integer\"");
  EXPECT_EQ(json("DECIMAL(18,2)"), "\"decimal(18,2)\"");
  EXPECT_EQ(json("VARCHAR(255)"), "\"string\"");
  EXPECT_EQ(json("INTERVAL DAY TO SECOND"), "\"interval day to second\"");
  EXPECT_EQ(json("VARIANT"), "\"variant\"");
  EXPECT_EQ(json("VOID"), "\"void\"");
  EXPECT_EQ(json("MAP<STRING, ARRAY<INT>>"),
            R"({"type":"map","keyType":"string","valueType":{"type":"array",)"
            R"("elementType":"integer","containsNull":true},"valueContainsNull":true})");
  EXPECT_EQ(json("STRUCT<a: INT NOT NULL COMMENT 'x, >', `b c`: DATE>"),
            R"({"type":"struct","fields":[{"name":"a","type":"integer","nullable":true,)"
            R"("metadata":{}},{"name":"b c","type":"date","nullable":true,"metadata":{}}]})");
}

TEST(ColumnType, TakesWhatItCannotReadAsText) {
  for (const std::string& text :
       {std::string("DECIMAL(99,2)"), std::string("ARRAY<INT"), std::string("STRUCT<a INT"),
        std::string("INT INT"), std::string(""), std::string("geometry(0)"),
        std::string(1000, 'A') + "<", [] {
          std::string deep;
          for (int i = 0; i < 100; ++i) deep += "ARRAY<";
          return deep;
        }()}) {
    EXPECT_EQ(ParseColumnType(text).kind, ColumnType::Kind::kOther) << text;
  }
}

}  // namespace
}  // namespace dbx::sea
