// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#include "duckdb.h"
#include "sql/arrow_array.h"

namespace dbx::local {

/// Which values are there, one bit each. No buffer as long as all are.
class Validity {
 public:
  void Append(const uint64_t* mask, idx_t offset, idx_t count) {
    const int64_t nulls = mask == nullptr ? 0 : CountNulls(mask, offset, count);
    if (nulls == 0 && bits_.size() == 0) {
      length_ += static_cast<int64_t>(count);
      return;
    }
    if (bits_.size() == 0) Begin();
    Grow(count);
    if (nulls == 0) {
      for (idx_t i = 0; i < count; ++i) Set(static_cast<size_t>(length_) + i);
    } else if (length_ % 8 == 0 && offset % 8 == 0) {
      uint8_t* const to = bits_.data() + length_ / 8;
      std::memcpy(to, reinterpret_cast<const uint8_t*>(mask) + offset / 8, (count + 7) / 8);
      // Bits behind the last value belong to values that may come yet.
      if (count % 8 != 0) to[count / 8] &= static_cast<uint8_t>((1U << (count % 8)) - 1);
    } else {
      for (idx_t i = 0; i < count; ++i) {
        const idx_t row = offset + i;
        if ((mask[row / 64] >> (row % 64)) & 1) Set(static_cast<size_t>(length_) + i);
      }
    }
    length_ += static_cast<int64_t>(count);
    null_count_ += nulls;
  }

  int64_t length() const { return length_; }
  int64_t null_count() const { return null_count_; }
  GrowingBuffer Take() {
    length_ = 0;
    null_count_ = 0;
    return std::exchange(bits_, GrowingBuffer());
  }

 private:
  static int64_t CountNulls(const uint64_t* mask, idx_t offset, idx_t count) {
    int64_t valid = 0;
    for (idx_t row = offset; row < offset + count;) {
      const idx_t bit = row % 64;
      const idx_t width = std::min<idx_t>(64 - bit, offset + count - row);
      uint64_t word = mask[row / 64] >> bit;
      if (width < 64) word &= (uint64_t{1} << width) - 1;
      valid += std::popcount(word);
      row += width;
    }
    return static_cast<int64_t>(count) - valid;
  }

  /// All values up to now were there.
  void Begin() {
    const size_t num_bytes = (static_cast<size_t>(length_) + 7) / 8;
    uint8_t* const bytes = bits_.Extend(num_bytes);
    if (num_bytes > 0) std::memset(bytes, 0xFF, num_bytes);
    if (length_ % 8 != 0) bytes[num_bytes - 1] = static_cast<uint8_t>((1U << (length_ % 8)) - 1);
  }

  void Grow(idx_t count) {
    const size_t needed = (static_cast<size_t>(length_) + count + 7) / 8;
    if (needed <= bits_.size()) return;
    const size_t more = needed - bits_.size();
    std::memset(bits_.Extend(more), 0, more);
  }

  void Set(size_t index) { bits_.data()[index / 8] |= static_cast<uint8_t>(1U << (index % 8)); }

  GrowingBuffer bits_;
  int64_t length_ = 0;
  int64_t null_count_ = 0;
};

}  // namespace dbx::local
