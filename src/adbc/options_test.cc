// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <string>

#include "adbc/testing/fake_application.h"

namespace dbx {
namespace {

constexpr const char* kRows = "databricks.result.batch_rows";

/// What GetOption of any handle gives, or "<code>" when it fails.
template <typename Abi, typename Function>
std::string Get(Function get, Abi* handle, const char* key) {
  char text[256] = {};
  size_t length = sizeof(text);
  const AdbcStatusCode code = get(handle, key, text, &length, nullptr);
  return code == ADBC_STATUS_OK ? std::string(text) : "<" + std::to_string(code) + ">";
}

TEST(Options, ComeInAnyOrderAndTypeBeforeInit) {
  FakeApplication app;
  const auto* const bytes = reinterpret_cast<const uint8_t*>("12");
  EXPECT_EQ(app.driver.DatabaseSetOptionInt(&app.database, "databricks.cloudfetch.prefetch_count",
                                            4, nullptr),
            0);
  EXPECT_EQ(
      app.driver.DatabaseSetOptionDouble(&app.database, "databricks.query.timeout", 30, nullptr),
      0);
  EXPECT_EQ(app.driver.DatabaseSetOptionBytes(&app.database, kRows, bytes, 2, nullptr), 0);
  ASSERT_EQ(app.OpenAll(), ADBC_STATUS_OK) << app.error.text();
  EXPECT_EQ(Get(app.driver.DatabaseGetOption, &app.database, kRows), "12");
  int64_t whole = 0;
  EXPECT_EQ(app.driver.StatementGetOptionInt(&app.statement, "databricks.cloudfetch.prefetch_count",
                                             &whole, nullptr),
            0);
  EXPECT_EQ(whole, 4);
  double real = 0;
  EXPECT_EQ(
      app.driver.DatabaseGetOptionDouble(&app.database, "databricks.query.timeout", &real, nullptr),
      0);
  EXPECT_EQ(real, 30.0);
}

TEST(Options, AreNotCutToAShortBuffer) {
  FakeApplication app(nullptr, {{kRows, "1234"}});
  std::array<char, 4> text{'x', 'x', 'x', 'x'};
  size_t length = text.size();
  ASSERT_EQ(app.driver.DatabaseGetOption(&app.database, kRows, text.data(), &length, nullptr), 0);
  EXPECT_EQ(length, 5U);
  EXPECT_EQ(text[0], 'x');
  length = 0;
  ASSERT_EQ(app.driver.DatabaseGetOption(&app.database, kRows, nullptr, &length, nullptr), 0);
  EXPECT_EQ(length, 5U);
  std::array<uint8_t, 4> bytes{};
  length = bytes.size();
  ASSERT_EQ(app.driver.DatabaseGetOptionBytes(&app.database, kRows, bytes.data(), &length, nullptr),
            0);
  EXPECT_EQ(length, 4U);
  EXPECT_EQ(std::memcmp(bytes.data(), "1234", 4), 0);
}

TEST(Options, ThatNobodyKnowsAreToldApart) {
  FakeApplication app;
  ASSERT_EQ(app.OpenAll(), ADBC_STATUS_OK);
  const AdbcDriver& driver = app.driver;
  int64_t whole = 0;
  double real = 0;
  const uint8_t byte = 0;
  size_t length = 0;
  for (const AdbcStatusCode code :
       {driver.ConnectionSetOption(&app.connection, "no.such", "1", nullptr),
        driver.ConnectionSetOptionInt(&app.connection, "no.such", 1, nullptr),
        driver.ConnectionSetOptionDouble(&app.connection, "no.such", 1, nullptr),
        driver.ConnectionSetOptionBytes(&app.connection, "no.such", &byte, 1, nullptr),
        driver.StatementSetOption(&app.statement, "no.such", "1", nullptr),
        driver.StatementSetOptionInt(&app.statement, "no.such", 1, nullptr),
        driver.StatementSetOption(&app.statement, "adbc.ingest.target_table", "t", nullptr)}) {
    EXPECT_EQ(code, ADBC_STATUS_NOT_IMPLEMENTED);
  }
  for (const AdbcStatusCode code :
       {driver.DatabaseGetOption(&app.database, "no.such", nullptr, &length, nullptr),
        driver.DatabaseGetOptionBytes(&app.database, "no.such", nullptr, &length, nullptr),
        driver.ConnectionGetOptionInt(&app.connection, "no.such", &whole, nullptr),
        driver.StatementGetOptionDouble(&app.statement, "no.such", &real, nullptr),
        driver.StatementGetOption(&app.statement, "databricks.statistics.no_such", nullptr, &length,
                                  nullptr)}) {
    EXPECT_EQ(code, ADBC_STATUS_NOT_FOUND);
  }
}

TEST(Options, NameTheNearestKeyAndTheBadValue) {
  FakeApplication app;
  app.driver.DatabaseSetOption(&app.database, "databricks.cloudfetch.enabeld", "1", &app.error);
  EXPECT_NE(app.error.text().find("databricks.cloudfetch.enabled"), std::string::npos);
  EXPECT_EQ(app.driver.DatabaseSetOption(&app.database, kRows, "8x", &app.error),
            ADBC_STATUS_INVALID_ARGUMENT);
  EXPECT_NE(app.error.text().find("8x"), std::string::npos);
}

TEST(Options, KeepSecretsToThemselves) {
  FakeApplication app;
  ASSERT_EQ(app.OpenAll(), ADBC_STATUS_OK);
  EXPECT_EQ(Get(app.driver.DatabaseGetOption, &app.database, "databricks.access_token"), "<3>");
  EXPECT_EQ(Get(app.driver.ConnectionGetOption, &app.connection, "password"), "<3>");
}

TEST(Options, OfTheDatabaseAreSetBeforeInit) {
  FakeApplication app;
  ASSERT_EQ(app.OpenAll(), ADBC_STATUS_OK);
  EXPECT_EQ(app.driver.DatabaseSetOption(&app.database, kRows, "1", nullptr),
            ADBC_STATUS_INVALID_STATE);
  EXPECT_EQ(app.driver.DatabaseInit(&app.database, nullptr), ADBC_STATUS_INVALID_STATE);
  EXPECT_EQ(app.driver.ConnectionSetOption(&app.connection, "databricks.session.ansi_mode", "true",
                                           nullptr),
            ADBC_STATUS_INVALID_STATE);
  EXPECT_EQ(app.driver.ConnectionSetOption(&app.connection, kRows, "7", nullptr), ADBC_STATUS_OK);
  EXPECT_EQ(Get(app.driver.ConnectionGetOption, &app.connection, kRows), "7");
  EXPECT_EQ(
      app.driver.StatementSetOption(&app.statement, "databricks.cloudfetch.enabled", "0", nullptr),
      ADBC_STATUS_OK);
  EXPECT_EQ(app.driver.StatementSetOption(&app.statement, "databricks.port", "1", nullptr),
            ADBC_STATUS_NOT_IMPLEMENTED);
}

TEST(Options, KnowNoTransactions) {
  FakeApplication app;
  ASSERT_EQ(app.OpenAll(), ADBC_STATUS_OK);
  const auto set = [&](const char* key, const char* value) {
    return app.driver.ConnectionSetOption(&app.connection, key, value, nullptr);
  };
  EXPECT_EQ(set(ADBC_CONNECTION_OPTION_AUTOCOMMIT, "true"), ADBC_STATUS_OK);
  EXPECT_EQ(set(ADBC_CONNECTION_OPTION_AUTOCOMMIT, "false"), ADBC_STATUS_NOT_IMPLEMENTED);
  EXPECT_EQ(set(ADBC_CONNECTION_OPTION_AUTOCOMMIT, "perhaps"), ADBC_STATUS_INVALID_ARGUMENT);
  EXPECT_EQ(set(ADBC_CONNECTION_OPTION_ISOLATION_LEVEL, ADBC_OPTION_ISOLATION_LEVEL_DEFAULT),
            ADBC_STATUS_OK);
  EXPECT_EQ(set(ADBC_CONNECTION_OPTION_ISOLATION_LEVEL, ADBC_OPTION_ISOLATION_LEVEL_SNAPSHOT),
            ADBC_STATUS_NOT_IMPLEMENTED);
  EXPECT_EQ(set(ADBC_CONNECTION_OPTION_READ_ONLY, "false"), ADBC_STATUS_OK);
  EXPECT_EQ(Get(app.driver.ConnectionGetOption, &app.connection, ADBC_CONNECTION_OPTION_AUTOCOMMIT),
            "true");
  EXPECT_EQ(app.driver.ConnectionCommit(&app.connection, nullptr), ADBC_STATUS_INVALID_STATE);
  EXPECT_EQ(app.driver.ConnectionRollback(&app.connection, nullptr), ADBC_STATUS_INVALID_STATE);
  EXPECT_EQ(app.driver.StatementSetOption(&app.statement, "adbc.statement.bind_by_name", "false",
                                          nullptr),
            ADBC_STATUS_OK);
  EXPECT_EQ(
      app.driver.StatementSetOption(&app.statement, "adbc.statement.bind_by_name", "true", nullptr),
      ADBC_STATUS_OK);
  EXPECT_EQ(Get(app.driver.StatementGetOption, &app.statement, "databricks.query.bind_by_name"),
            "true");
}

TEST(Options, FollowTheCurrentCatalogAndSchema) {
  FakeApplication app;
  ASSERT_EQ(app.OpenAll(), ADBC_STATUS_OK);
  const char* const catalog = ADBC_CONNECTION_OPTION_CURRENT_CATALOG;
  const char* const schema = ADBC_CONNECTION_OPTION_CURRENT_DB_SCHEMA;
  EXPECT_EQ(Get(app.driver.ConnectionGetOption, &app.connection, catalog), "main");
  EXPECT_EQ(app.driver.ConnectionSetOption(&app.connection, catalog, "other", nullptr), 0);
  EXPECT_EQ(app.driver.ConnectionSetOption(&app.connection, schema, "s", nullptr), 0);
  EXPECT_EQ(Get(app.driver.ConnectionGetOption, &app.connection, catalog), "other");
  EXPECT_EQ(Get(app.driver.ConnectionGetOption, &app.connection, schema), "s");
  EXPECT_EQ(app.driver.ConnectionSetOption(&app.connection, catalog, "missing", &app.error),
            ADBC_STATUS_NOT_FOUND);
  EXPECT_EQ(app.error.state(), "42704");
  EXPECT_EQ(app.driver.ConnectionSetOption(&app.connection, catalog, nullptr, nullptr),
            ADBC_STATUS_NOT_IMPLEMENTED);
}

TEST(Options, SayWhereCredentialsWereLookedFor) {
  FakeApplication app(nullptr, {{"uri", "http://127.0.0.1:9/sql/1.0/warehouses/w"}});
  EXPECT_EQ(app.driver.DatabaseInit(&app.database, &app.error), ADBC_STATUS_UNAUTHENTICATED);
  for (const char* place : {"databricks.access_token", "uri", "DATABRICKS_TOKEN", "profile"}) {
    EXPECT_NE(app.error.text().find(place), std::string::npos) << place;
  }
}

TEST(Options, NameTheKindOfSignInThatComesLater) {
  FakeApplication app(nullptr, {{"uri", "http://127.0.0.1:9/sql/1.0/warehouses/w"},
                                {"databricks.auth.type", "oauth_m2m"}});
  EXPECT_EQ(app.driver.DatabaseInit(&app.database, &app.error), ADBC_STATUS_NOT_IMPLEMENTED);
  EXPECT_NE(app.error.text().find("oauth_m2m"), std::string::npos);
}

}  // namespace
}  // namespace dbx
