// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <thread>

#include "base/mutex.h"

namespace dbx::local {

/// Calls things when their time has come, on one thread of its own. Thread-safe.
class DeadlineWatch {
 public:
  DeadlineWatch();
  /// What has not been called yet never is.
  ~DeadlineWatch();
  DeadlineWatch(const DeadlineWatch&) = delete;
  DeadlineWatch& operator=(const DeadlineWatch&) = delete;

  /// `expire` must be short and must not call back into this.
  void Add(std::chrono::steady_clock::time_point deadline, std::function<void()> expire)
      EXCLUDES(mutex_);

 private:
  void Watch();

  Mutex mutex_;
  Condition changed_;
  std::multimap<std::chrono::steady_clock::time_point, std::function<void()>> waiting_
      GUARDED_BY(mutex_);
  bool closed_ GUARDED_BY(mutex_) = false;

  std::thread thread_;  // started last, joined first
};

}  // namespace dbx::local
