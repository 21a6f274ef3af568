// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "base/mutex.h"
#include "cloudfetch/signal.h"

namespace dbx {

/// The bytes that one stream may have in memory: compressed blocks, decoded slabs, and the slabs
/// that the consumer still holds. Leases may outlive the stream. All methods from any thread.
///
/// Nobody waits in here. The scheduler asks on behalf of its chunks, strictly in their order; what
/// does not fit now is asked for again once `changed` is raised.
class MemoryBudget : public std::enable_shared_from_this<MemoryBudget> {
 public:
  /// Bytes that are paid for; gives them back when it dies. Travels with the memory that it pays
  /// for.
  class Lease {
   public:
    Lease() = default;
    Lease(Lease&& other) noexcept { *this = std::move(other); }
    Lease& operator=(Lease&& other) noexcept;
    ~Lease() { Return(); }

    int64_t num_bytes() const { return num_bytes_; }
    /// A lease for `num_bytes` more that exist already, whatever the limit says; of the same
    /// budget.
    Lease Beside(int64_t num_bytes) const;
    /// Takes `num_bytes` (no more than there are) off this lease.
    Lease Split(int64_t num_bytes);
    void Merge(Lease other);
    /// From now on the consumer holds these bytes: only it can give them back.
    void MarkDelivered();
    void Return();

   private:
    friend class MemoryBudget;
    Lease(std::shared_ptr<MemoryBudget> budget, int64_t num_bytes)
        : budget_(std::move(budget)), num_bytes_(num_bytes) {}

    std::shared_ptr<MemoryBudget> budget_;
    int64_t num_bytes_ = 0;
    bool delivered_ = false;
  };

  /// Whom the bytes are for.
  enum class Claim : uint8_t {
    kStart,  ///< the first bytes of a download
    kAhead,  ///< a chunk that the reader needs later
    kHead,   ///< the chunk that the reader needs next
  };

  /// `changed` is raised after bytes came back, or the reader began to wait, when a request had
  /// been refused before.
  static std::shared_ptr<MemoryBudget> Make(int64_t limit_bytes, std::shared_ptr<Signal> changed);
  MemoryBudget(int64_t limit_bytes, std::shared_ptr<Signal> changed)
      : limit_bytes_(limit_bytes), changed_(std::move(changed)), read_ahead_bytes_(limit_bytes) {}

  /// Bytes for `claim`, if `num_bytes + headroom` fit (`headroom` is looked for and not taken).
  ///
  /// What the consumer has not got yet may grow to the read-ahead limit by kAhead alone, while that
  /// is below the limit.
  ///
  /// Past the limit bytes are lent in two cases, both only while the reader waits, when nothing
  /// that is in memory can serve it: to the head, always (the reserve: a limit slows a stream and
  /// never stops it); and to the chunks after it, up to a quarter of the limit, when it is the
  /// consumer that keeps the memory, since no wait brings it back.
  std::optional<Lease> TryReserve(int64_t num_bytes, int64_t headroom, Claim claim)
      EXCLUDES(mutex_);

  /// The limit itself until it is set.
  void SetReadAheadLimit(int64_t num_bytes) EXCLUDES(mutex_);

  /// What the consumer has not got yet, and `num_bytes` more, are within the read-ahead limit.
  bool HasRoomAhead(int64_t num_bytes) EXCLUDES(mutex_);

  /// True while the reader has nothing to take and waits for the head.
  void SetReaderWaits(bool waits) EXCLUDES(mutex_);
  bool reader_waits() const EXCLUDES(mutex_);
  /// If it does not, and `wake_when_it_does`, `changed` is raised as soon as it does.
  bool IsReaderWaiting(bool wake_when_it_does) EXCLUDES(mutex_);

  int64_t limit_bytes() const { return limit_bytes_; }
  int64_t used_bytes() const EXCLUDES(mutex_);
  int64_t delivered_bytes() const EXCLUDES(mutex_);
  int64_t peak_bytes() const EXCLUDES(mutex_);

 private:
  bool Fits(int64_t num_bytes, int64_t headroom, Claim claim) const REQUIRES(mutex_);
  void GiveBack(int64_t num_bytes, bool delivered) EXCLUDES(mutex_);
  void AddDelivered(int64_t num_bytes) EXCLUDES(mutex_);
  void AddUsed(int64_t num_bytes) EXCLUDES(mutex_);

  const int64_t limit_bytes_;
  const std::shared_ptr<Signal> changed_;

  mutable Mutex mutex_;
  int64_t read_ahead_bytes_ GUARDED_BY(mutex_);
  int64_t used_bytes_ GUARDED_BY(mutex_) = 0;
  int64_t delivered_bytes_ GUARDED_BY(mutex_) = 0;  // part of used_bytes_
  int64_t peak_bytes_ GUARDED_BY(mutex_) = 0;
  bool reader_waits_ GUARDED_BY(mutex_) = false;
  bool refused_ GUARDED_BY(mutex_) = false;  // somebody would like to be woken
};

}  // namespace dbx
