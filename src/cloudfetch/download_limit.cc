// SPDX-License-Identifier: Apache-2.0
#include "cloudfetch/download_limit.h"

#include <algorithm>
#include <chrono>

namespace dbx {
namespace {

using std::chrono::milliseconds;

constexpr int32_t kFirst = 16;
constexpr int32_t kMost = 64;
constexpr milliseconds kWindow{250};
// Downloads that do not bring so much more are not worth their memory.
constexpr double kWorth = 1.1;
constexpr milliseconds kPauseAfterPlateau{5'000};
constexpr milliseconds kPauseAfterRefusal{2'000};
constexpr milliseconds kBurst{500};

}  // namespace

DownloadLimit DownloadLimit::Automatic() {
  return DownloadLimit(kFirst, kMost);
}

void DownloadLimit::Observe(bool starved, bool full, int64_t received_bytes, SteadyTime now) {
  if (!is_automatic()) return;
  if (in_window_ && starving_) starved_ += now - last_look_;
  starving_ = starved;
  last_look_ = now;
  if (in_window_ && full && now - window_start_ >= kWindow) EndWindow(received_bytes, now);
  if (in_window_ && full) return;
  in_window_ = full;
  window_start_ = now;
  window_bytes_ = received_bytes;
  starved_ = SteadyTime::duration{0};
}

void DownloadLimit::EndWindow(int64_t received_bytes, SteadyTime now) {
  in_window_ = false;
  const SteadyTime::duration length = now - window_start_;
  // A reader or a budget that was the slower one says nothing about the network.
  if (2 * starved_ < length) return;
  Decide(static_cast<double>(received_bytes - window_bytes_) /
             std::chrono::duration<double>(length).count(),
         now);
}

void DownloadLimit::Decide(double rate, SteadyTime now) {
  if (settling_) {
    settling_ = false;
    return;
  }
  const bool probing = good_value_ != 0 && value_ != good_value_;
  if (probing && rate < kWorth * good_rate_) {
    value_ = good_value_;
    no_probe_before_ = now + kPauseAfterPlateau;
    return;
  }
  good_value_ = value_;
  good_rate_ = rate;
  Probe(now);
}

void DownloadLimit::Probe(SteadyTime now) {
  if (now < no_probe_before_ || value_ >= most_) return;
  value_ = std::min(2 * value_, most_);
  settling_ = true;
}

void DownloadLimit::NoteRefusal(SteadyTime now) {
  if (!is_automatic()) return;
  // Refusals come in bursts, of which each is one.
  const bool same_burst = last_refusal_ && now - *last_refusal_ < kBurst;
  last_refusal_ = now;
  no_probe_before_ = std::max(no_probe_before_, now + kPauseAfterRefusal);
  if (same_burst) return;
  value_ = std::max(value_ / 2, 1);
  good_value_ = 0;
  settling_ = false;
}

std::optional<SteadyTime> DownloadLimit::next_look() const {
  if (!in_window_ || !starving_) return std::nullopt;
  return window_start_ + kWindow;
}

}  // namespace dbx
