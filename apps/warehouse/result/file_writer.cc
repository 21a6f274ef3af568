// SPDX-License-Identifier: Apache-2.0
#include "result/file_writer.h"

#include <algorithm>
#include <utility>

namespace dbx::local {
namespace {

constexpr uint8_t kEndOfStream[] = {0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0};

}  // namespace

FileWriter::FileWriter(const ResultForm& form, std::string schema_message, BatchEncoder* encoder,
                       Spool* spool, StoredResult* result)
    : form_(form),
      schema_message_(std::move(schema_message)),
      encoder_(encoder),
      spool_(spool),
      result_(result),
      cut_stream_(spool == nullptr && form.fault.more.contains("cut_attachment")),
      frames_({.checksums = form.fault.checksums, .content_size = form.fault.content_size}) {
  StartFile();
}

Status FileWriter::Add(WireBatch batch, int64_t num_rows) {
  const int64_t step = encoder_->RowsPerMessage(batch);
  for (int64_t first = 0; first < num_rows; first += step) {
    // A file is closed when the next rows are in hand, so that whoever sees it knows that another
    // one follows.
    if (IsFull()) {
      ASSIGN_OR_RETURN(ResultPiece piece, CloseFile(/*is_last=*/false));
      RETURN_IF_ERROR(result_->Append(std::move(piece)));
      StartFile();
    }
    const int64_t rows = std::min(step, num_rows - first);
    encoder_->Append(batch, first, rows, &raw_);
    EndMessage();
    file_rows_ += rows;
    RETURN_IF_ERROR(CheckInlineSize());
  }
  if (form_.fault.extra_rows > 0) last_batch_ = std::move(batch);
  return Status::Ok();
}

bool FileWriter::IsFull() const {
  if (file_rows_ == 0) return false;
  if (spool_ == nullptr) return cut_stream_;
  return static_cast<int64_t>(raw_.size()) >= form_.chunk_bytes;
}

Status FileWriter::CheckInlineSize() const {
  if (spool_ != nullptr || form_.inline_max_bytes <= 0 ||
      static_cast<int64_t>(raw_.size()) <= form_.inline_max_bytes) {
    return Status::Ok();
  }
  return InlineLimitExceeded(form_.inline_max_bytes);
}

Status FileWriter::Finish(bool cut) {
  std::optional<ResultPiece> last;
  if (file_rows_ > 0) {
    ASSIGN_OR_RETURN(last, CloseFile(/*is_last=*/true));
  }
  result_->Finish(std::move(last), cut);
  return result_->status();
}

void FileWriter::StartFile() {
  row_offset_ += file_rows_;
  file_rows_ = 0;
  raw_.Clear();
  message_ends_.clear();
  if (cut_stream_ && row_offset_ > 0) return;
  raw_.Append(schema_message_.data(), schema_message_.size());
  EndMessage();
}

Result<ResultPiece> FileWriter::CloseFile(bool is_last) {
  AddExtraRows();
  if (is_last || !cut_stream_) {
    raw_.Append(kEndOfStream, sizeof(kEndOfStream));
    EndMessage();
  }
  std::string_view stored = raw_.view();
  if (form_.lz4) {
    RETURN_IF_ERROR(Compress());
    stored = compressed_.view();
  }
  ResultPiece piece{.row_offset = row_offset_,
                    .num_rows = file_rows_,
                    .raw_bytes = static_cast<int64_t>(raw_.size()),
                    .stored_bytes = static_cast<int64_t>(stored.size())};
  if (spool_ == nullptr) {
    piece.bytes = std::string(stored);
  } else {
    ASSIGN_OR_RETURN(piece.object_name, spool_->Put(stored, chunk_index_++));
  }
  return piece;
}

void FileWriter::AddExtraRows() {
  for (int64_t left = form_.fault.extra_rows; left > 0 && last_batch_.num_rows() > 0;) {
    const int64_t rows = std::min(left, last_batch_.num_rows());
    encoder_->Append(last_batch_, 0, rows, &raw_);
    EndMessage();
    left -= rows;
  }
}

Status FileWriter::Compress() {
  compressed_.Clear();
  size_t start = 0;
  size_t last_frame = 0;
  const bool split = form_.fault.split_frames || spool_ == nullptr;
  for (const size_t end : message_ends_) {
    if (!split && end != raw_.size()) continue;
    last_frame = compressed_.size();
    RETURN_IF_ERROR(frames_.Append(raw_.view().substr(start, end - start), &compressed_));
    start = end;
  }
  if (form_.fault.duplicate_frame) {
    const std::string frame(compressed_.view().substr(last_frame));
    compressed_.Append(frame.data(), frame.size());
  }
  return Status::Ok();
}

}  // namespace dbx::local
