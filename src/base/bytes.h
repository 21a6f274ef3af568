// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/status.h"

namespace dbx {

/// Bytes that someone else owns.
using Bytes = std::span<const uint8_t>;

inline Bytes AsBytes(std::string_view text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}
inline std::string_view AsText(Bytes bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Reads little-endian values off the front of bytes that are not trusted. Each method compares
/// what it wants with what remains and fails with kInvalidData, naming `field`.
class ByteReader {
 public:
  explicit ByteReader(Bytes bytes) : bytes_(bytes) {}

  Result<uint32_t> U32(std::string_view field);
  Result<uint64_t> U64(std::string_view field);
  Result<Bytes> Take(uint64_t num_bytes, std::string_view field);
  Status Skip(uint64_t num_bytes, std::string_view field);

  size_t remaining() const { return bytes_.size(); }
  Bytes rest() const { return bytes_; }

 private:
  Bytes bytes_;
};

}  // namespace dbx
