// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/bytes.h"
#include "base/status.h"

namespace dbx {

/// True when `bytes` begin with an LZ4 frame's magic number: services do not always compress what
/// they say they do.
bool HasLz4Magic(Bytes bytes);

/// Decodes LZ4 frames that arrive in pieces: any number of frames one after another, linked or
/// independent blocks, with and without checksums and content size. One thread at a time.
class Lz4FrameDecoder {
 public:
  Lz4FrameDecoder();
  ~Lz4FrameDecoder();
  Lz4FrameDecoder(Lz4FrameDecoder&&) noexcept;
  Lz4FrameDecoder& operator=(Lz4FrameDecoder&&) noexcept;

  struct Progress {
    size_t consumed = 0;
    size_t produced = 0;
  };

  /// Decodes from the front of `in` to the front of `out` until neither gets on. `out` must
  /// directly follow the `out` of the last call in memory unless `moved` says otherwise (linked
  /// blocks look back up to 64 KiB). What was produced stays unchanged in its place until the frame
  /// ends, or until a call with `moved` has returned.
  ///
  /// `in` may be used up while bytes are still held back for lack of room: call again, with more
  /// room and without input, while `out` came back full and AtFrameEnd() is false. An empty `out`
  /// lets an end mark pass. Fastest when `out` has room for a whole block (4 MiB at most); a
  /// smaller one costs a copy. Errors: kInvalidData for bad headers, blocks, checksums, sizes; then
  /// each call fails so until Reset.
  Result<Progress> Decode(Bytes in, std::span<uint8_t> out, bool moved = false);

  /// True when the last Decode failed because bytes are not those that a checksum was made of.
  bool checksum_failed() const;

  /// True between frames: the body may end here and nowhere else.
  bool AtFrameEnd() const;

  /// Forgets a frame in progress.
  void Reset();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// All frames of `in` decoded into `out`, which is grown as needed but never past `max_bytes`.
/// Errors: kInvalidData (also when bytes follow the last frame or a frame is cut off).
Status DecodeLz4Frames(Bytes in, uint64_t max_bytes, std::vector<uint8_t>* out);

/// What stands at the front of the first block of the frame that `in` begins, cut off anywhere: up
/// to `max_bytes`, perhaps less, of a frame whose end is not needed. Nothing is checked that only a
/// whole block could prove. Errors: kInvalidData for what is no frame, and for fewer bytes than a
/// frame's header.
Status DecodeLz4Start(Bytes in, uint64_t max_bytes, std::vector<uint8_t>* out);

}  // namespace dbx
