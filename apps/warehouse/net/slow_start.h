// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/clock.h"

namespace dbx::local {

/// How a young TCP connection over a long way sends: ten segments in the first round trip, twice as
/// many in each further one, until the connection's rate (or, without one, 64 MiB a round trip) is
/// reached. Rounds in which it had nothing to send do not count. One thread.
class SlowStart {
 public:
  struct Grant {
    uint64_t num_bytes = 0;  ///< so many may go
    SteadyTime moment;       ///< from then on
  };

  /// `bytes_per_second` 0: no limit.
  SlowStart(std::chrono::milliseconds round_trip, uint64_t bytes_per_second);

  /// True once it no longer holds anything back: then it need not be asked.
  bool is_over() const { return window_ >= largest_window_; }
  /// What may be sent next of `wanted` > 0 bytes.
  Grant Next(uint64_t wanted, SteadyTime now);

 private:
  const SteadyTime::duration round_trip_;
  const uint64_t largest_window_;
  uint64_t window_;
  uint64_t sent_in_round_ = 0;
  SteadyTime round_began_ = SteadyTime::min();
};

}  // namespace dbx::local
