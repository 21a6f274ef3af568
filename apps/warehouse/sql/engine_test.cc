// SPDX-License-Identifier: Apache-2.0
#include "sql/engine.h"

#include <gtest/gtest.h>

#include <numeric>
#include <thread>

#include "arrow-adbc/adbc.h"
#include "sql/sql_testing.h"

namespace dbx::local {
namespace {

using Lines = std::vector<std::string>;

class EngineTest : public testing::Test {
 protected:
  void SetUp() override {
    Open();
    ASSERT_NE(session_, nullptr);
  }

  void Open() {
    session_.reset();
    engine_.reset();
    Result<std::unique_ptr<Engine>> engine = Engine::Open({folder_.path()});
    ASSERT_TRUE(engine.ok()) << engine.status().ToString();
    engine_ = *std::move(engine);
    session_ = NewSession();
  }

  std::unique_ptr<SqlSession> NewSession() {
    Result<std::unique_ptr<SqlSession>> session =
        engine_->NewSession(std::nullopt, std::nullopt, {});
    EXPECT_TRUE(session.ok()) << session.status().ToString();
    return session.ok() ? *std::move(session) : nullptr;
  }

  ReadResult Run(const std::string& sql, std::vector<SqlParameter> parameters = {}) {
    return ReadAll(*session_, {sql, std::move(parameters)});
  }
  Lines Rows(const std::string& sql) {
    ReadResult read = Run(sql);
    return read.status.ok() ? read.rows : Lines{read.status.ToString()};
  }
  Lines Columns(const std::string& sql) {
    ReadResult read = Run(sql);
    return read.status.ok() ? read.columns : Lines{read.status.ToString()};
  }
  std::string ErrorOf(const std::string& sql) {
    const Status status = Run(sql).status;
    return status.error_class() + " " + status.sqlstate();
  }
  void Must(const std::string& sql) {
    const Status status = Run(sql).status;
    ASSERT_TRUE(status.ok()) << sql << ": " << status.ToString();
  }

