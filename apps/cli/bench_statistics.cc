// SPDX-License-Identifier: Apache-2.0
#include "bench_statistics.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <numeric>
#include <random>

namespace dbx::cli {
namespace {

constexpr size_t kResamples = 4000;
constexpr double kMargin = 0.03;

double Mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// Draws as many values as there are, with repetition. The remainder in place of a distribution of
/// the standard library: that may differ from one library to the next.
std::vector<double> Resample(const std::vector<double>& values, std::mt19937_64& random) {
  std::vector<double> drawn(values.size());
  for (double& value : drawn) value = values[random() % values.size()];
  return drawn;
}

Interval Bootstrap(const std::function<double(std::mt19937_64&)>& draw) {
  std::mt19937_64 random(1);
  std::vector<double> drawn(kResamples);
  for (double& value : drawn) value = draw(random);
  std::sort(drawn.begin(), drawn.end());
  return {drawn[kResamples / 40], drawn[kResamples - kResamples / 40 - 1]};
}

}  // namespace

double Median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

Summary Summarize(const std::vector<double>& values) {
  return {.mean = Mean(values),
          .median = Median(values),
          .minimum = *std::min_element(values.begin(), values.end()),
          .interval =
              Bootstrap([&](std::mt19937_64& random) { return Mean(Resample(values, random)); })};
}

std::optional<Ratio> RatioOfMeans(const std::vector<double>& values,
                                  const std::vector<double>& baseline) {
  if (values.size() < 2 || baseline.size() < 2 || Mean(baseline) <= 0) return std::nullopt;
  const Interval interval = Bootstrap([&](std::mt19937_64& random) {
    const double above = Mean(Resample(values, random));
    return above / Mean(Resample(baseline, random));
  });
  return Ratio{Mean(values) / Mean(baseline), interval};
}

std::optional<Ratio> PairedRatio(const std::vector<std::optional<double>>& values,
                                 const std::vector<std::optional<double>>& baseline) {
  std::vector<double> ratios;
  for (size_t i = 0; i < std::min(values.size(), baseline.size()); ++i) {
    if (values[i] && baseline[i] && *baseline[i] > 0) ratios.push_back(*values[i] / *baseline[i]);
  }
  if (ratios.empty()) return std::nullopt;
  const Interval interval =
      Bootstrap([&](std::mt19937_64& random) { return Median(Resample(ratios, random)); });
  return Ratio{Median(ratios), interval};
}

Mark MarkOf(const std::optional<Ratio>& ratio) {
  if (!ratio) return Mark::kNone;
  if (ratio->interval.high < 1 - kMargin) return Mark::kBetter;
  return ratio->interval.low > 1 + kMargin ? Mark::kWorse : Mark::kNone;
}

}  // namespace dbx::cli
