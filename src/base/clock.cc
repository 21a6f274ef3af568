// SPDX-License-Identifier: Apache-2.0
#include "base/clock.h"

namespace dbx {
namespace {

class RealClock : public Clock {
 public:
  SteadyTime Now() const override { return std::chrono::steady_clock::now(); }
  WallTime WallNow() const override { return std::chrono::system_clock::now(); }
};

}  // namespace

const Clock& Clock::Real() {
  static const RealClock clock;
  return clock;
}

}  // namespace dbx
