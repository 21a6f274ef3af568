// SPDX-License-Identifier: Apache-2.0
#include "bench_delay.h"

#include <gtest/gtest.h>

#include "failure.h"

namespace dbx::cli {
namespace {

using namespace std::chrono_literals;

std::string Refusal(const std::string& text) {
  try {
    ParseConsumerDelay(text, DelayRule::kExact);
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.exit(), Exit::kUsage);
    return failure.what();
  }
  return "";
}

TEST(BenchDelay, ReadsTimeAndRows) {
  const ConsumerDelay delay = ParseConsumerDelay("5ms/10000", DelayRule::kExact);
  EXPECT_EQ(delay.length, 5ms);
  EXPECT_EQ(delay.rows, 10'000);
  EXPECT_EQ(ParseConsumerDelay("2.5us/1", DelayRule::kExact).length, 2500ns);
  EXPECT_EQ(ParseConsumerDelay("1s/1000000", DelayRule::kExact).length, 1s);
  EXPECT_EQ(ParseConsumerDelay("", DelayRule::kExact).length, 0ns);
}

TEST(BenchDelay, SaysWhatIsWrongAndHowToWriteIt) {
  for (const char* const text : {"5ms", "ms/10000", "5/10000", "5m/10000", "-1ms/10000", "5ms/0",
                                 "5ms/", "5ms/1e4", "4000s/1", "nans/1"}) {
    EXPECT_NE(Refusal(text).find("write TIME/ROWS, as 5ms/10000"), std::string::npos) << text;
  }
  EXPECT_NE(Refusal("5m/10000").find("unit 'm'"), std::string::npos);
}

TEST(BenchDelay, TheExactRuleKeepsFractions) {
  const ConsumerDelay delay{.length = 5ms, .rows = 10'000};
  EXPECT_EQ(DelayOf(delay, 4096), 2048us);
  EXPECT_EQ(DelayOf(delay, 1), 500ns);
}

TEST(BenchDelay, TheIntegerRuleCutsToWholeMilliseconds) {
  const ConsumerDelay delay{.length = 5ms, .rows = 10'000, .rule = DelayRule::kInteger};
  EXPECT_EQ(DelayOf(delay, 4096), 2ms);
  EXPECT_EQ(DelayOf(delay, 1999), 0ms);
  EXPECT_EQ(DelayOf(delay, 2000), 1ms);
  EXPECT_EQ(DelayOf(delay, 10'000), 5ms);
}

TEST(BenchDelay, WaitsNoShorterThanItSays) {
  const auto begin = std::chrono::steady_clock::now();
  WaitFor({.length = 5ms, .rows = 10'000}, 4096);
  EXPECT_GE(std::chrono::steady_clock::now() - begin, 2048us);
}

}  // namespace
}  // namespace dbx::cli
