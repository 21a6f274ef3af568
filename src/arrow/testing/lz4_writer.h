// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace dbx {

/// How LZ4 frames are made. The service's: `{}` for large chunks, `{.frame_per_message = true}` for
/// small ones, with
/// `.checksums = true` from newer servers.
struct Lz4Layout {
  bool frame_per_message =
      false;  ///< the bytes are an IPC stream; one frame for each message of it
  bool linked_blocks = false;
  bool checksums = false;  ///< of each block and of the content
  bool content_size = false;
  bool small_blocks = false;  ///< 64 KiB instead of 4 MiB
};

/// `raw` as LZ4 frames.
std::string Lz4Frames(std::string_view raw, const Lz4Layout& layout = {});

}  // namespace dbx
