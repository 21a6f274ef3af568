// SPDX-License-Identifier: Apache-2.0
#include "options/option_table.h"

#include <map>

#include "base/str_cat.h"
#include "options/option_rows.h"
#include "options/option_text.h"

namespace dbx {
namespace {

struct NamedOption {
  const OptionRow* row = nullptr;
  const OptionAlias* alias = nullptr;
};

const std::map<std::string_view, NamedOption>& OptionsByName() {
  static const std::map<std::string_view, NamedOption> names = [] {
    std::map<std::string_view, NamedOption> result;
    for (const OptionRow& row : OptionTable()) {
      result[row.key] = {&row, nullptr};
      for (const OptionAlias& alias : row.aliases) result[alias.name] = {&row, &alias};
    }
    return result;
  }();
  return names;
}

Result<OptionValue> ParseChoice(const OptionRow& row, std::string_view text) {
  OptionValue value{.text = ToLower(text)};
  for (const std::string_view choice : row.choices) {
    if (choice == value.text) return value;
  }
  std::string choices;
  for (const std::string_view choice : row.choices)
    choices = StrCat(choices, choices.empty() ? "" : ", ", choice);
  return Status::InvalidArgument(StrCat(row.key, ": '", text, "' is none of ", choices));
}

/// A plain number in an alias's unit, as the text of the option's own unit; other texts stay.
std::string InOwnUnit(const OptionAlias* alias, std::string_view text) {
  if (alias == nullptr || alias->factor == 1) return std::string(text);
  Result<int64_t> number = ParseInt(alias->name, text, INT32_MIN, INT32_MAX, "");
  if (!number.ok()) return std::string(text);
  return StrCat(static_cast<int64_t>(static_cast<double>(*number) * alias->factor));
}

}  // namespace

std::span<const OptionRow> OptionTable() {
  static const std::vector<OptionRow> table = MakeOptionRows();
  return table;
}

const OptionRow* FindOption(std::string_view name, const OptionAlias** alias) {
  const auto found = OptionsByName().find(name);
  if (found == OptionsByName().end()) return nullptr;
  if (alias != nullptr) *alias = found->second.alias;
  return found->second.row;
}

std::string_view NearestOption(std::string_view name) {
  std::string_view nearest;
  size_t least = name.size() / 3 + 2;
  for (const auto& [spelling, option] : OptionsByName()) {
    const size_t distance = EditDistance(name, spelling);
    if (distance >= least) continue;
    least = distance;
    nearest = option.row->key;
  }
  return nearest;
}

Result<OptionValue> ParseOption(const OptionRow& row, const OptionAlias* alias,
                                std::string_view text) {
  const std::string own = InOwnUnit(alias, text);
  OptionValue value;
  switch (row.kind) {
    case OptionKind::kText:
    case OptionKind::kSecret:
    case OptionKind::kUri:
      if (own.find('\0') != std::string::npos)
        return Status::InvalidArgument(StrCat(row.key, ": holds a NUL byte"));
      value.text = own;
      return value;
    case OptionKind::kBool: {
      ASSIGN_OR_RETURN(value.flag, ParseBool(row.key, own));
      return value;
    }
    case OptionKind::kIntOrAuto:
      value.is_auto = ToLower(own) == "auto";
      if (value.is_auto) return value;
      [[fallthrough]];
    case OptionKind::kInt: {
      ASSIGN_OR_RETURN(value.number, ParseInt(row.key, own, row.min, row.max, row.unit));
      return value;
    }
    case OptionKind::kSeconds: {
      ASSIGN_OR_RETURN(value.number, ParseDuration(row.key, own, 1000, row.min, row.max));
      return value;
    }
    case OptionKind::kMilliseconds: {
      ASSIGN_OR_RETURN(value.number, ParseDuration(row.key, own, 1, row.min, row.max));
      return value;
    }
    case OptionKind::kMegabytes: {
      ASSIGN_OR_RETURN(value.number, ParseInt(row.key, own, row.min, row.max, row.unit));
      value.number <<= 20;
      return value;
    }
    case OptionKind::kBytes: {
      ASSIGN_OR_RETURN(value.number, ParseBytes(row.key, own, row.min, row.max));
      return value;
    }
    case OptionKind::kChoice:
      return ParseChoice(row, own);
  }
  return Status::Internal(StrCat(row.key, ": unknown kind"));
}

}  // namespace dbx
