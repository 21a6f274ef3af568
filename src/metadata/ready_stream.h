// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "arrow/record_batch.h"
#include "result/result_stream.h"

namespace dbx {

/// A stream of batches that are all there already. Batches without rows are left out.
std::unique_ptr<ResultStream> MakeReadyStream(std::shared_ptr<const Schema> schema,
                                              std::vector<RecordBatch> batches);

}  // namespace dbx
