// SPDX-License-Identifier: Apache-2.0
#include "sql/interval.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>
#include <vector>

#include "base/str_cat.h"
#include "sql/sql_text.h"
#include "sql/type_parser.h"

namespace dbx::local {
namespace {

constexpr int64_t kSecond = 1'000'000;

struct Unit {
  std::string_view name;
  int64_t months;
  int64_t days;
  int64_t microseconds;
};

constexpr std::array<Unit, 9> kUnits = {{
    {"YEAR", 12, 0, 0},
    {"MONTH", 1, 0, 0},
    {"WEEK", 0, 7, 0},
    {"DAY", 0, 1, 0},
    {"HOUR", 0, 0, 3600 * kSecond},
    {"MINUTE", 0, 0, 60 * kSecond},
    {"SECOND", 0, 0, kSecond},
    {"MILLISECOND", 0, 0, 1000},
    {"MICROSECOND", 0, 0, 1},
}};

const Unit* FindUnit(std::string_view name) {
  const auto unit =
      std::find_if(kUnits.begin(), kUnits.end(), [&](const Unit& row) { return row.name == name; });
  return unit == kUnits.end() ? nullptr : &*unit;
}

/// A number as written, in millionths: "45.789" is 45,789,000.
std::optional<int64_t> Millionths(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  const size_t point = std::min(text.find('.'), text.size());
  const std::string_view whole = text.substr(0, point);
  std::string fraction(text.substr(std::min(point + 1, text.size())));
  fraction = fraction.substr(0, 6);
  fraction.resize(6, '0');
  int64_t value = 0;
  int64_t parts = 0;
  const char* const whole_end = whole.data() + whole.size();
  if (!whole.empty()) {
    const auto [stop, failure] = std::from_chars(whole.data(), whole_end, value);
    if (failure != std::errc() || stop != whole_end) return std::nullopt;
  }
  if (std::from_chars(fraction.data(), fraction.data() + 6, parts).ptr != fraction.data() + 6)
    return std::nullopt;
  if (whole.empty() && point == text.size()) return std::nullopt;
  if (value > INT64_MAX / kSecond - 1) return std::nullopt;
  const int64_t result = value * kSecond + parts;
  return negative ? -result : result;
}

/// Adds `millionths` / 1,000,000 x `unit`; false when it does not fit.
bool AddProduct(int64_t millionths, int64_t unit, int64_t& sum) {
  int64_t whole = 0;
  if (__builtin_mul_overflow(millionths / kSecond, unit, &whole)) return false;
  // At most an hour of microseconds times a million: fits.
  whole += millionths % kSecond * unit / kSecond;
  return !__builtin_add_overflow(sum, whole, &sum);
}

bool Add(IntervalLiteral& literal, std::string_view number, std::string_view unit_name) {
  const Unit* const unit = FindUnit(unit_name);
  const std::optional<int64_t> amount = Millionths(number);
  if (unit == nullptr || !amount) return false;
  return AddProduct(*amount, unit->months, literal.months) &&
         AddProduct(*amount, unit->days, literal.days) &&
         AddProduct(*amount, unit->microseconds, literal.microseconds);
}

/// The type that holds all units named so far: from the largest to the smallest of them.
void Widen(std::string& start, std::string& end, std::string_view unit) {
  std::string name(unit);
  if (name == "WEEK") name = "DAY";
  if (name == "MILLISECOND" || name == "MICROSECOND") name = "SECOND";
  const auto rank = [](const std::string& text) { return FindUnit(text) - kUnits.data(); };
  if (start.empty() || rank(name) < rank(start)) start = name;
  if (end.empty() || rank(name) > rank(end)) end = name;
}

std::vector<std::string> Words(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  for (const char c : text) {
    if (c != ' ' && c != '\t') {
      word += c;
    } else if (!word.empty()) {
      words.push_back(std::move(word));
      word.clear();
    }
  }
  if (!word.empty()) words.push_back(std::move(word));
  return words;
}

/// "1 day 2 hours": pairs of number and unit.
std::optional<IntervalLiteral> ParsePairs(const std::vector<std::string>& words) {
  IntervalLiteral literal;
  std::string start;
  std::string end;
  if (words.empty() || words.size() % 2 != 0) return std::nullopt;
  for (size_t i = 0; i < words.size(); i += 2) {
    const std::string unit = IntervalUnit(words[i + 1]);
    if (unit.empty() || !Add(literal, words[i], unit)) return std::nullopt;
    Widen(start, end, unit);
  }
  std::optional<SqlType> type = IntervalType(start, end);
  if (!type) return std::nullopt;
  literal.type = *std::move(type);
  return literal;
}

/// The parts of "3 04:30:20.123" and "2-6", whatever stands between them.
std::vector<std::string> Fields(std::string_view text) {
  std::vector<std::string> fields(1);
  for (const char c : text) {
    if (c == ' ' || c == ':' || c == '-') {
      fields.emplace_back();
    } else {
      fields.back() += c;
    }
  }
  return fields;
}

void Negate(IntervalLiteral& literal) {
  literal.months = -literal.months;
  literal.days = -literal.days;
  literal.microseconds = -literal.microseconds;
}

}  // namespace

std::string IntervalUnit(const std::string& word) {
  std::string name = ToUpper(word);
  if (FindUnit(name) == nullptr && name.ends_with('S')) name.pop_back();
  return FindUnit(name) == nullptr ? std::string() : name;
}

std::string IntervalLiteral::EngineText() const {
  if (type.id == SqlTypeId::kIntervalYearMonth) return StrCat("INTERVAL '", months, " months'");
  if (microseconds == 0) return StrCat("INTERVAL '", days, " days'");
  if (days == 0) return StrCat("INTERVAL '", microseconds, " microseconds'");
  return StrCat("INTERVAL '", days, " days ", microseconds, " microseconds'");
}

std::optional<IntervalLiteral> ParseIntervalText(const std::string& text, const SqlType& type) {
  constexpr std::array<std::string_view, 6> kOrder = {"YEAR", "MONTH",  "DAY",
                                                      "HOUR", "MINUTE", "SECOND"};
  std::string_view rest = text;
  while (rest.starts_with(' ')) rest.remove_prefix(1);
  while (rest.ends_with(' ')) rest.remove_suffix(1);
  const bool negative = rest.starts_with('-');
  if (negative || rest.starts_with('+')) rest.remove_prefix(1);
  const std::vector<std::string> fields = Fields(rest);
  IntervalLiteral literal;
  literal.type = type;
  const auto* unit = std::find(kOrder.begin(), kOrder.end(), type.interval_start);
  for (const std::string& field : fields) {
    if (unit == kOrder.end() || !Add(literal, field, *unit)) return std::nullopt;
    const bool last = *unit == type.interval_end;
    unit = last ? kOrder.end() : unit + 1;
  }
  if (unit != kOrder.end()) return std::nullopt;
  if (negative) Negate(literal);
  return literal;
}

std::optional<IntervalLiteral> ParseInterval(const Tokens& tokens, size_t* at) {
  size_t i = *at + 1;
  bool negative = false;
  if (tokens[i].IsOperator("-") || tokens[i].IsOperator("+")) {
    negative = tokens[i].text == "-";
    i += 1;
  }
  std::optional<IntervalLiteral> literal;
  const Token& first = tokens[i];
  const std::string unit =
      tokens[i].kind == TokenKind::kEnd ? "" : IntervalUnit(tokens[i + 1].text);
  if (first.kind == TokenKind::kString && unit.empty()) {
    literal = ParsePairs(Words(first.value));
    i += 1;
  } else if (first.kind == TokenKind::kString && tokens[i + 2].Is("TO")) {
    const std::optional<SqlType> type = IntervalType(unit, ToUpper(tokens[i + 3].text));
    if (type) literal = ParseIntervalText(first.value, *type);
    i += 4;
  } else {
    std::vector<std::string> words;
    while ((tokens[i].kind == TokenKind::kNumber || tokens[i].kind == TokenKind::kString) &&
           !IntervalUnit(tokens[i + 1].text).empty()) {
      words.push_back(tokens[i].value);
      words.push_back(tokens[i + 1].text);
      i += 2;
    }
    literal = ParsePairs(words);
  }
  if (!literal) return std::nullopt;
  if (negative) Negate(*literal);
  *at = i;
  return literal;
}

}  // namespace dbx::local
