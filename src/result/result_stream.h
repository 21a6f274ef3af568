// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>

#include "arrow/record_batch.h"
#include "base/status.h"

namespace dbx {

/// The rows of one result in order.
class ResultStream {
 public:
  /// Destroying an unread stream cancels its work, joins its threads and ends the statement on the
  /// server.
  virtual ~ResultStream() = default;

  virtual const std::shared_ptr<const Schema>& schema() const = 0;

  /// Returns the next record batch in row order, or nullopt after the last row.
  ///
  /// One array a column of `schema()`, each of `num_rows() >= 1` values. Rows that a stored file
  /// pads past its link's `num_rows` are cut off. The batch owns its buffers and may outlive the
  /// stream. One thread at a time may call this; `Cancel` may come from any other, and makes a
  /// blocked call return its reason. Errors: kCancelled, kTimeout, kUnavailable (retries spent),
  /// kInvalidData (not the promised Arrow), kIntegrity (rows missing or too many),
  /// kUnauthenticated. All earlier rows come first; after an error each further call returns it.
  virtual Result<std::optional<RecordBatch>> Next() = 0;

  virtual void Cancel(Status reason) = 0;
};

}  // namespace dbx
