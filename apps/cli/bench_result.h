// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bench_delay.h"
#include "bench_run.h"
#include "bench_settings.h"
#include "json_file.h"

namespace dbx::cli {

/// All runs of one query.
struct BenchCase {
  std::string name;
  int64_t counted = 0;                           ///< rows by the server
  std::vector<std::vector<BenchRun>> runs = {};  ///< one list a setting, in the order of the rounds
};

/// All that a benchmark measured.
struct BenchResult {
  std::vector<Setting> settings;
  std::vector<BenchCase> cases;
  int num_runs = 0, num_warm_up = 0;
  ConsumerDelay delay = {};
};

/// The runs whose rows were right.
std::vector<const BenchRun*> GoodRuns(const std::vector<BenchRun>& runs);

/// Seconds of each round, nullopt where a run does not count.
std::vector<std::optional<double>> Times(const std::vector<BenchRun>& runs);

/// "2 cores …, 23.6 GiB, Linux 6.1".
std::string MachineLine();

/// In the shape of bench/results/*.json: {format, scenario, machine, runs, cases: [{name, dataset,
/// records: {setting: [run, …]}}]}.
Json ToJson(const BenchResult& result);

/// A result of before: of ToJson, or of `make bench`.
class Baseline {
 public:
  /// Without one: everything is unknown.
  Baseline() = default;
  /// Throws Failure(kUsage) when the file holds no result.
  explicit Baseline(const std::string& path);

  bool empty() const { return !json_.is_object(); }
  /// When it was measured, as "2026-01-31"; empty when it does not say.
  std::string Date() const;
  /// `figure` ("seconds", "peak_kib") of the good runs; empty when they are not there.
  std::vector<double> Values(const std::string& query, const std::string& setting,
                             const std::string& figure) const;

 private:
  Json json_ = nullptr;
};

}  // namespace dbx::cli
