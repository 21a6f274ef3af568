// SPDX-License-Identifier: Apache-2.0
#include "adbc/testing/fake_application.h"

#include <gtest/gtest.h>

#include <chrono>
#include <utility>

#include "adbc/driver_table.h"
#include "adbc/handle.h"

namespace dbx {
namespace {

/// Options that are always enough, and nothing from outside the test.
OptionSources NoSources() {
  OptionSources sources;
  sources.environment = [](const std::string&) { return std::optional<std::string>(); };
  sources.read_file = [](const std::string&) {
    return Result<std::string>(Status::NotFound("no files here"));
  };
  return sources;
}

}  // namespace

std::string OwnedError::state() const {
  return std::string(sqlstate, strnlen(sqlstate, 5));
}

Result<std::optional<RecordBatch>> BlockedStream::Next() {
  reading_->set_value();
  return cancellation_.WaitFor(std::chrono::hours(1));
}

FakeApplication::FakeApplication(FakeSession::Handler on_execute, Options database_options) {
  if (!on_execute) {
    on_execute = [](const StatementRequest&, Cancellation*) -> Result<Execution> {
      return Int64Result("n", {{1, 2}, {3}});
    };
  }
  EXPECT_EQ(FillDriverTable(ADBC_VERSION_1_1_0, &driver, &error), ADBC_STATUS_OK);
  SessionFactory open_session = [on_execute, known = record](
                                    const SessionContext&,
                                    Cancellation*) -> Result<std::unique_ptr<Session>> {
    return Result<std::unique_ptr<Session>>(std::make_unique<FakeSession>(on_execute, known));
  };
  auto object = std::make_shared<Database>(std::move(open_session), NoSources());
  EXPECT_TRUE(OpenHandle(&database, std::move(object)).ok());
  for (const auto& [key, value] : database_options) {
    EXPECT_EQ(driver.DatabaseSetOption(&database, key.c_str(), value.c_str(), &error), 0)
        << error.text();
  }
}

FakeApplication::~FakeApplication() {
  if (statement.private_data != nullptr) driver.StatementRelease(&statement, nullptr);
  if (connection.private_data != nullptr) driver.ConnectionRelease(&connection, nullptr);
  if (database.private_data != nullptr) driver.DatabaseRelease(&database, nullptr);
}

AdbcStatusCode FakeApplication::OpenAll() {
  constexpr const char* kUri = "http://127.0.0.1:9/sql/1.0/warehouses/w";
  driver.DatabaseSetOption(&database, "uri", kUri, &error);
  driver.DatabaseSetOption(&database, "databricks.access_token", "dapi-secret", &error);
  AdbcStatusCode code = driver.DatabaseInit(&database, &error);
  if (code == ADBC_STATUS_OK) code = driver.ConnectionNew(&connection, &error);
  if (code == ADBC_STATUS_OK) code = driver.ConnectionInit(&connection, &database, &error);
  if (code == ADBC_STATUS_OK) code = driver.StatementNew(&connection, &statement, &error);
  return code;
}

void FakeApplication::ReleaseFromTheTop() {
  EXPECT_EQ(driver.DatabaseRelease(&database, &error), ADBC_STATUS_OK);
  EXPECT_EQ(driver.ConnectionRelease(&connection, &error), ADBC_STATUS_OK);
  EXPECT_EQ(driver.StatementRelease(&statement, &error), ADBC_STATUS_OK);
}

std::vector<StatementRequest> FakeApplication::requests() const {
  MutexLock lock(record->mutex);
  return record->requests;
}

std::vector<int64_t> ReadInt64s(ArrowArrayStream* stream) {
  std::vector<int64_t> values;
  nanoarrow::UniqueSchema schema;
  EXPECT_EQ(stream->get_schema(stream, schema.get()), 0);
  while (true) {
    nanoarrow::UniqueArray batch;
    const int failure = stream->get_next(stream, batch.get());
    EXPECT_EQ(failure, 0) << stream->get_last_error(stream);
    if (failure != 0 || batch->release == nullptr) return values;
    nanoarrow::UniqueArrayView view;
    EXPECT_EQ(ArrowArrayViewInitFromSchema(view.get(), schema.get(), nullptr), 0);
    EXPECT_EQ(ArrowArrayViewSetArray(view.get(), batch.get(), nullptr), 0);
    for (int64_t row = 0; row < view->length; ++row) {
      values.push_back(ArrowArrayViewGetIntUnsafe(view->children[0], row));
    }
  }
}

BoundBatch Int64Parameters(const std::vector<int64_t>& values) {
  BoundBatch bound;
  EXPECT_TRUE(Int64Schema({"0"})->CopyTo(bound.schema.get()).ok());
  RecordBatch batch = Int64Batch(values);
  batch.MoveTo(bound.array.get());
  return bound;
}

}  // namespace dbx
