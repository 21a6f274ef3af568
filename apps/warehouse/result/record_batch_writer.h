// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "result/byte_buffer.h"

struct ArrowArray;

namespace dbx::local {

/// How the buffers of one column lie in memory, which is all that writing a batch has to know of
/// its type.
struct ColumnLayout {
  enum class Kind : uint8_t { kNull, kBits, kFixed, kBytes, kList, kStruct };

  Kind kind = Kind::kNull;
  int32_t width = 0;                        ///< kFixed: bytes of a value
  std::vector<ColumnLayout> children = {};  ///< kList (also maps): the element; kStruct: the fields
};

/// Writes rows of Arrow arrays as encapsulated RecordBatch messages (metadata version V5, no IPC
/// compression, buffers at multiples of 8 bytes, every validity bitmap present). The values are
/// copied once, from the column's buffers to their place in the message. One thread.
class RecordBatchWriter {
 public:
  explicit RecordBatchWriter(std::vector<ColumnLayout> columns);

  /// Appends rows [first_row, first_row + num_rows) of `columns`, one array a layout, as one
  /// message. The arrays may have offsets; rows must exist.
  void Append(const std::vector<const ArrowArray*>& columns, int64_t first_row, int64_t num_rows,
              ByteBuffer* out);

  /// Bytes of the body that Append would write for these rows, within the padding.
  int64_t BodyBytes(const std::vector<const ArrowArray*>& columns, int64_t first_row,
                    int64_t num_rows) const;

 private:
  struct Node {
    int64_t length, null_count;
  };
  struct Region {
    int64_t offset, length;
  };

  void Gather(const ColumnLayout& layout, const ArrowArray& array, int64_t first, int64_t length);
  void GatherValidity(const ArrowArray& array, int64_t first, int64_t length);
  void GatherOffsets(const ArrowArray& array, int64_t first, int64_t length);
  void AddRegion(const void* bytes, int64_t num_bytes);
  uint8_t* StartRegion(int64_t num_bytes);
  void WriteMetadata(int64_t num_rows, uint8_t* place) const;

  const std::vector<ColumnLayout> columns_;
  size_t metadata_bytes_ = 0;

  ByteBuffer* out_ = nullptr;  ///< during Append
  size_t body_start_ = 0;
  std::vector<Node> nodes_;
  std::vector<Region> regions_;
};

}  // namespace dbx::local
