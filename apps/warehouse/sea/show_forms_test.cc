// SPDX-License-Identifier: Apache-2.0
// The metadata statements of the API's clients, with the real engine behind the service.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "base/str_cat.h"
#include "sea/sea_client.h"
#include "sql/sql_testing.h"

namespace dbx::local {
namespace {

using Json = SeaFixture::Json;
using Names = std::vector<std::string>;
using Row = std::vector<std::string>;
using Rows = std::vector<Row>;

class ShowForms : public ::testing::Test {
 protected:
  ShowForms() {
    Ask("CREATE SCHEMA shop");
    Ask("CREATE TABLE shop.orders (id BIGINT NOT NULL PRIMARY KEY, price DECIMAL(10,2), "
        "code VARCHAR(12), tags ARRAY<INT>)");
    Ask("CREATE TABLE shop.lines (id INT, `order` BIGINT, FOREIGN KEY (`order`) REFERENCES "
        "shop.orders(id))");
    Ask("CREATE VIEW shop.recent AS SELECT id FROM shop.orders");
    Ask("CREATE SCHEMA `odd``name`");
  }

  Json Ask(const std::string& sql) {
    HttpRequest request{.method = "POST", .path = "/api/2.0/sql/statements"};
    request.body = Json{{"statement", sql}, {"warehouse_id", "w"}}.dump();
    return Json::parse(service_->Handle(request).body);
  }
  /// Cells as texts, NULL as "-".
  Rows RowsOf(const std::string& sql) {
    const Json answer = Ask(sql);
    EXPECT_EQ(answer["status"]["state"], "SUCCEEDED") << sql << answer;
    Rows rows;
    if (!answer["result"].contains("data_array")) return rows;
    for (const Json& row : answer["result"]["data_array"]) {
      rows.emplace_back();
      for (const Json& cell : row)
        rows.back().push_back(cell.is_null() ? "-" : cell.get<std::string>());
    }
    return rows;
  }
  Names Column(const std::string& sql, size_t index) {
    Names names;
    for (const Row& row : RowsOf(sql)) names.push_back(row.at(index));
    return names;
  }
  Names ColumnNames(const std::string& sql) {
    Names names;
    const Json answer = Ask(sql);
    for (const Json& column : answer["manifest"]["schema"]["columns"])
      names.push_back(column["name"]);
    return names;
  }

