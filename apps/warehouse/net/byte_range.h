// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace dbx::local {

/// What a Range header asks of a body.
struct ByteRange {
  enum class Kind : uint8_t {
    kWhole,          ///< no range, one that cannot be read, or several: the whole body with 200
    kPart,           ///< 206
    kUnsatisfiable,  ///< 416
  };
  Kind kind = Kind::kWhole;
  uint64_t first = 0;
  uint64_t num_bytes = 0;
};

/// `header` is the Range header's value, empty when there is none.
ByteRange ParseByteRange(std::string_view header, uint64_t body_bytes);

}  // namespace dbx::local
