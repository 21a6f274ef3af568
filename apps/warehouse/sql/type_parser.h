// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/status.h"
#include "sql/sql_type.h"
#include "sql/tokenizer.h"

namespace dbx::local {

/// Reads the type that begins at `tokens[*at]` and moves `*at` behind it. nullopt when no type of
/// the service begins there; `*at` is then anywhere.
std::optional<SqlType> ParseType(const Tokens& tokens, size_t* at);

/// The whole of `text` as a type, such as a bound parameter's "DECIMAL(10,2)". Fails with
/// UNSUPPORTED_DATATYPE (0A000).
Result<SqlType> ParseTypeText(std::string_view text);

/// As the engine spells it: "VARCHAR", "TIMESTAMP WITH TIME ZONE", "STRUCT(\"a\" INTEGER)".
std::string EngineType(const SqlType& type);

/// As DESCRIBE prints it: lower case, no blanks: "struct<a:int,b:array<string>>".
std::string DescribeType(const SqlType& type);

SqlType SimpleType(SqlTypeId id);
SqlType DecimalType(int32_t precision, int32_t scale);
/// `start`, `end` in upper case, such as "DAY", "SECOND"; `end` empty: one field. nullopt when they
/// don't go together.
std::optional<SqlType> IntervalType(std::string_view start, std::string_view end);

}  // namespace dbx::local
