// SPDX-License-Identifier: Apache-2.0
#include "adbc/connection.h"

#include <gtest/gtest.h>

#include "adbc/testing/fake_application.h"

namespace dbx {
namespace {

TEST(Connection, WantsAnInitialisedDatabase) {
  FakeApplication app;
  ASSERT_EQ(app.driver.ConnectionNew(&app.connection, nullptr), ADBC_STATUS_OK);
  EXPECT_EQ(app.driver.ConnectionInit(&app.connection, &app.database, nullptr),
            ADBC_STATUS_INVALID_STATE);
  EXPECT_EQ(app.driver.StatementNew(&app.connection, &app.statement, nullptr),
            ADBC_STATUS_INVALID_STATE);
  EXPECT_EQ(app.driver.ConnectionRelease(&app.connection, nullptr), ADBC_STATUS_OK);
}

TEST(Connection, LivesBesideOthers) {
  FakeApplication app;
  ASSERT_EQ(app.OpenAll(), ADBC_STATUS_OK);
  AdbcConnection second = {};
  ASSERT_EQ(app.driver.ConnectionNew(&second, nullptr), ADBC_STATUS_OK);
  ASSERT_EQ(app.driver.ConnectionInit(&second, &app.database, nullptr), ADBC_STATUS_OK);
  EXPECT_EQ(app.driver.ConnectionRelease(&second, nullptr), ADBC_STATUS_OK);
  MutexLock lock(app.record->mutex);
  EXPECT_EQ(app.record->num_closed, 1);
}

TEST(Connection, AnswersWithMetadata) {
  FakeApplication app;
  ASSERT_EQ(app.OpenAll(), ADBC_STATUS_OK);
  nanoarrow::UniqueArrayStream stream;
  ASSERT_EQ(app.driver.ConnectionGetInfo(&app.connection, nullptr, 0, stream.get(), nullptr), 0);
  nanoarrow::UniqueArray batch;
  ASSERT_EQ(stream->get_next(stream.get(), batch.get()), 0);
  EXPECT_EQ(batch->length, 8);
  nanoarrow::UniqueArrayStream types;
  ASSERT_EQ(app.driver.ConnectionGetTableTypes(&app.connection, types.get(), nullptr), 0);
  nanoarrow::UniqueArray rows;
  ASSERT_EQ(types->get_next(types.get(), rows.get()), 0);
  EXPECT_EQ(rows->length, 2);
}

TEST(Connection, DescribesTables) {
  FakeApplication app;
  ASSERT_EQ(app.OpenAll(), ADBC_STATUS_OK);
  nanoarrow::UniqueSchema schema;
  ASSERT_EQ(
      app.driver.ConnectionGetTableSchema(&app.connection, "", "s", "t", schema.get(), nullptr), 0);
  EXPECT_EQ(schema->n_children, 1);
  EXPECT_EQ(app.LastSql(), "SELECT * FROM `s`.`t` LIMIT 0");
  EXPECT_EQ(app.driver.ConnectionGetTableSchema(&app.connection, nullptr, nullptr, nullptr,
                                                schema.get(), nullptr),
            ADBC_STATUS_INVALID_ARGUMENT);
}

TEST(Connection, KeepsTheKindOfFailure) {
  FakeApplication app([](const StatementRequest&, Cancellation*) -> Result<Execution> {
    return Status::NotFound("no table")
        .WithSqlstate("42P01")
        .WithErrorClass("TABLE_OR_VIEW_NOT_FOUND");
  });
  ASSERT_EQ(app.OpenAll(), ADBC_STATUS_OK);
  nanoarrow::UniqueSchema schema;
  EXPECT_EQ(app.driver.ConnectionGetTableSchema(&app.connection, nullptr, nullptr, "t",
                                                schema.get(), &app.error),
            ADBC_STATUS_NOT_FOUND);
  EXPECT_EQ(app.error.state(), "42P01");
  EXPECT_EQ(app.driver.ErrorGetDetailCount(&app.error), 1);
}

}  // namespace
}  // namespace dbx
