// SPDX-License-Identifier: Apache-2.0
#include "options/option_set.h"

#include <cmath>

#include "base/secret.h"
#include "base/str_cat.h"

namespace dbx {
namespace {

bool IsNumber(OptionKind kind) {
  return kind == OptionKind::kInt || kind == OptionKind::kIntOrAuto ||
         kind == OptionKind::kSeconds || kind == OptionKind::kMilliseconds ||
         kind == OptionKind::kMegabytes || kind == OptionKind::kBytes;
}

/// A value of the option's own unit as text.
std::string NumberText(const OptionRow& row, const OptionValue& value) {
  switch (row.kind) {
    case OptionKind::kSeconds:
      return value.number % 1000 == 0 ? StrCat(value.number / 1000) : StrCat(value.number, "ms");
    case OptionKind::kMegabytes:
      return StrCat(value.number >> 20);
    default:
      return StrCat(value.number);
  }
}

}  // namespace

std::string SessionSettingKey(std::string_view name) {
  for (const std::string_view prefix : {kSessionSettingPrefix, kSessionSettingAlias}) {
    if (name.size() > prefix.size() && name.starts_with(prefix)) {
      return StrCat(kSessionSettingPrefix, name.substr(prefix.size()));
    }
  }
  return {};
}

Result<std::string> CanonicalText(const OptionRow& row, const OptionAlias* alias,
                                  std::string_view text) {
  ASSIGN_OR_RETURN(const OptionValue value, ParseOption(row, alias, text));
  if (row.kind == OptionKind::kBool) return std::string(value.flag ? "true" : "false");
  if (value.is_auto) return std::string("auto");
  if (IsNumber(row.kind)) return NumberText(row, value);
  return value.text;
}

Status OptionSet::UnknownKey(std::string_view name) const {
  const std::string_view nearest = NearestOption(name);
  std::string hint = nearest.empty() ? std::string() : StrCat("; did you mean '", nearest, "'?");
  return Status::NotImplemented(StrCat("unknown option '", name, "'", hint));
}

Status OptionSet::Set(std::string_view name, std::string_view text) {
  if (std::string setting = SessionSettingKey(name); !setting.empty()) {
    if (scope_ == OptionScope::kStatement) {
      return Status::NotImplemented(
          StrCat(name, ": settings of the session are set on the database or connection"));
    }
    values_[setting] = std::string(text);
    return Status::Ok();
  }
  const OptionAlias* alias = nullptr;
  const OptionRow* row = FindOption(name, &alias);
  if (row == nullptr) return UnknownKey(name);
  if (!row->AllowedOn(scope_)) {
    return Status::NotImplemented(
        StrCat(row->key, ": is set on the database, before it is opened"));
  }
  ASSIGN_OR_RETURN(std::string canonical, CanonicalText(*row, alias, text));
  values_[std::string(row->key)] = std::move(canonical);
  return Status::Ok();
}

Status OptionSet::SetInt(std::string_view name, int64_t number) {
  return Set(name, StrCat(number));
}

Status OptionSet::SetDouble(std::string_view name, double number) {
  if (number != std::floor(number) || std::abs(number) > 9e15) return Set(name, StrCat(number));
  return SetInt(name, static_cast<int64_t>(number));
}

Status OptionSet::Unset(std::string_view name) {
  std::string key = SessionSettingKey(name);
  if (key.empty()) {
    const OptionRow* row = FindOption(name);
    if (row == nullptr) return UnknownKey(name);
    key = row->key;
  }
  values_.erase(key);
  return Status::Ok();
}

Result<std::string> OptionSet::Get(std::string_view name) const {
  const std::string setting = SessionSettingKey(name);
  const OptionRow* row = FindOption(name);
  if (row == nullptr && setting.empty())
    return Status::NotFound(StrCat("unknown option '", name, "'"));
  if (row != nullptr && row->kind == OptionKind::kSecret) {
    return Status::NotFound(StrCat(row->key, ": is a secret and is not given out"));
  }
  const std::string_view key = row != nullptr ? row->key : std::string_view(setting);
  for (const OptionSet* set = this; set != nullptr; set = set->parent_) {
    if (const auto found = set->values_.find(key); found != set->values_.end()) {
      const bool hide = row != nullptr && row->kind == OptionKind::kUri;
      return hide ? SecretUrl(found->second).Redacted() : found->second;
    }
  }
  if (row != nullptr && !row->fallback.empty()) return std::string(row->fallback);
  return Status::NotFound(StrCat(key, ": is not set"));
}

Result<int64_t> OptionSet::GetInt(std::string_view name) const {
  ASSIGN_OR_RETURN(const std::string text, Get(name));
  return ParseInt(name, text, INT64_MIN, INT64_MAX, "");
}

Result<double> OptionSet::GetDouble(std::string_view name) const {
  ASSIGN_OR_RETURN(const int64_t number, GetInt(name));
  return static_cast<double>(number);
}

}  // namespace dbx
