// SPDX-License-Identifier: Apache-2.0
#include "cloudfetch/read_ahead.h"

#include <algorithm>
#include <chrono>

namespace dbx {
namespace {

using std::chrono::milliseconds;

constexpr int64_t kFirstBytes = 56 << 20;
// So long a starving reader is put up with. A path that is short and quick fills a gap sooner.
constexpr milliseconds kPatience{50};
// A starved share of less than one part in this many is forgotten.
constexpr int kForgetting = 4;
// New downloads have their first bytes after about so long; then their rate is seen for a while.
constexpr milliseconds kSettling{100};
constexpr milliseconds kTrial{150};
constexpr double kWorth = 1.04;
constexpr milliseconds kPauseAfterFailure{2'000};

double Rate(int64_t num_bytes, SteadyTime::duration length) {
  return static_cast<double>(num_bytes) /
         std::max(std::chrono::duration<double>(length).count(), 1e-3);
}

}  // namespace

ReadAhead::ReadAhead(int64_t limit_bytes, SteadyTime now)
    : limit_bytes_(limit_bytes),
      num_bytes_(std::min(limit_bytes, kFirstBytes)),
      last_look_(now),
      changed_at_(now),
      no_growth_before_(now) {}

bool ReadAhead::Observe(bool starved, bool held_back, int64_t received_bytes, SteadyTime now) {
  const SteadyTime::duration elapsed = now - last_look_;
  last_look_ = now;
  if (starving_) {
    starved_ += elapsed;
  } else {
    starved_ = std::max(starved_ - elapsed / kForgetting, SteadyTime::duration{0});
  }
  starving_ = starved && held_back;
  if (on_trial_) return Judge(received_bytes, now);
  return Grow(received_bytes, now);
}

bool ReadAhead::Grow(int64_t received_bytes, SteadyTime now) {
  if (starved_ < kPatience || is_at_limit() || now < no_growth_before_) return false;
  starved_ = SteadyTime::duration{0};
  rate_before_ = Rate(received_bytes - bytes_at_change_, now - changed_at_);
  bytes_before_growth_ = num_bytes_;
  num_bytes_ = std::min(limit_bytes_, 2 * num_bytes_);
  changed_at_ = now;
  bytes_at_change_ = received_bytes;
  on_trial_ = true;
  trial_start_.reset();
  return true;
}

bool ReadAhead::Judge(int64_t received_bytes, SteadyTime now) {
  if (!trial_start_) {
    if (now - changed_at_ < kSettling) return false;
    trial_start_ = now;
    bytes_before_trial_ = received_bytes;
    return false;
  }
  if (now - *trial_start_ < kTrial) return false;
  on_trial_ = false;
  const double rate = Rate(received_bytes - bytes_before_trial_, now - *trial_start_);
  if (rate >= kWorth * rate_before_) return Grow(received_bytes, now);
  num_bytes_ = bytes_before_growth_;
  changed_at_ = now;
  bytes_at_change_ = received_bytes;
  starved_ = SteadyTime::duration{0};
  no_growth_before_ = now + kPauseAfterFailure;
  return true;
}

std::optional<SteadyTime> ReadAhead::next_look() const {
  if (on_trial_) return trial_start_ ? *trial_start_ + kTrial : changed_at_ + kSettling;
  if (!starving_ || is_at_limit()) return std::nullopt;
  return std::max(last_look_ + (kPatience - starved_), no_growth_before_);
}

}  // namespace dbx
