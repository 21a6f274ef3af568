// SPDX-License-Identifier: Apache-2.0
#include "adbc/parameter_text.h"

#include <cmath>

#include "base/str_cat.h"

namespace dbx {
namespace {

constexpr int64_t kSecondsPerDay = 86'400;

struct Divided {
  int64_t quotient;
  int64_t remainder;  // never negative
};

Divided FloorDivide(int64_t value, int64_t divisor) {
  int64_t quotient = value / divisor;
  int64_t remainder = value % divisor;
  if (remainder < 0) {
    remainder += divisor;
    --quotient;
  }
  return {quotient, remainder};
}

std::string Padded(uint64_t number, size_t width) {
  std::string digits = StrCat(number);
  if (digits.size() < width) digits.insert(0, width - digits.size(), '0');
  return digits;
}

/// ".000001", or nothing for zero.
std::string FractionText(uint64_t fraction, int64_t per_second) {
  if (fraction == 0) return {};
  std::string digits = Padded(fraction, StrCat(per_second).size() - 1);
  digits.erase(digits.find_last_not_of('0') + 1);
  return StrCat(".", digits);
}

std::string ClockText(uint64_t seconds) {
  return StrCat(Padded(seconds / 3600, 2), ":", Padded(seconds / 60 % 60, 2), ":",
                Padded(seconds % 60, 2));
}

template <typename Number>
std::string NumberText(Number value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
  return StrCat(value);
}

}  // namespace

std::string DateText(int64_t days) {
  // Counted from 0000-03-01, so that leap days come last in their year, and in whole cycles of 400
  // years.
  constexpr int64_t kDaysToEpoch = 719'468;
  constexpr int64_t kDaysPerCycle = 146'097;
  const auto [cycle, day] = FloorDivide(days + kDaysToEpoch, kDaysPerCycle);
  const int64_t year = (day - day / 1'460 + day / 36'524 - day / 146'096) / 365;
  const int64_t day_of_year = day - (365 * year + year / 4 - year / 100);
  const int64_t month_from_march = (5 * day_of_year + 2) / 153;
  const int64_t day_of_month = day_of_year - (153 * month_from_march + 2) / 5 + 1;
  const int64_t month = month_from_march < 10 ? month_from_march + 3 : month_from_march - 9;
  const int64_t calendar_year = cycle * 400 + year + (month <= 2 ? 1 : 0);
  const char* const sign = calendar_year < 0 ? "-" : calendar_year > 9999 ? "+" : "";
  return StrCat(sign, Padded(static_cast<uint64_t>(std::abs(calendar_year)), 4), "-",
                Padded(static_cast<uint64_t>(month), 2), "-",
                Padded(static_cast<uint64_t>(day_of_month), 2));
}

std::string TimestampText(int64_t value, int64_t per_second) {
  const auto [seconds, fraction] = FloorDivide(value, per_second);
  const auto [days, second_of_day] = FloorDivide(seconds, kSecondsPerDay);
  return StrCat(DateText(days), " ", ClockText(static_cast<uint64_t>(second_of_day)),
                FractionText(static_cast<uint64_t>(fraction), per_second));
}

std::string TimeOfDayText(int64_t value, int64_t per_second) {
  const auto [seconds, fraction] = FloorDivide(value, per_second);
  return StrCat(ClockText(static_cast<uint64_t>(seconds)),
                FractionText(static_cast<uint64_t>(fraction), per_second));
}

std::string DayTimeText(int64_t value, int64_t per_second) {
  // Unsigned, so that the least value has an opposite too.
  const uint64_t length = value < 0 ? -static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
  const uint64_t seconds = length / static_cast<uint64_t>(per_second);
  return StrCat(value < 0 ? "-" : "", seconds / kSecondsPerDay, " ",
                ClockText(seconds % kSecondsPerDay),
                FractionText(length % static_cast<uint64_t>(per_second), per_second));
}

std::string YearMonthText(int64_t months) {
  const int64_t length = std::abs(months);
  return StrCat(months < 0 ? "-" : "", length / 12, "-", length % 12);
}

std::string FloatText(float value) {
  return NumberText(value);
}
std::string DoubleText(double value) {
  return NumberText(value);
}

std::string DecimalText(std::string_view digits, int32_t scale) {
  const bool negative = digits.starts_with('-');
  std::string text(digits.substr(negative ? 1 : 0));
  if (scale < 0 && text != "0") text.append(static_cast<size_t>(-scale), '0');
  if (scale > 0) {
    const auto places = static_cast<size_t>(scale);
    if (text.size() <= places) text.insert(0, places + 1 - text.size(), '0');
    text.insert(text.size() - places, 1, '.');
  }
  return negative ? StrCat("-", text) : text;
}

std::string BinaryLiteral(Bytes bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string literal = "X'";
  for (const uint8_t byte : bytes) {
    literal.push_back(kDigits[byte >> 4]);
    literal.push_back(kDigits[byte & 15]);
  }
  literal.push_back('\'');
  return literal;
}

}  // namespace dbx
