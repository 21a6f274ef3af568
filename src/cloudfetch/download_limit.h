// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "base/clock.h"

namespace dbx {

/// How many downloads may run at once: a fixed number, or one that follows what it brings. The
/// latter doubles while the reader starves, every slot is taken and more downloads have brought
/// more bytes; goes back to the last number that paid off when they have not, and tries again some
/// time later; and halves when storage says that it is too busy. One thread.
class DownloadLimit {
 public:
  static DownloadLimit Fixed(int32_t downloads) { return DownloadLimit(downloads, downloads); }
  static DownloadLimit Automatic();

  int32_t value() const { return value_; }
  bool is_automatic() const { return most_ > first_; }

  /// Tells how things stand from `now` on. `starved`: the reader waits for bytes that storage has
  /// not sent. `full`: no slot is free and a chunk waits for one. `received_bytes`: by all
  /// downloads so far.
  void Observe(bool starved, bool full, int64_t received_bytes, SteadyTime now);
  /// Storage said that it is too busy.
  void NoteRefusal(SteadyTime now);
  /// When to call Observe again at the latest; nullopt: when something changes.
  std::optional<SteadyTime> next_look() const;

 private:
  DownloadLimit(int32_t first, int32_t most) : first_(first), most_(most), value_(first) {}
  void EndWindow(int64_t received_bytes, SteadyTime now);
  void Decide(double rate, SteadyTime now);
  void Probe(SteadyTime now);

  const int32_t first_;
  const int32_t most_;
  int32_t value_;

  // A window is a time in which no slot was free.
  bool in_window_ = false;
  SteadyTime window_start_;
  int64_t window_bytes_ = 0;         // received before it
  SteadyTime::duration starved_{0};  // within it
  bool starving_ = false;            // since last_look_
  SteadyTime last_look_;

  bool settling_ = false;   // new downloads are only just beginning: this window does not count
  int32_t good_value_ = 0;  // the last number that paid off; 0: none is known
  double good_rate_ = 0;    // and its bytes per second
  SteadyTime no_probe_before_;
  std::optional<SteadyTime> last_refusal_;
};

}  // namespace dbx
