// SPDX-License-Identifier: Apache-2.0
#include "result/lz4_frame.h"

#include <lz4frame.h>

#include "base/str_cat.h"

namespace dbx::local {

struct Lz4FrameWriter::Context {
  Context() { LZ4F_createCompressionContext(&context, LZ4F_VERSION); }
  ~Context() { LZ4F_freeCompressionContext(context); }

  LZ4F_cctx* context = nullptr;
};

Lz4FrameWriter::Lz4FrameWriter(Lz4FrameStyle style)
    : style_(style), context_(std::make_unique<Context>()) {}
Lz4FrameWriter::~Lz4FrameWriter() = default;

Status Lz4FrameWriter::Append(std::string_view bytes, ByteBuffer* out) {
  if (context_->context == nullptr) return Status::Internal("LZ4: no compression context");
  LZ4F_preferences_t preferences = LZ4F_INIT_PREFERENCES;
  preferences.frameInfo.blockSizeID = LZ4F_max4MB;
  preferences.frameInfo.blockMode = LZ4F_blockIndependent;
  preferences.frameInfo.contentChecksumFlag =
      style_.checksums ? LZ4F_contentChecksumEnabled : LZ4F_noContentChecksum;
  preferences.frameInfo.blockChecksumFlag =
      style_.checksums ? LZ4F_blockChecksumEnabled : LZ4F_noBlockChecksum;
  preferences.frameInfo.contentSize = style_.content_size ? bytes.size() : 0;
  preferences.autoFlush =
      1;  // blocks are cut from our bytes, not gathered in a buffer of the library's

  const size_t start = out->size();
  const size_t bound = LZ4F_HEADER_SIZE_MAX + LZ4F_compressBound(bytes.size(), &preferences);
  uint8_t* const place = out->Extend(bound);
  size_t used = 0;
  size_t step = LZ4F_compressBegin(context_->context, place, bound, &preferences);
  if (!LZ4F_isError(step)) {
    used += step;
    step = LZ4F_compressUpdate(context_->context, place + used, bound - used, bytes.data(),
                               bytes.size(), nullptr);
  }
  if (!LZ4F_isError(step)) {
    used += step;
    step = LZ4F_compressEnd(context_->context, place + used, bound - used, nullptr);
  }
  if (LZ4F_isError(step)) {
    out->Truncate(start);
    return Status::Internal(StrCat("LZ4: ", LZ4F_getErrorName(step)));
  }
  out->Truncate(start + used + step);
  return Status::Ok();
}

}  // namespace dbx::local
