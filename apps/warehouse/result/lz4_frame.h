// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string_view>

#include "base/status.h"
#include "result/byte_buffer.h"

namespace dbx::local {

/// Parts of a frame that the service's releases write or leave out.
struct Lz4FrameStyle {
  bool checksums = false;     ///< of each block and of the content
  bool content_size = false;  ///< stated in the header
};

/// Writes LZ4 frames as the service does: version 1, independent blocks of 4 MiB at most, fastest
/// level. One thread.
class Lz4FrameWriter {
 public:
  explicit Lz4FrameWriter(Lz4FrameStyle style);
  ~Lz4FrameWriter();
  Lz4FrameWriter(const Lz4FrameWriter&) = delete;
  Lz4FrameWriter& operator=(const Lz4FrameWriter&) = delete;

  /// Appends one frame that holds `bytes`.
  Status Append(std::string_view bytes, ByteBuffer* out);

 private:
  struct Context;
  const Lz4FrameStyle style_;
  std::unique_ptr<Context> context_;
};

}  // namespace dbx::local
