// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "base/status.h"
#include "options/option_table.h"

namespace dbx {

/// The options that were set explicitly on one handle, in any of the four types of ADBC. Not
/// thread-safe.
///
/// Errors of setters: kNotImplemented for a key that is unknown or has no meaning on this handle
/// (with the nearest known key), kInvalidArgument for a bad value (with key, value, range; never a
/// secret's value). Errors of getters: kNotFound when unknown, unset without a default, or a
/// secret.
class OptionSet {
 public:
  /// `parent` (may be null; outlives this) answers getters for what is not set here.
  explicit OptionSet(OptionScope scope, const OptionSet* parent = nullptr)
      : scope_(scope), parent_(parent) {}

  Status Set(std::string_view name, std::string_view text);
  Status SetInt(std::string_view name, int64_t number);
  Status SetDouble(std::string_view name, double number);
  /// Back to what counts without it.
  Status Unset(std::string_view name);

  Result<std::string> Get(std::string_view name) const;
  Result<int64_t> GetInt(std::string_view name) const;
  Result<double> GetDouble(std::string_view name) const;

  /// Canonical key to checked text, in the option's own unit.
  const std::map<std::string, std::string, std::less<>>& values() const { return values_; }

 private:
  Status UnknownKey(std::string_view name) const;

  const OptionScope scope_;
  const OptionSet* const parent_;
  std::map<std::string, std::string, std::less<>> values_;
};

/// "databricks.session.ansi_mode" for either spelling of a session setting; empty for other names.
std::string SessionSettingKey(std::string_view name);

/// `text` of `row`, spelled as `alias`, in the option's own unit and canonical form. Errors as
/// OptionSet::Set.
Result<std::string> CanonicalText(const OptionRow& row, const OptionAlias* alias,
                                  std::string_view text);

}  // namespace dbx
