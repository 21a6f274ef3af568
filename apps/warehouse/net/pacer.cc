// SPDX-License-Identifier: Apache-2.0
#include "net/pacer.h"

#include <algorithm>

namespace dbx::local {
namespace {

// A thread that wakes late makes up for it, as long as it was no later than this.
constexpr std::chrono::milliseconds kCatchUp{20};

constexpr uint64_t kSmallestQuantum = 1;
constexpr uint64_t kLargestQuantum = 1 << 20;

}  // namespace

Pacer::Pacer(uint64_t bytes_per_second)
    : bytes_per_second_(bytes_per_second),
      quantum_(std::clamp(bytes_per_second / 1000, kSmallestQuantum, kLargestQuantum)) {}

SteadyTime Pacer::Reserve(uint64_t num_bytes, SteadyTime now) {
  const double seconds = static_cast<double>(num_bytes) / static_cast<double>(bytes_per_second_);
  const auto length =
      std::chrono::duration_cast<SteadyTime::duration>(std::chrono::duration<double>(seconds));
  MutexLock lock(mutex_);
  // Who was away for longer begins anew: idle time is not saved up.
  const SteadyTime start = next_ < now - kCatchUp ? now : next_;
  next_ = start + length;
  return start;
}

}  // namespace dbx::local
