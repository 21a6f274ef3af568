// SPDX-License-Identifier: Apache-2.0
#include "thrift/wire_types.h"

#include <utility>

namespace dbx::local {
namespace {

thrift::TTypeId::type ThriftTypeId(SqlTypeId id) {
  switch (id) {
    case SqlTypeId::kVoid:
      return thrift::TTypeId::NULL_TYPE;
    case SqlTypeId::kBoolean:
      return thrift::TTypeId::BOOLEAN_TYPE;
    case SqlTypeId::kTinyint:
      return thrift::TTypeId::TINYINT_TYPE;
    case SqlTypeId::kSmallint:
      return thrift::TTypeId::SMALLINT_TYPE;
    case SqlTypeId::kInt:
      return thrift::TTypeId::INT_TYPE;
    case SqlTypeId::kBigint:
      return thrift::TTypeId::BIGINT_TYPE;
    case SqlTypeId::kFloat:
      return thrift::TTypeId::FLOAT_TYPE;
    case SqlTypeId::kDouble:
      return thrift::TTypeId::DOUBLE_TYPE;
    case SqlTypeId::kDecimal:
      return thrift::TTypeId::DECIMAL_TYPE;
    case SqlTypeId::kBinary:
      return thrift::TTypeId::BINARY_TYPE;
    case SqlTypeId::kDate:
      return thrift::TTypeId::DATE_TYPE;
    case SqlTypeId::kTimestamp:
    case SqlTypeId::kTimestampNtz:
      return thrift::TTypeId::TIMESTAMP_TYPE;
    case SqlTypeId::kIntervalYearMonth:
      return thrift::TTypeId::INTERVAL_YEAR_MONTH_TYPE;
    case SqlTypeId::kIntervalDayTime:
      return thrift::TTypeId::INTERVAL_DAY_TIME_TYPE;
    case SqlTypeId::kArray:
      return thrift::TTypeId::ARRAY_TYPE;
    case SqlTypeId::kMap:
      return thrift::TTypeId::MAP_TYPE;
    case SqlTypeId::kStruct:
      return thrift::TTypeId::STRUCT_TYPE;
    case SqlTypeId::kString:
    case SqlTypeId::kVarchar:
    case SqlTypeId::kChar:
    case SqlTypeId::kVariant:
      break;
  }
  return thrift::TTypeId::STRING_TYPE;
}

thrift::TTypeQualifierValue Number(int32_t value) {
  thrift::TTypeQualifierValue qualifier;
  qualifier.__set_i32Value(value);
  return qualifier;
}

}  // namespace

thrift::TTableSchema MakeTableSchema(const std::vector<ResultColumn>& columns) {
  thrift::TTableSchema schema;
  for (size_t i = 0; i < columns.size(); ++i) {
    thrift::TPrimitiveTypeEntry primitive;
    primitive.__set_type(ThriftTypeId(columns[i].type.id));
    if (columns[i].type.id == SqlTypeId::kDecimal) {
      thrift::TTypeQualifiers qualifiers;
      qualifiers.qualifiers["precision"] = Number(columns[i].type.precision);
      qualifiers.qualifiers["scale"] = Number(columns[i].type.scale);
      primitive.__set_typeQualifiers(qualifiers);
    }
    thrift::TTypeEntry entry;
    entry.__set_primitiveEntry(primitive);
    thrift::TColumnDesc column;
    column.__set_columnName(columns[i].name);
    column.typeDesc.types.push_back(std::move(entry));
    column.__set_position(static_cast<int32_t>(i + 1));
    column.__set_comment(columns[i].comment);
    schema.columns.push_back(std::move(column));
  }
  return schema;
}

}  // namespace dbx::local
