// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "base/clock.h"

namespace dbx {

/// How many bytes a stream keeps ready ahead of its reader: few while that is enough, since fresh
/// memory and cold caches cost more than they bring; more, up to the limit, when the reader has
/// starved although bytes that were held back could have flowed. One thread.
class ReadAhead {
 public:
  ReadAhead(int64_t limit_bytes, SteadyTime now);

  int64_t num_bytes() const { return num_bytes_; }
  bool is_at_limit() const { return num_bytes_ == limit_bytes_; }

  /// Tells how things stand from `now` on. `starved`: the reader waits, and storage has not sent
  /// what it waits for. `held_back`: somebody would go on if num_bytes() were larger. True: it has
  /// become larger.
  bool Observe(bool starved, bool held_back, SteadyTime now);
  /// When to call Observe again at the latest; nullopt: when something changes.
  std::optional<SteadyTime> next_look() const;

 private:
  const int64_t limit_bytes_;
  int64_t num_bytes_;
  bool starving_ = false;           // since last_look_
  SteadyTime::duration starved_{};  // of late; time that was good takes from it
  SteadyTime last_look_;
};

}  // namespace dbx
