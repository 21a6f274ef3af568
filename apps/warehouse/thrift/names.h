// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace dbx::local {

/// The setting by which clients asked for native timestamps before there was a flag.
inline constexpr std::string_view kTimestampAsString =
    "spark.thriftserver.arrowBasedRowSet.timestampAsString";

}  // namespace dbx::local
