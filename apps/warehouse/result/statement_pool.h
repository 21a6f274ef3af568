// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <functional>
#include <thread>
#include <vector>

#include "base/mutex.h"

namespace dbx::local {

/// Threads that run statements, first come first served. Thread-safe.
class StatementPool {
 public:
  explicit StatementPool(int num_threads);
  /// Runs what is queued to its end: whoever owns the statements ends them first.
  ~StatementPool();
  StatementPool(const StatementPool&) = delete;
  StatementPool& operator=(const StatementPool&) = delete;

  void Submit(std::function<void()> work) EXCLUDES(mutex_);

 private:
  void RunWork();

  Mutex mutex_;
  Condition changed_;
  std::deque<std::function<void()>> queue_ GUARDED_BY(mutex_);
  bool closed_ GUARDED_BY(mutex_) = false;

  std::vector<std::thread> threads_;  // started last, joined first
};

}  // namespace dbx::local
