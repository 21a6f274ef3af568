// SPDX-License-Identifier: Apache-2.0
#include "sql/translator.h"

#include <gtest/gtest.h>

#include <string>

#include "sql/column_naming.h"
#include "sql/date_pattern.h"

namespace dbx::local {
namespace {

std::string Translated(const std::string& sql, std::vector<SqlParameter> parameters = {}) {
  TranslationContext context;
  context.sql = sql;
  context.parameters = std::move(parameters);
  const Result<Tokens> tokens = Tokenize(sql);
  if (!tokens.ok()) return tokens.status().message();
  const Result<Translation> translation = Translate(*tokens, context);
  return translation.ok() ? translation->sql : "error " + translation.status().error_class();
}

std::string NameOf(const std::string& expression) {
  const Result<Tokens> tokens = Tokenize(expression);
  return tokens.ok() ? ColumnNameOf(*tokens, 0, tokens->size() - 1) : "";
}

struct Case {
  std::string_view name;
  std::string service;
  std::string engine;
};

void PrintTo(const Case& item, std::ostream* out) {
  *out << item.service;
}

class Rewrites : public testing::TestWithParam<Case> {};

TEST_P(Rewrites, GivesTheEnginesForm) {
  EXPECT_EQ(Translated(GetParam().service), GetParam().engine);
}

INSTANTIATE_TEST_SUITE_P(
    All, Rewrites,
    testing::Values(
        Case{"Backticks", "SELECT `a b` FROM `t`", R"sql(SELECT "a b" FROM "t")sql"},
        Case{"CatalogOfThreeParts", "SELECT x FROM main.default.t",
             R"sql(SELECT x FROM "c_main"."default"."t")sql"},
        Case{"TwoPartsStay", "SELECT t.x FROM s.t", R"sql(SELECT "t"."x" FROM "s"."t")sql"},
        Case{"UnknownCatalog", "SELECT 1 FROM nope.a.b", "error NO_SUCH_CATALOG_EXCEPTION"},
        Case{"DoubleQuotedText", R"sql(SELECT "it's" AS a)sql", R"sql(SELECT 'it''s' AS "a")sql"},
        Case{"NeighbourTexts", "SELECT 'a' 'b' AS c", R"sql(SELECT 'ab' AS "c")sql"},
        Case{"NulInText", R"sql(SELECT 'a\0b' AS c)sql",
             R"sql(SELECT ('a' || chr(0) || 'b') AS "c")sql"},
        Case{"Binary", "SELECT X'1F' AS b", R"sql(SELECT unhex('1F') AS "b")sql"},
        Case{"Suffixes", "SELECT 1L AS a, 2D AS b",
             R"sql(SELECT CAST(1 AS BIGINT) AS "a", CAST(2 AS DOUBLE) AS "b")sql"},
        Case{"SmallestOfAType", "SELECT -128Y AS a, -32768S AS b, - 9223372036854775808L AS c",
             R"sql(SELECT CAST(-128 AS TINYINT) AS "a", CAST(-32768 AS SMALLINT) AS "b",)sql"
             R"sql( CAST(-9223372036854775808 AS BIGINT) AS "c")sql"},
        Case{"CountStar", "SELECT count(*) FROM t",
             R"sql(SELECT count(*) AS "count(1)" FROM t)sql"},
        Case{"Cast", "SELECT CAST(a AS LONG) AS b", R"sql(SELECT CAST(a AS BIGINT) AS "b")sql"},
        Case{"CastNested", "SELECT CAST(a AS MAP<STRING, ARRAY<INT>>) AS b",
             R"sql(SELECT CAST(a AS MAP(VARCHAR, INTEGER[])) AS "b")sql"},
        Case{"ColonCast", "SELECT a::string AS b", R"sql(SELECT a::VARCHAR AS "b")sql"},
        Case{"Timestamp", "SELECT TIMESTAMP'2021-01-01' AS t",
             R"sql(SELECT CAST('2021-01-01' AS TIMESTAMP WITH TIME ZONE) AS "t")sql"},
        Case{"TimestampNtz", "SELECT TIMESTAMP_NTZ '2021-01-01' AS t",
             R"sql(SELECT CAST('2021-01-01' AS TIMESTAMP) AS "t")sql"},
        Case{"Interval", "SELECT INTERVAL '3 04:30' DAY TO MINUTE AS i",
             R"sql(SELECT INTERVAL '3 days 16200000000 microseconds' AS "i")sql"},
        Case{"IntervalPairs", "SELECT INTERVAL 2 YEARS 1 MONTH AS i",
             R"sql(SELECT INTERVAL '25 months' AS "i")sql"},
        Case{"ZeroBasedIndex", "SELECT a[0] AS b", R"sql(SELECT a[(0) + 1] AS "b")sql"},
        Case{"MapKey", "SELECT m['k'] AS b", R"sql(SELECT m['k'] AS "b")sql"},
        Case{"Map", "SELECT map('a', 1, 'b', 2) AS m",
             R"sql(SELECT map(['a', 'b'], [ 1, 2]) AS "m")sql"},
        Case{"NamedStruct", "SELECT named_struct('a', 1, 'b', x) AS s",
             R"sql(SELECT struct_pack("a" :=  1, "b" :=  x) AS "s")sql"},
        Case{"Except", "SELECT * EXCEPT (a) FROM t", "SELECT * EXCLUDE (a) FROM t"},
        Case{"SetExceptStays", "SELECT a FROM t EXCEPT SELECT b FROM u",
             "SELECT a FROM t EXCEPT SELECT b FROM u"},
        Case{"Semi", "SELECT * FROM a LEFT SEMI JOIN b ON x = y",
             "SELECT * FROM a SEMI JOIN b ON x = y"},
        Case{"NullSafe", "SELECT * FROM a WHERE x <=> y",
             "SELECT * FROM a WHERE x IS NOT DISTINCT FROM y"},
        Case{"LikeEscape", R"sql(SELECT * FROM a WHERE x LIKE '5\%')sql",
             R"sql(SELECT * FROM a WHERE x LIKE '5\%' ESCAPE '\')sql"},
        Case{"NotRlike", "SELECT * FROM a WHERE x NOT RLIKE 'b'",
             R"sql(SELECT * FROM a WHERE x !~ ('(?s).*(' || 'b' || ').*'))sql"},
        Case{"Division", "SELECT a / 2 AS b, a / c AS d",
             R"sql(SELECT a / 2 AS "b", a / nonzero( c) AS "d")sql"},
        Case{"IntegerDivision", "SELECT a DIV b AS c", R"sql(SELECT a // nonzero( b) AS "c")sql"},
        Case{"Range", "SELECT * FROM range(5)", "SELECT * FROM (SELECT range AS id FROM range(5))"},
        Case{"SessionNames", "SELECT current_catalog() AS c, CURRENT_SCHEMA AS s",
             R"sql(SELECT 'main' AS "c", 'default' AS "s")sql"},
        Case{"VariantPath", "SELECT v:a.b[0] AS x",
             R"sql(SELECT ( v -> '$."a"."b"[0]') AS "x")sql"},
        Case{
            "FastTimestamps", "SELECT CAST(d AS TIMESTAMP) + INTERVAL 1 DAY AS x",
            R"sql(SELECT make_timestamptz(epoch_us( utc_timestamp_of(d)) + 86400000000) AS "x")sql"},
        Case{"OwnNameOfAFunction", "SELECT a.max(x) FROM t",
             R"sql(SELECT "a"."max"(x) AS "a.max(x)" FROM t)sql"},
        Case{"ExistsIsNoFunction", "SELECT 1 AS a FROM t WHERE EXISTS (SELECT b, c FROM u)",
             R"sql(SELECT 1 AS "a" FROM t WHERE EXISTS( SELECT b, c FROM u))sql"},
        Case{"SecondStatement", "SELECT 1; SELECT 2", "error PARSE_SYNTAX_ERROR"},
        Case{"Unclosed", "SELECT (1", "error PARSE_SYNTAX_ERROR"}),
    [](const testing::TestParamInfo<Case>& item) { return std::string(item.param.name); });

TEST(Translator, KnowsWhereEachPieceComesFrom) {
  const std::string sql = "SELECT  `a`,\n count(*) FROM main.default.t";
  const Result<Tokens> tokens = Tokenize(sql);
  TranslationContext context;
  context.sql = sql;
  const Result<Translation> translation = Translate(*tokens, context);
  ASSERT_TRUE(translation.ok());
  EXPECT_EQ(translation->SourceOffset(translation->sql.find("count")), sql.find("count"));
  EXPECT_EQ(translation->SourceOffset(translation->sql.find("\"c_main\"")), sql.find("main"));
}

TEST(Translator, PutsParametersInTheirPlaces) {
  EXPECT_EQ(
      Translated("SELECT ? AS a, :n AS b", {{std::nullopt, "INT", "5"}, {"n", "STRING", "it's"}}),
      R"sql(SELECT CAST('5' AS INTEGER) AS "a", 'it''s' AS "b")sql");
  EXPECT_EQ(Translated("SELECT :`n` AS a", {{"N", "VOID", std::nullopt}}),
            R"sql(SELECT NULL AS "a")sql");
  EXPECT_EQ(Translated("SELECT ? AS a", {{std::nullopt, "DATE", std::nullopt}}),
            R"sql(SELECT CAST(NULL AS DATE) AS "a")sql");
  EXPECT_EQ(Translated("SELECT ? AS a", {}), "error UNBOUND_SQL_PARAMETER");
  EXPECT_EQ(Translated("SELECT ? AS a", {{std::nullopt, "POINT", "1"}}),
            "error UNSUPPORTED_DATATYPE");
}

TEST(Translator, PutsNestedParametersTogether) {
  SqlParameter list{std::nullopt,
                    "ARRAY",
                    std::nullopt,
                    {{std::nullopt, "INT", "1"}, {std::nullopt, "VOID", "None"}}};
  EXPECT_EQ(Translated("SELECT ? AS a", {list}),
            R"sql(SELECT [CAST('1' AS INTEGER), NULL] AS "a")sql");
  SqlParameter map{std::nullopt,
                   "MAP",
                   std::nullopt,
                   {{std::nullopt, "STRING", "k"}, {std::nullopt, "INT", "1"}}};
  EXPECT_EQ(Translated("SELECT ? AS a", {map}),
            R"sql(SELECT map(['k'], [CAST('1' AS INTEGER)]) AS "a")sql");
}

TEST(Translator, RefusesTooManyBrackets) {
  std::string sql = "SELECT ";
  sql.append(5000, '(');
  sql += "1";
  sql.append(5000, ')');
  EXPECT_EQ(Translated(sql), "error PARSE_SYNTAX_ERROR");
}

TEST(ColumnNaming, FollowsTheService) {
  EXPECT_EQ(NameOf("count(*)"), "count(1)");
  EXPECT_EQ(NameOf("SUM(t.a)"), "sum(a)");
  EXPECT_EQ(NameOf("a+b*2"), "(a + (b * 2))");
  EXPECT_EQ(NameOf("cast(null as double)"), "CAST(NULL AS DOUBLE)");
  EXPECT_EQ(NameOf("NULL"), "NULL");
  EXPECT_EQ(NameOf("TRUE"), "true");
  EXPECT_EQ(NameOf("'x y'"), "x y");
  EXPECT_EQ(NameOf("-1"), "-1");
  EXPECT_EQ(NameOf("1.50"), "1.50");
  EXPECT_EQ(NameOf("a = 1 AND NOT b"), "((a = 1) AND (NOT b))");
  EXPECT_EQ(NameOf("a IS NOT NULL"), "(a IS NOT NULL)");
  EXPECT_EQ(NameOf("a IN (1, 2)"), "(a IN (1, 2))");
  EXPECT_EQ(NameOf("case when a then 1 else 2 end"), "CASE WHEN a THEN 1 ELSE 2 END");
  EXPECT_EQ(NameOf("current_date"), "current_date()");
  EXPECT_EQ(NameOf("explode(a)"), "col");
  EXPECT_EQ(NameOf("DATE'2020-01-01'"), "DATE '2020-01-01'");
}

TEST(DatePattern, TranslatesLetters) {
  EXPECT_EQ(EngineDatePattern("yyyy-MM-dd HH:mm:ss.SSS"), "%Y-%m-%d %H:%M:%S.%g");
  EXPECT_EQ(EngineDatePattern("d 'de' MMMM ''yy 100%"), "%-d de %B '%y 100%%");
}

}  // namespace
}  // namespace dbx::local
