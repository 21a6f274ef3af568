// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "adbc/option_access.h"
#include "cloudfetch/cloudfetch_stream.h"

namespace dbx {

/// Options of a statement that begin so tell what reading its last result took:
/// "databricks.statistics.rows".
inline constexpr std::string_view kStatisticsPrefix = "databricks.statistics.";

/// Counters of one result, however its rows came.
struct StatementStatistics : CloudFetchStatistics {
  bool through_cloudfetch = false;
};

/// The counter called `name` (without the prefix): whole numbers, lengths of time in seconds as
/// doubles, or, for "json", all of them as one JSON object. nullopt: no such counter.
std::optional<TypedValue> StatisticByName(const StatementStatistics& statistics,
                                          std::string_view name);

}  // namespace dbx
