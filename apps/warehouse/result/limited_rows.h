// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <nanoarrow/nanoarrow.hpp>
#include <optional>
#include <vector>

#include "base/status.h"
#include "result/record_batch_writer.h"
#include "sql/engine.h"

namespace dbx::local {

/// Where a request cuts its result. Bytes are those of Arrow bodies.
struct RowLimits {
  std::optional<int64_t> rows = {};
  std::optional<int64_t> bytes = {};
};

/// Pulls batches up to the limits. One thread.
class LimitedRows {
 public:
  struct Batch {
    nanoarrow::UniqueArray array;
    int64_t num_rows = 0;  ///< to use; the rest is behind the limit
  };

  /// `rows` and must outlive this.
  LimitedRows(RowSource* rows, const std::vector<ResultColumn>& columns, const RowLimits& limits);

  /// nullopt after the last row, or at a limit.
  Result<std::optional<Batch>> Next();

  /// A limit left rows out.
  bool cut() const { return cut_; }
  bool ended() const { return ended_; }

 private:
  /// Rows of `batch` that the limits leave.
  int64_t RowsWithin(const ArrowArray& batch);

  RowSource* const rows_;
  const RecordBatchWriter sizes_;
  RowLimits left_;
  bool cut_ = false;
  bool ended_ = false;
};

}  // namespace dbx::local
