// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "nanoarrow/nanoarrow.hpp"

namespace dbx::sea {

/// A column's type as the service spells it, taken apart.
struct ColumnType {
  enum class Kind : uint8_t {
    kNull,
    kBool,
    kInt8,
    kInt16,
    kInt32,
    kInt64,
    kFloat,
    kDouble,
    kDecimal,
    kString,
    kBinary,
    kDate,
    kTimestamp,
    kTimestampNtz,
    kYearMonth,  ///< intervals of months
    kDayTime,    ///< intervals of microseconds
    kList,
    kMap,     ///< children: key, value
    kStruct,  ///< children with their names
    kOther,   ///< text: VARIANT, GEOMETRY and whatever is new
  };

  Kind kind = Kind::kOther;
  std::string text = {};  ///< as spelled, without qualifiers of columns (NOT NULL, COMMENT)
  int32_t precision = 0;  ///< of a decimal
  int32_t scale = 0;
  std::vector<ColumnType> children = {};
  std::vector<std::string> names = {};  ///< of a struct's fields
};

/// Reads "DECIMAL(18,2)", "MAP<STRING, ARRAY<INT>>", "STRUCT<a: INT, `b c`: DATE>", "INTERVAL DAY
/// TO SECOND". What cannot be read is kOther.
ColumnType ParseColumnType(std::string_view text);

/// Gives `schema`, an initialized one, the Arrow type that the service sends for `type`, all
/// nullable but a map's entries and keys. Timestamps are in `time_zone`. Errors: kInvalidData for
/// what Arrow refuses.
Status SetArrowType(const ColumnType& type, const std::string& time_zone, ArrowSchema* schema);

/// The type as Spark's JSON has it, such as "\"integer\"" with its quotes; whether the parts of
/// nested types are nullable is taken from `schema` where that has the same shape.
std::string SparkJson(const ColumnType& type, const ArrowSchema& schema);

}  // namespace dbx::sea
