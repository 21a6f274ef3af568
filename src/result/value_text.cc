// SPDX-License-Identifier: Apache-2.0
#include "result/value_text.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <limits>

namespace dbx {
namespace {

/// Takes pieces off the front of a text; once something is missing, everything after is too.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  bool ok() const { return ok_; }
  bool done() const { return text_.empty(); }
  bool Skip(char wanted) {
    if (text_.empty() || text_.front() != wanted) return false;
    text_.remove_prefix(1);
    return true;
  }
  void Expect(char wanted) { ok_ = Skip(wanted) && ok_; }

  std::string_view Digits(size_t most) {
    size_t count = 0;
    while (count < text_.size() && count < most && text_[count] >= '0' && text_[count] <= '9')
      ++count;
    const std::string_view digits = text_.substr(0, count);
    text_.remove_prefix(count);
    return digits;
  }
  int Number(size_t least, size_t most) {
    const std::string_view digits = Digits(most);
    ok_ = digits.size() >= least && ok_;
    int value = 0;
    for (const char digit : digits) value = value * 10 + (digit - '0');
    return value;
  }

 private:
  std::string_view text_;
  bool ok_ = true;
};

std::optional<int32_t> ScanDate(Scanner& in) {
  const bool negative = in.Skip('-');
  if (!negative) in.Skip('+');
  const int year = in.Number(4, 6);
  in.Expect('-');
  const int month = in.Number(2, 2);
  in.Expect('-');
  const int day = in.Number(2, 2);
  if (!in.ok() || year > 32767) return std::nullopt;
  const std::chrono::year_month_day date(std::chrono::year(negative ? -year : year),
                                         std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day)));
  if (!date.ok()) return std::nullopt;
  return static_cast<int32_t>(std::chrono::sys_days(date).time_since_epoch().count());
}

/// "HH:mm:ss[.f]" in microseconds.
std::optional<int64_t> ScanTime(Scanner& in) {
  const int hour = in.Number(2, 2);
  in.Expect(':');
  const int minute = in.Number(2, 2);
  in.Expect(':');
  const int second = in.Number(2, 2);
  int64_t fraction = 0;
  if (in.Skip('.')) {
    std::string digits(in.Digits(9));
    digits.resize(6, '0');
    for (const char digit : digits) fraction = fraction * 10 + (digit - '0');
  }
  if (!in.ok() || hour > 23 || minute > 59 || second > 59) return std::nullopt;
  return ((hour * 60 + minute) * int64_t{60} + second) * 1'000'000 + fraction;
}

/// "Z", "+hh:mm", "-hh:mm" or nothing, in minutes east of UTC.
std::optional<int> ScanOffset(Scanner& in) {
  if (in.done() || in.Skip('Z')) return 0;
  const bool west = in.Skip('-');
  if (!west) in.Expect('+');
  const int hours = in.Number(2, 2);
  in.Skip(':');
  const int minutes = in.Number(2, 2);
  if (!in.ok() || hours > 18 || minutes > 59) return std::nullopt;
  return (west ? -1 : 1) * (hours * 60 + minutes);
}

bool EqualsIgnoringCase(std::string_view text, std::string_view lower) {
  return std::equal(text.begin(), text.end(), lower.begin(), lower.end(), [](char a, char b) {
    return (a >= 'A' && a <= 'Z' ? static_cast<char>(a - 'A' + 'a') : a) == b;
  });
}

bool AllDigits(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

std::optional<int32_t> ParseDate(std::string_view text) {
  Scanner in(text);
  const std::optional<int32_t> days = ScanDate(in);
  return in.done() ? days : std::nullopt;
}

std::optional<int64_t> ParseTimestamp(std::string_view text) {
  Scanner in(text);
  const std::optional<int32_t> days = ScanDate(in);
  if (!days) return std::nullopt;
  int64_t moment = *days * int64_t{86'400'000'000};
  if (in.done()) return moment;
  if (!in.Skip(' ')) in.Expect('T');
  const std::optional<int64_t> time = ScanTime(in);
  if (!time) return std::nullopt;
  const std::optional<int> offset = ScanOffset(in);
  if (!offset || !in.done()) return std::nullopt;
  return moment + *time - *offset * int64_t{60'000'000};
}

std::optional<std::string> ParseDecimal(std::string_view text, int32_t precision, int32_t scale) {
  std::string digits;
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) {
    if (text.front() == '-') digits.push_back('-');
    text.remove_prefix(1);
  }
  const size_t point = std::min(text.find('.'), text.size());
  const std::string_view whole = text.substr(0, point);
  std::string_view fraction = text.substr(std::min(point + 1, text.size()));
  if (whole.empty() && fraction.empty()) return std::nullopt;
  if (!AllDigits(whole) || !AllDigits(fraction)) return std::nullopt;
  const auto width = static_cast<size_t>(scale);
  while (fraction.size() > width && fraction.back() == '0') fraction.remove_suffix(1);
  if (fraction.size() > width) return std::nullopt;
  std::string value = std::string(whole).append(fraction).append(width - fraction.size(), '0');
  value.erase(0, std::min(value.find_first_not_of('0'), value.size()));
  if (value.size() > static_cast<size_t>(precision)) return std::nullopt;
  return digits.append(value.empty() ? "0" : value);
}

std::optional<bool> ParseBool(std::string_view text) {
  if (EqualsIgnoringCase(text, "true") || text == "1") return true;
  if (EqualsIgnoringCase(text, "false") || text == "0") return false;
  return std::nullopt;
}

std::optional<int64_t> ParseInteger(std::string_view text) {
  int64_t value = 0;
  const char* const last = text.data() + text.size();
  const auto [stop, failure] = std::from_chars(text.data(), last, value);
  if (failure != std::errc() || stop != last) return std::nullopt;
  return value;
}

std::optional<double> ParseDouble(std::string_view text) {
  if (EqualsIgnoringCase(text, "nan")) return std::numeric_limits<double>::quiet_NaN();
  double value = 0;
  const char* const last = text.data() + text.size();
  const auto [stop, failure] = std::from_chars(text.data(), last, value);  // knows "Infinity" too
  if (failure != std::errc() || stop != last) return std::nullopt;
  return value;
}

}  // namespace dbx
