// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/bytes.h"

namespace dbx {

/// Values in the spelling that the service's casts from text understand.

/// "2024-02-29"; years beyond 9999 carry a "+", those before 0 a "-". `days` since 1970-01-01.
std::string DateText(int64_t days);

/// "2024-02-29 23:59:59.000001", without a fraction that is zero. `value` counts `per_second` parts
/// of a second (1, 1000, …, 10^9) since 1970-01-01 00:00:00.
std::string TimestampText(int64_t value, int64_t per_second);

/// "23:59:59.5" of a time of day in the same parts.
std::string TimeOfDayText(int64_t value, int64_t per_second);

/// "-1 02:03:04.000005": days, hours, minutes, seconds of a length in the same parts.
std::string DayTimeText(int64_t value, int64_t per_second);

/// "-1-2": years and months.
std::string YearMonthText(int64_t months);

/// The shortest text that reads as the same number again; "NaN", "Infinity", "-Infinity".
std::string FloatText(float value);
std::string DoubleText(double value);

/// `digits` (perhaps after a "-") times 10^-scale, in plain digits.
std::string DecimalText(std::string_view digits, int32_t scale);

/// "X'00ff'".
std::string BinaryLiteral(Bytes bytes);

}  // namespace dbx
