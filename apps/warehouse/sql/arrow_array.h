// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "arrow-adbc/adbc.h"

namespace dbx::local {

/// Grows a block of memory without clearing it; aligned to 64 bytes as Arrow likes it.
class GrowingBuffer {
 public:
  GrowingBuffer() = default;
  ~GrowingBuffer();
  GrowingBuffer(GrowingBuffer&& other) noexcept;
  GrowingBuffer& operator=(GrowingBuffer&& other) noexcept;

  uint8_t* data() { return data_; }
  size_t size() const { return size_; }
  /// Makes room for `num_bytes` more and returns where they begin; their content is not set.
  uint8_t* Extend(size_t num_bytes);

 private:
  uint8_t* data_ = nullptr;
  size_t size_ = 0;
  size_t capacity_ = 0;
};

/// An ArrowArray whose release frees all that it was made of. `buffers[0]` is the validity,
/// possibly empty.
void FillArray(int64_t length, int64_t null_count, std::vector<GrowingBuffer> buffers,
               std::vector<ArrowArray> children, ArrowArray* array);

}  // namespace dbx::local
