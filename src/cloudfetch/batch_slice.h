// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "arrow/record_batch.h"

namespace dbx {

/// Drops the first `num_rows` rows (fewer than there are). Copies nothing: the columns' offsets
/// move.
void DropFront(RecordBatch& batch, int64_t num_rows);

}  // namespace dbx
