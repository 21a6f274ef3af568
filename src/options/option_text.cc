// SPDX-License-Identifier: Apache-2.0
#include "options/option_text.h"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <vector>

#include "base/str_cat.h"
#include "options/option_table.h"

namespace dbx {
namespace {

std::string_view KindName(OptionKind kind) {
  switch (kind) {
    case OptionKind::kText:
      return "text";
    case OptionKind::kSecret:
      return "secret";
    case OptionKind::kUri:
      return "URI";
    case OptionKind::kBool:
      return "true or false";
    case OptionKind::kInt:
    case OptionKind::kMegabytes:
      return "number";
    case OptionKind::kIntOrAuto:
      return "number or `auto`";
    case OptionKind::kSeconds:
    case OptionKind::kMilliseconds:
      return "time";
    case OptionKind::kBytes:
      return "size";
    case OptionKind::kChoice:
      return "word";
  }
  return "";
}

std::string RangeText(const OptionRow& row) {
  if (row.min == 0 && row.max == 0) return std::string(KindName(row.kind));
  return StrCat(KindName(row.kind), ", ", row.min, "–", row.max, row.unit.empty() ? "" : " ",
                row.unit);
}

std::string_view ScopeName(OptionScope lowest) {
  switch (lowest) {
    case OptionScope::kDatabase:
      return "database";
    case OptionScope::kConnection:
      return "database, connection";
    case OptionScope::kStatement:
      return "database, connection, statement";
  }
  return "";
}

std::string AliasesText(const OptionRow& row) {
  std::string text;
  for (const OptionAlias& alias : row.aliases)
    text = StrCat(text, text.empty() ? "" : ", ", "`", alias.name, "`");
  return text;
}

void AppendRow(const OptionRow& row, std::string& page) {
  page.append(StrCat("## `", row.key, "`\n\n", row.meaning, ".\n\n"));
  page.append(StrCat("- value: ", RangeText(row), "\n"));
  if (!row.fallback.empty()) page.append(StrCat("- default: `", row.fallback, "`\n"));
  page.append(StrCat("- set on: ", ScopeName(row.lowest), "\n"));
  if (!row.environment.empty()) page.append(StrCat("- environment: `", row.environment, "`\n"));
  if (!row.aliases.empty()) page.append(StrCat("- also spelled: ", AliasesText(row), "\n"));
  page.push_back('\n');
}

}  // namespace

size_t EditDistance(std::string_view left, std::string_view right) {
  std::vector<size_t> row(right.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 1; i <= left.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= right.size(); ++j) {
      const size_t changed = diagonal + (left[i - 1] == right[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, changed});
    }
  }
  return row.back();
}

std::string PercentDecode(std::string_view text) {
  std::string decoded;
  for (size_t i = 0; i < text.size(); ++i) {
    unsigned byte = 0;
    if (text[i] == '%' && i + 3 <= text.size()) {
      const char* const first = text.data() + i + 1;
      if (std::from_chars(first, first + 2, byte, 16).ptr == first + 2) {
        decoded.push_back(static_cast<char>(byte));
        i += 2;
        continue;
      }
    }
    decoded.push_back(text[i]);
  }
  return decoded;
}

std::string OptionsPage() {
  std::string page =
      "# Options\n\n"
      "Made from the option table in `src/options`; `make docs` writes it anew.\n\n"
      "What is set explicitly counts before the URI, the URI before the environment, the "
      "environment before a profile\n"
      "file, and that before the default. Any option may stand in the URI's query. A time may "
      "carry `ms`, `s`, `m` or\n"
      "`h`, a size `B`, `KB`, `MB` or `GB`. Settings of the session go under "
      "`databricks.session.<name>`\n"
      "(also spelled `adbc.databricks.ssp_<name>`).\n\n";
  for (const OptionRow& row : OptionTable()) AppendRow(row, page);
  while (page.ends_with("\n\n")) page.pop_back();
  return page;
}

}  // namespace dbx
