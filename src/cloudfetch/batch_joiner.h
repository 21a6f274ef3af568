// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "arrow/record_batch.h"
#include "base/status.h"

namespace dbx {

/// The rows of `batches` (all of `schema`, at least one) in one batch with memory of its own: one
/// copy. Errors: kNotImplemented for types that the service never sends (unions, dictionaries,
/// views), kInternal without memory; kInvalidData when a total no longer fits the offsets of its
/// type.
Result<RecordBatch> JoinBatches(const Schema& schema, const std::vector<RecordBatch>& batches);

}  // namespace dbx
