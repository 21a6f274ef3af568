// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace dbx::sea {

// Reads intervals as results in text have them, with or without "INTERVAL '…' UNIT" around them.
// nullopt: no such interval, or one that does not fit.

/// "100-0", "-0-10": months.
std::optional<int32_t> ParseYearMonth(std::string_view text);

/// "3 04:30:20.123000000", "-8 00:00:00": microseconds. Digits past the microsecond must be zeros.
std::optional<int64_t> ParseDayTime(std::string_view text);

}  // namespace dbx::sea
