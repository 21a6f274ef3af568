// SPDX-License-Identifier: Apache-2.0
#include "sql/parameters.h"

#include <algorithm>

#include "base/str_cat.h"
#include "sql/errors.h"
#include "sql/interval.h"
#include "sql/sql_text.h"
#include "sql/type_parser.h"

namespace dbx::local {
namespace {

Status InvalidParameter(const SqlParameter& parameter, std::string_view why) {
  return SqlError(
      StatusCode::kInvalidArgument, "INVALID_PARAMETER_VALUE", "22023",
      StrCat("The value of a parameter of type ", parameter.type, " is invalid: ", why));
}

Result<std::string> Joined(const std::vector<SqlParameter>& arguments, size_t first, size_t step) {
  std::string text;
  for (size_t i = first; i < arguments.size(); i += step) {
    ASSIGN_OR_RETURN(const std::string literal, ParameterLiteral(arguments[i]));
    text += StrCat(text.empty() ? "" : ", ", literal);
  }
  return text;
}

Result<std::string> MapLiteral(const SqlParameter& parameter) {
  if (parameter.arguments.size() % 2 != 0) return InvalidParameter(parameter, "a key has no value");
  ASSIGN_OR_RETURN(const std::string keys, Joined(parameter.arguments, 0, 2));
  ASSIGN_OR_RETURN(const std::string values, Joined(parameter.arguments, 1, 2));
  return StrCat("map([", keys, "], [", values, "])");
}

Result<std::string> StructLiteral(const SqlParameter& parameter) {
  if (parameter.arguments.size() % 2 != 0)
    return InvalidParameter(parameter, "a field has no value");
  std::string text;
  for (size_t i = 0; i < parameter.arguments.size(); i += 2) {
    ASSIGN_OR_RETURN(const std::string value, ParameterLiteral(parameter.arguments[i + 1]));
    const std::string name = parameter.arguments[i].value.value_or("");
    text += StrCat(i == 0 ? "" : ", ", QuoteIdentifier(name), " := ", value);
  }
  return StrCat("struct_pack(", text, ")");
}

/// A DECIMAL without arguments is as wide as its text needs.
SqlType DecimalOf(const std::string& text) {
  const size_t point = text.find('.');
  const auto digits = static_cast<int32_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; }));
  const auto scale = static_cast<int32_t>(point == std::string::npos ? 0 : text.size() - point - 1);
  return DecimalType(std::clamp(std::max(digits, scale), 1, 38), std::min(scale, 38));
}

Result<std::string> IntervalLiteralText(const SqlParameter& parameter, const SqlType& type) {
  std::optional<IntervalLiteral> literal = ParseIntervalText(*parameter.value, type);
  if (!literal) return InvalidParameter(parameter, "it does not have the form of its type");
  return literal->EngineText();
}

}  // namespace

Result<std::string> ParameterLiteral(const SqlParameter& parameter) {
  const std::string kind = ToUpper(parameter.type);
  if (kind.empty() || kind == "VOID" || kind == "NULL") return std::string("NULL");
  if (!parameter.arguments.empty() || (!parameter.value && kind == "ARRAY")) {
    if (kind.starts_with("ARRAY")) {
      ASSIGN_OR_RETURN(const std::string elements, Joined(parameter.arguments, 0, 1));
      return StrCat("[", elements, "]");
    }
    return kind.starts_with("MAP") ? MapLiteral(parameter) : StructLiteral(parameter);
  }
  ASSIGN_OR_RETURN(SqlType type, ParseTypeText(parameter.type));
  if (!parameter.value) return StrCat("CAST(NULL AS ", EngineType(type), ")");
  switch (type.id) {
    case SqlTypeId::kString:
    case SqlTypeId::kVarchar:
    case SqlTypeId::kChar:
      return QuoteString(*parameter.value);
    case SqlTypeId::kBinary:
      return StrCat("encode(", QuoteString(*parameter.value), ")");
    case SqlTypeId::kVariant:
      return StrCat("json(", QuoteString(*parameter.value), ")");
    case SqlTypeId::kIntervalYearMonth:
    case SqlTypeId::kIntervalDayTime:
      return IntervalLiteralText(parameter, type);
    case SqlTypeId::kDecimal:
      if (kind == "DECIMAL") type = DecimalOf(*parameter.value);
      break;
    default:
      break;
  }
  return StrCat("CAST(", QuoteString(*parameter.value), " AS ", EngineType(type), ")");
}

Result<const SqlParameter*> ParameterList::Take(const std::string& name) {
  if (!name.empty()) {
    const auto found =
        std::find_if(parameters_.begin(), parameters_.end(), [&](const SqlParameter& parameter) {
          return parameter.name && EqualsIgnoreCase(*parameter.name, name);
        });
    if (found != parameters_.end()) return &*found;
  } else {
    while (next_ < parameters_.size() && parameters_[next_].name) next_ += 1;
    if (next_ < parameters_.size()) return &parameters_[next_++];
  }
  return SqlError(
      StatusCode::kInvalidArgument, "UNBOUND_SQL_PARAMETER", "42P02",
      StrCat("No value was given for the parameter ", name.empty() ? StrCat("_", next_) : name));
}

}  // namespace dbx::local
