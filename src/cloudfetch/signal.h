// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <utility>

#include "base/clock.h"
#include "base/mutex.h"

namespace dbx {

/// Wakes one thread that sleeps until there is something to do. Raising it twice before the thread
/// looks wakes it once.
class Signal {
 public:
  /// From any thread.
  void Raise() EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    raised_ = true;
    changed_.NotifyOne();
  }

  /// Blocks until it is raised, which lowers it, or until `deadline` (nullopt: none) has passed.
  /// True: it was raised.
  bool Wait(std::optional<SteadyTime> deadline) EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    while (!raised_) {
      if (!deadline) {
        changed_.Wait(mutex_);
      } else if (!changed_.WaitUntil(mutex_, *deadline)) {
        break;
      }
    }
    return std::exchange(raised_, false);
  }

 private:
  Mutex mutex_;
  Condition changed_;
  bool raised_ GUARDED_BY(mutex_) = false;
};

}  // namespace dbx
