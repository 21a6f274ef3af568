// SPDX-License-Identifier: Apache-2.0
#include "result/time_zone.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <chrono>
#include <fstream>
#include <iterator>

namespace dbx::local {
namespace {

constexpr std::string_view kZoneFolder = "/usr/share/zoneinfo/";

std::optional<int32_t> Number(std::string_view text) {
  int32_t value = 0;
  const auto [stop, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || failure != std::errc() || stop != text.data() + text.size())
    return std::nullopt;
  return value;
}

/// "+08:00", "-3", "+0530": seconds.
std::optional<int32_t> FixedOffset(std::string_view text) {
  if (text.size() < 2 || (text[0] != '+' && text[0] != '-')) return std::nullopt;
  const int32_t sign = text[0] == '-' ? -1 : 1;
  std::string_view hours = text.substr(1);
  std::string_view minutes = "0";
  if (const size_t colon = hours.find(':'); colon != std::string_view::npos) {
    minutes = hours.substr(colon + 1, 2);
    hours = hours.substr(0, colon);
  } else if (hours.size() == 4) {
    minutes = hours.substr(2);
    hours = hours.substr(0, 2);
  }
  const auto h = Number(hours);
  const auto m = Number(minutes);
  if (!h || !m || *h < 0 || *h > 18 || *m < 0 || *m > 59) return std::nullopt;
  return sign * (*h * 3600 + *m * 60);
}

std::optional<int32_t> OffsetOfName(std::string_view name) {
  for (const std::string_view prefix : {"UTC", "GMT", "UT", "Z"}) {
    if (!name.starts_with(prefix)) continue;
    if (name.size() == prefix.size()) return 0;
    if (const auto offset = FixedOffset(name.substr(prefix.size()))) return offset;
  }
  return FixedOffset(name);
}

bool IsFileName(std::string_view name) {
  const auto fits = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '/' || c == '_' || c == '-' ||
           c == '+';
  };
  return !name.empty() && name.front() != '/' && name.size() < 64 &&
         std::all_of(name.begin(), name.end(), fits);
}

/// Big-endian numbers from bytes whose length was compared before.
template <typename T>
T Big(std::string_view bytes, size_t at) {
  uint64_t value = 0;
  for (size_t i = 0; i < sizeof(T); ++i) value = value << 8 | static_cast<uint8_t>(bytes[at + i]);
  return static_cast<T>(value);
}

struct FileHeader {
  static constexpr size_t kBytes = 44;
  size_t num_utc, num_standard, num_leaps, num_times, num_types, num_letters;

  static std::optional<FileHeader> Read(std::string_view bytes) {
    if (bytes.size() < kBytes || !bytes.starts_with("TZif")) return std::nullopt;
    return FileHeader{.num_utc = Big<uint32_t>(bytes, 20),
                      .num_standard = Big<uint32_t>(bytes, 24),
                      .num_leaps = Big<uint32_t>(bytes, 28),
                      .num_times = Big<uint32_t>(bytes, 32),
                      .num_types = Big<uint32_t>(bytes, 36),
                      .num_letters = Big<uint32_t>(bytes, 40)};
  }
  size_t BodyBytes(size_t time_bytes) const {
    return num_times * (time_bytes + 1) + num_types * 6 + num_letters +
           num_leaps * (time_bytes + 4) + num_standard + num_utc;
  }
};

int64_t DaysToYear(int64_t year) {
  return std::chrono::sys_days(std::chrono::year(static_cast<int>(year)) / 1 / 1)
      .time_since_epoch()
      .count();
}

bool IsLeap(int64_t year) {
  return std::chrono::year(static_cast<int>(year)).is_leap();
}

}  // namespace

/// Reads a POSIX rule such as "PST8PDT,M3.2.0,M11.1.0/2:00".
class TimeZone::RuleParser {
 public:
  explicit RuleParser(std::string_view text) : rest_(text) {}

  std::optional<Rule> Parse() {
    Rule rule;
    int32_t west = 0;
    if (!Name() || !Time(&west)) return std::nullopt;
    rule.standard_offset = -west;
    if (rest_.empty()) return rule;
    rule.has_summer = true;
    rule.summer_offset = rule.standard_offset + 3600;
    if (!Name()) return std::nullopt;
    if (!rest_.empty() && rest_[0] != ',') {
      if (!Time(&west)) return std::nullopt;
      rule.summer_offset = -west;
    }
    if (!Day(&rule.summer_start) || !Day(&rule.summer_end) || !rest_.empty()) return std::nullopt;
    return rule;
  }

 private:
  bool Take(char c) {
    if (rest_.empty() || rest_[0] != c) return false;
    rest_.remove_prefix(1);
    return true;
  }

  bool Name() {
    const bool quoted = Take('<');
    size_t length = 0;
    while (length < rest_.size() &&
           (quoted ? rest_[length] != '>'
                   : std::isalpha(static_cast<unsigned char>(rest_[length])) != 0)) {
      ++length;
    }
    rest_.remove_prefix(length);
    return length >= 3 && (!quoted || Take('>'));
  }

