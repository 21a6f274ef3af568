// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>

namespace dbx::cli {

/// Ctrl-C (SIGINT) and SIGTERM for as long as the program lives. Make it once, before any other
/// thread: a thread of its own takes the signals, so that what is called may do what a signal
/// handler may not.
class Interrupt {
 public:
  Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  /// True once a signal has come.
  static bool Requested();

  /// Waits until `moment`. False, and at once, when a signal has come.
  static bool WaitUntil(std::chrono::steady_clock::time_point moment);

  /// Calls `stop` upon the first signal, for as long as the scope lives; a second signal ends the
  /// program at once.
  class Scope {
   public:
    explicit Scope(std::function<void()> stop);
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;
  };
};

}  // namespace dbx::cli
