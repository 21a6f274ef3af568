// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "connection.h"
#include "failure.h"
#include "named_queries.h"

namespace dbx::cli {

struct BenchOptions {
  ConnectionOptions connection;
  QueryChoice queries;
  std::string sweep;                    ///< of ReadSettings
  int num_runs = 7;                     ///< that count, for each query and setting
  int num_warm_up = 1;                  ///< that do not
  std::string consumer_delay;           ///< of ParseConsumerDelay
  std::string consumer_rule = "exact";  ///< or "integer": of DelayRule
  std::string json_file;                ///< every run is written here
  std::string markdown_file;            ///< and the tables here
  std::string baseline_file;            ///< and compared with these
  bool quiet = false;
};

/// Reads each query's result to its end, `num_runs` times with every setting, settings in turns,
/// and prints what that took. Rows are compared with the server's own count(*) in every run.
/// kFailed when a run failed, kDifference when rows were wrong. Throws Failure.
Exit RunBench(const BenchOptions& options);

}  // namespace dbx::cli
