// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "result/time_zone.h"
#include "sql/sql_type.h"

struct ArrowArray;

namespace dbx::local {

/// True when row `row` of `array`, a column of `type` in its fixed Arrow form, holds NULL.
bool IsNull(const SqlType& type, const ArrowArray& array, int64_t row);

/// Appends the value at `row` (not NULL) as the service writes it where no Arrow type of its own is
/// asked for: decimals with their full scale, timestamps in `zone` with trailing zeros trimmed,
/// intervals as "2-6" and "1 02:03:04.000000000", arrays, maps and structs in Spark's near-JSON,
/// whose texts are quoted but not escaped.
void AppendText(const SqlType& type, const ArrowArray& array, int64_t row, const TimeZone& zone,
                std::string* out);

}  // namespace dbx::local
