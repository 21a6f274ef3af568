// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/clock.h"
#include "base/mutex.h"

namespace dbx::local {

/// Spreads bytes evenly over time. Several connections may share one: each gets its turn in the
/// order of asking. Thread-safe.
class Pacer {
 public:
  /// `bytes_per_second` > 0.
  explicit Pacer(uint64_t bytes_per_second);

  /// What goes in a millisecond: ask for no more at a time, and the pace stays even.
  uint64_t quantum() const { return quantum_; }
  /// The moment from which on the next `num_bytes` may be sent.
  SteadyTime Reserve(uint64_t num_bytes, SteadyTime now) EXCLUDES(mutex_);

 private:
  const uint64_t bytes_per_second_;
  const uint64_t quantum_;
  Mutex mutex_;
  SteadyTime next_ GUARDED_BY(mutex_) = SteadyTime::min();
};

}  // namespace dbx::local
