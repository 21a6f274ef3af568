// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace dbx {

// Reads the spellings that SQL values have in replies that are not Arrow. nullopt: not such a
// value.

/// "yyyy-MM-dd", the year with a sign or more digits where it has them: days since 1970-01-01.
std::optional<int32_t> ParseDate(std::string_view text);

/// A date, then optionally 'T' or a blank and "HH:mm:ss" with up to nine fraction digits, then
/// optionally "Z" or an offset such as "+05:30": microseconds since 1970-01-01 00:00 UTC (of the
/// wall clock where no offset stands). Digits past the microsecond are dropped.
std::optional<int64_t> ParseTimestamp(std::string_view text);

/// The unscaled digits ("-1230" for "-12.3" at scale 2) of a plain decimal number of at most
/// `precision` digits. Digits past the scale must be zeros.
std::optional<std::string> ParseDecimal(std::string_view text, int32_t precision, int32_t scale);

/// "true" or "false" in any case, "1" or "0".
std::optional<bool> ParseBool(std::string_view text);

std::optional<int64_t> ParseInteger(std::string_view text);

/// Also "NaN", "Infinity" and "-Infinity".
std::optional<double> ParseDouble(std::string_view text);

}  // namespace dbx
