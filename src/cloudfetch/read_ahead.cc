// SPDX-License-Identifier: Apache-2.0
#include "cloudfetch/read_ahead.h"

#include <algorithm>
#include <chrono>

namespace dbx {
namespace {

constexpr int64_t kFirstBytes = 56 << 20;
// So long a starving reader is put up with. A path that is short and quick fills a gap sooner.
constexpr std::chrono::milliseconds kPatience{50};
// A starved share of less than one part in this many is forgotten.
constexpr int kForgetting = 4;

}  // namespace

ReadAhead::ReadAhead(int64_t limit_bytes, SteadyTime now)
    : limit_bytes_(limit_bytes), num_bytes_(std::min(limit_bytes, kFirstBytes)), last_look_(now) {}

bool ReadAhead::Observe(bool starved, bool held_back, SteadyTime now) {
  const SteadyTime::duration elapsed = now - last_look_;
  last_look_ = now;
  if (starving_) {
    starved_ += elapsed;
  } else {
    starved_ = std::max(starved_ - elapsed / kForgetting, SteadyTime::duration{0});
  }
  starving_ = starved && held_back;
  if (starved_ < kPatience || num_bytes_ == limit_bytes_) return false;
  starved_ = SteadyTime::duration{0};
  num_bytes_ = std::min(limit_bytes_, 2 * num_bytes_);
  return true;
}

std::optional<SteadyTime> ReadAhead::next_look() const {
  if (!starving_ || num_bytes_ == limit_bytes_) return std::nullopt;
  return last_look_ + (kPatience - starved_);
}

}  // namespace dbx
