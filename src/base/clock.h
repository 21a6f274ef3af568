// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>

namespace dbx {

using SteadyTime = std::chrono::steady_clock::time_point;
using WallTime = std::chrono::system_clock::time_point;
using Milliseconds = std::chrono::milliseconds;

/// The time, so that a test can have its own. Methods from any thread.
class Clock {
 public:
  virtual ~Clock() = default;
  virtual SteadyTime Now() const = 0;
  /// The calendar's time, to compare with what a server says.
  virtual WallTime WallNow() const = 0;

  /// The machine's clock; lives for ever.
  static const Clock& Real();
};

}  // namespace dbx
