// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "arrow/record_batch.h"
#include "base/status.h"

namespace dbx {

/// The types that a service names without an Arrow schema. What has no Arrow type of its own here
/// (nested types, intervals, VARIANT) arrives as text and is kString.
enum class ColumnType : uint8_t {
  kNull,
  kBool,
  kInt8,
  kInt16,
  kInt32,
  kInt64,
  kFloat,
  kDouble,
  kString,
  kBinary,
  kDate,
  kTimestamp,
  kDecimal,
};

struct ColumnDescription {
  std::string name;
  ColumnType type = ColumnType::kString;
  int32_t precision = 0;  ///< of a decimal, 1 to 38
  int32_t scale = 0;      ///< of a decimal, 0 to precision
  std::string timezone;   ///< of a timestamp in microseconds; empty: wall clock time without a zone
};

/// The Arrow schema of such columns, all nullable. Errors: kInvalidData for a decimal that cannot
/// be.
Result<std::shared_ptr<const Schema>> MakeSchema(const std::vector<ColumnDescription>& columns);

/// The values of one column as they stood in a reply that is not Arrow.
struct ColumnValues {
  using Values = std::variant<std::vector<bool>, std::vector<int8_t>, std::vector<int16_t>,
                              std::vector<int32_t>, std::vector<int64_t>, std::vector<double>,
                              std::vector<std::string>>;

  Values values;
  /// Row i is NULL where bit i % 8 (from the lowest) of byte i / 8 is set. May end early: the rest
  /// is not NULL; and may be longer than the rows. Under a NULL `values` holds anything.
  std::string nulls;

  size_t num_rows() const {
    return std::visit([](const auto& list) { return list.size(); }, values);
  }
  bool IsNull(size_t row) const {
    return row / 8 < nulls.size() && ((static_cast<uint8_t>(nulls[row / 8]) >> (row % 8)) & 1) != 0;
  }
};

/// The rows of `columns` as Arrow of `schema`: integers are widened or narrowed where they fit,
/// texts read as the schema's type wants ("2021-01-31", "2021-01-31 10:00:00.5", "-12.30", "true").
///
/// Timestamps without an offset in their text are taken as UTC, whatever zone the schema names.
/// Errors: kInvalidData for another number of columns, columns of different lengths, and values
/// that do not fit (names column and row, not the value); kNotImplemented for nested types.
Result<RecordBatch> ColumnsToBatch(const Schema& schema, const std::vector<ColumnValues>& columns);

}  // namespace dbx
