// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <nanoarrow/nanoarrow.hpp>
#include <vector>

#include "base/status.h"
#include "result/arrow_types.h"
#include "result/byte_buffer.h"
#include "result/record_batch_writer.h"
#include "result/time_zone.h"
#include "sql/sql_type.h"

namespace dbx::local {

/// A batch in the form in which it travels: the source's own columns, and texts made of some.
class WireBatch {
 public:
  WireBatch() = default;
  WireBatch(WireBatch&&) noexcept = default;
  WireBatch& operator=(WireBatch&&) noexcept = default;

  int64_t num_rows() const { return source_->release == nullptr ? 0 : source_->length; }

 private:
  friend class BatchEncoder;

  nanoarrow::UniqueArray source_;
  std::vector<nanoarrow::UniqueArray> texts_;
  std::vector<const ArrowArray*> columns_;
};

/// Turns batches in the fixed Arrow form into RecordBatch messages. One thread.
class BatchEncoder {
 public:
  /// `columns` must outlive this. `batch_bytes`: about the largest body of one message.
  BatchEncoder(const std::vector<ResultColumn>& columns, const NativeTypes& native,
               const TimeZone& zone, int64_t batch_bytes);

  Result<WireBatch> Convert(nanoarrow::UniqueArray batch) const;

  /// Bytes that the first `num_rows` rows take in bodies of messages.
  int64_t NumBytes(const WireBatch& batch, int64_t num_rows) const;
  /// Rows that one message should hold at most, so that its body stays near the limit.
  int64_t RowsPerMessage(const WireBatch& batch) const;
  /// Appends rows [first, first + num_rows) as one message.
  void Append(const WireBatch& batch, int64_t first, int64_t num_rows, ByteBuffer* out);

 private:
  Result<nanoarrow::UniqueArray> ToTexts(const SqlType& type, const ArrowArray& column,
                                         int64_t first, int64_t num_rows) const;

  const std::vector<ResultColumn>& columns_;
  const NativeTypes native_;
  const TimeZone zone_;
  const int64_t batch_bytes_;
  RecordBatchWriter writer_;
};

}  // namespace dbx::local
