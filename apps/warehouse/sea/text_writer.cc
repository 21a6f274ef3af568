// SPDX-License-Identifier: Apache-2.0
#include "sea/text_writer.h"

#include <utility>

#include "result/text_format.h"
#include "sea/cell_text.h"

namespace dbx::local {
namespace {

/// As RFC 4180 has it: between quotes where the text needs them.
void AppendCsvField(std::string_view text, std::string* out) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) {
    out->append(text);
    return;
  }
  out->push_back('"');
  for (const char c : text) {
    if (c == '"') out->push_back('"');
    out->push_back(c);
  }
  out->push_back('"');
}

void AppendCsvHeader(const std::vector<ResultColumn>& columns, std::string* out) {
  for (size_t i = 0; i < columns.size(); ++i) {
    if (i > 0) out->push_back(',');
    AppendCsvField(columns[i].name, out);
  }
  out->append("\r\n");
}

/// One row of a batch, of which each child is a column.
class RowText {
 public:
  RowText(const std::vector<ResultColumn>& columns, const ArrowArray& batch, const TimeZone& zone)
      : columns_(columns), batch_(batch), zone_(zone) {}

  void AppendJson(int64_t row, std::string* out) {
    out->push_back('[');
    for (size_t i = 0; i < columns_.size(); ++i) {
      if (i > 0) out->push_back(',');
      if (Read(i, row)) {
        AppendJsonString(cell_, out);
      } else {
        out->append("null");
      }
    }
    out->push_back(']');
  }

  void AppendCsv(int64_t row, std::string* out) {
    for (size_t i = 0; i < columns_.size(); ++i) {
      if (i > 0) out->push_back(',');
      AppendCsvField(Read(i, row) ? std::string_view(cell_) : "null", out);
    }
    out->append("\r\n");
  }

 private:
  /// False for NULL.
  bool Read(size_t column, int64_t row) {
    const ArrowArray& array = *batch_.children[column];
    const SqlType& type = columns_[column].type;
    row += batch_.offset;
    cell_.clear();
    if (IsNull(type, array, row)) return false;
    AppendCell(type, array, row, zone_, &cell_);
    return true;
  }

  const std::vector<ResultColumn>& columns_;
  const ArrowArray& batch_;
  const TimeZone& zone_;
  std::string cell_;
};

}  // namespace

TextWriter::TextWriter(const ResultForm& form, RowFormat format, Spool* spool, StoredResult* result)
    : form_(form),
      format_(format),
      spool_(spool),
      result_(result),
      zone_(TimeZone::Find(form.time_zone).value_or(TimeZone())),
      files_(form.links && form.inline_limit_bytes < 0) {}

TextWriter::~TextWriter() {
  for (const ResultPiece& piece : done_) {
    if (!piece.object_name.empty()) spool_->Remove(piece.object_name);
  }
}

Status TextWriter::Write(SqlResult rows) {
  LimitedRows limited(rows.rows.get(), rows.columns, form_.limits);
  StartPiece(rows.columns);
  while (true) {
    ASSIGN_OR_RETURN(const std::optional<LimitedRows::Batch> batch, limited.Next());
    if (!batch) break;
    RETURN_IF_ERROR(result_->status());  // somebody may have ended it
    RETURN_IF_ERROR(AddRows(rows.columns, *batch));
  }
  if (piece_rows_ > 0) RETURN_IF_ERROR(ClosePiece());
  RETURN_IF_ERROR(SettleShape());
  result_->SetHeader({.kind = rows.kind,
                      .shape = files_ ? ResultShape::kFiles : ResultShape::kBatches,
                      .columns = std::move(rows.columns),
                      .zone = zone_,
                      .modified_rows = rows.modified_rows});
  for (ResultPiece& piece : std::exchange(done_, {}))
    RETURN_IF_ERROR(result_->Append(std::move(piece)));
  result_->Finish(std::nullopt, limited.cut());
  return result_->status();
}

Status TextWriter::AddRows(const std::vector<ResultColumn>& columns,
                           const LimitedRows::Batch& batch) {
  RowText row_text(columns, *batch.array.get(), zone_);
  for (int64_t row = 0; row < batch.num_rows; ++row) {
    if (piece_rows_ > 0 && static_cast<int64_t>(text_.size()) >= form_.chunk_bytes) {
      RETURN_IF_ERROR(ClosePiece());
      StartPiece(columns);
    }
    if (format_ == RowFormat::kCsv) {
      row_text.AppendCsv(row, &text_);
    } else {
      if (piece_rows_ > 0) text_.push_back(',');
      row_text.AppendJson(row, &text_);
    }
    piece_rows_ += 1;
  }
  return SettleShape();
}

void TextWriter::StartPiece(const std::vector<ResultColumn>& columns) {
  row_offset_ += piece_rows_;
  piece_rows_ = 0;
  text_.clear();
  if (format_ == RowFormat::kJsonArray) text_.push_back('[');
  if (format_ == RowFormat::kCsv && row_offset_ == 0) AppendCsvHeader(columns, &text_);
}

Status TextWriter::ClosePiece() {
  if (format_ == RowFormat::kJsonArray) text_.push_back(']');
  const auto size = static_cast<int64_t>(text_.size());
  ResultPiece piece{
      .row_offset = row_offset_, .num_rows = piece_rows_, .raw_bytes = size, .stored_bytes = size};
  num_bytes_ += size;
  if (files_) {
    ASSIGN_OR_RETURN(piece.object_name, spool_->Put(text_, static_cast<int64_t>(done_.size())));
  } else {
    piece.bytes = std::move(text_);
  }
  text_.clear();
  done_.push_back(std::move(piece));
  return Status::Ok();
}

Status TextWriter::SettleShape() {
  const int64_t size = num_bytes_ + static_cast<int64_t>(text_.size());
  if (!form_.links) {
    const bool too_large = form_.inline_max_bytes > 0 && size > form_.inline_max_bytes;
    return too_large ? InlineLimitExceeded(form_.inline_max_bytes) : Status::Ok();
  }
  if (files_ || size <= form_.inline_limit_bytes) return Status::Ok();
  files_ = true;
  for (size_t i = 0; i < done_.size(); ++i) {
    ASSIGN_OR_RETURN(done_[i].object_name, spool_->Put(done_[i].bytes, static_cast<int64_t>(i)));
    done_[i].bytes.clear();
  }
  return Status::Ok();
}

}  // namespace dbx::local
