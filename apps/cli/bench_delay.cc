// SPDX-License-Identifier: Apache-2.0
#include "bench_delay.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <string_view>

#include "failure.h"
#include "interrupt.h"

namespace dbx::cli {
namespace {

using SteadyClock = std::chrono::steady_clock;
using std::chrono::nanoseconds;

constexpr double kLongestSeconds = 3600;
/// A wait of the system ends late by a tenth of a millisecond or two: the end is waited for awake.
constexpr std::chrono::microseconds kAwake{300};

[[noreturn]] void Refuse(const std::string& text, const std::string& why) {
  throw Failure(Exit::kUsage,
                fmt::format("--consumer-delay '{}': {}; write TIME/ROWS, as 5ms/10000", text, why));
}

/// Takes a number from the front of `text`, which keeps what follows.
template <typename Number>
bool TakeNumber(std::string_view& text, Number& number) {
  const auto [stop, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failure != std::errc()) return false;
  text.remove_prefix(static_cast<size_t>(stop - text.data()));
  return true;
}

/// Seconds of a unit, 0 for what is none.
double UnitSeconds(std::string_view unit) {
  if (unit == "us" || unit == "µs") return 1e-6;
  if (unit == "ms") return 1e-3;
  return unit == "s" ? 1 : 0;
}

}  // namespace

ConsumerDelay ParseConsumerDelay(const std::string& text, DelayRule rule) {
  if (text.empty()) return {.rule = rule};
  const size_t slash = text.find('/');
  if (slash == std::string::npos) Refuse(text, "the number of rows is missing");
  std::string_view time(text.data(), slash);
  std::string_view rows = std::string_view(text).substr(slash + 1);
  double length = 0;
  if (!TakeNumber(time, length)) Refuse(text, "the time is no number");
  const double unit = UnitSeconds(time);
  if (unit == 0) Refuse(text, fmt::format("the time's unit '{}' is none of us, ms, s", time));
  const double seconds = length * unit;
  if (!(seconds >= 0 && seconds <= kLongestSeconds)) Refuse(text, "the time is outside 0..3600 s");
  ConsumerDelay delay{.length = nanoseconds(static_cast<int64_t>(seconds * 1e9)), .rule = rule};
  if (!TakeNumber(rows, delay.rows) || !rows.empty() || delay.rows < 1)
    Refuse(text, "the rows are no whole number from 1 on");
  return delay;
}

nanoseconds DelayOf(const ConsumerDelay& delay, int64_t num_rows) {
  const double share = static_cast<double>(num_rows) / static_cast<double>(delay.rows);
  const nanoseconds exact(std::llround(static_cast<double>(delay.length.count()) * share));
  if (delay.rule == DelayRule::kExact) return exact;
  return std::chrono::duration_cast<std::chrono::milliseconds>(exact);
}

void WaitFor(const ConsumerDelay& delay, int64_t num_rows) {
  const nanoseconds length = DelayOf(delay, num_rows);
  if (length.count() == 0) return;
  const SteadyClock::time_point end = SteadyClock::now() + length;
  if (delay.rule == DelayRule::kInteger) {
    Interrupt::WaitUntil(end);
    return;
  }
  if (!Interrupt::WaitUntil(end - kAwake)) return;
  while (SteadyClock::now() < end) {
  }
}

}  // namespace dbx::cli