  TestFolder folder_;
  std::unique_ptr<Engine> engine_ = *Engine::Open({.data_directory = folder_.path()});
  SeaFixture fakes_;
  std::unique_ptr<SeaService> service_ =
      SeaService::Make(engine_.get(), &fakes_.spool, &fakes_.signer, &fakes_.faults, {});
};

TEST_F(ShowForms, Rule25_Catalogs) {
  EXPECT_EQ(ColumnNames("SHOW CATALOGS"), Names{"catalog"});
  EXPECT_EQ(Column("SHOW CATALOGS LIKE 'm*'", 0), Names{"main"});
  EXPECT_EQ(Column("SHOW CATALOGS LIKE 'mai.|nothing'", 0), Names{"main"});
}

TEST_F(ShowForms, Rule25_Tables) {
  const Names columns = {"namespace",   "tableName", "isTemporary", "information",
                         "catalogName", "tableType", "remarks"};
  const Rows both = {{"shop", "orders", "false", "", "main", "TABLE", ""},
                     {"shop", "recent", "false", "", "main", "VIEW", ""}};
  for (const char* sql : {"SHOW TABLES IN CATALOG main SCHEMA LIKE 'shop' LIKE 'orders|recent'",
                          "SHOW TABLES IN CATALOG `main` SCHEMA LIKE 'sh.p' LIKE '*r*e*|orders'",
                          "SHOW TABLES IN ALL CATALOGS SCHEMA LIKE 's*' LIKE 'ORDERS|RECENT'"}) {
    EXPECT_EQ(ColumnNames(sql), columns) << sql;
    Rows rows = RowsOf(sql);
    EXPECT_EQ(rows, both) << sql;
  }
  EXPECT_EQ(RowsOf("SHOW TABLES IN CATALOG main SCHEMA LIKE 'it''s'"), Rows());
}

TEST_F(ShowForms, Rule25_Columns) {
  const char* sql = "SHOW COLUMNS IN CATALOG main SCHEMA LIKE 'shop' TABLE LIKE 'orders'";
  EXPECT_EQ(ColumnNames(sql),
            (Names{"col_name", "catalogName", "namespace", "tableName", "columnType", "columnSize",
                   "decimalDigits", "radix", "isNullable", "remarks", "ordinalPosition",
                   "isAutoIncrement", "isGenerated"}));
  EXPECT_EQ(Column(sql, 0), (Names{"id", "price", "code", "tags"}));
  EXPECT_EQ(Column(sql, 4), (Names{"BIGINT", "DECIMAL(10,2)", "VARCHAR(12)", "ARRAY<INT>"}));
  EXPECT_EQ(Column("SHOW COLUMNS IN CATALOG `main` SCHEMA LIKE '*' TABLE LIKE '*' LIKE 'pr*'", 0),
            Names{"price"});
}

TEST_F(ShowForms, Rule25_Keys) {
  const char* keys = "SHOW KEYS IN CATALOG main IN SCHEMA shop IN TABLE orders";
  EXPECT_EQ(ColumnNames(keys), (Names{"catalogName", "namespace", "tableName", "col_name", "keySeq",
                                      "constraintName"}));
  EXPECT_EQ(Column(keys, 3), Names{"id"});
  EXPECT_EQ(Column(keys, 4), Names{"1"});
  const char* foreign = "SHOW FOREIGN KEYS IN CATALOG `main` IN SCHEMA `shop` IN TABLE `lines`";
  EXPECT_EQ(ColumnNames(foreign),
            (Names{"parentCatalogName", "parentNamespace", "parentTableName", "parentColName",
                   "catalogName", "namespace", "tableName", "col_name", "constraintName", "keySeq",
                   "updateRule", "deleteRule", "deferrability"}));
  EXPECT_EQ(Column(foreign, 2), Names{"orders"});
  EXPECT_EQ(Column(foreign, 7), Names{"order"});
}

TEST_F(ShowForms, Rule25_FunctionsAndDescribe) {
  const Names functions = ColumnNames("SHOW FUNCTIONS IN CATALOG main SCHEMA LIKE '*' LIKE 'x*'");
  for (const char* name :
       {"functionName", "namespace", "catalogName", "remarks", "functionType", "specificName"}) {
    EXPECT_NE(std::find(functions.begin(), functions.end(), name), functions.end()) << name;
  }
  EXPECT_EQ(ColumnNames("DESCRIBE QUERY SELECT * FROM shop.orders"),
            (Names{"col_name", "data_type", "comment"}));
  EXPECT_EQ(Column("DESCRIBE QUERY SELECT * FROM shop.orders", 1),
            (Names{"bigint", "decimal(10,2)", "string", "array<int>"}));
  const Rows described = RowsOf("DESC TABLE EXTENDED shop.orders AS JSON");
  ASSERT_EQ(described.size(), 1U);
  const Json table = Json::parse(described[0][0]);
  EXPECT_EQ(table["table_name"], "orders");
  EXPECT_EQ(table["columns"][1]["type"]["scale"], 2);
}

TEST_F(ShowForms, Rule26_SchemasHaveTheirCatalogOnlyWhenAllAreAsked) {
  EXPECT_EQ(ColumnNames("SHOW SCHEMAS IN main LIKE 's*'"), Names{"databaseName"});
  EXPECT_EQ(Column("SHOW SCHEMAS IN main LIKE 's*'", 0), Names{"shop"});
  EXPECT_EQ(Column("SHOW SCHEMAS IN `main` LIKE 'odd*'", 0), Names{"odd`name"});
  const char* all = "SHOW SCHEMAS IN ALL CATALOGS LIKE 'shop'";
  EXPECT_EQ(ColumnNames(all), (Names{"databaseName", "catalog"}));
  EXPECT_EQ(RowsOf(all), Rows{Row({"shop", "main"})});
}

TEST_F(ShowForms, Rule27_ColumnsOfAllCatalogsAnswerOrFailWith42601) {
  const Json answer = Ask("SHOW COLUMNS IN ALL CATALOGS SCHEMA LIKE 'shop' TABLE LIKE 'orders'");
  if (answer["status"]["state"] == "FAILED") {
    EXPECT_EQ(answer["status"]["sql_state"], "42601");
  } else {
    EXPECT_EQ(answer["manifest"]["total_row_count"], 4);
  }
}

TEST_F(ShowForms, Rule28_NullabilityIsTrueOrFalseAndTableTypesAreThere) {
  EXPECT_EQ(Column("SHOW COLUMNS IN CATALOG main SCHEMA LIKE 'shop' TABLE LIKE 'orders'", 8),
            (Names{"false", "true", "true", "true"}));
  for (const std::string& type : Column("SHOW TABLES IN ALL CATALOGS", 5))
    EXPECT_FALSE(type.empty());
}

TEST_F(ShowForms, Rule29_RoutinesAndParametersCanBeAsked) {
  for (const char* catalog : {"main", "system"}) {
    EXPECT_EQ(RowsOf(StrCat("SELECT routine_catalog, routine_schema, routine_name, comment, "
                            "specific_name FROM ",
                            catalog,
                            ".information_schema.routines WHERE routine_type = 'PROCEDURE' AND "
                            "routine_schema LIKE '%' ORDER BY routine_catalog, routine_schema, "
                            "routine_name")),
              Rows());
    EXPECT_EQ(RowsOf(StrCat("SELECT p.specific_catalog, p.parameter_name, p.full_data_type FROM ",
                            catalog, ".information_schema.parameters p JOIN ", catalog,
                            ".information_schema.routines r ON p.specific_catalog = "
                            "r.specific_catalog AND p.specific_schema = r.specific_schema AND "
                            "p.specific_name = r.specific_name WHERE r.routine_type = "
                            "'PROCEDURE'")),
              Rows());
  }
}

TEST_F(ShowForms, SessionStateStaysWithTheSession) {
  HttpRequest open{.method = "POST", .path = "/api/2.0/sql/sessions"};
  open.body = R"({"warehouse_id":"w"})";
  const std::string session = Json::parse(service_->Handle(open).body)["session_id"];
  const auto ask = [&](const std::string& sql) {
    HttpRequest request{.method = "POST", .path = "/api/2.0/sql/statements"};
    request.body = Json{{"statement", sql}, {"warehouse_id", "w"}, {"session_id", session}}.dump();
    const Json answer = Json::parse(service_->Handle(request).body);
    EXPECT_EQ(answer["status"]["state"], "SUCCEEDED") << answer;
    return answer["result"].contains("data_array") ? answer["result"]["data_array"] : Json();
  };
  ask("USE SCHEMA shop");
  ask("SET TIME ZONE 'Asia/Kolkata'");
  EXPECT_EQ(
      ask("SELECT current_catalog(), current_schema(), TIMESTAMP'2021-01-01 00:00:00'").dump(),
      R"([["main","shop","2021-01-01T00:00:00.000+05:30"]])");
}

}  // namespace
}  // namespace dbx::local
