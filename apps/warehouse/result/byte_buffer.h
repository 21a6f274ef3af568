// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>

namespace dbx::local {

/// Bytes that grow at the end and are not zeroed first, for filling files of many megabytes.
class ByteBuffer {
 public:
  /// Adds `num_bytes` unset bytes and returns where they are. The pointer holds until the next
  /// call.
  uint8_t* Extend(size_t num_bytes) {
    if (num_bytes > capacity_ - size_) Grow(size_ + num_bytes);
    uint8_t* const place = bytes_.get() + size_;
    size_ += num_bytes;
    return place;
  }

  void Append(const void* bytes, size_t num_bytes) {
    if (num_bytes > 0) std::memcpy(Extend(num_bytes), bytes, num_bytes);
  }

  /// Zeroes up to the next multiple of 8.
  void PadTo8() {
    const size_t num_bytes = (8 - size_ % 8) % 8;
    if (num_bytes > 0) std::memset(Extend(num_bytes), 0, num_bytes);
  }

  /// Drops what lies behind the first `size` bytes.
  void Truncate(size_t size) { size_ = size; }
  /// Keeps the memory.
  void Clear() { size_ = 0; }

  uint8_t* data() { return bytes_.get(); }
  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  std::string_view view() const { return {reinterpret_cast<const char*>(bytes_.get()), size_}; }

 private:
  void Grow(size_t needed) {
    const size_t capacity = std::max(needed, capacity_ + capacity_ / 2);
    auto grown = std::make_unique_for_overwrite<uint8_t[]>(capacity);
    if (size_ > 0) std::memcpy(grown.get(), bytes_.get(), size_);
    bytes_ = std::move(grown);
    capacity_ = capacity;
  }

  std::unique_ptr<uint8_t[]> bytes_;
  size_t size_ = 0;
  size_t capacity_ = 0;
};

}  // namespace dbx::local
