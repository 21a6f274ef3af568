// SPDX-License-Identifier: Apache-2.0
#include "arrow/record_batch.h"

#include <algorithm>
#include <utility>

#include "base/str_cat.h"

namespace dbx {
namespace {

void Shorten(ArrowArray& array, int64_t num_rows) {
  if (array.length <= num_rows) return;
  if (array.null_count == array.length) {
    array.null_count = num_rows;
  } else if (array.null_count != 0) {
    array.null_count = -1;  // to be counted by who needs it
  }
  array.length = num_rows;
}

}  // namespace

Result<std::shared_ptr<const Schema>> Schema::Take(ArrowSchema* schema) {
  nanoarrow::UniqueSchema taken(schema);
  if (!taken->release) return Status::InvalidData("schema: released already");
  // Walks the whole tree, so that no format text in it needs to be doubted again.
  nanoarrow::UniqueArrayView view;
  ArrowError error = {};
  if (ArrowArrayViewInitFromSchema(view.get(), taken.get(), &error) != NANOARROW_OK) {
    return Status::InvalidData(StrCat("schema: ", ArrowErrorMessage(&error)));
  }
  if (view->storage_type != NANOARROW_TYPE_STRUCT) {
    return Status::InvalidData("schema: not a struct of columns");
  }
  return std::shared_ptr<const Schema>(std::make_shared<Schema>(std::move(taken)));
}

Status Schema::CopyTo(ArrowSchema* out) const {
  if (ArrowSchemaDeepCopy(schema_.get(), out) != NANOARROW_OK) {
    return Status::Internal("schema: out of memory");
  }
  return Status::Ok();
}

RecordBatch::RecordBatch(ArrowArray* array) : array_(array) {}

void RecordBatch::Truncate(int64_t num_rows) {
  if (!array_->release) return;
  num_rows = std::max<int64_t>(num_rows, 0);
  // Columns too, not only the struct: consumers take a column's length from the column.
  for (int64_t column = 0; column < array_->n_children; ++column) {
    Shorten(*array_->children[column], num_rows);
  }
  Shorten(*array_.get(), num_rows);
}

void RecordBatch::MoveTo(ArrowArray* out) {
  array_.move(out);
}

}  // namespace dbx
