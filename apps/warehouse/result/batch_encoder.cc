// SPDX-License-Identifier: Apache-2.0
#include "result/batch_encoder.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/str_cat.h"
#include "result/text_format.h"

namespace dbx::local {
namespace {

constexpr int64_t kRowStep = 64;  // cuts at multiples of this need no shifting of bitmaps

std::vector<ColumnLayout> Layouts(const std::vector<ResultColumn>& columns,
                                  const NativeTypes& native) {
  std::vector<ColumnLayout> layouts;
  layouts.reserve(columns.size());
  for (const ResultColumn& column : columns) layouts.push_back(LayoutOf(column.type, native));
  return layouts;
}

}  // namespace

BatchEncoder::BatchEncoder(const std::vector<ResultColumn>& columns, const NativeTypes& native,
                           const TimeZone& zone, int64_t batch_bytes)
    : columns_(columns),
      native_(native),
      zone_(zone),
      batch_bytes_(std::max<int64_t>(batch_bytes, 1)),
      writer_(Layouts(columns, native)) {}

Result<WireBatch> BatchEncoder::Convert(nanoarrow::UniqueArray batch) const {
  if (batch->n_children != static_cast<int64_t>(columns_.size())) {
    return Status::Internal(
        StrCat("batch of ", batch->n_children, " columns, not ", columns_.size()));
  }
  WireBatch wire;
  for (size_t i = 0; i < columns_.size(); ++i) {
    const ArrowArray* column = batch->children[i];
    if (TravelsAsText(columns_[i].type, native_)) {
      ASSIGN_OR_RETURN(nanoarrow::UniqueArray texts,
                       ToTexts(columns_[i].type, *column, batch->offset, batch->length));
      wire.texts_.push_back(std::move(texts));
      column = nullptr;  // its place is known once all texts are made
    }
    wire.columns_.push_back(column);
  }
  size_t next_text = 0;
  for (const ArrowArray*& column : wire.columns_) {
    if (column == nullptr) column = wire.texts_[next_text++].get();
  }
  wire.source_ = std::move(batch);
  return wire;
}

int64_t BatchEncoder::NumBytes(const WireBatch& batch, int64_t num_rows) const {
  return writer_.BodyBytes(batch.columns_, batch.source_->offset, num_rows);
}

int64_t BatchEncoder::RowsPerMessage(const WireBatch& batch) const {
  const int64_t num_rows = batch.num_rows();
  const int64_t num_bytes = NumBytes(batch, num_rows);
  const int64_t num_messages = (num_bytes + batch_bytes_ - 1) / batch_bytes_;
  if (num_messages <= 1) return num_rows;
  const int64_t share = std::max<int64_t>((num_rows + num_messages - 1) / num_messages, 1);
  return share < kRowStep ? share : (share + kRowStep - 1) / kRowStep * kRowStep;
}

void BatchEncoder::Append(const WireBatch& batch, int64_t first, int64_t num_rows,
                          ByteBuffer* out) {
  writer_.Append(batch.columns_, batch.source_->offset + first, num_rows, out);
}

Result<nanoarrow::UniqueArray> BatchEncoder::ToTexts(const SqlType& type, const ArrowArray& column,
                                                     int64_t first, int64_t num_rows) const {
  nanoarrow::UniqueArray texts;
  ArrowErrorCode code = ArrowArrayInitFromType(texts.get(), NANOARROW_TYPE_STRING);
  if (code == NANOARROW_OK) code = ArrowArrayStartAppending(texts.get());
  // The texts stand at the same row numbers as the source's columns, offset included.
  if (code == NANOARROW_OK) code = ArrowArrayAppendEmpty(texts.get(), first);
  std::string text;
  for (int64_t row = first; code == NANOARROW_OK && row < first + num_rows; ++row) {
    if (IsNull(type, column, row)) {
      code = ArrowArrayAppendNull(texts.get(), 1);
      continue;
    }
    text.clear();
    AppendText(type, column, row, zone_, &text);
    code = ArrowArrayAppendString(texts.get(), {text.data(), static_cast<int64_t>(text.size())});
  }
  if (code == NANOARROW_OK) code = ArrowArrayFinishBuildingDefault(texts.get(), nullptr);
  if (code != NANOARROW_OK) return Status::Internal(StrCat("texts of a column: error ", code));
  return texts;
}

}  // namespace dbx::local
