// SPDX-License-Identifier: Apache-2.0
#include "net/jitter.h"

namespace dbx::local {
namespace {

// The finishing steps of the splitmix64 generator: neighbours in, unrelated numbers out.
uint64_t Mix(uint64_t value) {
  value += 0x9E3779B97F4A7C15U;
  value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9U;
  value = (value ^ (value >> 27)) * 0x94D049BB133111EBU;
  return value ^ (value >> 31);
}

}  // namespace

std::chrono::microseconds JitterOf(const JitterSource& source, std::chrono::milliseconds most) {
  const int64_t bound = std::chrono::microseconds(most).count();
  if (bound == 0) return std::chrono::microseconds(0);
  const uint64_t draw =
      Mix(Mix(source.seed) ^ source.request_id) % static_cast<uint64_t>(2 * bound + 1);
  return std::chrono::microseconds(static_cast<int64_t>(draw) - bound);
}

}  // namespace dbx::local
