// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dbx::local {

/// Offsets of a zone's clocks from UTC. Immutable, so safe from any thread.
///
/// Known names: "UTC", "GMT", "Z", "UT" and fixed offsets with or without such a prefix ("+8",
/// "+08:00", "UTC-03:30", "GMT+5"), and whatever the system's zone files hold ("Etc/UTC",
/// "America/Los_Angeles").
class TimeZone {
 public:
  /// UTC.
  TimeZone() = default;

  static std::optional<TimeZone> Find(std::string_view name);
  /// From the bytes of a TZif file.
  static std::optional<TimeZone> FromFile(std::string_view bytes);

  /// Seconds to add to `unix_seconds` for the clock on the wall.
  int32_t OffsetAt(int64_t unix_seconds) const;

 private:
  /// A day of a POSIX rule at which clocks change.
  struct RuleDay {
    enum class Form : uint8_t { kMonthWeek, kJulian, kDayOfYear };
    Form form = Form::kMonthWeek;
    int32_t month = 0, week = 0, day = 0;
    int32_t seconds = 7200;
  };
  /// What holds after the last recorded change.
  struct Rule {
    int32_t standard_offset = 0;
    int32_t summer_offset = 0;
    bool has_summer = false;
    RuleDay summer_start, summer_end;
  };
  class RuleParser;

  static std::optional<Rule> ParseRule(std::string_view text);
  static int64_t SecondsInYear(const RuleDay& day, int64_t year);
  static int32_t RuleOffset(const Rule& rule, int64_t unix_seconds);

  int32_t first_offset_ = 0;             ///< before the first change
  std::vector<int64_t> change_times_;    ///< ascending
  std::vector<int32_t> change_offsets_;  ///< from the change of that index on
  std::optional<Rule> rule_;
};

}  // namespace dbx::local
