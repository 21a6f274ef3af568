// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace dbx::cli {

/// How long a reader works on a batch.
enum class DelayRule : uint8_t {
  kExact,    ///< fractions count, and the wait ends when it should
  kInteger,  ///< whole milliseconds a batch, as the benchmark of the C# driver takes it: 4,096 rows
             ///< at 5 ms for 10,000 are 2 ms, and 1,999 rows are nothing
};

/// A reader that works on its rows for a while, in place of one that does nothing with them.
struct ConsumerDelay {
  std::chrono::nanoseconds length{0};  ///< for `rows` rows; 0: none
  int64_t rows = 1;
  DelayRule rule = DelayRule::kExact;
};

/// "5ms/10000": a time (us, ms or s; fractions allowed) for a number of rows. Empty: none. Throws
/// Failure(kUsage) that says what is wrong.
ConsumerDelay ParseConsumerDelay(const std::string& text, DelayRule rule);

/// What a batch of `num_rows` rows takes.
std::chrono::nanoseconds DelayOf(const ConsumerDelay& delay, int64_t num_rows);

/// Waits that long. A signal of Interrupt ends it early.
void WaitFor(const ConsumerDelay& delay, int64_t num_rows);

}  // namespace dbx::cli
