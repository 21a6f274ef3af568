// SPDX-License-Identifier: Apache-2.0
#include "adbc/month_intervals.h"

#include <cstring>
#include <optional>
#include <utility>

#include "base/str_cat.h"
#include "nanoarrow/nanoarrow.hpp"

namespace dbx {
namespace {

constexpr const char* kMonths = "tiM";
constexpr const char* kMonthsDaysNanoseconds = "tin";

bool IsMonths(const ArrowSchema* field) {
  return std::strcmp(field->format, kMonths) == 0;
}

bool HasMonths(const ArrowSchema* field) {
  if (IsMonths(field)) return true;
  for (int64_t i = 0; i < field->n_children; ++i) {
    if (HasMonths(field->children[i])) return true;
  }
  return false;
}

Status OutOfMemory(ArrowErrorCode code) {
  if (code == NANOARROW_OK) return Status::Ok();
  return Status::Internal(StrCat("widening intervals failed with error ", code));
}

Status WidenField(ArrowSchema* field) {
  if (IsMonths(field)) return OutOfMemory(ArrowSchemaSetFormat(field, kMonthsDaysNanoseconds));
  for (int64_t i = 0; i < field->n_children; ++i) RETURN_IF_ERROR(WidenField(field->children[i]));
  return Status::Ok();
}

/// The same values in the wider type.
Result<nanoarrow::UniqueArray> Widened(const ArrowArray* months) {
  nanoarrow::UniqueArrayView view;
  ArrowArrayViewInitFromType(view.get(), NANOARROW_TYPE_INTERVAL_MONTHS);
  RETURN_IF_ERROR(OutOfMemory(ArrowArrayViewSetArray(view.get(), months, nullptr)));
  nanoarrow::UniqueArray wide;
  RETURN_IF_ERROR(
      OutOfMemory(ArrowArrayInitFromType(wide.get(), NANOARROW_TYPE_INTERVAL_MONTH_DAY_NANO)));
  RETURN_IF_ERROR(OutOfMemory(ArrowArrayStartAppending(wide.get())));
  RETURN_IF_ERROR(OutOfMemory(ArrowArrayReserve(wide.get(), months->length)));
  ArrowInterval interval;
  ArrowIntervalInit(&interval, NANOARROW_TYPE_INTERVAL_MONTH_DAY_NANO);
  for (int64_t row = 0; row < months->length; ++row) {
    if (ArrowArrayViewIsNull(view.get(), row)) {
      RETURN_IF_ERROR(OutOfMemory(ArrowArrayAppendNull(wide.get(), 1)));
      continue;
    }
    interval.months = static_cast<int32_t>(ArrowArrayViewGetIntUnsafe(view.get(), row));
    RETURN_IF_ERROR(OutOfMemory(ArrowArrayAppendInterval(wide.get(), &interval)));
  }
  RETURN_IF_ERROR(OutOfMemory(ArrowArrayFinishBuildingDefault(wide.get(), nullptr)));
  return wide;
}

/// Puts a new array where one of months was; a parent lets each of its children go by itself.
Status WidenArray(const ArrowSchema* field, ArrowArray* array) {
  if (IsMonths(field)) {
    ASSIGN_OR_RETURN(nanoarrow::UniqueArray wide, Widened(array));
    array->release(array);
    wide.move(array);
    return Status::Ok();
  }
  for (int64_t i = 0; i < field->n_children; ++i) {
    RETURN_IF_ERROR(WidenArray(field->children[i], array->children[i]));
  }
  return Status::Ok();
}

class WideningStream : public ResultStream {
 public:
  WideningStream(std::shared_ptr<const Schema> schema, std::unique_ptr<ResultStream> rows)
      : schema_(std::move(schema)), rows_(std::move(rows)) {}

  const std::shared_ptr<const Schema>& schema() const override { return schema_; }

  Result<std::optional<RecordBatch>> Next() override {
    ASSIGN_OR_RETURN(std::optional<RecordBatch> batch, rows_->Next());
    if (!batch) return batch;
    nanoarrow::UniqueArray array;
    batch->MoveTo(array.get());
    RETURN_IF_ERROR(WidenArray(rows_->schema()->c_schema(), array.get()));
    return std::optional<RecordBatch>(RecordBatch(array.get()));
  }

  void Cancel(Status reason) override { rows_->Cancel(std::move(reason)); }

 private:
  const std::shared_ptr<const Schema> schema_;
  const std::unique_ptr<ResultStream> rows_;
};

}  // namespace

Result<std::shared_ptr<const Schema>> WidenMonthIntervals(std::shared_ptr<const Schema> schema) {
  if (!HasMonths(schema->c_schema())) return schema;
  nanoarrow::UniqueSchema wide;
  RETURN_IF_ERROR(schema->CopyTo(wide.get()));
  RETURN_IF_ERROR(WidenField(wide.get()));
  return Schema::Take(wide.get());
}

Result<std::unique_ptr<ResultStream>> WidenMonthIntervals(std::unique_ptr<ResultStream> stream) {
  ASSIGN_OR_RETURN(std::shared_ptr<const Schema> schema, WidenMonthIntervals(stream->schema()));
  if (schema == stream->schema()) return stream;
  return Result<std::unique_ptr<ResultStream>>(
      std::make_unique<WideningStream>(std::move(schema), std::move(stream)));
}

}  // namespace dbx
