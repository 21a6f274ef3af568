// SPDX-License-Identifier: Apache-2.0
#include "sql/sql_type.h"

#include <gtest/gtest.h>

#include "sql/interval.h"
#include "sql/sql_text.h"
#include "sql/type_parser.h"

namespace dbx::local {
namespace {

std::string TextOf(std::string_view text) {
  const Result<SqlType> type = ParseTypeText(text);
  return type.ok() ? type->Text() : type.status().error_class();
}

std::string JsonOf(std::string_view text) {
  return ParseTypeText(text)->Json();
}

TEST(SqlType, ReadsAllSpellings) {
  EXPECT_EQ(TextOf("long"), "BIGINT");
  EXPECT_EQ(TextOf("Byte"), "TINYINT");
  EXPECT_EQ(TextOf("decimal"), "DECIMAL(10,0)");
  EXPECT_EQ(TextOf("NUMERIC(5, 2)"), "DECIMAL(5,2)");
  EXPECT_EQ(TextOf("timestamp_ltz"), "TIMESTAMP");
  EXPECT_EQ(TextOf("varchar(20)"), "VARCHAR(20)");
  EXPECT_EQ(TextOf("interval day to second"), "INTERVAL DAY TO SECOND");
  EXPECT_EQ(TextOf("INTERVAL YEAR"), "INTERVAL YEAR");
  EXPECT_EQ(TextOf("array<map<string,int>>"), "ARRAY<MAP<STRING, INT>>");
  EXPECT_EQ(TextOf("struct<a:int, `b c` array<date> not null>"),
            "STRUCT<a: INT, b c: ARRAY<DATE> NOT NULL>");
}

TEST(SqlType, RefusesWhatIsNone) {
  for (const std::string_view text :
       {"", "point", "decimal(39,1)", "decimal(5,6)", "array<int", "array<>", "int int",
        "interval day to year", "decimal(a)", "varchar(99999999999)"}) {
    EXPECT_EQ(TextOf(text), "UNSUPPORTED_DATATYPE") << text;
  }
}

TEST(SqlType, SpellsTheJsonForm) {
  EXPECT_EQ(JsonOf("BIGINT"), "\"long\"");
  EXPECT_EQ(JsonOf("DECIMAL(7,2)"), "\"decimal(7,2)\"");
  EXPECT_EQ(JsonOf("VARCHAR(3)"), "\"string\"");
  EXPECT_EQ(JsonOf("INTERVAL YEAR TO MONTH"), "\"interval year to month\"");
  EXPECT_EQ(JsonOf("ARRAY<INT>"),
            R"({"type":"array","elementType":"integer","containsNull":true})");
  EXPECT_EQ(
      JsonOf("STRUCT<a: INT>"),
      R"({"type":"struct","fields":[{"name":"a","type":"integer","nullable":true,"metadata":{}}]})");
}

TEST(SqlType, SpellsTheEnginesAndTheDescribedForm) {
  EXPECT_EQ(EngineType(*ParseTypeText("MAP<STRING, ARRAY<BINARY>>")), "MAP(VARCHAR, BLOB[])");
  EXPECT_EQ(EngineType(*ParseTypeText("STRUCT<a: TIMESTAMP>")),
            "STRUCT(\"a\" TIMESTAMP WITH TIME ZONE)");
  EXPECT_EQ(DescribeType(*ParseTypeText("STRUCT<a: MAP<STRING, DECIMAL(5,2)>>")),
            "struct<a:map<string,decimal(5,2)>>");
}

TEST(Interval, ReadsTextsByTheirType) {
  const auto read = [](const std::string& text, std::string_view type) {
    const std::optional<IntervalLiteral> literal = ParseIntervalText(text, *ParseTypeText(type));
    return literal ? literal->EngineText() : "none";
  };
  EXPECT_EQ(read("100-0", "INTERVAL YEAR TO MONTH"), "INTERVAL '1200 months'");
  EXPECT_EQ(read("-1-2", "INTERVAL YEAR TO MONTH"), "INTERVAL '-14 months'");
  EXPECT_EQ(read("3 04:30:20.123", "INTERVAL DAY TO SECOND"),
            "INTERVAL '3 days 16220123000 microseconds'");
  EXPECT_EQ(read("90:30.5", "INTERVAL MINUTE TO SECOND"), "INTERVAL '5430500000 microseconds'");
  EXPECT_EQ(read("1", "INTERVAL DAY TO SECOND"), "none");
  EXPECT_EQ(read("x", "INTERVAL DAY"), "none");
  EXPECT_EQ(read("9999999999999999999", "INTERVAL DAY"), "none");
}

TEST(Patterns, MatchNames) {
  EXPECT_TRUE(MatchesLike("CATALOG_sales", "catalog\\_%"));
  EXPECT_FALSE(MatchesLike("catalogXsales", "catalog\\_%"));
  EXPECT_TRUE(MatchesLike("abc", "_b%"));
  EXPECT_TRUE(MatchesLike("a\\b", "a\\b"));
  EXPECT_FALSE(MatchesLike("", "_"));
  EXPECT_TRUE(MatchesShowPattern("store_sales", "cat*|store*"));
  EXPECT_TRUE(MatchesShowPattern("abc", "a.c"));
  EXPECT_FALSE(MatchesShowPattern("abcd", "a.c"));
}

}  // namespace
}  // namespace dbx::local
