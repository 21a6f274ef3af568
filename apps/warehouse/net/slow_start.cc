// SPDX-License-Identifier: Apache-2.0
#include "net/slow_start.h"

#include <algorithm>

namespace dbx::local {
namespace {

constexpr uint64_t kFirstWindow = 10 * 1460;
constexpr uint64_t kWindowWithoutRate = 64 << 20;

uint64_t LargestWindow(std::chrono::milliseconds round_trip, uint64_t bytes_per_second) {
  if (bytes_per_second == 0) return kWindowWithoutRate;
  return bytes_per_second * static_cast<uint64_t>(round_trip.count()) / 1000;
}

}  // namespace

SlowStart::SlowStart(std::chrono::milliseconds round_trip, uint64_t bytes_per_second)
    : round_trip_(round_trip),
      largest_window_(LargestWindow(round_trip, bytes_per_second)),
      window_(kFirstWindow) {}

SlowStart::Grant SlowStart::Next(uint64_t wanted, SteadyTime now) {
  const bool first = round_began_ == SteadyTime::min();
  const bool is_full = sent_in_round_ >= window_;
  const SteadyTime round_ends = first ? now : round_began_ + round_trip_;
  if (first || is_full || now >= round_ends) {
    if (is_full) window_ *= 2;
    round_began_ = std::max(now, round_ends);
    sent_in_round_ = 0;
  }
  const Grant grant{.num_bytes = std::min(wanted, window_ - sent_in_round_),
                    .moment = std::max(now, round_began_)};
  sent_in_round_ += grant.num_bytes;
  return grant;
}

}  // namespace dbx::local
