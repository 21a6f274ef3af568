// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "arrow/record_batch.h"
#include "base/status.h"

namespace dbx {

/// The cells of row `row` of `batch`, which has it; NULL is empty. Errors: kInvalidData for columns
/// that are not text.
Result<std::vector<std::string>> TextsOfRow(const Schema& schema, const RecordBatch& batch,
                                            int64_t row);

}  // namespace dbx
