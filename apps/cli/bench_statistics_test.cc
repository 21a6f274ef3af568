// SPDX-License-Identifier: Apache-2.0
#include "bench_statistics.h"

#include <gtest/gtest.h>

namespace dbx::cli {
namespace {

TEST(BenchStatistics, SummarizesWithAnIntervalAroundTheMean) {
  const Summary summary = Summarize({1.0, 1.2, 0.9, 1.1, 3.0});
  EXPECT_DOUBLE_EQ(summary.mean, 1.44);
  EXPECT_DOUBLE_EQ(summary.median, 1.1);
  EXPECT_DOUBLE_EQ(summary.minimum, 0.9);
  EXPECT_LT(summary.interval.low, summary.mean);
  EXPECT_GT(summary.interval.high, summary.mean);
  EXPECT_GE(summary.interval.low, 0.9);
  EXPECT_LE(summary.interval.high, 3.0);
}

TEST(BenchStatistics, TakesTheMeanOfTheTwoInTheMiddle) {
  EXPECT_DOUBLE_EQ(Median({4, 1, 3, 2}), 2.5);
}

TEST(BenchStatistics, EqualValuesHaveNoWidth) {
  const Summary summary = Summarize({2, 2, 2});
  EXPECT_DOUBLE_EQ(summary.interval.low, 2);
  EXPECT_DOUBLE_EQ(summary.interval.high, 2);
}

TEST(BenchStatistics, TheSameValuesGiveTheSameInterval) {
  const std::vector<double> values{1, 5, 2, 4, 3};
  EXPECT_DOUBLE_EQ(Summarize(values).interval.low, Summarize(values).interval.low);
}

TEST(BenchStatistics, ARatioNeedsTwoValuesOnEitherSide) {
  EXPECT_FALSE(RatioOfMeans({1}, {1, 1}).has_value());
  EXPECT_FALSE(RatioOfMeans({1, 1}, {1}).has_value());
  EXPECT_FALSE(RatioOfMeans({1, 1}, {0, 0}).has_value());
  const std::optional<Ratio> ratio = RatioOfMeans({2, 4}, {1, 2});
  ASSERT_TRUE(ratio.has_value());
  EXPECT_DOUBLE_EQ(ratio->value, 2);
  EXPECT_DOUBLE_EQ(ratio->interval.low, 1);
  EXPECT_DOUBLE_EQ(ratio->interval.high, 4);
}

TEST(BenchStatistics, PairsRoundsAndLeavesOutThoseWithoutAValue) {
  // Every round is twice as slow as the one before, and the ratio of each is 1.1 all the same.
  const std::optional<Ratio> ratio =
      PairedRatio({1.1, std::nullopt, 4.4, 8.8}, {1.0, 2.0, 4.0, std::nullopt});
  ASSERT_TRUE(ratio.has_value());
  EXPECT_NEAR(ratio->value, 1.1, 1e-12);
  EXPECT_NEAR(ratio->interval.low, 1.1, 1e-12);
  EXPECT_NEAR(ratio->interval.high, 1.1, 1e-12);
  EXPECT_FALSE(PairedRatio({1.0}, {std::nullopt}).has_value());
}

TEST(BenchStatistics, MarksOnlyWhatLiesWhollyBeyondThreePerCent) {
  EXPECT_EQ(MarkOf(Ratio{0.90, {0.88, 0.96}}), Mark::kBetter);
  EXPECT_EQ(MarkOf(Ratio{0.90, {0.80, 0.98}}), Mark::kNone);
  EXPECT_EQ(MarkOf(Ratio{1.10, {1.04, 1.20}}), Mark::kWorse);
  EXPECT_EQ(MarkOf(Ratio{1.10, {1.02, 1.20}}), Mark::kNone);
  EXPECT_EQ(MarkOf(std::nullopt), Mark::kNone);
}

}  // namespace
}  // namespace dbx::cli
