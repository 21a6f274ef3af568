// SPDX-License-Identifier: Apache-2.0
#include "warehouse/sea/interval_text.h"

#include <cctype>
#include <limits>

namespace dbx::sea {
namespace {

constexpr int64_t kMicrosecondsOfSecond = 1'000'000;
constexpr int64_t kSecondsOfDay = 86'400;

/// What stands between quotes, or all of it, and its sign.
struct Signed {
  std::string_view digits;
  bool negative = false;
};

bool TakeSign(std::string_view& text) {
  if (text.empty() || (text.front() != '-' && text.front() != '+')) return false;
  const bool negative = text.front() == '-';
  text.remove_prefix(1);
  return negative;
}

Signed Unwrap(std::string_view text) {
  Signed found;
  const size_t open = text.find('\'');
  if (open != std::string_view::npos) {
    // The sign may stand before the quotes too.
    found.negative = text.substr(0, open).find('-') != std::string_view::npos;
    text = text.substr(open + 1);
    text = text.substr(0, text.find('\''));
  }
  found.negative ^= TakeSign(text);
  found.digits = text;
  return found;
}

/// The number at the front of `text`, which is left behind it; at most 12 digits.
std::optional<int64_t> TakeNumber(std::string_view& text) {
  int64_t number = 0;
  size_t digits = 0;
  while (digits < text.size() && std::isdigit(static_cast<unsigned char>(text[digits])) != 0) {
    if (digits == 12) return std::nullopt;
    number = number * 10 + (text[digits++] - '0');
  }
  if (digits == 0) return std::nullopt;
  text.remove_prefix(digits);
  return number;
}

bool Take(std::string_view& text, char wanted) {
  if (text.empty() || text.front() != wanted) return false;
  text.remove_prefix(1);
  return true;
}

/// ".123000000" or nothing: microseconds.
std::optional<int64_t> TakeFraction(std::string_view& text) {
  if (!Take(text, '.')) return 0;
  int64_t fraction = 0;
  int digits = 0;
  for (; !text.empty() && std::isdigit(static_cast<unsigned char>(text.front())) != 0; ++digits) {
    if (digits >= 6 && text.front() != '0') return std::nullopt;
    if (digits < 6) fraction = fraction * 10 + (text.front() - '0');
    text.remove_prefix(1);
  }
  if (digits == 0) return std::nullopt;
  for (; digits < 6; ++digits) fraction *= 10;
  return fraction;
}

/// "04:30:20": seconds.
std::optional<int64_t> TakeClock(std::string_view& text) {
  const std::optional<int64_t> hours = TakeNumber(text);
  if (!hours || !Take(text, ':')) return std::nullopt;
  const std::optional<int64_t> minutes = TakeNumber(text);
  if (!minutes || !Take(text, ':')) return std::nullopt;
  const std::optional<int64_t> seconds = TakeNumber(text);
  if (!seconds || *hours > 23 || *minutes > 59 || *seconds > 59) return std::nullopt;
  return (*hours * 60 + *minutes) * 60 + *seconds;
}

}  // namespace

std::optional<int32_t> ParseYearMonth(std::string_view text) {
  Signed value = Unwrap(text);
  const std::optional<int64_t> years = TakeNumber(value.digits);
  if (!years || !Take(value.digits, '-')) return std::nullopt;
  const std::optional<int64_t> months = TakeNumber(value.digits);
  if (!months || *months > 11 || !value.digits.empty()) return std::nullopt;
  const int64_t total = (*years * 12 + *months) * (value.negative ? -1 : 1);
  if (total < std::numeric_limits<int32_t>::min() || total > std::numeric_limits<int32_t>::max()) {
    return std::nullopt;
  }
  return static_cast<int32_t>(total);
}

std::optional<int64_t> ParseDayTime(std::string_view text) {
  constexpr int64_t kMostDays =
      std::numeric_limits<int64_t>::max() / kMicrosecondsOfSecond / kSecondsOfDay - 1;
  Signed value = Unwrap(text);
  const std::optional<int64_t> days = TakeNumber(value.digits);
  if (!days || *days > kMostDays || !Take(value.digits, ' ')) return std::nullopt;
  const std::optional<int64_t> seconds = TakeClock(value.digits);
  if (!seconds) return std::nullopt;
  const std::optional<int64_t> fraction = TakeFraction(value.digits);
  if (!fraction || !value.digits.empty()) return std::nullopt;
  const int64_t total = (*days * kSecondsOfDay + *seconds) * kMicrosecondsOfSecond + *fraction;
  return value.negative ? -total : total;
}

}  // namespace dbx::sea
