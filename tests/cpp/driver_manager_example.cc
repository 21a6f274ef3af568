// SPDX-License-Identifier: Apache-2.0
// Reads one result through the ADBC driver manager, as any C++ application does:
//   driver_manager_example DRIVER URI SQL
#include <cstdio>

#include "arrow-adbc/adbc.h"
#include "nanoarrow/nanoarrow.hpp"

namespace {

int Fail(const AdbcError& error) {
  std::fprintf(stderr, "%s\n", error.message != nullptr ? error.message : "no message");
  return 1;
}

int ReadAll(ArrowArrayStream* rows) {
  nanoarrow::UniqueSchema schema;
  if (rows->get_schema(rows, schema.get()) != 0) return 1;
  int64_t num_rows = 0;
  while (true) {
    nanoarrow::UniqueArray batch;
    if (rows->get_next(rows, batch.get()) != 0) {
      std::fprintf(stderr, "%s\n", rows->get_last_error(rows));
      return 1;
    }
    if (batch->release == nullptr) break;
    num_rows += batch->length;
  }
  std::printf("%lld rows, %lld columns\n", static_cast<long long>(num_rows),
              static_cast<long long>(schema->n_children));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  AdbcError error = ADBC_ERROR_INIT;
  AdbcDatabase database{};
  AdbcConnection connection{};
  AdbcStatement statement{};
  nanoarrow::UniqueArrayStream rows;
  if (AdbcDatabaseNew(&database, &error) != ADBC_STATUS_OK ||
      AdbcDatabaseSetOption(&database, "driver", argv[1], &error) != ADBC_STATUS_OK ||
      AdbcDatabaseSetOption(&database, "uri", argv[2], &error) != ADBC_STATUS_OK ||
      AdbcDatabaseInit(&database, &error) != ADBC_STATUS_OK ||
      AdbcConnectionNew(&connection, &error) != ADBC_STATUS_OK ||
      AdbcConnectionInit(&connection, &database, &error) != ADBC_STATUS_OK ||
      AdbcStatementNew(&connection, &statement, &error) != ADBC_STATUS_OK ||
      AdbcStatementSetSqlQuery(&statement, argv[3], &error) != ADBC_STATUS_OK ||
      AdbcStatementExecuteQuery(&statement, rows.get(), nullptr, &error) != ADBC_STATUS_OK) {
    return Fail(error);
  }
  const int status = ReadAll(rows.get());
  rows.reset();
  AdbcStatementRelease(&statement, &error);
  AdbcConnectionRelease(&connection, &error);
  AdbcDatabaseRelease(&database, &error);
  return status;
}
