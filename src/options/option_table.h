// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "options/config.h"
#include "options/option_value.h"

namespace dbx {

/// Handles that an option may be set on, as bits. An option of a connection may also be set on the
/// database, one of a statement on all three.
enum class OptionScope : uint8_t { kDatabase = 1, kConnection = 2, kStatement = 4 };

/// Another spelling of an option; a number in it counts `factor` units of the option (minutes for
/// seconds: 60).
struct OptionAlias {
  std::string_view name;
  double factor = 1;
};

/// One value after parsing: which member counts follows from the kind.
struct OptionValue {
  std::string text;      ///< kText, kSecret, kUri; kChoice in lower case
  int64_t number = 0;    ///< kInt; kSeconds and kMilliseconds in ms; kMegabytes and kBytes in bytes
  bool flag = false;     ///< kBool
  bool is_auto = false;  ///< kIntOrAuto
};

/// One option: the only place that says how it is called, what it means and what it may be.
struct OptionRow {
  std::string_view key;
  OptionKind kind;
  std::string_view fallback = {};  ///< as text; empty: none
  std::string_view unit = {};      ///< for people
  int64_t min = 0;
  int64_t max = 0;
  OptionScope lowest = OptionScope::kDatabase;  ///< the lowest handle that it may be set on
  std::vector<std::string_view> choices = {};
  std::vector<OptionAlias> aliases = {};
  std::string_view environment = {};  ///< variable that gives it, or empty
  std::string_view meaning = {};
  Status (*apply)(const OptionValue& value, Config& config) = nullptr;

  bool AllowedOn(OptionScope scope) const { return scope <= lowest; }
};

/// All rows in the order of the documentation.
std::span<const OptionRow> OptionTable();

/// Keys that begin so carry a setting of the session in the rest of their name.
inline constexpr std::string_view kSessionSettingPrefix = "databricks.session.";
inline constexpr std::string_view kSessionSettingAlias = "adbc.databricks.ssp_";

/// The row of `name` (canonical or alias) and, if given, its alias entry; null when unknown.
const OptionRow* FindOption(std::string_view name, const OptionAlias** alias = nullptr);

/// The known canonical key nearest to `name` in spelling; empty when none is near.
std::string_view NearestOption(std::string_view name);

/// Parses `text` by the row's kind and range. `alias` (may be null) is the spelling that was used.
Result<OptionValue> ParseOption(const OptionRow& row, const OptionAlias* alias,
                                std::string_view text);

/// The page docs/options.md, made from the table.
std::string OptionsPage();

}  // namespace dbx
