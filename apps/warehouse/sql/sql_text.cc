// SPDX-License-Identifier: Apache-2.0
#include "sql/sql_text.h"

#include <algorithm>

namespace dbx::local {
namespace {

char Lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}
char Upper(char c) {
  return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
}

std::string Quote(std::string_view text, char quote) {
  std::string result(1, quote);
  for (const char c : text) {
    if (c == quote) result += quote;
    result += c;
  }
  result += quote;
  return result;
}

/// What a pattern asks of the text at one place.
enum class Step { kRun, kAny, kLiteral, kEnd };
struct PatternStep {
  Step step = Step::kEnd;
  char literal = '\0';
  size_t length = 1;
};

using ReadStep = PatternStep (*)(std::string_view rest);

PatternStep LikeStep(std::string_view rest) {
  if (rest.empty()) return {};
  if (rest[0] == '%') return {Step::kRun};
  if (rest[0] == '_') return {Step::kAny};
  const bool escapes =
      rest[0] == '\\' && rest.size() > 1 && (rest[1] == '%' || rest[1] == '_' || rest[1] == '\\');
  if (escapes) return {Step::kLiteral, rest[1], 2};
  return {Step::kLiteral, rest[0]};
}

PatternStep ShowStep(std::string_view rest) {
  if (rest.empty()) return {};
  if (rest[0] == '*' || rest[0] == '%') return {Step::kRun};
  if (rest[0] == '.') return {Step::kAny};
  return {Step::kLiteral, rest[0]};
}

/// The usual matching with one place to come back to: linear in practice, no recursion.
bool Matches(std::string_view text, std::string_view pattern, ReadStep read) {
  size_t at = 0;
  size_t in_pattern = 0;
  size_t run_text = 0;
  size_t run_pattern = std::string_view::npos;
  while (true) {
    const PatternStep step = read(pattern.substr(in_pattern));
    if (step.step == Step::kRun) {
      in_pattern += step.length;
      run_pattern = in_pattern;
      run_text = at;
      continue;
    }
    if (step.step == Step::kEnd && at == text.size()) return true;
    const bool fits = at < text.size() && step.step != Step::kEnd &&
                      (step.step == Step::kAny || Lower(text[at]) == Lower(step.literal));
    if (fits) {
      at += 1;
      in_pattern += step.length;
      continue;
    }
    if (run_pattern == std::string_view::npos || run_text >= text.size()) return false;
    run_text += 1;
    at = run_text;
    in_pattern = run_pattern;
  }
}

}  // namespace

std::string ToLower(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(), Lower);
  return result;
}

std::string ToUpper(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(), Upper);
  return result;
}

bool EqualsIgnoreCase(std::string_view left, std::string_view right) {
  return left.size() == right.size() &&
         std::equal(left.begin(), left.end(), right.begin(),
                    [](char a, char b) { return Lower(a) == Lower(b); });
}

bool IsDefaultCatalogAlias(std::string_view name) {
  return name.empty() || EqualsIgnoreCase(name, "SPARK");
}

std::string QuoteIdentifier(std::string_view name) {
  return Quote(name, '"');
}
std::string QuoteString(std::string_view text) {
  return Quote(text, '\'');
}
std::string BacktickIdentifier(std::string_view name) {
  return Quote(name, '`');
}

bool MatchesLike(std::string_view text, std::string_view pattern) {
  return Matches(text, pattern, LikeStep);
}

bool MatchesShowPattern(std::string_view text, std::string_view pattern) {
  size_t start = 0;
  while (true) {
    const size_t bar = pattern.find('|', start);
    if (Matches(text, pattern.substr(start, bar - start), ShowStep)) return true;
    if (bar == std::string_view::npos) return false;
    start = bar + 1;
  }
}

}  // namespace dbx::local
