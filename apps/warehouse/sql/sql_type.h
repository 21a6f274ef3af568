// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace dbx::local {

enum class SqlTypeId : uint8_t {
  kVoid,
  kBoolean,
  kTinyint,
  kSmallint,
  kInt,
  kBigint,
  kFloat,
  kDouble,
  kDecimal,
  kString,
  kVarchar,
  kChar,
  kBinary,
  kDate,
  kTimestamp,
  kTimestampNtz,
  kIntervalYearMonth,
  kIntervalDayTime,
  kArray,
  kMap,
  kStruct,
  kVariant,
};

/// A type of the service's SQL, with its parts.
///
/// `RowSource` hands values of each type out in one fixed Arrow form, whatever a client asked for:
///   VOID n; BOOLEAN b; TINYINT c; SMALLINT s; INT i; BIGINT l; FLOAT f; DOUBLE g; DECIMAL(p,s)
///   d:p,s (128 bits); STRING, VARCHAR, CHAR, VARIANT (JSON text) u; BINARY z; DATE tdD; TIMESTAMP
///   tsu:UTC; TIMESTAMP_NTZ tsu:; INTERVAL year-month tiM; INTERVAL day-time tDu; ARRAY +l; MAP +m;
///   STRUCT +s.
struct SqlType {
  SqlTypeId id = SqlTypeId::kVoid;
  int32_t precision = 0;            ///< DECIMAL
  int32_t scale = 0;                ///< DECIMAL
  int32_t length = 0;               ///< VARCHAR, CHAR; 0: none
  std::string interval_start = {};  ///< "DAY", "HOUR", "YEAR", …
  std::string interval_end = {};
  std::vector<SqlType> children = {};         ///< ARRAY: element; MAP: key, value; STRUCT: fields
  std::vector<std::string> field_names = {};  ///< STRUCT
  std::vector<bool> child_nullable = {};

  /// As the service spells it: "DECIMAL(7,2)", "ARRAY<INT>", "INTERVAL DAY TO SECOND".
  std::string Text() const;
  /// The JSON form that the service puts under Spark:DataType:JsonType, such as "\"long\"".
  std::string Json() const;
};

struct ResultColumn {
  std::string name;
  SqlType type;
  bool nullable = true;
  std::string comment = {};
};

}  // namespace dbx::local
