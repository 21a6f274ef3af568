// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sql/sql_type.h"
#include "sql/tokenizer.h"

namespace dbx::local {

/// An interval of the service: months, or days and microseconds.
struct IntervalLiteral {
  SqlType type;
  int64_t months = 0;
  int64_t days = 0;
  int64_t microseconds = 0;

  /// As a literal of the engine: "INTERVAL '3 days 16220123000 microseconds'".
  std::string EngineText() const;
};

/// Reads the literal whose key word INTERVAL is `tokens[*at]` and moves `*at` behind it:
/// INTERVAL '1' DAY, INTERVAL '1-2' YEAR TO MONTH, INTERVAL -2 HOURS 3 MINUTES, INTERVAL '1 day 2
/// hours'. nullopt when it is none (a type, or a unit with an expression).
std::optional<IntervalLiteral> ParseInterval(const Tokens& tokens, size_t* at);

/// The value of `text` in the form of `type`, such as "1-2" for YEAR TO MONTH, "3 04:30" for DAY TO
/// MINUTE.
std::optional<IntervalLiteral> ParseIntervalText(const std::string& text, const SqlType& type);

/// "DAY" for day, days, DAYS …; empty for anything else. Also WEEK, MILLISECOND, MICROSECOND.
std::string IntervalUnit(const std::string& word);

}  // namespace dbx::local
