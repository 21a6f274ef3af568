// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "sql/sql_text.h"

namespace dbx::local {

/// The setting by which clients asked for native timestamps before there was a flag.
inline constexpr std::string_view kTimestampAsString =
    "spark.thriftserver.arrowBasedRowSet.timestampAsString";

/// True for the names by which clients mean whatever the default catalog is.
inline bool IsDefaultCatalogAlias(std::string_view name) {
  return name.empty() || EqualsIgnoreCase(name, "SPARK");
}

}  // namespace dbx::local
