// SPDX-License-Identifier: Apache-2.0
#include "adbc/driver_table.h"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstring>

#include "adbc/testing/fake_application.h"

namespace dbx {
namespace {

constexpr size_t kNumSlots = ADBC_DRIVER_1_1_0_SIZE / sizeof(void*);
using Slots = std::array<void*, kNumSlots>;

/// A table with a mark in every slot.
Slots Marked() {
  Slots slots;
  slots.fill(&slots);
  return slots;
}

TEST(DriverTable, FillsEverySlotOfVersion11) {
  Slots slots = Marked();
  void* const mark = slots[0];
  ASSERT_EQ(FillDriverTable(ADBC_VERSION_1_1_0, slots.data(), nullptr), ADBC_STATUS_OK);
  EXPECT_EQ(slots[0], nullptr);
  EXPECT_EQ(slots[1], mark) << "the manager's own slot";
  for (size_t i = 2; i < slots.size(); ++i) {
    EXPECT_NE(slots[i], nullptr) << i;
    EXPECT_NE(slots[i], mark) << i;
  }
}

TEST(DriverTable, WritesNoByteBeyondVersion10) {
  Slots slots = Marked();
  void* const mark = slots[0];
  ASSERT_EQ(FillDriverTable(ADBC_VERSION_1_0_0, slots.data(), nullptr), ADBC_STATUS_OK);
  constexpr size_t kOld = ADBC_DRIVER_1_0_0_SIZE / sizeof(void*);
  for (size_t i = 2; i < kOld; ++i) EXPECT_NE(slots[i], mark) << i;
  for (size_t i = kOld; i < slots.size(); ++i) EXPECT_EQ(slots[i], mark) << i;
}

TEST(DriverTable, TouchesNothingForOtherVersions) {
  for (const int version : {0, 1, 1'000'001, 1'002'000, 2'000'000}) {
    Slots slots = Marked();
    const Slots before = slots;
    OwnedError error;
    EXPECT_EQ(FillDriverTable(version, slots.data(), &error), ADBC_STATUS_NOT_IMPLEMENTED);
    EXPECT_EQ(slots, before);
    EXPECT_NE(error.text().find("1.1.0"), std::string::npos);
  }
}

TEST(DriverTable, WantsATable) {
  EXPECT_EQ(FillDriverTable(ADBC_VERSION_1_1_0, nullptr, nullptr), ADBC_STATUS_INVALID_ARGUMENT);
}

TEST(DriverTable, IsReleasedOnceAndKeepsItsFunctions) {
  AdbcDriver driver = {};
  ASSERT_EQ(FillDriverTable(ADBC_VERSION_1_1_0, &driver, nullptr), ADBC_STATUS_OK);
  AdbcStatusCode (*const release)(AdbcDriver*, AdbcError*) = driver.release;
  EXPECT_EQ(release(&driver, nullptr), ADBC_STATUS_OK);
  EXPECT_EQ(driver.release, nullptr);
  EXPECT_NE(driver.ErrorGetDetailCount, nullptr);
  EXPECT_EQ(release(&driver, nullptr), ADBC_STATUS_INVALID_STATE);
}

/// Handles that were never made, in every function that takes one.
TEST(DriverTable, RefusesHandlesThatWereNeverMade) {
  AdbcDriver driver = {};
  ASSERT_EQ(FillDriverTable(ADBC_VERSION_1_1_0, &driver, nullptr), ADBC_STATUS_OK);
  AdbcDatabase database = {};
  AdbcConnection connection = {};
  AdbcStatement statement = {};
  ArrowArrayStream stream = {};
  ArrowSchema schema = {};
  size_t length = 0;
  int64_t whole = 0;
  double real = 0;
  const std::vector<AdbcStatusCode> codes{
      driver.DatabaseInit(&database, nullptr),
      driver.DatabaseRelease(&database, nullptr),
      driver.DatabaseSetOption(&database, "uri", "x", nullptr),
      driver.DatabaseGetOption(&database, "uri", nullptr, &length, nullptr),
      driver.DatabaseGetOptionInt(&database, "uri", &whole, nullptr),
      driver.ConnectionInit(&connection, &database, nullptr),
      driver.ConnectionRelease(&connection, nullptr),
      driver.ConnectionCommit(&connection, nullptr),
      driver.ConnectionRollback(&connection, nullptr),
      driver.ConnectionCancel(&connection, nullptr),
      driver.ConnectionGetInfo(&connection, nullptr, 0, &stream, nullptr),
      driver.ConnectionGetObjects(&connection, 0, nullptr, nullptr, nullptr, nullptr, nullptr,
                                  &stream, nullptr),
      driver.ConnectionGetTableSchema(&connection, nullptr, nullptr, "t", &schema, nullptr),
      driver.ConnectionGetTableTypes(&connection, &stream, nullptr),
      driver.ConnectionGetStatistics(&connection, nullptr, nullptr, nullptr, 0, &stream, nullptr),
      driver.ConnectionGetStatisticNames(&connection, &stream, nullptr),
      driver.ConnectionReadPartition(&connection, nullptr, 0, &stream, nullptr),
      driver.ConnectionSetOptionDouble(&connection, "x", 1, nullptr),
      driver.ConnectionGetOptionDouble(&connection, "x", &real, nullptr),
      driver.StatementNew(&connection, &statement, nullptr),
      driver.StatementRelease(&statement, nullptr),
      driver.StatementCancel(&statement, nullptr),
      driver.StatementSetSqlQuery(&statement, "SELECT 1", nullptr),
      driver.StatementSetSubstraitPlan(&statement, nullptr, 0, nullptr),
      driver.StatementPrepare(&statement, nullptr),
      driver.StatementBindStream(&statement, &stream, nullptr),
      driver.StatementGetParameterSchema(&statement, &schema, nullptr),
      driver.StatementExecuteQuery(&statement, &stream, nullptr, nullptr),
      driver.StatementExecuteSchema(&statement, &schema, nullptr),
      driver.StatementExecutePartitions(&statement, &schema, nullptr, nullptr, nullptr),
      driver.StatementSetOptionInt(&statement, "x", 1, nullptr),
      driver.StatementGetOptionInt(&statement, "x", &whole, nullptr),
  };
  for (size_t i = 0; i < codes.size(); ++i) EXPECT_EQ(codes[i], ADBC_STATUS_INVALID_STATE) << i;
}

TEST(DriverTable, SaysWhatComesLater) {
  FakeApplication app;
  ASSERT_EQ(app.OpenAll(), ADBC_STATUS_OK) << app.error.text();
  ArrowArrayStream stream = {};
  ArrowSchema schema = {};
  const std::vector<AdbcStatusCode> codes{
      app.driver.ConnectionGetObjects(&app.connection, 0, nullptr, nullptr, nullptr, nullptr,
                                      nullptr, &stream, nullptr),
      app.driver.ConnectionGetStatisticNames(&app.connection, &stream, nullptr),
      app.driver.ConnectionReadPartition(&app.connection, nullptr, 0, &stream, nullptr),
      app.driver.StatementSetSubstraitPlan(&app.statement, nullptr, 0, nullptr),
      app.driver.StatementExecuteSchema(&app.statement, &schema, nullptr),
      app.driver.StatementExecutePartitions(&app.statement, &schema, nullptr, nullptr, nullptr),
  };
  for (size_t i = 0; i < codes.size(); ++i) EXPECT_EQ(codes[i], ADBC_STATUS_NOT_IMPLEMENTED) << i;
}

}  // namespace
}  // namespace dbx
