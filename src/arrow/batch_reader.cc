// SPDX-License-Identifier: Apache-2.0
#include "arrow/batch_reader.h"

#include <array>
#include <cstring>
#include <limits>

#include "arrow/flat_table.h"
#include "arrow/ipc_format.h"
#include "base/str_cat.h"

namespace dbx {
namespace {

// Far above what the service sends (4,096 rows), and small enough that no product below can
// overflow.
constexpr int64_t kMostRows = std::numeric_limits<int32_t>::max();

// Where buffers without bytes point to. Consumers may read a first offset even of an array without
// rows.
alignas(64) constexpr uint8_t kNothing[64] = {};

/// Takes the first T off the front of a list.
template <typename T>
Result<T> TakeFront(Bytes& list, std::string_view what) {
  if (list.size() < sizeof(T)) return Status::InvalidData(StrCat("too few ", what));
  T value;
  std::memcpy(&value, list.data(), sizeof(T));
  list = list.subspan(sizeof(T));
  return value;
}

/// The bytes that a buffer must have at least for `array`.
int64_t NeededBytes(const ColumnLayout::Buffer& buffer, const ArrowArray& array) {
  constexpr int64_t kBitsPerByte = 8;
  const int64_t num_rows = array.length;
  switch (buffer.kind) {
    case NANOARROW_BUFFER_TYPE_VALIDITY:
      return array.null_count == 0 ? 0 : (num_rows + 7) / 8;
    case NANOARROW_BUFFER_TYPE_DATA_OFFSET:
      return num_rows == 0 ? 0 : (num_rows + 1) * (buffer.element_bits / kBitsPerByte);
    default:
      break;
  }
  return buffer.element_bits < kBitsPerByte ? (num_rows * buffer.element_bits + 7) / 8
                                            : num_rows * (buffer.element_bits / kBitsPerByte);
}

/// Offsets must rise from 0 or more to `limit` at most. Without a branch in the loop, so that it
/// costs little.
template <typename T>
bool AreOffsetsGood(const void* offsets, int64_t num_rows, int64_t limit) {
  const T* const values = static_cast<const T*>(offsets);
  unsigned falls = 0;
  for (int64_t i = 0; i < num_rows; ++i) falls |= values[i + 1] < values[i] ? 1U : 0U;
  return falls == 0 && values[0] >= 0 && values[num_rows] <= limit;
}

/// Compares the offsets of `array` with the `limit` elements that they lead to.
Status CheckOffsets(const ColumnLayout::Buffer& buffer, const ArrowArray& array, int64_t limit) {
  if (array.length == 0) return Status::Ok();
  const void* const offsets = array.buffers[1];
  const bool good = buffer.element_bits == 64
                        ? AreOffsetsGood<int64_t>(offsets, array.length, limit)
                        : AreOffsetsGood<int32_t>(offsets, array.length, limit);
  if (good) return Status::Ok();
  return Status::InvalidData(StrCat("offsets fall, or lead out of their ", limit, " elements"));
}

/// Compares the children's lengths with what `array` needs of them.
Status CheckChildren(const ColumnLayout& layout, const ArrowArray& array) {
  for (int64_t i = 0; i < array.n_children; ++i) {
    const int64_t found = array.children[i]->length;
    int64_t needed = 0;
    switch (layout.type) {
      case NANOARROW_TYPE_STRUCT:
        needed = array.length;
        break;
      case NANOARROW_TYPE_FIXED_SIZE_LIST:
        needed = array.length * layout.fixed_list_size;
        break;
      default:
        RETURN_IF_ERROR(CheckOffsets(layout.buffers[1], array, found));
        break;
    }
    if (found < needed) {
      return Status::InvalidData(StrCat("child has ", found, " rows, ", needed, " needed"));
    }
  }
  return Status::Ok();
}

bool HasVariableData(const ColumnLayout& layout) {
  constexpr size_t kNumBuffers = 3;
  return layout.buffers.size() == kNumBuffers &&
         layout.buffers[1].kind == NANOARROW_BUFFER_TYPE_DATA_OFFSET;
}

}  // namespace

Status BatchReader::ReadHeader() {
  ASSIGN_OR_RETURN(const FlatTable message, FlatTable::Root(metadata_));
  ASSIGN_OR_RETURN(const FlatTable batch, message.Table(ipc_format::kMessageHeader));
  if (batch.Has(ipc_format::kBatchCompression)) {
    return Status::InvalidData("compressed buffers are not supported");
  }
  ASSIGN_OR_RETURN(num_rows_, batch.Scalar<int64_t>(ipc_format::kBatchLength, 0));
  if (num_rows_ < 0 || num_rows_ > kMostRows) {
    return Status::InvalidData(StrCat(num_rows_, " rows are not possible"));
  }
  ASSIGN_OR_RETURN(nodes_, batch.Vector(ipc_format::kBatchNodes, sizeof(ipc_format::Node)));
  ASSIGN_OR_RETURN(buffers_, batch.Vector(ipc_format::kBatchBuffers, sizeof(ipc_format::Place)));
  return Status::Ok();
}

Status BatchReader::Read() {
  RETURN_IF_ERROR(ReadHeader());
  const size_t num_columns = layout_.children.size();
  ArrowArray* const root = tree_->Add(layout_.buffers.size(), num_columns);
  root->length = num_rows_;
  for (size_t i = 0; i < num_columns; ++i) {
    Result<ArrowArray*> column = ReadArray(layout_.children[i]);
    if (!column.ok()) {
      return column.status().WithContext(StrCat("column ", i, " '", layout_.children[i].name, "'"));
    }
    if ((*column)->length != num_rows_) {
      return Status::InvalidData(StrCat("column ", i, " '", layout_.children[i].name, "': ",
                                        (*column)->length, " rows, the batch has ", num_rows_));
    }
    root->children[i] = *column;
  }
  if (!nodes_.empty() || !buffers_.empty()) {
    return Status::InvalidData("more arrays or buffers than the schema has columns");
  }
  return Status::Ok();
}

Result<ArrowArray*> BatchReader::ReadArray(const ColumnLayout& layout) {
  ASSIGN_OR_RETURN(const ipc_format::Node node, TakeFront<ipc_format::Node>(nodes_, "arrays"));
  if (node.length < 0 || node.length > kMostRows) {
    return Status::InvalidData(StrCat(node.length, " rows are not possible"));
  }
  if (node.null_count < 0 || node.null_count > node.length) {
    return Status::InvalidData(StrCat(node.null_count, " nulls in ", node.length, " rows"));
  }
  ArrowArray* const array = tree_->Add(layout.buffers.size(), layout.children.size());
  array->length = node.length;
  array->null_count = layout.type == NANOARROW_TYPE_NA ? node.length : node.null_count;
  RETURN_IF_ERROR(ReadBuffers(layout, array));
  for (size_t i = 0; i < layout.children.size(); ++i) {
    ASSIGN_OR_RETURN(array->children[i], ReadArray(layout.children[i]));
  }
  RETURN_IF_ERROR(CheckChildren(layout, *array));
  return array;
}

Status BatchReader::ReadBuffers(const ColumnLayout& layout, ArrowArray* array) {
  int64_t last_size = 0;
  for (size_t i = 0; i < layout.buffers.size(); ++i) {
    const ColumnLayout::Buffer& buffer = layout.buffers[i];
    ASSIGN_OR_RETURN(const Bytes bytes, NextBuffer());
    last_size = static_cast<int64_t>(bytes.size());
    const int64_t needed = NeededBytes(buffer, *array);
    if (last_size < needed) {
      return Status::InvalidData(StrCat("buffer ", i, ": ", last_size, " bytes, ", needed,
                                        " needed for ", array->length, " rows"));
    }
    const bool is_needless_bitmap =
        buffer.kind == NANOARROW_BUFFER_TYPE_VALIDITY && array->null_count == 0;
    array->buffers[i] = is_needless_bitmap ? nullptr : Place(bytes, buffer.alignment);
  }
  return HasVariableData(layout) ? CheckOffsets(layout.buffers[1], *array, last_size)
                                 : Status::Ok();
}

Result<Bytes> BatchReader::NextBuffer() {
  ASSIGN_OR_RETURN(const ipc_format::Place place,
                   TakeFront<ipc_format::Place>(buffers_, "buffers"));
  if (place.length == 0) return Bytes();
  const auto body_bytes = static_cast<int64_t>(body_.size());
  if (place.offset < 0 || place.offset > body_bytes || place.length < 0 ||
      place.length > body_bytes - place.offset) {
    return Status::InvalidData(StrCat("a buffer of ", place.length, " bytes at ", place.offset,
                                      " leads out of the body of ", body_bytes));
  }
  return body_.subspan(static_cast<size_t>(place.offset), static_cast<size_t>(place.length));
}

const void* BatchReader::Place(Bytes bytes, size_t alignment) {
  if (bytes.empty()) return kNothing;
  if (reinterpret_cast<uintptr_t>(bytes.data()) % alignment == 0) return bytes.data();
  ++num_copies_;
  copied_bytes_ += static_cast<int64_t>(bytes.size());
  return tree_->KeepCopy(bytes);
}

}  // namespace dbx
