// SPDX-License-Identifier: Apache-2.0
#include "arrow/lz4_frame.h"

#include <lz4.h>
#define LZ4F_STATIC_LINKING_ONLY  // for the codes of errors
#include <lz4frame.h>

#include <algorithm>
#include <cstring>
#include <exception>
#include <utility>

#include "base/str_cat.h"

namespace dbx {
namespace {

constexpr uint8_t kMagic[] = {0x04, 0x22, 0x4D, 0x18};
// No LZ4 block gives more than this for each byte.
constexpr uint64_t kLargestRatio = 255;
constexpr uint64_t kLeastRoom = uint64_t{64} << 10;

struct ContextFree {
  void operator()(LZ4F_dctx* context) const { LZ4F_freeDecompressionContext(context); }
};

bool IsChecksumError(LZ4F_errorCodes code) {
  return code == LZ4F_ERROR_headerChecksum_invalid || code == LZ4F_ERROR_blockChecksum_invalid ||
         code == LZ4F_ERROR_contentChecksum_invalid;
}

}  // namespace

bool HasLz4Magic(Bytes bytes) {
  return bytes.size() >= sizeof(kMagic) && std::memcmp(bytes.data(), kMagic, sizeof(kMagic)) == 0;
}

struct Lz4FrameDecoder::State {
  std::unique_ptr<LZ4F_dctx, ContextFree> context;
  bool in_frame = false;
  bool checksum_failed = false;
  Status failure;  // a context that has failed may not be asked again

  State() {
    LZ4F_dctx* made = nullptr;
    if (LZ4F_isError(LZ4F_createDecompressionContext(&made, LZ4F_VERSION))) {
      failure = Status::Internal("LZ4 frame: out of memory");
    }
    context.reset(made);
  }

