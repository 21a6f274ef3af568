// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "arrow/slab_pool.h"
#include "base/bytes.h"
#include "base/mutex.h"
#include "base/status.h"
#include "cloudfetch/memory_budget.h"

namespace dbx {

/// The stored bytes of one chunk on their way from the transfer to the decoder, in pooled blocks
/// that a ticket pays for. Three threads meet here: the one that receives (Append), the one that
/// decodes (Front … Park), and the scheduler (all others).
///
/// The decoder's turn: a method that returns true or kDecode hands it to the caller, who passes the
/// decoder to a worker; it comes back by Park or Open. So a chunk is never decoded by two threads,
/// and never forgotten.
class BodyQueue {
 public:
  BodyQueue(SlabPool* pool, size_t block_bytes) : pool_(pool), block_bytes_(block_bytes) {}

  // ---- scheduler

  /// True: a piece had been refused, and the transfer rests until it is resumed.
  bool AddTicket(MemoryBudget::Lease lease) EXCLUDES(mutex_);
  /// What the ticket lacks for the piece that was refused; 0 when none was. AddTicket answers it.
  int64_t missing_bytes() const EXCLUDES(mutex_);
  /// The ticket is nearly used up and more bytes are to come: another one in time spares a rest.
  bool is_ticket_low() const EXCLUDES(mutex_);
  /// Gives back what the ticket has left.
  void DropTicket() EXCLUDES(mutex_);
  /// Lets the decoder run from now on. True: it is its turn.
  [[nodiscard]] bool Open() EXCLUDES(mutex_);
  /// Nothing more comes: `status` tells why, Ok after the whole body. True: it is the decoder's
  /// turn.
  [[nodiscard]] bool End(Status status) EXCLUDES(mutex_);
  /// As End, but what has not been decoded is not seen any more. A view that a decoder has of it
  /// stays good until Restart.
  [[nodiscard]] bool Abort(Status status) EXCLUDES(mutex_);
  /// As new, with its ticket and openness. Only while no transfer runs and the decoder is with the
  /// scheduler.
  void Restart() EXCLUDES(mutex_);
  int64_t unread_bytes() const EXCLUDES(mutex_);
  /// Puts what is unread in `other`, which nobody decodes, behind what is here, with its ticket and
  /// what that lacks. True: it is the decoder's turn.
  [[nodiscard]] bool TakeOver(BodyQueue& other) EXCLUDES(mutex_);
  /// The decoder could work, and waits for bytes.
  bool is_starving() const EXCLUDES(mutex_);

  // ---- transfer

  enum class Appended : uint8_t { kTaken, kDecode, kNoTicket, kNoTicketDecode, kNoMemory };
  /// Copies the whole piece, or nothing of it. `bytes_to_come` (the piece's and those after it)
  /// sizes the last block; 0: not known.
  Appended Append(Bytes piece, int64_t bytes_to_come) EXCLUDES(mutex_);
  /// True once after the ticket has become low.
  bool ShouldAskForTicket() EXCLUDES(mutex_);

  // ---- decoder

  struct View {
    Bytes bytes;         ///< unread ones that lie together
    bool ended = false;  ///< nothing follows `bytes`
    Status status;       ///< of the end
  };
  View Front() const EXCLUDES(mutex_);
  void Consume(size_t num_bytes) EXCLUDES(mutex_);
  enum class Parked : uint8_t { kNo, kYes, kYesTicketMissing };
  /// Ends the decoder's turn, unless more than `seen_bytes` are there or the end has come.
  Parked Park(size_t seen_bytes) EXCLUDES(mutex_);

 private:
  struct Block {
    MemoryBudget::Lease lease;  // dies after the slab
    SlabPtr slab;
    size_t filled = 0;
    size_t consumed = 0;

    size_t room() const { return slab->capacity - filled; }
    size_t unread() const { return filled - consumed; }
  };

  /// Leases for the blocks that `num_bytes` more need, or nothing when the ticket does not reach.
  bool TakeLeases(size_t num_bytes, size_t block_bytes, std::vector<MemoryBudget::Lease>* leases)
      EXCLUDES(mutex_);
  void Copy(Bytes piece, size_t first_block) REQUIRES(mutex_);
  bool IsEmpty() const EXCLUDES(mutex_);
  bool TakeTurn() REQUIRES(mutex_);
  bool IsTicketLow() const REQUIRES(mutex_);

  SlabPool* const pool_;
  const size_t block_bytes_;

  mutable Mutex mutex_;
  std::deque<Block> blocks_ GUARDED_BY(mutex_);
  MemoryBudget::Lease ticket_ GUARDED_BY(mutex_);
  int64_t missing_bytes_ GUARDED_BY(mutex_) = 0;
  int64_t bytes_to_come_ GUARDED_BY(mutex_) = 0;  // after those that are here; 0: not known
  bool low_ticket_told_ GUARDED_BY(mutex_) = false;
  bool any_came_ GUARDED_BY(mutex_) = false;
  int64_t unread_bytes_ GUARDED_BY(mutex_) = 0;
  bool open_ GUARDED_BY(mutex_) = false;
  bool decoding_ GUARDED_BY(mutex_) = false;  // a worker or the scheduler has the decoder
  bool ended_ GUARDED_BY(mutex_) = false;
  bool aborted_ GUARDED_BY(mutex_) = false;  // blocks_ are of no use, but may still be looked at
  Status end_status_ GUARDED_BY(mutex_);
};

}  // namespace dbx
