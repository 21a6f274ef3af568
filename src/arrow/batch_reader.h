// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "arrow/array_tree.h"
#include "arrow/column_layout.h"
#include "base/bytes.h"
#include "base/status.h"

namespace dbx {

/// Reads one record batch message into arrays whose buffers are slices of its body. Nothing that
/// the message says is believed before it is compared with the body: neither row counts, nor
/// buffers' places, nor offsets.
class BatchReader {
 public:
  /// `layout` is that of the struct of columns; all arguments outlive this.
  BatchReader(const ColumnLayout& layout, Bytes metadata, Bytes body, ArrayTree* tree)
      : layout_(layout), metadata_(metadata), body_(body), tree_(tree) {}

  /// Adds the whole batch to the tree. After a failure the tree is of no use. Errors: kInvalidData.
  Status Read();

  /// Buffers that had to be copied, because they did not lie at their type's alignment.
  int64_t num_copies() const { return num_copies_; }
  int64_t copied_bytes() const { return copied_bytes_; }

 private:
  Status ReadHeader();
  Result<ArrowArray*> ReadArray(const ColumnLayout& layout);
  Status ReadBuffers(const ColumnLayout& layout, ArrowArray* array);
  Result<Bytes> NextBuffer();
  const void* Place(Bytes bytes, size_t alignment);

  const ColumnLayout& layout_;
  const Bytes metadata_;
  const Bytes body_;
  ArrayTree* const tree_;
  int64_t num_rows_ = 0;
  Bytes nodes_;    // what is left of the list of lengths, one element an array
  Bytes buffers_;  // what is left of the list of places, one element a buffer
  int64_t num_copies_ = 0;
  int64_t copied_bytes_ = 0;
};

}  // namespace dbx
