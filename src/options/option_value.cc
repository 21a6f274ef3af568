// SPDX-License-Identifier: Apache-2.0
#include "options/option_value.h"

#include <array>
#include <charconv>
#include <limits>
#include <utility>

#include "base/str_cat.h"

namespace dbx {
namespace {

struct Unit {
  std::string_view suffix;
  int64_t factor;
};

constexpr std::array<Unit, 4> kTimeUnits{{{"ms", 1}, {"s", 1000}, {"m", 60'000}, {"h", 3'600'000}}};
constexpr std::array<Unit, 5> kByteUnits{
    {{"kb", 1 << 10}, {"mb", 1 << 20}, {"gb", 1 << 30}, {"b", 1}, {"", 1}}};

std::string_view Trim(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

Status OutOfRange(std::string_view key, std::string_view text, int64_t min, int64_t max,
                  std::string_view unit) {
  return Status::InvalidArgument(
      StrCat(key, ": ", text, " is outside ", min, "..", max, " ", unit));
}

/// The number at the front of `text`; what follows it stays in `*rest`.
Result<int64_t> LeadingInt(std::string_view key, std::string_view text, std::string_view* rest) {
  int64_t value = 0;
  const char* const first = text.data();
  const char* const last = first + text.size();
  const auto [stop, failure] = std::from_chars(first, last, value);
  if (failure == std::errc::result_out_of_range) {
    return Status::InvalidArgument(StrCat(key, ": '", text, "' is too large a number"));
  }
  if (failure != std::errc())
    return Status::InvalidArgument(StrCat(key, ": not a number: '", text, "'"));
  *rest = Trim({stop, static_cast<size_t>(last - stop)});
  return value;
}

bool Multiply(int64_t value, int64_t factor, int64_t* product) {
  return !__builtin_mul_overflow(value, factor, product);
}

}  // namespace

std::string ToLower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

Result<bool> ParseBool(std::string_view key, std::string_view text) {
  const std::string lower = ToLower(Trim(text));
  if (lower == "true" || lower == "1" || lower == "yes") return true;
  if (lower == "false" || lower == "0" || lower == "no") return false;
  return Status::InvalidArgument(StrCat(key, ": '", text, "' is neither true nor false"));
}

Result<int64_t> ParseInt(std::string_view key, std::string_view text, int64_t min, int64_t max,
                         std::string_view unit) {
  std::string_view rest;
  ASSIGN_OR_RETURN(const int64_t value, LeadingInt(key, Trim(text), &rest));
  if (!rest.empty()) return Status::InvalidArgument(StrCat(key, ": not an integer: '", text, "'"));
  if (value < min || value > max) return OutOfRange(key, text, min, max, unit);
  return value;
}

Result<int64_t> ParseDuration(std::string_view key, std::string_view text, int64_t unit_ms,
                              int64_t min, int64_t max) {
  std::string_view rest;
  ASSIGN_OR_RETURN(const int64_t number, LeadingInt(key, Trim(text), &rest));
  int64_t factor = rest.empty() ? unit_ms : 0;
  for (const Unit& unit : kTimeUnits) {
    if (rest == unit.suffix) factor = unit.factor;
  }
  if (factor == 0) {
    return Status::InvalidArgument(
        StrCat(key, ": '", text, "' has no unit that is known (ms, s, m, h)"));
  }
  int64_t value = 0;
  const bool fits = Multiply(number, factor, &value);
  int64_t most = 0;
  if (!Multiply(max, unit_ms, &most)) most = std::numeric_limits<int64_t>::max();
  if (!fits || value < min * unit_ms || value > most) {
    return OutOfRange(key, text, min, max, unit_ms == 1 ? "milliseconds" : "seconds");
  }
  return value;
}

Result<int64_t> ParseBytes(std::string_view key, std::string_view text, int64_t min, int64_t max) {
  std::string_view rest;
  ASSIGN_OR_RETURN(const int64_t number, LeadingInt(key, Trim(text), &rest));
  const std::string suffix = ToLower(rest);
  int64_t factor = 0;
  for (const Unit& unit : kByteUnits) {
    if (suffix == unit.suffix) factor = unit.factor;
  }
  if (factor == 0) {
    return Status::InvalidArgument(
        StrCat(key, ": '", text, "' has no unit that is known (B, KB, MB, GB)"));
  }
  int64_t value = 0;
  if (!Multiply(number, factor, &value) || value < min || value > max)
    return OutOfRange(key, text, min, max, "bytes");
  return value;
}

}  // namespace dbx
