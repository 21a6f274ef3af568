// SPDX-License-Identifier: Apache-2.0
#include "thrift/type_facts.h"

#include <utility>

namespace dbx::local {
namespace {

// Numbers of java.sql.Types.
constexpr int64_t kJdbcOther = 1111;

struct TypeInfo {
  const char* name;
  int64_t jdbc_type;
  std::optional<int64_t> precision;
  bool quoted, case_sensitive, numeric, fixed_scale;
  std::optional<int64_t> max_scale;
};

constexpr TypeInfo kTypeInfos[] = {
    {"VOID", 0, {}, false, false, false, false, {}},
    {"BOOLEAN", 16, {}, false, false, false, false, {}},
    {"TINYINT", -6, 3, false, false, true, true, 0},
    {"SMALLINT", 5, 5, false, false, true, true, 0},
    {"INT", 4, 10, false, false, true, true, 0},
    {"BIGINT", -5, 19, false, false, true, true, 0},
    {"FLOAT", 6, 7, false, false, true, false, 7},
    {"DOUBLE", 8, 15, false, false, true, false, 15},
    {"DECIMAL", 3, 38, false, false, true, false, 38},
    {"STRING", 12, {}, true, true, false, false, {}},
    {"BINARY", -2, {}, false, false, false, false, {}},
    {"DATE", 91, {}, true, false, false, false, {}},
    {"TIMESTAMP", 93, {}, true, false, false, false, {}},
    {"ARRAY", 2003, {}, false, false, false, false, {}},
    {"MAP", 2000, {}, false, false, false, false, {}},
    {"STRUCT", 2002, {}, false, false, false, false, {}},
    {"INTERVAL", kJdbcOther, {}, false, false, false, false, {}},
};

Cell Optional(std::optional<int64_t> number) {
  return number ? Cell(*number) : Cell();
}

Cell Quote(bool quoted) {
  return quoted ? Cell(std::string("'")) : Cell();
}

}  // namespace

TypeFacts FactsOf(const SqlType& type) {
  switch (type.id) {
    case SqlTypeId::kVoid:
      return {0, 1, 0, {}};
    case SqlTypeId::kBoolean:
      return {16, 1, 0, {}};
    case SqlTypeId::kTinyint:
      return {-6, 1, 0, 10};
    case SqlTypeId::kSmallint:
      return {5, 2, 0, 10};
    case SqlTypeId::kInt:
      return {4, 4, 0, 10};
    case SqlTypeId::kBigint:
      return {-5, 8, 0, 10};
    case SqlTypeId::kFloat:
      return {6, 4, 7, 10};
    case SqlTypeId::kDouble:
      return {8, 8, 15, 10};
    case SqlTypeId::kDecimal:
      return {3, type.precision, type.scale, 10};
    case SqlTypeId::kString:
      return {12, 2147483647, 0, {}};
    case SqlTypeId::kVarchar:
      return {12, type.length, 0, {}};
    case SqlTypeId::kChar:
      return {1, type.length, 0, {}};
    case SqlTypeId::kBinary:
      return {-2, 0, 0, {}};
    case SqlTypeId::kDate:
      return {91, 4, 0, {}};
    case SqlTypeId::kTimestamp:
    case SqlTypeId::kTimestampNtz:
      return {93, 8, 6, {}};
    case SqlTypeId::kIntervalYearMonth:
      return {kJdbcOther, 4, 0, {}};
    case SqlTypeId::kIntervalDayTime:
      return {kJdbcOther, 8, 0, {}};
    case SqlTypeId::kArray:
      return {2003, 0, 0, {}};
    case SqlTypeId::kMap:
      return {2000, 0, 0, {}};
    case SqlTypeId::kStruct:
      return {2002, 0, 0, {}};
    case SqlTypeId::kVariant:
      break;
  }
  return {kJdbcOther, 0, 0, {}};
}

MetadataTable TypeInfoTable() {
  MetadataTable table;
  table.Column("TYPE_NAME", SqlTypeId::kString, "Type name")
      .Column("DATA_TYPE", SqlTypeId::kInt, "SQL data type from java.sql.Types")
      .Column("PRECISION", SqlTypeId::kInt, "Maximum precision")
      .Column("LITERAL_PREFIX", SqlTypeId::kString, "What begins a literal (may be null)")
      .Column("LITERAL_SUFFIX", SqlTypeId::kString, "What ends a literal (may be null)")
      .Column("CREATE_PARAMS", SqlTypeId::kString,
              "Parameters used in creating the type (may be null)")
      .Column("NULLABLE", SqlTypeId::kSmallint, "Whether NULL can be stored")
      .Column("CASE_SENSITIVE", SqlTypeId::kBoolean, "Whether case counts")
      .Column("SEARCHABLE", SqlTypeId::kSmallint, "Use in WHERE")
      .Column("UNSIGNED_ATTRIBUTE", SqlTypeId::kBoolean, "Whether unsigned")
      .Column("FIXED_PREC_SCALE", SqlTypeId::kBoolean, "Whether precision and scale are fixed")
      .Column("AUTO_INCREMENT", SqlTypeId::kBoolean, "Use for auto-increment")
      .Column("LOCAL_TYPE_NAME", SqlTypeId::kString, "Localized name (may be null)")
      .Column("MINIMUM_SCALE", SqlTypeId::kSmallint, "Smallest scale")
      .Column("MAXIMUM_SCALE", SqlTypeId::kSmallint, "Largest scale")
      .Column("SQL_DATA_TYPE", SqlTypeId::kInt, "Unused")
      .Column("SQL_DATETIME_SUB", SqlTypeId::kInt, "Unused")
      .Column("NUM_PREC_RADIX", SqlTypeId::kInt, "Radix, usually 2 or 10");
  for (const TypeInfo& info : kTypeInfos) {
    const bool complex = info.jdbc_type >= 2000 && info.jdbc_type <= 2003;
    table.Row({std::string(info.name), info.jdbc_type, Optional(info.precision), Quote(info.quoted),
               Quote(info.quoted), Cell(), int64_t{1}, info.case_sensitive,
               int64_t{complex ? 0 : 3}, !info.numeric, info.fixed_scale, false, Cell(), int64_t{0},
               info.max_scale.value_or(0), Cell(), Cell(),
               info.numeric ? Cell(int64_t{10}) : Cell()});
  }
  return table;
}

}  // namespace dbx::local
