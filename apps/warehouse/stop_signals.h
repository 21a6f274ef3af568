// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <csignal>
#include <thread>

#include "base/mutex.h"

namespace dbx::local {

/// SIGTERM and SIGINT as a wait instead of an interruption. Make it before any other thread: they
/// inherit that the signals are blocked.
///
/// A signal that comes before Wait ends the process at once (what the program makes by then
/// survives that), and so does a second one.
class StopSignals {
 public:
  StopSignals();
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  /// Blocks until the first signal.
  void Wait() EXCLUDES(mutex_);

 private:
  void Run() EXCLUDES(mutex_);

  sigset_t signals_;
  Mutex mutex_;
  Condition changed_;
  bool waited_for_ GUARDED_BY(mutex_) = false;
  bool arrived_ GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

}  // namespace dbx::local
