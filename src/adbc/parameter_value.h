// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/status.h"
#include "nanoarrow/nanoarrow.hpp"
#include "warehouse/session.h"

namespace dbx {

/// A bound value: a parameter of the request, or, where the service has no parameter of that type
/// (bytes), a literal that takes the marker's place in the text.
struct BoundValue {
  StatementParameter parameter;
  std::string literal;  ///< empty: `parameter` counts
};

/// Reads the values of one bound column.
///
/// Types go to the service's own: integers by width (unsigned ones to the next wider, uint64 to
/// DECIMAL(20,0)), float, half float and double, text, decimals up to 38 digits, dates, timestamps
/// with a zone to TIMESTAMP and without to TIMESTAMP_NTZ, times of day to STRING, durations and
/// intervals to the two kinds of interval, the null type to VOID. A NULL keeps its column's type.
/// Dictionaries count as their values. Bytes become X'…' literals.
class ParameterColumn {
 public:
  /// `field` outlives this. Errors: kNotImplemented for nested and other types, naming the column.
  static Result<ParameterColumn> Make(const ArrowSchema* field);

  /// The value at `row` of `values`, a valid array of the field's type. Errors: kInvalidArgument,
  /// naming the column, for values that the service could not hold exactly; kNotImplemented for
  /// mixed intervals.
  Result<BoundValue> At(const ArrowArrayView* values, int64_t row) const;

 private:
  ParameterColumn() = default;

  Result<BoundValue> Null() const;
  Result<std::string> Text(const ArrowArrayView* values, int64_t row) const;
  Result<std::string> TimestampAt(int64_t value) const;
  Result<std::string> DecimalAt(const ArrowArrayView* values, int64_t row) const;
  Result<BoundValue> IntervalAt(const ArrowArrayView* values, int64_t row) const;

  std::string name_;  // as messages name the column
  ArrowSchemaView view_ = {};
  std::string sql_type_;                               // empty: not a parameter of the request
  std::shared_ptr<const ParameterColumn> dictionary_;  // of the values behind the indices
};

}  // namespace dbx
