// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace dbx::cli {

/// The driver's statistics, a line each, in its order and whatever their names: "bytes_downloaded"
/// as a size, "…_seconds" as a time, other numbers with thousands. `json` is an object; anything
/// else gives "".
std::string StatisticsText(const std::string& json);

}  // namespace dbx::cli
