// SPDX-License-Identifier: Apache-2.0
#include "sql/type_sizes.h"

namespace dbx::local {

TypeSize SizeOf(const SqlType& type) {
  switch (type.id) {
    case SqlTypeId::kVoid:
    case SqlTypeId::kBoolean:
      return {1, 0, 0};
    case SqlTypeId::kTinyint:
      return {1, 0, 10};
    case SqlTypeId::kSmallint:
      return {2, 0, 10};
    case SqlTypeId::kInt:
      return {4, 0, 10};
    case SqlTypeId::kBigint:
      return {8, 0, 10};
    case SqlTypeId::kFloat:
      return {4, 7, 10};
    case SqlTypeId::kDouble:
      return {8, 15, 10};
    case SqlTypeId::kDecimal:
      return {type.precision, type.scale, 10};
    case SqlTypeId::kString:
      return {INT32_MAX, 0, 0};
    case SqlTypeId::kVarchar:
    case SqlTypeId::kChar:
      return {type.length, 0, 0};
    case SqlTypeId::kDate:
      return {4, 0, 0};
    case SqlTypeId::kTimestamp:
    case SqlTypeId::kTimestampNtz:
      return {8, 6, 0};
    case SqlTypeId::kIntervalYearMonth:
      return {4, 0, 0};
    case SqlTypeId::kIntervalDayTime:
      return {8, 0, 0};
    default:
      return {0, 0, 0};
  }
}

}  // namespace dbx::local
