// SPDX-License-Identifier: Apache-2.0
#include "cloudfetch/batch_slice.h"

namespace dbx {

void DropFront(RecordBatch& batch, int64_t num_rows) {
  if (num_rows <= 0) return;
  ArrowArray array;
  batch.MoveTo(&array);
  // The offset of a column holds for what lies below it too, so only the top level changes.
  for (int64_t i = 0; i < array.n_children; ++i) {
    ArrowArray& column = *array.children[i];
    if (column.null_count == column.length) {
      column.null_count -= num_rows;
    } else if (column.null_count != 0) {
      column.null_count = -1;  // to be counted by who needs it
    }
    column.offset += num_rows;
    column.length -= num_rows;
  }
  array.length -= num_rows;
  batch = RecordBatch(&array);
}

}  // namespace dbx
