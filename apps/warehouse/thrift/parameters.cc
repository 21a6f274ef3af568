// SPDX-License-Identifier: Apache-2.0
#include "thrift/parameters.h"

#include <optional>
#include <string>
#include <utility>

#include "base/str_cat.h"
#include "sql/sql_text.h"

namespace dbx::local {
namespace {

std::optional<std::string> TextOf(const thrift::TSparkParameterValue& value) {
  if (value.__isset.stringValue) return value.stringValue;
  if (value.__isset.doubleValue) return StrCat(value.doubleValue);
  if (value.__isset.booleanValue) return StrCat(value.booleanValue);
  return std::nullopt;
}

void Settle(SqlParameter* parameter) {
  if (parameter->type.empty()) parameter->type = parameter->value ? "STRING" : "VOID";
  // One client writes the text "None" beside this type.
  if (EqualsIgnoreCase(parameter->type, "VOID")) parameter->value.reset();
}

std::vector<SqlParameter> ReadArguments(
    const std::vector<thrift::TSparkParameterValueArg>& arguments) {
  std::vector<SqlParameter> read;
  for (const thrift::TSparkParameterValueArg& argument : arguments) {
    SqlParameter parameter;
    parameter.type = argument.type;
    if (argument.__isset.value) parameter.value = argument.value;
    parameter.arguments = ReadArguments(argument.arguments);
    Settle(&parameter);
    read.push_back(std::move(parameter));
  }
  return read;
}

}  // namespace

std::vector<SqlParameter> ReadParameters(const std::vector<thrift::TSparkParameter>& parameters) {
  std::vector<SqlParameter> read;
  for (const thrift::TSparkParameter& given : parameters) {
    SqlParameter parameter;
    if (given.__isset.name && !given.name.empty()) parameter.name = given.name;
    parameter.type = given.type;
    if (given.__isset.value) parameter.value = TextOf(given.value);
    parameter.arguments = ReadArguments(given.arguments);
    Settle(&parameter);
    read.push_back(std::move(parameter));
  }
  return read;
}

}  // namespace dbx::local
