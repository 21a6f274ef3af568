// SPDX-License-Identifier: Apache-2.0
#include "result/stored_result.h"

#include <algorithm>
#include <utility>

#include "base/str_cat.h"

namespace dbx::local {

StoredResult::~StoredResult() {
  for (const ResultPiece& piece : pieces_) {
    if (!piece.object_name.empty()) spool_->Remove(piece.object_name);
  }
}

void StoredResult::SetHeader(ResultHeader header) {
  MutexLock lock(mutex_);
  header_ = std::move(header);
}

Status StoredResult::Append(ResultPiece piece) {
  MutexLock lock(mutex_);
  Add(std::move(piece));
  return status_;
}

Status StoredResult::AppendRows(nanoarrow::UniqueArray batch) {
  MutexLock lock(mutex_);
  totals_.num_rows += batch->length;
  row_batches_.push_back(std::move(batch));
  return status_;
}

void StoredResult::Finish(std::optional<ResultPiece> last, bool cut) {
  MutexLock lock(mutex_);
  if (last) Add(*std::move(last));
  if (status_.ok()) totals_.complete = true;
  totals_.cut = cut;
  changed_.NotifyAll();
}

void StoredResult::Fail(Status reason) {
  MutexLock lock(mutex_);
  if (totals_.complete || !status_.ok()) return;
  status_ = std::move(reason);
  changed_.NotifyAll();
}

void StoredResult::Add(ResultPiece piece) {
  totals_.num_pieces += 1;
  totals_.num_rows += piece.num_rows;
  totals_.raw_bytes += piece.raw_bytes;
  totals_.stored_bytes += piece.stored_bytes;
  pieces_.push_back(std::move(piece));
  changed_.NotifyAll();
}

Result<bool> StoredResult::WaitForPiece(size_t index) const {
  MutexLock lock(mutex_);
  while (status_.ok() && !totals_.complete && index >= pieces_.size()) changed_.Wait(mutex_);
  if (!status_.ok()) return status_;
  return index < pieces_.size();
}

Result<size_t> StoredResult::WaitForRow(int64_t row) const {
  MutexLock lock(mutex_);
  while (status_.ok() && !totals_.complete && row >= totals_.num_rows) changed_.Wait(mutex_);
  if (!status_.ok()) return status_;
  const auto after = std::partition_point(
      pieces_.begin(), pieces_.end(),
      [&](const ResultPiece& piece) { return piece.row_offset + piece.num_rows <= row; });
  return static_cast<size_t>(after - pieces_.begin());
}

void StoredResult::Visit(size_t index, const std::function<bool(const ResultPiece&)>& visit) const {
  MutexLock lock(mutex_);
  while (index < pieces_.size() && visit(pieces_[index])) ++index;
}

StoredResult::Totals StoredResult::totals() const {
  MutexLock lock(mutex_);
  return totals_;
}

Status StoredResult::status() const {
  MutexLock lock(mutex_);
  return status_;
}

Status InlineLimitExceeded(int64_t limit_bytes) {
  return Status::InvalidArgument(
             StrCat("[INLINE_RESULT_SIZE_EXCEEDED] The result is larger than the ", limit_bytes,
                    " bytes that travel inline: ask for EXTERNAL_LINKS. SQLSTATE: 54000"))
      .WithErrorClass("INLINE_RESULT_SIZE_EXCEEDED")
      .WithSqlstate("54000");
}

}  // namespace dbx::local
