// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

namespace dbx::cli {

/// The range in which a figure lies with 95 % confidence, by 4,000 bootstrap resamples of the same
/// seed: the same values give the same interval.
struct Interval {
  double low = 0, high = 0;
};

/// What repeated values say. All in the unit of the values.
struct Summary {
  double mean = 0, median = 0, minimum = 0;
  Interval interval;  ///< of the mean
};

/// `values` must not be empty.
Summary Summarize(const std::vector<double>& values);

/// The middle value, or the mean of the two in the middle. `values` must not be empty.
double Median(std::vector<double> values);

/// A ratio with its 95 % interval.
struct Ratio {
  double value = 0;
  Interval interval;
};

/// Mean of `values` to mean of `baseline`, which were measured apart from each other; nullopt with
/// fewer than two values on either side, or when the baseline's mean is not above zero.
std::optional<Ratio> RatioOfMeans(const std::vector<double>& values,
                                  const std::vector<double>& baseline);

/// Median of the ratios pair by pair, of values that were measured in the same rounds: what slowed
/// a round down slowed both. nullopt stands for a round without a value. nullopt without a pair.
std::optional<Ratio> PairedRatio(const std::vector<std::optional<double>>& values,
                                 const std::vector<std::optional<double>>& baseline);

/// Whether a ratio of times is news.
enum class Mark { kNone, kBetter, kWorse };

/// kBetter or kWorse only where the whole interval lies beyond 3 %.
Mark MarkOf(const std::optional<Ratio>& ratio);

}  // namespace dbx::cli
