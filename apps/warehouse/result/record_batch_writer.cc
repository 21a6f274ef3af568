// SPDX-License-Identifier: Apache-2.0
#include "result/record_batch_writer.h"

#include <nanoarrow/nanoarrow.h>

#include <bit>
#include <cstring>
#include <utility>

namespace dbx::local {
namespace {

// The flatbuffer of a RecordBatch message has one shape: two vtables, two tables, two vectors. Byte
// positions of its parts; what depends on the number of nodes comes last.
constexpr size_t kMessageVtable = 4;
constexpr size_t kBatchVtable = 16;
constexpr size_t kMessageTable = 32;
constexpr size_t kBatchTable = 56;
constexpr size_t kNodeCount = 76;
constexpr size_t kNodes = 80;
constexpr size_t kPrefix = 8;  // continuation mark and metadata length
constexpr int16_t kMetadataV5 = 4;
constexpr uint8_t kRecordBatchHeader = 3;

struct Shape {
  size_t num_nodes = 0, num_regions = 0;
};

void Measure(const ColumnLayout& layout, Shape* shape) {
  ++shape->num_nodes;
  switch (layout.kind) {
    case ColumnLayout::Kind::kNull:
      break;
    case ColumnLayout::Kind::kStruct:
      shape->num_regions += 1;
      break;
    case ColumnLayout::Kind::kBytes:
      shape->num_regions += 3;
      break;
    default:
      shape->num_regions += 2;
      break;
  }
  for (const ColumnLayout& child : layout.children) Measure(child, shape);
}

template <typename T>
void Store(uint8_t* place, T value) {
  static_assert(std::endian::native == std::endian::little);
  std::memcpy(place, &value, sizeof(value));
}

void CopyBits(const uint8_t* from, int64_t first, int64_t length, uint8_t* to) {
  const int64_t num_bytes = (length + 7) / 8;
  from += first / 8;
  const int shift = static_cast<int>(first % 8);
  if (shift == 0) {
    std::memcpy(to, from, static_cast<size_t>(num_bytes));
  } else {
    const int64_t last = (shift + length + 7) / 8 - 1;  // the last byte that holds a wanted bit
    for (int64_t i = 0; i < num_bytes; ++i) {
      const int high = i < last ? from[i + 1] << (8 - shift) : 0;
      to[i] = static_cast<uint8_t>(from[i] >> shift | high);
    }
  }
  if (length % 8 != 0) to[num_bytes - 1] &= static_cast<uint8_t>((1 << length % 8) - 1);
}

int64_t CountZeroBits(const uint8_t* bits, int64_t length) {
  int64_t ones = 0;
  int64_t i = 0;
  for (; i + 8 <= (length + 7) / 8; i += 8) {
    uint64_t word = 0;
    std::memcpy(&word, bits + i, sizeof(word));
    ones += std::popcount(word);
  }
  for (; i < (length + 7) / 8; ++i) ones += std::popcount(bits[i]);
  return length - ones;
}

const int32_t* Offsets(const ArrowArray& array) {
  return static_cast<const int32_t*>(array.buffers[1]);
}

/// Where rows [first, first + length) of a list or of text lie in what is below; an array of no
/// rows may lack offsets.
std::pair<int64_t, int64_t> Span(const ArrowArray& array, int64_t first, int64_t length) {
  if (length == 0) return {0, 0};
  return {Offsets(array)[first], Offsets(array)[first + length]};
}

int64_t LayoutBytes(const ColumnLayout& layout, const ArrowArray& array, int64_t first,
                    int64_t length) {
  first += array.offset;
  const int64_t bits = (length + 7) / 8;
  switch (layout.kind) {
    case ColumnLayout::Kind::kNull:
      return 0;
    case ColumnLayout::Kind::kBits:
      return 2 * bits;
    case ColumnLayout::Kind::kFixed:
      return bits + layout.width * length;
    case ColumnLayout::Kind::kBytes: {
      const auto [start, end] = Span(array, first, length);
      return bits + 4 * (length + 1) + (end - start);
    }
    case ColumnLayout::Kind::kList: {
      const auto [start, end] = Span(array, first, length);
      return bits + 4 * (length + 1) +
             LayoutBytes(layout.children[0], *array.children[0], start, end - start);
    }
    case ColumnLayout::Kind::kStruct:
      break;
  }
  int64_t num_bytes = bits;
  for (size_t i = 0; i < layout.children.size(); ++i) {
    num_bytes += LayoutBytes(layout.children[i], *array.children[i], first, length);
  }
  return num_bytes;
}

}  // namespace

RecordBatchWriter::RecordBatchWriter(std::vector<ColumnLayout> columns)
    : columns_(std::move(columns)) {
  Shape shape;
  for (const ColumnLayout& column : columns_) Measure(column, &shape);
  metadata_bytes_ = kNodes + 16 * shape.num_nodes + 8 + 16 * shape.num_regions;
  nodes_.reserve(shape.num_nodes);
  regions_.reserve(shape.num_regions);
}

void RecordBatchWriter::Append(const std::vector<const ArrowArray*>& columns, int64_t first_row,
                               int64_t num_rows, ByteBuffer* out) {
  nodes_.clear();
  regions_.clear();
  out_ = out;
  const size_t start = out->size();
  out->Extend(kPrefix + metadata_bytes_);
  body_start_ = out->size();
  for (size_t i = 0; i < columns_.size(); ++i)
    Gather(columns_[i], *columns[i], first_row, num_rows);
  WriteMetadata(num_rows, out->data() + start);
}

int64_t RecordBatchWriter::BodyBytes(const std::vector<const ArrowArray*>& columns,
                                     int64_t first_row, int64_t num_rows) const {
  int64_t num_bytes = 0;
  for (size_t i = 0; i < columns_.size(); ++i)
    num_bytes += LayoutBytes(columns_[i], *columns[i], first_row, num_rows);
  return num_bytes;
}

void RecordBatchWriter::Gather(const ColumnLayout& layout, const ArrowArray& array, int64_t first,
                               int64_t length) {
  first += array.offset;
  if (layout.kind == ColumnLayout::Kind::kNull) {
    nodes_.push_back({length, length});
    return;
  }
  GatherValidity(array, first, length);
  switch (layout.kind) {
    case ColumnLayout::Kind::kNull:
      break;
    case ColumnLayout::Kind::kBits: {
      uint8_t* const bits = StartRegion((length + 7) / 8);
      if (length > 0) CopyBits(static_cast<const uint8_t*>(array.buffers[1]), first, length, bits);
      break;
    }
    case ColumnLayout::Kind::kFixed:
      AddRegion(static_cast<const uint8_t*>(array.buffers[1]) + first * layout.width,
                layout.width * length);
      break;
    case ColumnLayout::Kind::kBytes: {
      GatherOffsets(array, first, length);
      const auto [start, end] = Span(array, first, length);
      AddRegion(static_cast<const uint8_t*>(array.buffers[2]) + start, end - start);
      break;
    }
    case ColumnLayout::Kind::kList: {
      GatherOffsets(array, first, length);
      const auto [start, end] = Span(array, first, length);
      Gather(layout.children[0], *array.children[0], start, end - start);
      break;
    }
    case ColumnLayout::Kind::kStruct:
      for (size_t i = 0; i < layout.children.size(); ++i)
        Gather(layout.children[i], *array.children[i], first, length);
      break;
  }
}

void RecordBatchWriter::GatherValidity(const ArrowArray& array, int64_t first, int64_t length) {
  const int64_t num_bytes = (length + 7) / 8;
  uint8_t* const bits = StartRegion(num_bytes);
  int64_t null_count = 0;
  if (length > 0 && array.null_count != 0 && array.buffers[0] != nullptr) {
    CopyBits(static_cast<const uint8_t*>(array.buffers[0]), first, length, bits);
    null_count = CountZeroBits(bits, length);
  } else if (length > 0) {
    std::memset(bits, 0xFF, static_cast<size_t>(num_bytes));
    if (length % 8 != 0) bits[num_bytes - 1] = static_cast<uint8_t>((1 << length % 8) - 1);
  }
  nodes_.push_back({length, null_count});
}

void RecordBatchWriter::GatherOffsets(const ArrowArray& array, int64_t first, int64_t length) {
  auto* const to = reinterpret_cast<int32_t*>(StartRegion(4 * (length + 1)));
  if (length == 0) {
    to[0] = 0;
    return;
  }
  const int32_t* const from = Offsets(array) + first;
  const int32_t base = from[0];
  for (int64_t i = 0; i <= length; ++i) to[i] = from[i] - base;
}

void RecordBatchWriter::AddRegion(const void* bytes, int64_t num_bytes) {
  uint8_t* const place = StartRegion(num_bytes);
  if (num_bytes > 0) std::memcpy(place, bytes, static_cast<size_t>(num_bytes));
}

uint8_t* RecordBatchWriter::StartRegion(int64_t num_bytes) {
  const size_t start = out_->size();
  regions_.push_back({static_cast<int64_t>(start - body_start_), num_bytes});
  const auto padded = static_cast<size_t>((num_bytes + 7) / 8 * 8);
  uint8_t* const place = out_->Extend(padded);
  if (padded > 0) std::memset(place + padded - 8, 0, 8);
  return place;
}

void RecordBatchWriter::WriteMetadata(int64_t num_rows, uint8_t* place) const {
  std::memset(place, 0, kPrefix + metadata_bytes_);
  Store<uint32_t>(place, 0xFFFFFFFF);
  Store<uint32_t>(place + 4, static_cast<uint32_t>(metadata_bytes_));
  uint8_t* const at = place + kPrefix;
  Store<uint32_t>(at, kMessageTable);

  // Message: version, header type, header, body length. Table of 20 bytes.
  const uint16_t message_vtable[] = {12, 20, 16, 18, 4, 8};
  std::memcpy(at + kMessageVtable, message_vtable, sizeof(message_vtable));
  Store<int32_t>(at + kMessageTable, kMessageTable - kMessageVtable);
  Store<uint32_t>(at + kMessageTable + 4, kBatchTable - (kMessageTable + 4));
  Store<int64_t>(at + kMessageTable + 8, static_cast<int64_t>(out_->size() - body_start_));
  Store<int16_t>(at + kMessageTable + 16, kMetadataV5);
  at[kMessageTable + 18] = kRecordBatchHeader;

  // RecordBatch: length, nodes, buffers. Table of 20 bytes.
  const uint16_t batch_vtable[] = {10, 20, 8, 4, 16};
  std::memcpy(at + kBatchVtable, batch_vtable, sizeof(batch_vtable));
  const size_t region_count = kNodes + 16 * nodes_.size() + 4;
  Store<int32_t>(at + kBatchTable, kBatchTable - kBatchVtable);
  Store<uint32_t>(at + kBatchTable + 4, kNodeCount - (kBatchTable + 4));
  Store<int64_t>(at + kBatchTable + 8, num_rows);
  Store<uint32_t>(at + kBatchTable + 16, static_cast<uint32_t>(region_count - (kBatchTable + 16)));

  Store<uint32_t>(at + kNodeCount, static_cast<uint32_t>(nodes_.size()));
  if (!nodes_.empty()) std::memcpy(at + kNodes, nodes_.data(), 16 * nodes_.size());
  Store<uint32_t>(at + region_count, static_cast<uint32_t>(regions_.size()));
  if (!regions_.empty()) std::memcpy(at + region_count + 4, regions_.data(), 16 * regions_.size());
}

}  // namespace dbx::local
