// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "base/clock.h"

namespace dbx {

/// How many bytes a stream keeps ready ahead of its reader: few while that is enough, since fresh
/// memory and cold caches cost more than they bring; more, up to the limit, when the reader has
/// starved although bytes that were held back could have flowed. More that brought nothing is taken
/// back: then it was not the network that was slow. One thread.
class ReadAhead {
 public:
  ReadAhead(int64_t limit_bytes, SteadyTime now);

  int64_t num_bytes() const { return num_bytes_; }
  bool is_at_limit() const { return num_bytes_ == limit_bytes_; }

  /// Tells how things stand from `now` on. `starved`: the reader waits, and storage has not sent
  /// what it waits for. `held_back`: somebody would go on if num_bytes() were larger.
  /// `received_bytes`: by all downloads so far. True: num_bytes() has changed.
  bool Observe(bool starved, bool held_back, int64_t received_bytes, SteadyTime now);
  /// When to call Observe again at the latest; nullopt: when something changes.
  std::optional<SteadyTime> next_look() const;

 private:
  bool Judge(int64_t received_bytes, SteadyTime now);
  bool Grow(int64_t received_bytes, SteadyTime now);

  const int64_t limit_bytes_;
  int64_t num_bytes_;
  int64_t bytes_before_growth_ = 0;
  bool starving_ = false;            // since last_look_
  SteadyTime::duration starved_{0};  // of late; time that was good takes from it
  SteadyTime last_look_;
  SteadyTime changed_at_;
  int64_t bytes_at_change_ = 0;  // received
  bool on_trial_ = false;        // it has grown, and that has not been judged
  std::optional<SteadyTime> trial_start_;
  int64_t bytes_before_trial_ = 0;
  double rate_before_ = 0;  // bytes per second, before it grew
  SteadyTime no_growth_before_;
};

}  // namespace dbx