  Result<Progress> Decode(Bytes in, std::span<uint8_t> out, bool stable);
};

Result<Lz4FrameDecoder::Progress> Lz4FrameDecoder::State::Decode(Bytes in, std::span<uint8_t> out,
                                                                 bool stable) {
  if (!failure.ok()) return failure;
  LZ4F_decompressOptions_t options = {};
  options.stableDst = stable ? 1 : 0;
  Progress progress;
  // Also without input (what the last call had no room for is still inside) and without room (an
  // end mark gives no bytes).
  while (true) {
    size_t produced = out.size() - progress.produced;
    size_t consumed = in.size() - progress.consumed;
    const size_t hint = LZ4F_decompress(context.get(), out.data() + progress.produced, &produced,
                                        in.data() + progress.consumed, &consumed, &options);
    if (LZ4F_isError(hint)) {
      failure = Status::InvalidData(StrCat("LZ4 frame: ", LZ4F_getErrorName(hint)));
      checksum_failed = IsChecksumError(LZ4F_getErrorCode(hint));
      return failure;
    }
    if (produced == 0 && consumed == 0) return progress;
    progress.produced += produced;
    progress.consumed += consumed;
    in_frame = hint != 0;
  }
}

Lz4FrameDecoder::Lz4FrameDecoder() : state_(std::make_unique<State>()) {}
Lz4FrameDecoder::~Lz4FrameDecoder() = default;
Lz4FrameDecoder::Lz4FrameDecoder(Lz4FrameDecoder&&) noexcept = default;
Lz4FrameDecoder& Lz4FrameDecoder::operator=(Lz4FrameDecoder&&) noexcept = default;

Result<Lz4FrameDecoder::Progress> Lz4FrameDecoder::Decode(Bytes in, std::span<uint8_t> out,
                                                          bool moved) {
  // Once the output has moved, what linked blocks still need of the old place is copied inside.
  return state_->Decode(in, out, /*stable=*/!moved);
}

bool Lz4FrameDecoder::checksum_failed() const {
  return state_->checksum_failed;
}

bool Lz4FrameDecoder::AtFrameEnd() const {
  return state_->failure.ok() && !state_->in_frame;
}

void Lz4FrameDecoder::Reset() {
  if (!state_->context) return;
  LZ4F_resetDecompressionContext(state_->context.get());
  state_->in_frame = false;
  state_->checksum_failed = false;
  state_->failure = Status::Ok();
}

namespace {

/// The content size that the frame at the front of `in` states, else 0.
uint64_t StatedContentSize(Bytes in) {
  constexpr size_t kFlags = 4;
  constexpr size_t kContentSize = 6;
  constexpr uint8_t kHasContentSize = 0x08;
  uint64_t size = 0;
  if (!HasLz4Magic(in) || in.size() < kContentSize + sizeof(size)) return 0;
  if ((in[kFlags] & kHasContentSize) == 0) return 0;
  std::memcpy(&size, in.data() + kContentSize, sizeof(size));
  return size;
}

/// A first guess that no wrong number in the frame can make larger than its bytes could give.
uint64_t FirstRoom(Bytes in, uint64_t max_bytes) {
  const uint64_t stated = StatedContentSize(in);
  const uint64_t guess = stated > 0 ? stated : uint64_t{4} * in.size();
  return std::min({std::max(guess, kLeastRoom), kLargestRatio * in.size() + kLeastRoom, max_bytes});
}

Status TooLarge(uint64_t max_bytes) {
  return Status::InvalidData(StrCat("LZ4 frame: more than ", max_bytes, " bytes"));
}

}  // namespace

Status DecodeLz4Frames(Bytes in, uint64_t max_bytes, std::vector<uint8_t>* out) {
  if (in.empty()) return Status::InvalidData("LZ4 frame: no bytes");
  Lz4FrameDecoder decoder;
  size_t num_bytes = 0;
  try {
    out->resize(FirstRoom(in, max_bytes));
    while (true) {
      // Always said to have moved: growing `out` moves what was decoded before.
      const std::span<uint8_t> room = std::span(*out).subspan(num_bytes);
      ASSIGN_OR_RETURN(const Lz4FrameDecoder::Progress progress,
                       decoder.Decode(in, room, /*moved=*/true));
      num_bytes += progress.produced;
      in = in.subspan(progress.consumed);
      if (in.empty() && decoder.AtFrameEnd()) break;
      if (num_bytes < out->size()) return Status::InvalidData("LZ4 frame: cut off");
      if (num_bytes >= max_bytes) return TooLarge(max_bytes);
      out->resize(std::min(max_bytes, uint64_t{2} * out->size()));
    }
    out->resize(num_bytes);
  } catch (const std::exception&) {
    return Status::Internal("LZ4 frame: out of memory");
  }
  return Status::Ok();
}

namespace {

/// The stored bytes of the first block, as far as they are there.
struct FirstBlock {
  Bytes bytes;
  bool compressed = true;
};

Result<FirstBlock> FindFirstBlock(Bytes in) {
  constexpr uint32_t kStored = 0x8000'0000;
  const size_t header_bytes = LZ4F_headerSize(in.data(), in.size());
  if (LZ4F_isError(header_bytes) || in.size() < header_bytes + sizeof(uint32_t)) {
    return Status::InvalidData("LZ4 frame: no header");
  }
  ByteReader reader(in.subspan(header_bytes));
  ASSIGN_OR_RETURN(const uint32_t size, reader.U32("LZ4 block size"));
  const size_t length = std::min<size_t>(size & ~kStored, reader.remaining());
  return FirstBlock{reader.rest().first(length), (size & kStored) == 0};
}

/// Decodes up to `room` bytes of a block that may be cut off anywhere; negative: not even a few.
/// LZ4 calls a block bad when it is cut inside of a match's length, unless it has made all that was
/// asked for before: ask for less.
int DecodeAsFarAsItGoes(Bytes block, int room, std::vector<uint8_t>* out) {
  constexpr int kFew = 16;
  const int block_bytes = static_cast<int>(std::min<size_t>(block.size(), LZ4_MAX_INPUT_SIZE));
  out->resize(static_cast<size_t>(room));
  int num_bytes = -1;
  for (int wanted = room; num_bytes < 0 && wanted >= std::min(room, kFew); wanted /= 2) {
    num_bytes = LZ4_decompress_safe_partial(reinterpret_cast<const char*>(block.data()),
                                            reinterpret_cast<char*>(out->data()), block_bytes,
                                            wanted, room);
  }
  return num_bytes;
}

}  // namespace

Status DecodeLz4Start(Bytes in, uint64_t max_bytes, std::vector<uint8_t>* out) {
  if (!HasLz4Magic(in)) return Status::InvalidData("LZ4 frame: no header");
  ASSIGN_OR_RETURN(const FirstBlock block, FindFirstBlock(in));
  if (!block.compressed) {
    const Bytes bytes = block.bytes.first(std::min<uint64_t>(block.bytes.size(), max_bytes));
    out->assign(bytes.begin(), bytes.end());
    return Status::Ok();
  }
  constexpr uint64_t kLargestBlock = uint64_t{4} << 20;
  const auto room = static_cast<int>(
      std::min({max_bytes, kLargestBlock, kLargestRatio * block.bytes.size() + kLeastRoom}));
  const int num_bytes = DecodeAsFarAsItGoes(block.bytes, room, out);
  if (num_bytes < 0) return Status::InvalidData("LZ4 frame: bad block");
  out->resize(static_cast<size_t>(num_bytes));
  return Status::Ok();
}

}  // namespace dbx
