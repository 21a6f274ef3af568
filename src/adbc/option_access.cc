// SPDX-License-Identifier: Apache-2.0
#include "adbc/option_access.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "base/str_cat.h"
#include "options/option_value.h"

namespace dbx {
namespace {

/// Doubles up to here count whole numbers without a gap.
constexpr double kExactDouble = 9007199254740992.0;

}  // namespace

std::string TextOf(const TypedValue& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  if (const auto* number = std::get_if<int64_t>(&value)) return StrCat(*number);
  if (const auto* number = std::get_if<double>(&value)) return StrCat(*number);
  return {};
}

Result<int64_t> IntOf(std::string_view name, const TypedValue& value) {
  if (const auto* number = std::get_if<int64_t>(&value)) return *number;
  if (const auto* number = std::get_if<double>(&value)) {
    if (*number == std::floor(*number) && std::abs(*number) <= kExactDouble) {
      return static_cast<int64_t>(*number);
    }
  }
  return ParseInt(name, TextOf(value), INT64_MIN, INT64_MAX, "");
}

Result<double> DoubleOf(std::string_view name, const TypedValue& value) {
  if (const auto* number = std::get_if<double>(&value)) return *number;
  if (const auto* number = std::get_if<int64_t>(&value)) return static_cast<double>(*number);
  const std::string text = TextOf(value);
  double number = 0;
  const char* const last = text.data() + text.size();
  const auto [stop, failure] = std::from_chars(text.data(), last, number);
  if (failure == std::errc() && stop == last && !text.empty()) return number;
  return Status::InvalidArgument(StrCat(name, ": not a number"));
}

Status SetIn(OptionSet& options, std::string_view name, const TypedValue& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return options.Set(name, *text);
  if (const auto* number = std::get_if<int64_t>(&value)) return options.SetInt(name, *number);
  if (const auto* number = std::get_if<double>(&value)) return options.SetDouble(name, *number);
  return options.Unset(name);
}

Status ApplyStatementOptions(const OptionSet& options, Config& config) {
  for (const auto& [key, text] : options.values()) {
    const OptionRow* const row = FindOption(key);
    if (row == nullptr || row->lowest != OptionScope::kStatement) continue;
    ASSIGN_OR_RETURN(const OptionValue value, ParseOption(*row, nullptr, text));
    RETURN_IF_ERROR(row->apply(value, config));
  }
  return Status::Ok();
}

Result<TypedValue> GetFrom(const OptionSet& options, std::string_view name, ValueType type) {
  switch (type) {
    case ValueType::kText: {
      ASSIGN_OR_RETURN(std::string text, options.Get(name));
      return TypedValue(std::move(text));
    }
    case ValueType::kInt: {
      ASSIGN_OR_RETURN(const int64_t number, options.GetInt(name));
      return TypedValue(number);
    }
    case ValueType::kDouble: {
      ASSIGN_OR_RETURN(const double number, options.GetDouble(name));
      return TypedValue(number);
    }
  }
  return Status::Internal("unknown type of an option's value");
}

}  // namespace dbx
