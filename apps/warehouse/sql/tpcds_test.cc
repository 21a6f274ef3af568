// SPDX-License-Identifier: Apache-2.0
#include "sql/tpcds.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sql/engine_handles.h"
#include "sql/sql_testing.h"
#include "sql/translator.h"

namespace dbx::local {
namespace {

namespace fs = std::filesystem;

std::string CountOf(const std::string& path, const std::string& table) {
  DatabaseHandle database;
  ConnectionHandle connection;
  if (duckdb_open(path.c_str(), database.out()) != DuckDBSuccess) return "not a database";
  duckdb_connect(database.get(), connection.out());
  const Result<std::vector<TextRow>> rows =
      QueryTexts(connection.get(), "SELECT CAST(count(*) AS VARCHAR) FROM " + table);
  return rows.ok() ? (*rows)[0][0].value_or("") : rows.status().message();
}

TEST(Tpcds, ReplacesWhatAKilledProcessLeft) {
  const TestFolder folder;
  std::vector<std::string> lines;
  const TpcdsOptions options{
      folder.path(), 0.01, DBX_TPCDS_EXTENSION, {}, 2, [&](std::string_view line) {
        lines.emplace_back(line);
      }};
  const std::string path = TpcdsPath(options);
  EXPECT_EQ(path, folder.path() + "/tpcds_sf0.01.duckdb");
  std::ofstream(path + ".partial") << "half a file of a process that was killed";
  std::ofstream(path + ".partial.wal") << "and its log";
  const Status status = EnsureTpcds(options);
  ASSERT_TRUE(status.ok()) << status.ToString();
  EXPECT_FALSE(fs::exists(path + ".partial"));
  EXPECT_FALSE(fs::exists(path + ".partial.wal"));
  EXPECT_EQ(CountOf(path, "income_band"), "20");
  EXPECT_EQ(lines.size(), 2U);

  // The second time there is nothing to do: the file stays as it is.
  const auto written = fs::last_write_time(path);
  ASSERT_TRUE(EnsureTpcds(options).ok());
  EXPECT_EQ(fs::last_write_time(path), written);
  EXPECT_EQ(lines.size(), 2U);
}

std::string TypesOf(const std::string& path) {
  DatabaseHandle database;
  ConnectionHandle connection;
  if (duckdb_open(path.c_str(), database.out()) != DuckDBSuccess) return "not a database";
  duckdb_connect(database.get(), connection.out());
  const Result<std::vector<TextRow>> rows = QueryTexts(
      connection.get(),
      "SELECT string_agg(concat(table_name, '.', column_name, ' ', data_type), ',' ORDER BY "
      "table_name, column_index) FROM duckdb_columns() WHERE NOT internal");
  return rows.ok() ? (*rows)[0][0].value_or("") : rows.status().message();
}

TEST(Tpcds, TheProgramFillsTheSameTablesAsTheExtension) {
  const TestFolder folder;
  const TestFolder other;
  TpcdsOptions options{folder.path(), 0.01, DBX_TPCDS_EXTENSION};
  ASSERT_TRUE(EnsureTpcds(options).ok());
  const std::string by_extension = TpcdsPath(options);
  options.directory = other.path();
  options.program = DBX_TPCDS_PROGRAM;
  const Status status = EnsureTpcds(options);
  ASSERT_TRUE(status.ok()) << status.ToString();
  const std::string by_program = TpcdsPath(options);
  EXPECT_EQ(TypesOf(by_program), TypesOf(by_extension));
  // Below scale 1 the two make different numbers of rows of the tables that grow.
  for (const std::string table : {"date_dim", "time_dim", "income_band", "ship_mode"}) {
    EXPECT_EQ(CountOf(by_program, table), CountOf(by_extension, table)) << table;
  }
  for (const std::string table : {"catalog_sales", "customer", "inventory", "item", "web_site"}) {
    EXPECT_NE(CountOf(by_program, table), "0") << table;
  }
  EXPECT_FALSE(fs::exists(by_program + ".partial.files"));
}

TEST(Tpcds, SaysHowTheProgramFailed) {
  const TestFolder folder;
  Status status = EnsureTpcds({folder.path(), 0.01, DBX_TPCDS_EXTENSION, "/bin/false"});
  EXPECT_EQ(status.code(), StatusCode::kIo);
  EXPECT_NE(status.message().find("/bin/false ended with status 1"), std::string::npos)
      << status.message();
  status = EnsureTpcds({folder.path(), 0.01, DBX_TPCDS_EXTENSION, "/nowhere/tpcgen-cli"});
  EXPECT_NE(status.message().find("start /nowhere/tpcgen-cli"), std::string::npos)
      << status.message();
  EXPECT_FALSE(fs::exists(TpcdsPath({folder.path(), 0.01})));
}

TEST(Tpcds, SaysWhereItCouldNotWrite) {
  const Status status = EnsureTpcds({"/proc/nowhere", 0.01});
  EXPECT_EQ(status.code(), StatusCode::kIo);
  EXPECT_NE(status.message().find("/proc/nowhere"), std::string::npos) << status.message();
}

TEST(BenchmarkQueries, AreUnderstoodAsTheyStand) {
  std::ifstream file(DBX_BENCH_QUERIES);
  const nlohmann::json queries = nlohmann::json::parse(file);
  ASSERT_EQ(queries.size(), 9U);
  for (const nlohmann::json& query : queries) {
    TranslationContext context;
    context.sql = query["sql"].get<std::string>();
    const Result<Tokens> tokens = Tokenize(context.sql);
    ASSERT_TRUE(tokens.ok()) << query["name"];
    const Result<Translation> translation = Translate(*tokens, context);
    ASSERT_TRUE(translation.ok()) << query["name"] << translation.status().ToString();
    EXPECT_NE(translation->sql.find(R"("c_main"."tpcds_sf)"), std::string::npos) << query["name"];
    EXPECT_EQ(translation->sql.find(" main."), std::string::npos) << query["name"];
  }
}

}  // namespace
}  // namespace dbx::local
