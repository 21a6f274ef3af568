// SPDX-License-Identifier: Apache-2.0
#include "sql/date_pattern.h"

#include <algorithm>
#include <array>

namespace dbx::local {
namespace {

struct Field {
  char letter;
  size_t min_count;
  std::string_view engine;
};

/// For each letter the row with the largest count first.
constexpr std::array<Field, 24> kFields = {{
    {'y', 3, "%Y"}, {'y', 2, "%y"},  {'y', 1, "%Y"},  {'u', 1, "%Y"},  {'M', 4, "%B"},
    {'M', 3, "%b"}, {'M', 2, "%m"},  {'M', 1, "%-m"}, {'d', 2, "%d"},  {'d', 1, "%-d"},
    {'D', 1, "%j"}, {'H', 2, "%H"},  {'H', 1, "%-H"}, {'h', 2, "%I"},  {'h', 1, "%-I"},
    {'m', 2, "%M"}, {'m', 1, "%-M"}, {'s', 2, "%S"},  {'s', 1, "%-S"}, {'S', 4, "%f"},
    {'S', 1, "%g"}, {'a', 1, "%p"},  {'E', 4, "%A"},  {'E', 1, "%a"},
}};

bool IsLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

}  // namespace

std::string EngineDatePattern(std::string_view pattern) {
  std::string result;
  size_t at = 0;
  while (at < pattern.size()) {
    const char c = pattern[at];
    if (c == '\'') {
      const size_t close = std::min(pattern.find('\'', at + 1), pattern.size());
      result += close == at + 1 ? "'" : std::string(pattern.substr(at + 1, close - at - 1));
      at = close + 1;
      continue;
    }
    const size_t run = std::min(pattern.find_first_not_of(c, at), pattern.size());
    const size_t count = run - at;
    const auto field = std::find_if(kFields.begin(), kFields.end(), [&](const Field& row) {
      return row.letter == c && count >= row.min_count;
    });
    if (IsLetter(c) && field != kFields.end()) {
      result += field->engine;
    } else {
      for (size_t i = 0; i < count; ++i) result += c == '%' ? std::string("%%") : std::string(1, c);
    }
    at = run;
  }
  return result;
}

}  // namespace dbx::local
