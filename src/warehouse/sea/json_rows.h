// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "arrow/record_batch.h"
#include "base/status.h"
#include "wire/sea_messages.h"

namespace dbx::sea {

/// Rows of text as Arrow of `schema`, with the values that the service would have sent as Arrow.
///
/// Nested cells are JSON text, whose objects are structs by name and maps in their order. Binary
/// cells are base64, or hexadecimal where a cell of the column is no base64. Timestamps without an
/// offset count as UTC. Errors: kInvalidData for rows of another width and values that do not fit
/// (names column and row, not the value).
Result<RecordBatch> JsonRowsToBatch(const Schema& schema, const std::vector<JsonRow>& rows);

}  // namespace dbx::sea
