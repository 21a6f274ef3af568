// SPDX-License-Identifier: Apache-2.0
#include "arrow/testing/lz4_writer.h"

#include <lz4frame.h>

#include <optional>
#include <stdexcept>

#include "arrow/ipc_decoder.h"
#include "base/str_cat.h"

namespace dbx {
namespace {

std::string Frame(std::string_view raw, const Lz4Layout& layout) {
  LZ4F_preferences_t preferences = {};
  preferences.frameInfo.blockSizeID = layout.small_blocks ? LZ4F_max64KB : LZ4F_max4MB;
  preferences.frameInfo.blockMode = layout.linked_blocks ? LZ4F_blockLinked : LZ4F_blockIndependent;
  preferences.frameInfo.contentChecksumFlag =
      layout.checksums ? LZ4F_contentChecksumEnabled : LZ4F_noContentChecksum;
  preferences.frameInfo.blockChecksumFlag =
      layout.checksums ? LZ4F_blockChecksumEnabled : LZ4F_noBlockChecksum;
  preferences.frameInfo.contentSize = layout.content_size ? raw.size() : 0;

  // The one-call function shrinks the block size to the content, so the frame is put together by
  // hand.
  LZ4F_cctx* context = nullptr;
  if (LZ4F_isError(LZ4F_createCompressionContext(&context, LZ4F_VERSION))) {
    throw std::runtime_error("LZ4: out of memory");
  }
  std::string frame(LZ4F_HEADER_SIZE_MAX + LZ4F_compressBound(raw.size(), &preferences), '\0');
  size_t used = 0;
  const auto add = [&](size_t written) {
    if (LZ4F_isError(written))
      throw std::runtime_error(StrCat("LZ4: ", LZ4F_getErrorName(written)));
    used += written;
  };
  add(LZ4F_compressBegin(context, frame.data(), frame.size(), &preferences));
  add(LZ4F_compressUpdate(context, frame.data() + used, frame.size() - used, raw.data(), raw.size(),
                          nullptr));
  add(LZ4F_compressEnd(context, frame.data() + used, frame.size() - used, nullptr));
  LZ4F_freeCompressionContext(context);
  frame.resize(used);
  return frame;
}

}  // namespace

std::string Lz4Frames(std::string_view raw, const Lz4Layout& layout) {
  if (!layout.frame_per_message) return Frame(raw, layout);
  std::string frames;
  while (!raw.empty()) {
    const Result<std::optional<IpcMessage>> message = ReadIpcMessage(AsBytes(raw), raw.size());
    if (!message.ok() || !*message) throw std::runtime_error("not an IPC stream");
    const size_t num_bytes = (*message)->whole.size();
    frames += Frame(raw.substr(0, num_bytes), layout);
    raw.remove_prefix(num_bytes);
  }
  return frames;
}

}  // namespace dbx
