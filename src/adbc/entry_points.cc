// SPDX-License-Identifier: Apache-2.0
// The two functions that the library exports, and all that it exports.
#include "adbc/driver_table.h"

#define DBX_EXPORT extern "C" __attribute__((visibility("default")))

DBX_EXPORT AdbcStatusCode AdbcDriverDatabricksInit(int version, void* driver, AdbcError* error);
DBX_EXPORT AdbcStatusCode AdbcDriverInit(int version, void* driver, AdbcError* error);

AdbcStatusCode AdbcDriverDatabricksInit(int version, void* driver, AdbcError* error) {
  return dbx::FillDriverTable(version, driver, error);
}

AdbcStatusCode AdbcDriverInit(int version, void* driver, AdbcError* error) {
  return dbx::FillDriverTable(version, driver, error);
}
