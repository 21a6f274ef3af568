// SPDX-License-Identifier: Apache-2.0
// read_adbc JSON: reads one result through the ADBC driver manager, as any C++ application does,
// and prints what that took as JSON. The argument is an object:
//   driver, options {name: text} of the database, sql, check_columns [n, …], delay {milliseconds,
//   integer_rule}, cell_by_cell, stop_after_batches (0: read all), streams (1: results at once,
//   each on a thread of its own)
#include <chrono>
#include <cstdio>
#include <exception>
#include <nanoarrow/nanoarrow.hpp>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "arrow-adbc/adbc.h"
#include "meter.h"

namespace dbx::bench {
namespace {

using Json = nlohmann::json;
using Clock = std::chrono::steady_clock;

void Require(AdbcStatusCode status, AdbcError& error, const char* where) {
  if (status == ADBC_STATUS_OK) return;
  std::string text = std::string(where) + ": " + (error.message ? error.message : "no message");
  if (error.release) error.release(&error);
  throw std::runtime_error(std::move(text));
}

class Database {
 public:
  explicit Database(const Json& config) {
    AdbcError error = ADBC_ERROR_INIT;
    Require(AdbcDatabaseNew(&database_, &error), error, "database");
    Set("driver", config.at("driver"));
    Set("entrypoint", "AdbcDriverDatabricksInit");
    for (const auto& [name, value] : config.at("options").items()) Set(name.c_str(), value);
    Require(AdbcDatabaseInit(&database_, &error), error, "database");
  }
  ~Database() { AdbcDatabaseRelease(&database_, nullptr); }
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  AdbcDatabase* get() { return &database_; }

 private:
  void Set(const char* name, const std::string& value) {
    AdbcError error = ADBC_ERROR_INIT;
    Require(AdbcDatabaseSetOption(&database_, name, value.c_str(), &error), error, name);
  }

  AdbcDatabase database_{};
};

/// A connection with one statement.
class Query {
 public:
  Query(Database& database, const std::string& sql) {
    AdbcError error = ADBC_ERROR_INIT;
    Require(AdbcConnectionNew(&connection_, &error), error, "connection");
    Require(AdbcConnectionInit(&connection_, database.get(), &error), error, "connection");
    Require(AdbcStatementNew(&connection_, &statement_, &error), error, "statement");
    Require(AdbcStatementSetSqlQuery(&statement_, sql.c_str(), &error), error, "statement");
  }
  ~Query() {
    AdbcStatementRelease(&statement_, nullptr);
    AdbcConnectionRelease(&connection_, nullptr);
  }
  Query(const Query&) = delete;
  Query& operator=(const Query&) = delete;

  void Execute(ArrowArrayStream* rows) {
    AdbcError error = ADBC_ERROR_INIT;
    Require(AdbcStatementExecuteQuery(&statement_, rows, nullptr, &error), error, "execute");
  }
  /// The driver's own counters, or null.
  Json Statistics() {
    AdbcError error = ADBC_ERROR_INIT;
    std::string text(64 << 10, '\0');
    size_t size = text.size();
    const AdbcStatusCode status = AdbcStatementGetOption(&statement_, "databricks.statistics.json",
                                                         text.data(), &size, &error);
    if (error.release) error.release(&error);
    if (status != ADBC_STATUS_OK || size == 0 || size > text.size()) return nullptr;
    return Json::parse(text.substr(0, size - 1), nullptr, /*allow_exceptions=*/false);
  }

 private:
  AdbcConnection connection_{};
  AdbcStatement statement_{};
};

void ReadBatches(ArrowArrayStream* rows, Meter& meter, int64_t stop_after) {
  nanoarrow::UniqueSchema schema;
  if (rows->get_schema(rows, schema.get()) != 0)
    throw std::runtime_error(rows->get_last_error(rows));
  meter.SetSchema(schema.get());
  for (int64_t count = 0; stop_after == 0 || count < stop_after; ++count) {
    nanoarrow::UniqueArray batch;
    if (rows->get_next(rows, batch.get()) != 0)
      throw std::runtime_error(rows->get_last_error(rows));
    if (batch->release == nullptr) break;
    meter.Add(*batch.get());
  }
}

MeterOptions MeterOptionsOf(const Json& config) {
  MeterOptions options;
  options.check_columns = config.value("check_columns", std::vector<int64_t>());
  options.cell_by_cell = config.value("cell_by_cell", false);
  if (const auto delay = config.find("delay"); delay != config.end() && delay->is_object()) {
    options.delay = {delay->value("milliseconds", 0.0), delay->value("integer_rule", false)};
  }
  return options;
}

Json ReadOne(Database& database, const Json& config) {
  Query query(database, config.at("sql"));
  Meter meter(MeterOptionsOf(config));
  nanoarrow::UniqueArrayStream rows;
  meter.Start();
  query.Execute(rows.get());
  ReadBatches(rows.get(), meter, config.value("stop_after_batches", int64_t{0}));
  meter.Stop();
  const Clock::time_point closing = Clock::now();
  rows.reset();
  const double close_seconds = std::chrono::duration<double>(Clock::now() - closing).count();
  Json report = meter.Report();
  report["close_seconds"] = close_seconds;
  report["statistics"] = query.Statistics();
  return report;
}

Json ReadMany(Database& database, const Json& config, size_t streams) {
  std::vector<Json> reports(streams);
  std::vector<std::exception_ptr> failures(streams);
  std::vector<std::thread> threads;
  for (size_t i = 0; i < streams; ++i) {
    threads.emplace_back([&, i] {
      try {
        reports[i] = ReadOne(database, config);
      } catch (...) {
        failures[i] = std::current_exception();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::exception_ptr& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
  return reports;
}

int Run(const char* argument) {
  const Json config = Json::parse(argument);
  Database database(config);
  const size_t streams = config.value("streams", size_t{1});
  const Json report =
      streams == 1 ? ReadOne(database, config) : ReadMany(database, config, streams);
  std::printf("%s\n", report.dump().c_str());
  return 0;
}

}  // namespace
}  // namespace dbx::bench

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  try {
    return dbx::bench::Run(argv[1]);
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "read_adbc: %s\n", failure.what());
    return 1;
  }
}
