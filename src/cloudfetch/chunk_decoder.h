// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "arrow/ipc_decoder.h"
#include "arrow/lz4_frame.h"
#include "arrow/slab_pool.h"
#include "base/bytes.h"
#include "base/status.h"
#include "cloudfetch/body_queue.h"
#include "cloudfetch/chunk.h"
#include "cloudfetch/lz4_shelf.h"
#include "cloudfetch/memory_budget.h"
#include "cloudfetch/stream_counters.h"
#include "result/result_manifest.h"

namespace dbx {

/// What all decoders of one stream share. Set once but for the last three.
struct DecoderSettings {
  std::shared_ptr<SlabPool> pool;
  std::shared_ptr<const Schema> schema;
  size_t slab_bytes = 0;   ///< a slab is larger only for a message that is
  int64_t batch_rows = 0;  ///< smaller batches are joined up to so many rows; 0: never
  StreamCounters* counters = nullptr;
  Lz4Shelf lz4_shelf;
  std::atomic<bool> stopping{false};
  /// Where in a decoded file the first rows' bytes begin, as far as that is known: the slab is
  /// filled from where they come to lie at a multiple of 64.
  std::atomic<size_t> first_body_offset{0};
};

/// Turns the stored bytes of one chunk into batches, as they arrive: LZ4 frames (or none) into
/// slabs, the slab into IPC messages, messages into batches whose buffers are slices of the slab.
/// Rows past the link's `num_rows` are cut.
///
/// Belongs to one worker or to the scheduler at a time; see BodyQueue's turns.
class ChunkDecoder {
 public:
  enum class Yield : uint8_t {
    kStarved,        ///< parked in the queue until more bytes come
    kTicketMissing,  ///< the same, and the transfer waits for a ticket
    kSlabMissing,    ///< waits for Give with a lease of missing_bytes()
    kFinished,       ///< all rows are with the reader, the chunk is closed
    kFailed,         ///< see failure() and may_restart()
    kStopped,        ///< the stream is over
  };

  ChunkDecoder(const ResultLink& link, std::shared_ptr<Chunk> chunk, BodyQueue* body,
               DecoderSettings* settings);

  /// Decodes what is there, until it yields.
  Yield Run(IpcDecoder& ipc);

  int64_t missing_bytes() const { return missing_bytes_; }
  void Give(MemoryBudget::Lease lease);

  const Status& failure() const { return failure_; }
  /// A second download may turn out whole.
  bool may_restart() const { return may_restart_; }
  /// As new, but for the rows that were handed out: they are not handed out again.
  void Restart();

 private:
  enum class Format : uint8_t { kUnknown, kPlain, kLz4 };

  void DetectFormat(Bytes front);
  Result<size_t> Step(Bytes in);
  bool HasRoom() const { return slab_ && end_ < slab_->slab->capacity; }
  Status NextSlab();
  size_t SlabBytesWanted() const;
  size_t StartOffset(Bytes partial) const;
  Status CutMessages(IpcDecoder& ipc);
  Status TakeMessage(const IpcMessage& message, IpcDecoder& ipc);
  Status TakeBatch(const IpcMessage& message, IpcDecoder& ipc);
  Status HandOut(DecodedBatch batch);
  Status Push(DecodedBatch batch);
  Status PushJoined();
  Status FlushHeld();
  Status CheckEnd() const;
  Yield Conclude(const Status& body_status);
  Yield Fail(Status failure, bool may_restart);
  Yield FailStep(Status failure);

  // Set once.
  const int64_t num_rows_;
  const int64_t num_bytes_;  // as the link states it
  const std::shared_ptr<Chunk> chunk_;
  BodyQueue* const body_;
  DecoderSettings* const settings_;

  // Kept over a restart.
  int64_t rows_handed_out_ = 0;

  // Of the body.
  Format format_ = Format::kUnknown;
  std::unique_ptr<Lz4FrameDecoder> lz4_;  // of the shelf; for kLz4
  bool hold_until_checked_ = false;       // the first frame has checksums
  bool output_pending_ = false;           // the decompressor keeps bytes that had no room
  int64_t bytes_decoded_ = 0;

  // Of the slab: [start_, begin_) is cut into messages, [begin_, end_) is not yet.
  MemoryBudget::Lease lease_;  // for the next one
  int64_t missing_bytes_ = 0;
  std::shared_ptr<PaidSlab> slab_;
  std::shared_ptr<PaidSlab> last_slab_;  // linked blocks may look back into it for a while
  bool moved_ = false;
  size_t start_ = 0, begin_ = 0, end_ = 0;
  uint64_t message_bytes_ = 0;  // least size of the message at begin_

  // Of the IPC stream.
  bool in_stream_ = false;  // its schema has been seen, its end not
  bool ended_ = false;      // an end has been seen
  bool first_batch_ = true;
  int64_t rows_seen_ = 0;
  std::vector<DecodedBatch> held_;
  std::vector<DecodedBatch> small_;  // to be joined
  int64_t small_rows_ = 0;

  Status failure_;
  bool may_restart_ = false;
};

}  // namespace dbx
