// SPDX-License-Identifier: Apache-2.0
#include "adbc/parameter_markers.h"

#include <algorithm>
#include <array>

#include "options/option_value.h"

namespace dbx {
namespace {

constexpr std::string_view kBlank = " \t\r\n\f\v";

/// The offset behind the literal or quoted name that begins at `start`.
size_t SkipQuoted(std::string_view sql, size_t start) {
  const char quote = sql[start];
  for (size_t i = start + 1; i < sql.size(); ++i) {
    // A quote that is doubled ends here and begins again at once: the same for our purpose.
    if (sql[i] == quote) return i + 1;
    if (sql[i] == '\\' && quote != '`') ++i;
  }
  return sql.size();
}

size_t SkipLine(std::string_view sql, size_t start) {
  return std::min(sql.find('\n', start), sql.size());
}

/// Comments in brackets may hold others.
size_t SkipComment(std::string_view sql, size_t start) {
  int depth = 0;
  size_t i = start;
  while (i + 1 < sql.size()) {
    const std::string_view two = sql.substr(i, 2);
    if (two == "/*") {
      ++depth;
      i += 2;
    } else if (two == "*/") {
      i += 2;
      if (--depth == 0) return i;
    } else {
      ++i;
    }
  }
  return sql.size();
}

/// Past what is no code at `i`: a literal, a quoted name, a comment. `i` itself when there is code.
size_t SkipNoCode(std::string_view sql, size_t i) {
  const char c = sql[i];
  if (c == '\'' || c == '"' || c == '`') return SkipQuoted(sql, i);
  const std::string_view two = sql.substr(i, 2);
  if (two == "--") return SkipLine(sql, i);
  if (two == "/*") return SkipComment(sql, i);
  return i;
}

bool IsWordCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool IsNameCharacter(char c) {
  return IsWordCharacter(c) || (c >= '0' && c <= '9');
}

/// The name of the marker whose colon is at `i`; empty where the colon is a cast's or leads into a
/// value (`column:field`).
std::string_view MarkerName(std::string_view sql, size_t i) {
  constexpr std::string_view kEndsOfValues = ":)]`'\"";
  if (i > 0 &&
      (IsNameCharacter(sql[i - 1]) || kEndsOfValues.find(sql[i - 1]) < kEndsOfValues.size())) {
    return {};
  }
  const std::string_view rest = sql.substr(i + 1);
  if (rest.empty() || !IsWordCharacter(rest.front())) return {};
  const auto end = std::find_if_not(rest.begin(), rest.end(), IsNameCharacter);
  return rest.substr(0, static_cast<size_t>(end - rest.begin()));
}

}  // namespace

ParameterMarkers FindParameterMarkers(std::string_view sql) {
  ParameterMarkers markers;
  size_t i = 0;
  while (i < sql.size()) {
    if (const size_t behind = SkipNoCode(sql, i); behind != i) {
      i = behind;
      continue;
    }
    if (sql[i] == '?') {
      markers.offsets.push_back(i);
      markers.uncertain = markers.uncertain || sql.substr(i, 3) == "?::";
    }
    if (sql[i] == ':') {
      const std::string_view name = MarkerName(sql, i);
      if (!name.empty()) markers.named.push_back({i, std::string(name)});
    }
    ++i;
  }
  return markers;
}

std::string_view TrimStatementEnd(std::string_view sql) {
  const size_t last = sql.find_last_not_of(" \t\r\n\f\v;");
  return last == std::string_view::npos ? sql : sql.substr(0, last + 1);
}

bool LooksLikeQuery(std::string_view sql) {
  constexpr std::array<std::string_view, 9> kQueryWords{
      "select", "with", "values", "table", "from", "show", "describe", "desc", "explain"};
  size_t i = 0;
  while (i < sql.size()) {
    const size_t behind = SkipNoCode(sql, i);
    const bool filler = sql[i] == '(' || kBlank.find(sql[i]) != std::string_view::npos;
    if (behind == i && !filler) break;
    i = std::max(behind, i + 1);
  }
  const std::string_view rest = sql.substr(std::min(i, sql.size()));
  const auto end = std::find_if_not(rest.begin(), rest.end(), IsWordCharacter);
  const std::string word = ToLower(rest.substr(0, static_cast<size_t>(end - rest.begin())));
  return std::find(kQueryWords.begin(), kQueryWords.end(), word) != kQueryWords.end();
}

}  // namespace dbx
