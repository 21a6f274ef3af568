// SPDX-License-Identifier: Apache-2.0
#include "sql/row_source.h"

#include <algorithm>
#include <cstring>

namespace dbx::local {
namespace {

constexpr size_t kMaxTextBytes = INT32_MAX;

class MemoryRows : public RowSource {
 public:
  MemoryRows(std::vector<SqlTypeId> types, std::vector<Row> rows)
      : types_(std::move(types)), rows_(std::move(rows)) {}

  Result<bool> Next(ArrowArray* batch) override {
    const size_t count = std::min<size_t>(rows_.size() - at_, kMaxBatchRows);
    if (count == 0) return false;
    std::vector<ArrowArray> children(types_.size());
    for (size_t i = 0; i < types_.size(); ++i) Column(i, count, &children[i]);
    FillArray(static_cast<int64_t>(count), 0, std::vector<GrowingBuffer>(1), std::move(children),
              batch);
    at_ += count;
    return true;
  }

 private:
  template <typename T>
  static void Put(GrowingBuffer& buffer, T value) {
    std::memcpy(buffer.Extend(sizeof(value)), &value, sizeof(value));
  }

  void Column(size_t index, size_t count, ArrowArray* array) const {
    const bool text = types_[index] == SqlTypeId::kString;
    std::vector<GrowingBuffer> buffers(text ? 3 : 2);
    const size_t bitmap_bytes = (count + 7) / 8;
    uint8_t* const valid = buffers[0].Extend(bitmap_bytes);
    std::memset(valid, 0, bitmap_bytes);
    if (text) Put<int32_t>(buffers[1], 0);
    if (types_[index] == SqlTypeId::kBoolean)
      std::memset(buffers[1].Extend(bitmap_bytes), 0, bitmap_bytes);
    int64_t null_count = 0;
    for (size_t i = 0; i < count; ++i) {
      const Cell& cell = rows_[at_ + i][index];
      const bool is_null = std::holds_alternative<std::monostate>(cell);
      null_count += is_null ? 1 : 0;
      if (!is_null) valid[i / 8] |= static_cast<uint8_t>(1U << (i % 8));
      Value(cell, types_[index], i, buffers);
    }
    FillArray(static_cast<int64_t>(count), null_count, std::move(buffers), {}, array);
  }

  static void Value(const Cell& cell, SqlTypeId type, size_t i,
                    std::vector<GrowingBuffer>& buffers) {
    const int64_t* const number = std::get_if<int64_t>(&cell);
    const bool* const truth = std::get_if<bool>(&cell);
    const std::string* const text = std::get_if<std::string>(&cell);
    switch (type) {
      case SqlTypeId::kInt:
        return Put<int32_t>(buffers[1], number ? static_cast<int32_t>(*number) : 0);
      case SqlTypeId::kBigint:
        return Put<int64_t>(buffers[1], number ? *number : 0);
      case SqlTypeId::kBoolean:
        if (truth != nullptr && *truth)
          buffers[1].data()[i / 8] |= static_cast<uint8_t>(1U << (i % 8));
        return;
      default:
        if (text != nullptr && !text->empty())
          std::memcpy(buffers[2].Extend(text->size()), text->data(), text->size());
        Put<int32_t>(buffers[1], static_cast<int32_t>(buffers[2].size()));
    }
  }

  std::vector<SqlTypeId> types_;
  std::vector<Row> rows_;
  size_t at_ = 0;
};

}  // namespace

Result<std::unique_ptr<StreamingRows>> StreamingRows::Make(
    std::unique_ptr<EngineResult> result, const std::vector<ResultColumn>& columns,
    std::shared_ptr<const Interruption> interruption, std::unique_ptr<StreamOwner> owner,
    ErrorOf error_of) {
  std::unique_ptr<StreamingRows> rows(new StreamingRows());
  for (size_t i = 0; i < columns.size(); ++i) {
    const LogicalType source(duckdb_column_logical_type(result->get(), i));
    ASSIGN_OR_RETURN(std::unique_ptr<ColumnBuilder> builder,
                     MakeColumnBuilder(columns[i].type, source.get()));
    rows->builders_.push_back(std::move(builder));
  }
  rows->interruption_ = std::move(interruption);
  rows->owner_ = std::move(owner);
  rows->error_of_ = std::move(error_of);
  rows->result_ = std::move(result);
  return rows;
}

StreamingRows::~StreamingRows() {
  if (!ended_ && owner_) owner_->Abandon();
}

Status StreamingRows::Fetch() {
  RETURN_IF_ERROR(interruption_->Check());
  chunk_ = DataChunk(duckdb_fetch_chunk(*result_->get()));
  chunk_offset_ = 0;
  chunk_rows_ = chunk_ ? duckdb_data_chunk_get_size(chunk_.get()) : 0;
  ended_ = !chunk_ || chunk_rows_ == 0;
  if (!ended_) return Status::Ok();
  const std::string_view error = result_->error();
  return error.empty() ? Status::Ok() : error_of_(error);
}

/// Rows of the chunk, of `wanted`, whose texts still go into the batch.
idx_t StreamingRows::FittingRows(idx_t wanted) const {
  idx_t rows = wanted;
  for (size_t i = 0; i < builders_.size(); ++i) {
    const duckdb_vector vector = duckdb_data_chunk_get_vector(chunk_.get(), i);
    const size_t room = kMaxTextBytes - builders_[i]->text_bytes();
    while (rows > 0 && builders_[i]->TextBytes(vector, chunk_offset_, rows) > room) rows /= 2;
  }
  return rows;
}

Status StreamingRows::Append(idx_t count) {
  for (size_t i = 0; i < builders_.size(); ++i) {
    RETURN_IF_ERROR(
        builders_[i]->Append(duckdb_data_chunk_get_vector(chunk_.get(), i), chunk_offset_, count));
  }
  chunk_offset_ += count;
  return Status::Ok();
}

Result<bool> StreamingRows::Next(ArrowArray* batch) {
  if (!failure_.ok()) return failure_;
  idx_t rows = 0;
  while (rows < kMaxBatchRows) {
    if (chunk_offset_ == chunk_rows_) {
      if (ended_) break;
      failure_ = Fetch();
      if (!failure_.ok()) return failure_;
      continue;
    }
    const idx_t wanted = std::min(kMaxBatchRows - rows, chunk_rows_ - chunk_offset_);
    idx_t fitting = FittingRows(wanted);
    if (fitting == 0 && rows > 0) break;
    fitting = std::max<idx_t>(fitting, 1);
    failure_ = Append(fitting);
    if (!failure_.ok()) return failure_;
    rows += fitting;
  }
  if (rows == 0) return false;
  std::vector<ArrowArray> children(builders_.size());
  for (size_t i = 0; i < builders_.size(); ++i) builders_[i]->Finish(&children[i]);
  FillArray(static_cast<int64_t>(rows), 0, std::vector<GrowingBuffer>(1), std::move(children),
            batch);
  return true;
}

std::unique_ptr<RowSource> MakeRows(const std::vector<ResultColumn>& columns,
                                    std::vector<Row> rows) {
  std::vector<SqlTypeId> types;
  types.reserve(columns.size());
  for (const ResultColumn& column : columns) types.push_back(column.type.id);
  return std::make_unique<MemoryRows>(std::move(types), std::move(rows));
}

}  // namespace dbx::local
