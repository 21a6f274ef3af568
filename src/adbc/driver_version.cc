// SPDX-License-Identifier: Apache-2.0
#include "adbc/driver_version.h"

#include "nanoarrow/nanoarrow.h"

namespace dbx {

std::string_view DriverName() {
  return "ADBC Databricks Driver (cloudfetch)";
}
std::string_view DriverVersion() {
  return DBX_DRIVER_VERSION;
}
std::string_view DriverArrowVersion() {
  return "v" NANOARROW_VERSION;
}

}  // namespace dbx
