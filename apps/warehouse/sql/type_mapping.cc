// SPDX-License-Identifier: Apache-2.0
#include "sql/type_mapping.h"

#include <string_view>

#include "sql/engine_handles.h"
#include "sql/errors.h"
#include "sql/type_parser.h"

namespace dbx::local {
namespace {

Result<SqlType> ListType(duckdb_logical_type element) {
  const LogicalType owned(element);
  SqlType type = SimpleType(SqlTypeId::kArray);
  ASSIGN_OR_RETURN(SqlType child, FromEngineType(owned.get()));
  type.children.push_back(std::move(child));
  type.child_nullable = {true};
  return type;
}

Result<SqlType> MapType(duckdb_logical_type map) {
  const LogicalType key(duckdb_map_type_key_type(map));
  const LogicalType value(duckdb_map_type_value_type(map));
  SqlType type = SimpleType(SqlTypeId::kMap);
  ASSIGN_OR_RETURN(SqlType key_type, FromEngineType(key.get()));
  ASSIGN_OR_RETURN(SqlType value_type, FromEngineType(value.get()));
  type.children.push_back(std::move(key_type));
  type.children.push_back(std::move(value_type));
  type.child_nullable = {false, true};
  return type;
}

Result<SqlType> StructType(duckdb_logical_type structure) {
  SqlType type = SimpleType(SqlTypeId::kStruct);
  const idx_t count = duckdb_struct_type_child_count(structure);
  for (idx_t i = 0; i < count; ++i) {
    const LogicalType child(duckdb_struct_type_child_type(structure, i));
    ASSIGN_OR_RETURN(SqlType child_type, FromEngineType(child.get()));
    const EngineString name(duckdb_struct_type_child_name(structure, i));
    type.children.push_back(std::move(child_type));
    type.field_names.emplace_back(name.view().empty() ? "col" + std::to_string(i + 1)
                                                      : std::string(name.view()));
    type.child_nullable.push_back(true);
  }
  return type;
}

bool IsJson(duckdb_logical_type type) {
  const EngineString alias(duckdb_logical_type_get_alias(type));
  return alias.view() == "JSON";
}

}  // namespace

Result<SqlType> FromEngineType(duckdb_logical_type type) {
  switch (duckdb_get_type_id(type)) {
    case DUCKDB_TYPE_SQLNULL:
      return SimpleType(SqlTypeId::kVoid);
    case DUCKDB_TYPE_BOOLEAN:
      return SimpleType(SqlTypeId::kBoolean);
    case DUCKDB_TYPE_TINYINT:
      return SimpleType(SqlTypeId::kTinyint);
    case DUCKDB_TYPE_SMALLINT:
    case DUCKDB_TYPE_UTINYINT:
      return SimpleType(SqlTypeId::kSmallint);
    case DUCKDB_TYPE_INTEGER:
    case DUCKDB_TYPE_USMALLINT:
      return SimpleType(SqlTypeId::kInt);
    case DUCKDB_TYPE_BIGINT:
    case DUCKDB_TYPE_UINTEGER:
    case DUCKDB_TYPE_UBIGINT:
    case DUCKDB_TYPE_HUGEINT:
      return SimpleType(SqlTypeId::kBigint);
    case DUCKDB_TYPE_FLOAT:
      return SimpleType(SqlTypeId::kFloat);
    case DUCKDB_TYPE_DOUBLE:
      return SimpleType(SqlTypeId::kDouble);
    case DUCKDB_TYPE_DECIMAL:
      return DecimalType(duckdb_decimal_width(type), duckdb_decimal_scale(type));
    case DUCKDB_TYPE_VARCHAR:
      return SimpleType(IsJson(type) ? SqlTypeId::kVariant : SqlTypeId::kString);
    case DUCKDB_TYPE_UUID:
    case DUCKDB_TYPE_ENUM:
    case DUCKDB_TYPE_STRING_LITERAL:
    case DUCKDB_TYPE_TIME:
      return SimpleType(SqlTypeId::kString);
    case DUCKDB_TYPE_INTEGER_LITERAL:
      return SimpleType(SqlTypeId::kInt);
    case DUCKDB_TYPE_BLOB:
      return SimpleType(SqlTypeId::kBinary);
    case DUCKDB_TYPE_DATE:
      return SimpleType(SqlTypeId::kDate);
    case DUCKDB_TYPE_TIMESTAMP_TZ:
      return SimpleType(SqlTypeId::kTimestamp);
    case DUCKDB_TYPE_TIMESTAMP:
    case DUCKDB_TYPE_TIMESTAMP_S:
    case DUCKDB_TYPE_TIMESTAMP_MS:
    case DUCKDB_TYPE_TIMESTAMP_NS:
      return SimpleType(SqlTypeId::kTimestampNtz);
    case DUCKDB_TYPE_INTERVAL:
      return *IntervalType("DAY", "SECOND");
    case DUCKDB_TYPE_LIST:
      return ListType(duckdb_list_type_child_type(type));
    case DUCKDB_TYPE_MAP:
      return MapType(type);
    case DUCKDB_TYPE_STRUCT:
      return StructType(type);
    default:
      return SqlError(StatusCode::kNotImplemented, "UNSUPPORTED_DATATYPE", "0A000",
                      "A column has a type that the service does not have");
  }
}

}  // namespace dbx::local
