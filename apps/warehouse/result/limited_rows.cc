// SPDX-License-Identifier: Apache-2.0
#include "result/limited_rows.h"

#include <algorithm>
#include <utility>

#include "result/arrow_types.h"

namespace dbx::local {
namespace {

std::vector<ColumnLayout> NativeLayouts(const std::vector<ResultColumn>& columns) {
  std::vector<ColumnLayout> layouts;
  layouts.reserve(columns.size());
  for (const ResultColumn& column : columns) layouts.push_back(LayoutOf(column.type, kAllNative));
  return layouts;
}

}  // namespace

LimitedRows::LimitedRows(RowSource* rows, const std::vector<ResultColumn>& columns,
                         const RowLimits& limits)
    : rows_(rows), sizes_(NativeLayouts(columns)), left_(limits) {}

Result<std::optional<LimitedRows::Batch>> LimitedRows::Next() {
  Batch batch;
  ASSIGN_OR_RETURN(const bool more, rows_->Next(batch.array.get()));
  ended_ = !more;
  if (ended_) return std::optional<Batch>();
  batch.num_rows = RowsWithin(*batch.array.get());
  cut_ |= batch.num_rows < batch.array->length;
  // At a limit one batch more is pulled, to learn whether the limit cut anything: it comes with no
  // rows.
  ended_ = batch.num_rows == 0;
  if (ended_) return std::optional<Batch>();
  return std::optional<Batch>(std::move(batch));
}

int64_t LimitedRows::RowsWithin(const ArrowArray& batch) {
  int64_t num_rows = batch.length;
  if (left_.rows) num_rows = std::min(num_rows, *left_.rows);
  if (left_.bytes) {
    const std::vector<const ArrowArray*> columns(batch.children, batch.children + batch.n_children);
    const auto bytes_of = [&](int64_t rows) {
      return rows == 0 ? 0 : sizes_.BodyBytes(columns, batch.offset, rows);
    };
    int64_t too_many = num_rows + 1;
    if (bytes_of(num_rows) > *left_.bytes) {
      too_many = num_rows;
      num_rows = 0;
    }
    while (too_many - num_rows > 1) {
      const int64_t middle = num_rows + (too_many - num_rows) / 2;
      (bytes_of(middle) > *left_.bytes ? too_many : num_rows) = middle;
    }
    *left_.bytes -= bytes_of(num_rows);
    if (num_rows < batch.length) left_.bytes = 0;
  }
  if (left_.rows) *left_.rows -= num_rows;
  return num_rows;
}

}  // namespace dbx::local
