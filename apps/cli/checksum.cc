// SPDX-License-Identifier: Apache-2.0
#include "checksum.h"

#include <bit>
#include <cstring>

namespace dbx::cli {
namespace {

constexpr uint64_t kNullHash = 0x9E3779B97F4A7C15;

/// Spreads every bit of `value` over the word (the finalizer of splitmix64).
uint64_t Mix(uint64_t value) {
  value += 0x9E3779B97F4A7C15;
  value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9;
  value = (value ^ (value >> 27)) * 0x94D049BB133111EB;
  return value ^ (value >> 31);
}

uint64_t HashBytes(const void* data, size_t num_bytes) {
  const auto* bytes = static_cast<const uint8_t*>(data);
  uint64_t hash = Mix(num_bytes);
  for (; num_bytes >= 8; num_bytes -= 8, bytes += 8) {
    uint64_t word = 0;
    std::memcpy(&word, bytes, 8);
    hash = Mix(hash ^ word);
  }
  if (num_bytes > 0) {
    uint64_t word = 0;
    std::memcpy(&word, bytes, num_bytes);
    hash = Mix(hash ^ word);
  }
  return hash;
}

uint64_t HashValue(const ArrowArrayView& view, int64_t row);

uint64_t HashRange(const ArrowArrayView& items, int64_t first, int64_t last) {
  uint64_t hash = Mix(static_cast<uint64_t>(last - first));
  for (int64_t i = first; i < last; ++i) hash = Mix(hash ^ HashValue(items, i));
  return hash;
}

uint64_t HashFields(const ArrowArrayView& view, int64_t row) {
  uint64_t hash = Mix(static_cast<uint64_t>(view.n_children));
  for (int64_t i = 0; i < view.n_children; ++i)
    hash = Mix(hash ^ HashValue(*view.children[i], view.offset + row));
  return hash;
}

/// -0.0 and 0.0 are one value, and so are all NaNs.
uint64_t HashDouble(double value) {
  if (value == 0) value = 0;
  if (value != value) return Mix(0x7FF8000000000000);
  return Mix(std::bit_cast<uint64_t>(value));
}

uint64_t HashValue(const ArrowArrayView& view, int64_t row) {
  if (ArrowArrayViewIsNull(&view, row) != 0) return kNullHash;
  switch (view.storage_type) {
    case NANOARROW_TYPE_STRUCT:
      return HashFields(view, row);
    case NANOARROW_TYPE_LIST:
    case NANOARROW_TYPE_MAP:
    case NANOARROW_TYPE_LARGE_LIST:
      return HashRange(*view.children[0], ArrowArrayViewListChildOffset(&view, view.offset + row),
                       ArrowArrayViewListChildOffset(&view, view.offset + row + 1));
    case NANOARROW_TYPE_STRING:
    case NANOARROW_TYPE_LARGE_STRING:
    case NANOARROW_TYPE_BINARY:
    case NANOARROW_TYPE_LARGE_BINARY:
    case NANOARROW_TYPE_FIXED_SIZE_BINARY: {
      const ArrowBufferView bytes = ArrowArrayViewGetBytesUnsafe(&view, row);
      return HashBytes(bytes.data.data, static_cast<size_t>(bytes.size_bytes));
    }
    case NANOARROW_TYPE_FLOAT:
    case NANOARROW_TYPE_HALF_FLOAT:
    case NANOARROW_TYPE_DOUBLE:
      return HashDouble(ArrowArrayViewGetDoubleUnsafe(&view, row));
    case NANOARROW_TYPE_DECIMAL128:
    case NANOARROW_TYPE_INTERVAL_MONTH_DAY_NANO:
      return HashBytes(view.buffer_views[1].data.as_uint8 + 16 * (view.offset + row), 16);
    case NANOARROW_TYPE_DECIMAL256:
      return HashBytes(view.buffer_views[1].data.as_uint8 + 32 * (view.offset + row), 32);
    case NANOARROW_TYPE_INTERVAL_DAY_TIME:
      return HashBytes(view.buffer_views[1].data.as_uint8 + 8 * (view.offset + row), 8);
    case NANOARROW_TYPE_INTERVAL_MONTHS:
      return Mix(static_cast<uint64_t>(view.buffer_views[1].data.as_int32[view.offset + row]));
    default:
      return Mix(static_cast<uint64_t>(ArrowArrayViewGetIntUnsafe(&view, row)));
  }
}

}  // namespace

ColumnChecksums::ColumnChecksums(const ArrowSchema* schema) {
  NANOARROW_THROW_NOT_OK(ArrowArrayViewInitFromSchema(view_.get(), schema, nullptr));
  for (int64_t i = 0; i < schema->n_children; ++i)
    columns_.push_back({.name = schema->children[i]->name});
}

void ColumnChecksums::Add(const ArrowArray& batch) {
  NANOARROW_THROW_NOT_OK(ArrowArrayViewSetArray(view_.get(), &batch, nullptr));
  for (size_t i = 0; i < columns_.size(); ++i) {
    const ArrowArrayView& view = *view_->children[i];
    for (int64_t row = 0; row < batch.length; ++row) {
      columns_[i].sum += HashValue(view, batch.offset + row);
      columns_[i].nulls += ArrowArrayViewIsNull(&view, batch.offset + row);
    }
  }
}

uint64_t ColumnChecksums::Total() const {
  uint64_t total = 0;
  for (const Column& column : columns_) total = Mix(total ^ column.sum);
  return total;
}

}  // namespace dbx::cli