  bool Digits(int32_t* value) {
    const auto [stop, failure] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), *value);
    if (failure != std::errc() || *value < 0) return false;
    rest_.remove_prefix(static_cast<size_t>(stop - rest_.data()));
    return *value <= 400;
  }

  /// [+-]hh[:mm[:ss]] in seconds.
  bool Time(int32_t* seconds) {
    const int32_t sign = Take('-') ? -1 : 1;
    if (sign > 0) Take('+');
    int32_t hours = 0;
    int32_t minutes = 0;
    int32_t rest = 0;
    if (!Digits(&hours) || (Take(':') && !Digits(&minutes)) || (Take(':') && !Digits(&rest)))
      return false;
    *seconds = sign * (hours * 3600 + minutes * 60 + rest);
    return true;
  }

  bool Day(RuleDay* day) {
    if (!Take(',')) return false;
    if (Take('M')) {
      day->form = RuleDay::Form::kMonthWeek;
      if (!Digits(&day->month) || !Take('.') || !Digits(&day->week) || !Take('.') ||
          !Digits(&day->day))
        return false;
      if (day->month < 1 || day->month > 12 || day->week < 1 || day->week > 5 || day->day > 6)
        return false;
    } else {
      day->form = Take('J') ? RuleDay::Form::kJulian : RuleDay::Form::kDayOfYear;
      if (!Digits(&day->day)) return false;
    }
    return !Take('/') || Time(&day->seconds);
  }

  std::string_view rest_;
};

std::optional<TimeZone> TimeZone::Find(std::string_view name) {
  TimeZone zone;
  if (const auto offset = OffsetOfName(name)) {
    zone.first_offset_ = *offset;
    return zone;
  }
  if (!IsFileName(name)) return std::nullopt;
  std::ifstream file(std::string(kZoneFolder).append(name), std::ios::binary);
  if (!file) return std::nullopt;
  const std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  return FromFile(bytes);
}

std::optional<TimeZone> TimeZone::FromFile(std::string_view bytes) {
  // Version 2 and later repeat everything with 64-bit times behind the first, 32-bit block; only
  // that is read.
  const auto first = FileHeader::Read(bytes);
  if (!first || bytes[4] < '2' || bytes.size() < FileHeader::kBytes + first->BodyBytes(4))
    return std::nullopt;
  bytes.remove_prefix(FileHeader::kBytes + first->BodyBytes(4));
  const auto header = FileHeader::Read(bytes);
  if (!header || bytes.size() < FileHeader::kBytes + header->BodyBytes(8) ||
      header->num_types == 0) {
    return std::nullopt;
  }
  bytes.remove_prefix(FileHeader::kBytes);
  const size_t indices = header->num_times * 8;
  const size_t types = indices + header->num_times;

  TimeZone zone;
  zone.first_offset_ = Big<int32_t>(bytes, types);
  for (size_t i = 0; i < header->num_times; ++i) {
    const auto type = static_cast<uint8_t>(bytes[indices + i]);
    if (type >= header->num_types) return std::nullopt;
    zone.change_times_.push_back(Big<int64_t>(bytes, i * 8));
    zone.change_offsets_.push_back(Big<int32_t>(bytes, types + size_t{6} * type));
  }
  if (!std::is_sorted(zone.change_times_.begin(), zone.change_times_.end())) return std::nullopt;
  std::string_view footer = bytes.substr(header->BodyBytes(8));
  if (footer.size() > 2 && footer.front() == '\n' && footer.back() == '\n') {
    zone.rule_ = ParseRule(footer.substr(1, footer.size() - 2));
  }
  return zone;
}

int32_t TimeZone::OffsetAt(int64_t unix_seconds) const {
  const auto later = std::upper_bound(change_times_.begin(), change_times_.end(), unix_seconds);
  if (later == change_times_.end() && rule_) return RuleOffset(*rule_, unix_seconds);
  if (later == change_times_.begin()) return first_offset_;
  return change_offsets_[static_cast<size_t>(later - change_times_.begin() - 1)];
}

std::optional<TimeZone::Rule> TimeZone::ParseRule(std::string_view text) {
  return RuleParser(text).Parse();
}

/// Seconds from the start of `year` (by the clock in force before the change) to the change.
int64_t TimeZone::SecondsInYear(const RuleDay& rule, int64_t year) {
  int64_t day = rule.day;
  if (rule.form == RuleDay::Form::kJulian) {
    day = rule.day - 1 + (IsLeap(year) && rule.day >= 60 ? 1 : 0);  // February 29 is never counted
  } else if (rule.form == RuleDay::Form::kMonthWeek) {
    const auto month = std::chrono::year(static_cast<int>(year)) /
                       std::chrono::month(static_cast<unsigned>(rule.month));
    const std::chrono::weekday wanted(static_cast<unsigned>(rule.day));
    const std::chrono::sys_days date(
        rule.week == 5 ? std::chrono::sys_days(month / wanted[std::chrono::last])
                       : std::chrono::sys_days(month / wanted[static_cast<unsigned>(rule.week)]));
    day = date.time_since_epoch().count() - DaysToYear(year);
  }
  return day * 86400 + rule.seconds;
}

int32_t TimeZone::RuleOffset(const Rule& rule, int64_t unix_seconds) {
  if (!rule.has_summer) return rule.standard_offset;
  const int64_t local = unix_seconds + rule.standard_offset;
  const auto today =
      std::chrono::floor<std::chrono::days>(std::chrono::sys_seconds(std::chrono::seconds(local)));
  const int64_t year = static_cast<int>(std::chrono::year_month_day(today).year());
  const int64_t start_of_year = DaysToYear(year) * 86400;
  const int64_t start =
      start_of_year + SecondsInYear(rule.summer_start, year) - rule.standard_offset;
  const int64_t end = start_of_year + SecondsInYear(rule.summer_end, year) - rule.summer_offset;
  const bool summer = start < end ? unix_seconds >= start && unix_seconds < end
                                  : unix_seconds >= start || unix_seconds < end;
  return summer ? rule.summer_offset : rule.standard_offset;
}

}  // namespace dbx::local
