// SPDX-License-Identifier: Apache-2.0
#include "connection.h"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>

#include "arrow-adbc/adbc_driver_manager.h"
#include "failure.h"
#include "interrupt.h"

namespace dbx::cli {
namespace {

/// Throws what an ADBC call says, unless it says that all is well.
void Check(AdbcStatusCode status, AdbcError* error) {
  if (status == ADBC_STATUS_OK) return;
  std::string message = error->message != nullptr ? error->message : AdbcStatusCodeMessage(status);
  if (error->release != nullptr) error->release(error);
  const bool interrupted = Interrupt::Requested() && status == ADBC_STATUS_CANCELLED;
  throw Failure(interrupted ? Exit::kInterrupted : Exit::kFailed,
                interrupted ? "interrupted" : message);
}

/// The driver that was built or installed with this program, else the name that a manifest gives
/// it.
std::string FindDriver() {
  if (const char* const given = std::getenv("CLOUDFETCH_DRIVER")) return given;
  std::error_code failure;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", failure);
  for (const char* const place :
       {"libadbc_driver_databricks.so", "../lib/libadbc_driver_databricks.so"}) {
    const std::filesystem::path candidate = program.parent_path() / place;
    if (std::filesystem::exists(candidate, failure)) return candidate.string();
  }
  return "databricks";
}

std::vector<std::pair<std::string, std::string>> AllOptions(const ConnectionOptions& options) {
  std::vector<std::pair<std::string, std::string>> all{
      {"driver", options.driver.empty() ? FindDriver() : options.driver},
      {"entrypoint", "AdbcDriverDatabricksInit"}};
  if (!options.uri.empty()) all.emplace_back("uri", options.uri);
  all.insert(all.end(), options.options.begin(), options.options.end());
  return all;
}

}  // namespace

Connection::Connection(const ConnectionOptions& options) {
  AdbcError error = ADBC_ERROR_INIT;
  try {
    Check(AdbcDatabaseNew(&database_, &error), &error);
    Check(AdbcDriverManagerDatabaseSetLoadFlags(&database_, ADBC_LOAD_FLAG_DEFAULT, &error),
          &error);
    for (const auto& [key, value] : AllOptions(options)) {
      Check(AdbcDatabaseSetOption(&database_, key.c_str(), value.c_str(), &error), &error);
    }
    Check(AdbcDatabaseInit(&database_, &error), &error);
    Check(AdbcConnectionNew(&connection_, &error), &error);
    Check(AdbcConnectionInit(&connection_, &database_, &error), &error);
  } catch (...) {
    if (connection_.private_data != nullptr) AdbcConnectionRelease(&connection_, nullptr);
    if (database_.private_data != nullptr) AdbcDatabaseRelease(&database_, nullptr);
    throw;
  }
}

Connection::~Connection() {
  AdbcConnectionRelease(&connection_, nullptr);
  AdbcDatabaseRelease(&database_, nullptr);
}

Statement::Statement(Connection& connection, const std::string& sql) {
  AdbcError error = ADBC_ERROR_INIT;
  Check(AdbcStatementNew(connection.get(), &statement_, &error), &error);
  try {
    Check(AdbcStatementSetSqlQuery(&statement_, sql.c_str(), &error), &error);
  } catch (...) {
    AdbcStatementRelease(&statement_, nullptr);
    throw;
  }
}

Statement::~Statement() {
  AdbcStatementRelease(&statement_, nullptr);
}

void Statement::Bind(const std::vector<std::string>& parameters) {
  nanoarrow::UniqueSchema schema;
  ArrowSchemaInit(schema.get());
  NANOARROW_THROW_NOT_OK(
      ArrowSchemaSetTypeStruct(schema.get(), static_cast<int64_t>(parameters.size())));
  for (size_t i = 0; i < parameters.size(); ++i) {
    NANOARROW_THROW_NOT_OK(ArrowSchemaSetType(schema->children[i], NANOARROW_TYPE_STRING));
    NANOARROW_THROW_NOT_OK(ArrowSchemaSetName(schema->children[i], std::to_string(i).c_str()));
  }
  nanoarrow::UniqueArray row;
  NANOARROW_THROW_NOT_OK(ArrowArrayInitFromSchema(row.get(), schema.get(), nullptr));
  NANOARROW_THROW_NOT_OK(ArrowArrayStartAppending(row.get()));
  for (size_t i = 0; i < parameters.size(); ++i) {
    const ArrowStringView text{parameters[i].data(), static_cast<int64_t>(parameters[i].size())};
    NANOARROW_THROW_NOT_OK(ArrowArrayAppendString(row->children[i], text));
  }
  NANOARROW_THROW_NOT_OK(ArrowArrayFinishElement(row.get()));
  NANOARROW_THROW_NOT_OK(ArrowArrayFinishBuildingDefault(row.get(), nullptr));
  AdbcError error = ADBC_ERROR_INIT;
  Check(AdbcStatementBind(&statement_, row.get(), schema.get(), &error), &error);
}

void Statement::Execute(ArrowArrayStream* rows, int64_t* rows_affected) {
  AdbcError error = ADBC_ERROR_INIT;
  Check(AdbcStatementExecuteQuery(&statement_, rows, rows_affected, &error), &error);
}

void Statement::Cancel() {
  AdbcError error = ADBC_ERROR_INIT;
  AdbcStatementCancel(&statement_, &error);
  if (error.release != nullptr) error.release(&error);
}

std::optional<std::string> Statement::Option(const std::string& key) {
  std::string value(64 << 10, '\0');
  size_t length = value.size();
  AdbcError error = ADBC_ERROR_INIT;
  const AdbcStatusCode status =
      AdbcStatementGetOption(&statement_, key.c_str(), value.data(), &length, &error);
  if (error.release != nullptr) error.release(&error);
  if (status != ADBC_STATUS_OK || length == 0 || length > value.size()) return std::nullopt;
  value.resize(length - 1);
  return value;
}

std::optional<int64_t> Statement::IntOption(const std::string& key) {
  int64_t value = 0;
  AdbcError error = ADBC_ERROR_INIT;
  const AdbcStatusCode status = AdbcStatementGetOptionInt(&statement_, key.c_str(), &value, &error);
  if (error.release != nullptr) error.release(&error);
  return status == ADBC_STATUS_OK ? std::optional(value) : std::nullopt;
}

int64_t QueryNumber(Connection& connection, const std::string& sql) {
  Statement statement(connection, sql);
  const Interrupt::Scope scope([&] { statement.Cancel(); });
  nanoarrow::UniqueArrayStream rows;
  statement.Execute(rows.get(), nullptr);
  nanoarrow::UniqueSchema schema;
  nanoarrow::UniqueArrayView view;
  nanoarrow::UniqueArray batch;
  ArrowError detail{};
  if (rows->get_schema(rows.get(), schema.get()) != 0 ||
      rows->get_next(rows.get(), batch.get()) != 0) {
    const char* const message = rows->get_last_error(rows.get());
    throw Failure(Interrupt::Requested() ? Exit::kInterrupted : Exit::kFailed,
                  message ? message : "no message");
  }
  if (batch->release == nullptr || batch->length < 1 || batch->n_children < 1) {
    throw Failure(Exit::kFailed, fmt::format("no number came back for: {}", sql));
  }
  NANOARROW_THROW_NOT_OK(ArrowArrayViewInitFromSchema(view.get(), schema.get(), &detail));
  NANOARROW_THROW_NOT_OK(ArrowArrayViewSetArray(view.get(), batch.get(), &detail));
  return ArrowArrayViewGetIntUnsafe(view->children[0], 0);
}

}  // namespace dbx::cli