  TestFolder folder_;
  std::unique_ptr<Engine> engine_;
  std::unique_ptr<SqlSession> session_;
};

TEST_F(EngineTest, GivesLiteralsTheServicesTypesAndNames) {
  EXPECT_EQ(
      Columns("SELECT 1, 1.5, 'x', NULL, 1L, 2S, 3Y, 1D, TRUE, X'00', count(*) AS n"),
      (Lines{"1 INT NOT NULL", "1.5 DECIMAL(2,1) NOT NULL", "x STRING NOT NULL", "NULL VOID",
             "1 BIGINT NOT NULL", "2 SMALLINT NOT NULL", "3 TINYINT NOT NULL", "1 DOUBLE NOT NULL",
             "true BOOLEAN NOT NULL", "X'00' BINARY NOT NULL", "n BIGINT NOT NULL"}));
}

TEST_F(EngineTest, GivesAggregatesTheServicesTypes) {
  EXPECT_EQ(
      Columns(
          "SELECT sum(id), sum(CAST(id AS DECIMAL(7,2))), avg(id), max(id), 7 / 2 FROM range(3)"),
      (Lines{"sum(id) BIGINT", "sum(CAST(id AS DECIMAL(7,2))) DECIMAL(17,2)", "avg(id) DOUBLE",
             "max(id) BIGINT", "(7 / 2) DOUBLE"}));
  EXPECT_EQ(ErrorOf("SELECT sum(9223372036854775807) FROM range(2)"),
            "NUMERIC_VALUE_OUT_OF_RANGE 22003");
}

TEST_F(EngineTest, KnowsIntervalsByTheirText) {
  EXPECT_EQ(
      Columns(
          "SELECT INTERVAL '1-2' YEAR TO MONTH AS a, INTERVAL 3 DAY AS b, INTERVAL '1' HOUR AS c"),
      (Lines{"a INTERVAL YEAR TO MONTH NOT NULL", "b INTERVAL DAY NOT NULL",
             "c INTERVAL HOUR NOT NULL"}));
  EXPECT_EQ(Rows("SELECT INTERVAL '1-2' YEAR TO MONTH, INTERVAL 3 DAY, INTERVAL '-1' HOUR"),
            (Lines{"14 | 259200000000 | -3600000000"}));
}

TEST_F(EngineTest, KeepsDeclaredTypesAndKeys) {
  Must(
      "CREATE TABLE t (id INT PRIMARY KEY, v VARCHAR(20) NOT NULL COMMENT 'text', y INTERVAL YEAR, "
      "j VARIANT) USING DELTA");
  Must("INSERT INTO t VALUES (1, 'a', INTERVAL '2' YEAR, parse_json('{\"k\":1}'))");
  EXPECT_EQ(Columns("SELECT * FROM main.default.t"),
            (Lines{"id INT NOT NULL", "v STRING NOT NULL", "y INTERVAL YEAR", "j VARIANT"}));
  EXPECT_EQ(Rows("SELECT * FROM t"), (Lines{"1 | a | 24 | {\"k\":1}"}));
  EXPECT_EQ(Columns("SELECT a.id, b.v FROM t a LEFT JOIN t b ON a.id = b.id"),
            (Lines{"id INT NOT NULL", "v STRING"}));
  const auto columns = session_->Columns("main", "default", "t", std::nullopt);
  ASSERT_TRUE(columns.ok());
  ASSERT_EQ(columns->size(), 4U);
  EXPECT_EQ((*columns)[1].column.type.Text(), "VARCHAR(20)");
  EXPECT_EQ((*columns)[1].column.comment, "text");
  EXPECT_FALSE((*columns)[0].column.nullable);
  const auto keys = session_->PrimaryKeys("main", "default", "t");
  ASSERT_TRUE(keys.ok());
  ASSERT_EQ(keys->size(), 1U);
  EXPECT_EQ((*keys)[0].column, "id");
}

TEST_F(EngineTest, KeepsTablesInTheDataDirectory) {
  Must("CREATE SCHEMA s COMMENT 'mine'");
  Must("CREATE TABLE s.t (id INT PRIMARY KEY, v CHAR(3)) TBLPROPERTIES ('k' = 'v')");
  Must("INSERT INTO s.t VALUES (7, 'abc')");
  Open();
  EXPECT_EQ(Rows("SELECT * FROM main.s.t"), Lines{"7 | abc"});
  EXPECT_EQ(Rows("DESCRIBE s.t"), (Lines{"id | int | NULL", "v | char(3) | NULL"}));
  EXPECT_EQ(Rows("SHOW TBLPROPERTIES s.t"), Lines{"k | v"});
  EXPECT_EQ(Rows("SHOW KEYS IN CATALOG main IN SCHEMA s IN TABLE t"),
            Lines{"main | s | t | id | 1 | t_pk"});
}

TEST_F(EngineTest, GivesASecondEngineOnTheSameDirectoryTablesInMemory) {
  Must("CREATE TABLE t AS SELECT 1 AS x");
  Lines lines;
  EngineOptions options{folder_.path()};
  options.progress = [&](std::string_view line) { lines.emplace_back(line); };
  Result<std::unique_ptr<Engine>> second = Engine::Open(options);
  ASSERT_TRUE(second.ok()) << second.status().ToString();
  EXPECT_EQ(lines.size(), 1U);
  Result<std::unique_ptr<SqlSession>> session =
      (*second)->NewSession(std::nullopt, std::nullopt, {});
  ASSERT_TRUE(session.ok());
  EXPECT_EQ(ReadAll(**session, {"SELECT * FROM t"}).status.sqlstate(), "42P01");
  EXPECT_TRUE(ReadAll(**session, {"CREATE TABLE t AS SELECT 2 AS x"}).status.ok());
  EXPECT_EQ(Rows("SELECT x FROM t"), Lines{"1"});
}

TEST_F(EngineTest, LetsGoOfRowsThatNobodyReads) {
  {
    Result<SqlResult> result =
        session_->Prepare({"SELECT a.id * b.id % 7 FROM range(1000000) a, range(1000000) b"})
            ->Run();
    ASSERT_TRUE(result.ok());
  }
  // The work for them has ended, and the session goes on.
  EXPECT_EQ(Rows("SELECT 1"), Lines{"1"});
}

TEST_F(EngineTest, CountsChangedRows) {
  Must("CREATE TABLE t (id INT, v STRING)");
  ReadResult read = Run("INSERT INTO t VALUES (1, 'a'), (2, 'b'), (3, 'c')");
  EXPECT_EQ(read.columns, (Lines{"num_affected_rows BIGINT", "num_inserted_rows BIGINT"}));
  EXPECT_EQ(read.rows, Lines{"3 | 3"});
  EXPECT_EQ(read.result.modified_rows, 3);
  EXPECT_EQ(Rows("UPDATE t SET t.v = upper(v) WHERE id < 3"), Lines{"2"});
  EXPECT_EQ(Rows("DELETE FROM t WHERE id = 3"), Lines{"1"});
  EXPECT_EQ(
      Rows("MERGE INTO t USING (SELECT 1 AS id, 'x' AS v UNION ALL SELECT 9, 'y') s ON t.id = s.id "
           "WHEN MATCHED THEN UPDATE SET t.v = s.v WHEN NOT MATCHED THEN INSERT *"),
      Lines{"2 | 1 | 0 | 1"});
  EXPECT_EQ(Rows("SELECT * FROM t ORDER BY id"), (Lines{"1 | x", "2 | B", "9 | y"}));
  EXPECT_EQ(Rows("INSERT OVERWRITE t SELECT id + 1, v FROM t"), Lines{"3 | 3"});
  EXPECT_EQ(Rows("SELECT id FROM t ORDER BY id"), (Lines{"2", "3", "10"}));
  EXPECT_EQ(Run("TRUNCATE TABLE t").result.kind, StatementKind::kDdl);
  EXPECT_EQ(Rows("SELECT count(*) FROM t"), Lines{"0"});
  EXPECT_EQ(Rows("CREATE TABLE u AS SELECT id FROM range(5)"), Lines{"5 | 5"});
}

TEST_F(EngineTest, BindsParameters) {
  Must("CREATE TABLE t (id INT, b BOOLEAN, s STRING, d DECIMAL(5,2), ts TIMESTAMP)");
  ReadResult read = Run("INSERT INTO t VALUES (?, ?, ?, ?, ?)",
                        {{std::nullopt, "INT", "8"},
                         {std::nullopt, "BOOLEAN", "True"},
                         {std::nullopt, "STRING", std::nullopt},
                         {std::nullopt, "DECIMAL(5,2)", "1.25"},
                         {std::nullopt, "TIMESTAMP", "2021-01-01T00:00:01Z"}});
  ASSERT_TRUE(read.status.ok()) << read.status.ToString();
  read = Run("SELECT * FROM t WHERE id = :id LIMIT :`n`", {{"id", "INT", "8"}, {"n", "INT", "1"}});
  EXPECT_EQ(read.rows, Lines{"8 | true | NULL | 1.25 | 1609459201000000"});
  EXPECT_EQ(Run("SELECT ?", {}).status.sqlstate(), "42P02");
  EXPECT_EQ(Run("SELECT ?", {{std::nullopt, "INT", "x"}}).status.sqlstate(), "22018");
}

TEST_F(EngineTest, ReadsNestedValues) {
  EXPECT_EQ(Rows("SELECT array(1, NULL, 3) AS a, map('k', array(1.5)) AS m, named_struct('x', 1, "
                 "'y', 'z') AS s, "
                 "array(named_struct('q', array('a', 'b'))) AS n"),
            Lines{"[1,NULL,3] | [k:[1.5]] | {x=1,y=z} | [{q=[a,b]}]"});
  EXPECT_EQ(Rows("SELECT CASE WHEN id % 2 = 0 THEN array(id, id + 1) END FROM range(4)"),
            (Lines{"[0,1]", "NULL", "[2,3]", "NULL"}));
}

TEST_F(EngineTest, CutsBatchesAt4096Rows) {
  const ReadResult read =
      Run("SELECT id, CASE WHEN id % 7 <> 0 THEN id % 3 = 0 END, CASE WHEN id % 5 <> 0 THEN "
          "CAST(id AS STRING) END "
          "FROM range(10000) WHERE id % 3 < 2");
  ASSERT_TRUE(read.status.ok());
  EXPECT_EQ(std::accumulate(read.batch_rows.begin(), read.batch_rows.end(), int64_t{0}), 6667);
  for (size_t i = 0; i + 1 < read.batch_rows.size(); ++i) EXPECT_EQ(read.batch_rows[i], 4096);
  // Every value and every null is in its place, also across the engine's chunks.
  size_t row = 0;
  for (int64_t id = 0; id < 10000; ++id) {
    if (id % 3 == 2) continue;
    const std::string truth = id % 7 == 0 ? "NULL" : id % 3 == 0 ? "true" : "false";
    const std::string text = id % 5 == 0 ? "NULL" : std::to_string(id);
    ASSERT_EQ(read.rows[row++], std::to_string(id) + " | " + truth + " | " + text);
  }
}

TEST_F(EngineTest, FollowsTheSessionsZone) {
  EXPECT_EQ(Rows("SELECT TIMESTAMP '2021-01-01 00:00:00', CAST(TIMESTAMP '2021-01-01 00:00:00' AS "
                 "STRING)"),
            Lines{"1609459200000000 | 2021-01-01 00:00:00"});
  EXPECT_EQ(Rows("SET TIME ZONE 'America/Los_Angeles'"), Lines{"timezone | America/Los_Angeles"});
  EXPECT_EQ(session_->time_zone(), "America/Los_Angeles");
  EXPECT_EQ(Rows("SELECT TIMESTAMP '2021-01-01 00:00:00', CAST(TIMESTAMP '2021-01-01 00:00:00' AS "
                 "STRING)"),
            Lines{"1609488000000000 | 2021-01-01 00:00:00"});
  EXPECT_EQ(Rows("SELECT CAST(DATE '2021-03-14' AS TIMESTAMP) + INTERVAL 1 DAY"),
            Lines{"1615791600000000"});
  ASSERT_TRUE(session_->SetConf("spark.sql.session.timeZone", "UTC+08:00").ok());
  EXPECT_EQ(Rows("SELECT TIMESTAMP '2021-01-01 08:00:00'"), Lines{"1609459200000000"});
  EXPECT_EQ(session_->SetConf("timezone", "Nowhere/City").sqlstate(), "22022");
  const ReadResult overlaid =
      ReadAll(*session_, {"SELECT TIMESTAMP '2021-01-01 00:00:00'", {}, {{"timezone", "UTC"}}});
  EXPECT_EQ(overlaid.rows, Lines{"1609459200000000"});
}

TEST_F(EngineTest, AddsDaysInUtcAsTheCalendarDoes) {
  const std::string sum =
      "SELECT CAST(d AS TIMESTAMP) + INTERVAL 30 DAYS, CAST(d AS TIMESTAMP) + INTERVAL 90 MINUTES, "
      "CAST(d AS TIMESTAMP) + INTERVAL 1 YEAR FROM VALUES (DATE '2020-02-28'), (NULL) AS t(d)";
  const Lines fast = Rows(sum);
  EXPECT_EQ(fast, (Lines{"1585440000000000 | 1582853400000000 | 1614470400000000",
                         "NULL | NULL | NULL"}));
  Must("SET timezone = Africa/Abidjan");  // the same clock, the slow way
  EXPECT_EQ(Rows(sum), fast);
}

TEST_F(EngineTest, UsesCatalogsAndSchemas) {
  Must("CREATE SCHEMA other");
  Must("CREATE TABLE other.t AS SELECT 1 AS x");
  EXPECT_EQ(ErrorOf("SELECT * FROM t"), "TABLE_OR_VIEW_NOT_FOUND 42P01");
  Must("USE SCHEMA other");
  EXPECT_EQ(Rows("SELECT x, current_schema(), current_catalog() FROM t"),
            Lines{"1 | other | main"});
  EXPECT_EQ(session_->schema(), "other");
  EXPECT_EQ(ErrorOf("USE nope"), "SCHEMA_NOT_FOUND 42704");
  EXPECT_EQ(ErrorOf("USE CATALOG nope"), "NO_SUCH_CATALOG_EXCEPTION 42704");
  Must("USE CATALOG hive_metastore");
  EXPECT_EQ(session_->catalog(), "hive_metastore");
  EXPECT_EQ(Rows("SELECT * FROM main.other.t"), Lines{"1"});
  EXPECT_EQ(engine_->NewSession("nope", std::nullopt, {}).status().error_class(),
            "NO_SUCH_CATALOG_EXCEPTION");
}

TEST_F(EngineTest, OpensASessionInASchemaThatIsYetToBeMade) {
  Result<std::unique_ptr<SqlSession>> session = engine_->NewSession("SPARK", "later", {});
  ASSERT_TRUE(session.ok()) << session.status().message();
  const auto error_of = [&](const std::string& sql) {
    const ReadResult read = ReadAll(**session, {sql});
    return read.status.error_class() + " " + read.status.sqlstate();
  };
  EXPECT_EQ(error_of("CREATE TABLE t AS SELECT 7 AS x"), "SCHEMA_NOT_FOUND 42704");
  EXPECT_EQ(error_of("SELECT * FROM t"), "TABLE_OR_VIEW_NOT_FOUND 42P01");
  EXPECT_EQ(ReadAll(**session, {"SELECT current_schema()"}).rows, Lines{"later"});
  ASSERT_TRUE(ReadAll(**session, {"CREATE SCHEMA later"}).status.ok());
  ASSERT_TRUE(ReadAll(**session, {"CREATE TABLE t AS SELECT 7 AS x"}).status.ok());
  EXPECT_EQ(ReadAll(**session, {"SELECT x FROM t"}).rows, Lines{"7"});
  EXPECT_EQ(Rows("SELECT x FROM later.t"), Lines{"7"});
}

TEST_F(EngineTest, SeesViewsFromEverySchema) {
  Must("CREATE TABLE base AS SELECT 5 AS x");
  Must(
      "CREATE OR REPLACE VIEW `main`.`default`.`v` AS SELECT x, nvl(x, 0) AS y, count(*) OVER () "
      "FROM base");
  Must("CREATE SCHEMA elsewhere");
  Must("USE elsewhere");
  EXPECT_EQ(Rows("SELECT * FROM default.v"), Lines{"5 | 5 | 1"});
  EXPECT_EQ(Rows("SHOW VIEWS IN default"), Lines{"default | v | false | false"});
}

TEST_F(EngineTest, KeepsTemporaryViewsToTheSession) {
  Must("CREATE TEMPORARY VIEW mine AS SELECT 1 AS a");
  EXPECT_EQ(Rows("SELECT a FROM mine"), Lines{"1"});
  EXPECT_EQ(Rows("DESCRIBE mine"), Lines{"a | int | NULL"});
  const std::unique_ptr<SqlSession> other = NewSession();
  EXPECT_EQ(ReadAll(*other, {"SELECT a FROM mine"}).status.sqlstate(), "42P01");
  Must("DROP VIEW mine");
  EXPECT_EQ(ErrorOf("SELECT a FROM mine"), "TABLE_OR_VIEW_NOT_FOUND 42P01");
}

TEST_F(EngineTest, SetsAndShowsSettings) {
  EXPECT_EQ(Rows("SET use_cached_result"), Lines{"use_cached_result | true"});
  EXPECT_EQ(Rows("SET use_cached_result = false"), Lines{"use_cached_result | false"});
  EXPECT_EQ(Rows("SET a.b.c=`x y`"), Lines{"a.b.c | x y"});
  EXPECT_EQ(Rows("SET a.b.c"), Lines{"a.b.c | x y"});
  EXPECT_EQ(Columns("SET"), (Lines{"key STRING NOT NULL", "value STRING NOT NULL"}));
  Must("RESET");
  EXPECT_EQ(Rows("SET a.b.c"), Lines{"a.b.c | <undefined>"});
}

TEST_F(EngineTest, AnswersTheShowFamily) {
  Must("CREATE TABLE t (id INT, d DECIMAL(5,2)) COMMENT 'c'");
  EXPECT_EQ(Rows("SHOW CATALOGS"), (Lines{"hive_metastore", "main", "system"}));
  EXPECT_EQ(Rows("SHOW CATALOGS LIKE 'm*'"), Lines{"main"});
  EXPECT_EQ(Rows("SHOW SCHEMAS IN `main`"), (Lines{"default", "information_schema"}));
  EXPECT_EQ(Columns("SHOW SCHEMAS IN ALL CATALOGS"),
            (Lines{"databaseName STRING NOT NULL", "catalog STRING NOT NULL"}));
  EXPECT_EQ(Rows("SHOW TABLES FROM `main`.`default`"), Lines{"default | t | false"});
  EXPECT_EQ(Rows("SHOW TABLES IN CATALOG main SCHEMA LIKE 'default' LIKE '*'"),
            Lines{"default | t | false |  | main | TABLE | c"});
  EXPECT_EQ(Rows("SHOW COLUMNS IN t"), (Lines{"id", "d"}));
  EXPECT_EQ(Rows("SHOW COLUMNS IN CATALOG main SCHEMA LIKE 'def*' TABLE LIKE 't' LIKE 'd'"),
            Lines{"d | main | default | t | DECIMAL(5,2) | 5 | 2 | 10 | true |  | 1 | NO | NO"});
  EXPECT_EQ(
      Rows("SELECT table_name FROM main.information_schema.tables WHERE table_schema = 'default'"),
      Lines{"t"});
  EXPECT_EQ(ErrorOf("SHOW SCHEMAS IN nope"), "NO_SUCH_CATALOG_EXCEPTION 42704");
  EXPECT_EQ(ErrorOf("SHOW TABLES IN nope"), "SCHEMA_NOT_FOUND 42704");
  EXPECT_EQ(ErrorOf("SHOW THINGS"), "PARSE_SYNTAX_ERROR 42601");
}

TEST_F(EngineTest, HasTheTablesOfFiltersMasksTagsAndKeys) {
  for (const std::string table :
       {"row_filters", "column_masks", "catalog_tags", "schema_tags", "table_tags", "column_tags",
        "key_column_usage", "referential_constraints", "table_constraints"}) {
    EXPECT_EQ(Rows("SELECT * FROM main.information_schema." + table), Lines{}) << table;
    EXPECT_EQ(Rows("SELECT * FROM `system`.`information_schema`.`" + table + "`"), Lines{})
        << table;
  }
}

TEST_F(EngineTest, Describes) {
  EXPECT_EQ(Rows("DESCRIBE QUERY SELECT 1 AS a, 'x' AS b, array(1) AS c"),
            (Lines{"a | int | NULL", "b | string | NULL", "c | array<int> | NULL"}));
  EXPECT_EQ(Rows("DESCRIBE SELECT 1 AS a"), Lines{"a | int | NULL"});
  EXPECT_EQ(ErrorOf("DESCRIBE TABLE nope"), "TABLE_OR_VIEW_NOT_FOUND 42P01");
  Must("CREATE TABLE t (id INT PRIMARY KEY)");
  EXPECT_NE(Rows("DESCRIBE TABLE EXTENDED t AS JSON")[0].find(
                R"("table_constraints":"[ (t_pk, PRIMARY KEY (`id`)) ]")"),
            std::string::npos);
  Must("CREATE TEMPORARY VIEW v AS SELECT 1 AS a");
  EXPECT_EQ(Rows("DESCRIBE EXTENDED v AS JSON"),
            Lines{R"({"table_name":"v","columns":[{"name":"a","type":{"name":"int"},)"
                  R"("nullable":true}],"type":"VIEW","table_properties":{}})"});
}

TEST_F(EngineTest, ErrorsHaveTheServicesClassesAndStates) {
  Must("CREATE TABLE t (id INT NOT NULL)");
  EXPECT_EQ(ErrorOf("INSER INTO t VALUES (1)"), "PARSE_SYNTAX_ERROR 42601");
  EXPECT_EQ(ErrorOf("SELECT 1 +"), "PARSE_SYNTAX_ERROR 42601");
  EXPECT_EQ(ErrorOf("ATTACH 'x.db'"), "PARSE_SYNTAX_ERROR 42601");
  EXPECT_EQ(ErrorOf(""), "PARSE_SYNTAX_ERROR 42601");
  EXPECT_EQ(ErrorOf("SELECT * FROM nope"), "TABLE_OR_VIEW_NOT_FOUND 42P01");
  EXPECT_EQ(ErrorOf("SELECT nope FROM t"), "UNRESOLVED_COLUMN.WITH_SUGGESTION 42703");
  EXPECT_EQ(ErrorOf("CREATE TABLE t (a INT)"), "TABLE_OR_VIEW_ALREADY_EXISTS 42P07");
  EXPECT_EQ(ErrorOf("INSERT INTO t VALUES (NULL)"), "DELTA_NOT_NULL_CONSTRAINT_VIOLATED 23502");
  EXPECT_EQ(ErrorOf("SELECT 1 / 0"), "DIVIDE_BY_ZERO 22012");
  EXPECT_EQ(ErrorOf("SELECT id DIV (id - id) FROM range(1, 2)"), "DIVIDE_BY_ZERO 22012");
  EXPECT_EQ(ErrorOf("SELECT CAST('abc' AS INT)"), "CAST_INVALID_INPUT 22018");
  EXPECT_EQ(ErrorOf("SELECT 2147483647 + 1"), "NUMERIC_VALUE_OUT_OF_RANGE 22003");
  EXPECT_EQ(ErrorOf("SELECT nofunction(1)"), "UNRESOLVED_ROUTINE 42883");
  EXPECT_EQ(ErrorOf("SELECT * FROM '/etc/passwd'"), "PARSE_SYNTAX_ERROR 42601");
  EXPECT_FALSE(Run("SELECT * FROM read_text('/etc/passwd')").status.ok());
  EXPECT_FALSE(Run("SELECT * FROM `/etc/passwd`").status.ok());
}

TEST_F(EngineTest, SyntaxErrorsShowTheClientsText) {
  const std::string message = Run("INSER INTO t VALUES (1)").status.message();
  EXPECT_EQ(
      message,
      "[PARSE_SYNTAX_ERROR] Syntax error at or near 'INSER'. SQLSTATE: 42601 (line 1, pos 0)\n\n"
      "== SQL ==\nINSER INTO t VALUES (1)\n^^^\n");
  EXPECT_NE(Run("SELECT `a`\nFROM t WHERE WHERE")
                .status.message()
                .find("near 'WHERE'. SQLSTATE: 42601 (line 2, pos 13)"),
            std::string::npos)
      << Run("SELECT `a`\nFROM t WHERE WHERE").status.message();
}

TEST_F(EngineTest, InterruptEndsAStatementThatRuns) {
  const std::unique_ptr<SqlStatement> statement =
      session_->Prepare({"SELECT sum(a.id * b.id % 7) FROM range(1000000) a, range(1000000) b"});
  std::thread canceller([&] { statement->Interrupt(); });
  const Result<SqlResult> result = statement->Run();
  canceller.join();
  // Before, at or after its begin: the statement never goes on to its end, which is days away.
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.status().code(), StatusCode::kCancelled);
}

TEST_F(EngineTest, InterruptEndsRowsThatAreRead) {
  const std::unique_ptr<SqlStatement> statement =
      session_->Prepare({"SELECT id FROM range(100000000)"});
  Result<SqlResult> result = statement->Run();
  ASSERT_TRUE(result.ok());
  ArrowArray batch = {};
  ASSERT_TRUE(result->rows->Next(&batch).ok());
  batch.release(&batch);
  statement->Interrupt();
  Status end;
  while (end.ok()) {
    const Result<bool> more = result->rows->Next(&batch);
    if (!more.ok()) end = more.status();
    if (more.ok() && *more) batch.release(&batch);
    if (more.ok() && !*more) break;
  }
  EXPECT_EQ(end.code(), StatusCode::kCancelled);
}

TEST_F(EngineTest, RowsOutliveTheirStatementAndSession) {
  Result<SqlResult> result = session_->Prepare({"SELECT id FROM range(5000)"})->Run();
  ASSERT_TRUE(result.ok());
  session_.reset();
  engine_.reset();
  int64_t rows = 0;
  ArrowArray batch = {};
  while (true) {
    const Result<bool> more = result->rows->Next(&batch);
    ASSERT_TRUE(more.ok());
    if (!*more) break;
    rows += batch.length;
    batch.release(&batch);
  }
  EXPECT_EQ(rows, 5000);
}

TEST_F(EngineTest, RunsSeveralStatementsOfASessionAtOnce) {
  Result<SqlResult> first = session_->Prepare({"SELECT id FROM range(20000)"})->Run();
  ASSERT_TRUE(first.ok());
  EXPECT_EQ(Rows("SELECT 7"), Lines{"7"});
  int64_t rows = 0;
  ArrowArray batch = {};
  while (true) {
    const Result<bool> more = first->rows->Next(&batch);
    ASSERT_TRUE(more.ok());
    if (!*more) break;
    rows += batch.length;
    batch.release(&batch);
  }
  EXPECT_EQ(rows, 20000);
}

TEST_F(EngineTest, ListsNamesForTheMetadataCalls) {
  Must("CREATE TABLE a_b (x INT)");
  Must("CREATE TABLE axb (x INT)");
  Must("CREATE VIEW v AS SELECT 1 AS x");
  const auto names = [&](std::optional<std::string> pattern, const Lines& types) {
    Lines lines;
    const auto tables = session_->Tables("main", "default", std::move(pattern), types);
    for (const TableInfo& table : *tables) lines.push_back(table.name + " " + table.type);
    return lines;
  };
  EXPECT_EQ(names(std::nullopt, {}), (Lines{"a_b TABLE", "axb TABLE", "v VIEW"}));
  EXPECT_EQ(names("A\\_B", {}), Lines{"a_b TABLE"});
  EXPECT_EQ(names("a_b", {"TABLE"}), (Lines{"a_b TABLE", "axb TABLE"}));
  EXPECT_EQ(names("%", {"VIEW"}), Lines{"v VIEW"});
  EXPECT_TRUE(session_->Schemas("nope", std::nullopt)->empty());
}

}  // namespace
}  // namespace dbx::local
