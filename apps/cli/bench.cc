// SPDX-License-Identifier: Apache-2.0
#include "bench.h"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>

#include "bench_delay.h"
#include "bench_report.h"
#include "bench_result.h"
#include "bench_run.h"
#include "bench_settings.h"
#include "interrupt.h"
#include "text.h"

namespace dbx::cli {
namespace {

/// Says so before an hour of measuring and not after it.
void RequireFolder(const std::string& option, const std::string& path) {
  if (path.empty()) return;
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  std::error_code failure;
  if (folder.empty() || std::filesystem::is_directory(folder, failure)) return;
  throw Failure(Exit::kUsage, fmt::format("{} '{}': the folder '{}' is not there; make it first",
                                          option, path, folder.string()));
}

void RequireRows(int64_t counted, BenchRun& run) {
  if (run.error.empty() && run.rows != counted) {
    run.wrong = fmt::format("{} rows came, the server counts {}", WithThousands(run.rows),
                            WithThousands(counted));
  }
}

/// One query with all settings.
class CaseRunner {
 public:
  CaseRunner(const BenchOptions& options, const BenchTask& task,
             const std::vector<Setting>& settings)
      : options_(options), task_(task), settings_(settings), refused_(settings_.size()) {}

  void Run(BenchCase& one) {
    one.runs.resize(settings_.size());
    const int num_rounds = options_.num_warm_up + options_.num_runs;
    for (int round = 0; round < num_rounds; ++round) RunRound(round, one);
  }

 private:
  /// Every setting once; another one begins each time, so that none always follows the same.
  void RunRound(int round, BenchCase& one) {
    const bool warm_up = round < options_.num_warm_up;
    for (size_t i = 0; i < settings_.size(); ++i) {
      const size_t turn = (i + static_cast<size_t>(round)) % settings_.size();
      if (Interrupt::Requested()) throw Failure(Exit::kInterrupted, "interrupted");
      if (refused_[turn]) continue;
      BenchRun run = MeasureRun(task_, settings_[turn]);
      RequireRows(one.counted, run);
      Say(one, round, settings_[turn], run);
      // What fails at its first try would fail each time.
      refused_[turn] = round == 0 && !run.error.empty();
      if (!warm_up || refused_[turn]) one.runs[turn].push_back(std::move(run));
    }
  }

  void Say(const BenchCase& one, int round, const Setting& setting, const BenchRun& run) const {
    if (options_.quiet) return;
    const int number = round - options_.num_warm_up + 1;
    fmt::print(stderr, "{}{} {}: {}\n", one.name, settings_.size() > 1 ? " " + setting.name : "",
               number < 1 ? "warm-up" : fmt::format("{}/{}", number, options_.num_runs),
               !run.error.empty()   ? Printable(run.error)
               : !run.wrong.empty() ? run.wrong
                                    : Duration(run.seconds));
  }

  const BenchOptions& options_;
  const BenchTask& task_;
  const std::vector<Setting>& settings_;
  std::vector<bool> refused_;
};

Exit Outcome(const BenchResult& result) {
  Exit exit = Exit::kOk;
  for (const BenchCase& one : result.cases) {
    for (const std::vector<BenchRun>& runs : one.runs) {
      for (const BenchRun& run : runs) {
        if (!run.error.empty()) return Exit::kFailed;
        if (!run.wrong.empty()) exit = Exit::kDifference;
      }
    }
  }
  return exit;
}

/// Counts the query's rows by the server. False, and an error in every setting's place, when the
/// server refuses it: other queries can be measured all the same.
bool CountRows(const BenchOptions& options, const NamedQuery& query, const BenchResult& result,
               BenchCase& one) {
  Connection connection(options.connection);
  try {
    one.counted = QueryNumber(connection, fmt::format("SELECT count(*) FROM ({})", query.sql));
    return true;
  } catch (const Failure& failure) {
    if (Interrupt::Requested()) throw;
    one.runs.assign(result.settings.size(), {BenchRun{.error = failure.what()}});
    return false;
  }
}

void Measure(const BenchOptions& options, const NamedQuery& query, BenchResult& result) {
  BenchCase one{.name = query.name};
  if (CountRows(options, query, result, one)) {
    const BenchTask task{.connection = options.connection,
                         .sql = query.sql,
                         .delay = result.delay,
                         .show_progress = !options.quiet};
    CaseRunner(options, task, result.settings).Run(one);
  }
  result.cases.push_back(std::move(one));
}

}  // namespace

Exit RunBench(const BenchOptions& options) {
  const std::vector<NamedQuery> queries = ReadNamedQueries(options.queries);
  const Baseline baseline =
      options.baseline_file.empty() ? Baseline() : Baseline(options.baseline_file);
  RequireFolder("--json", options.json_file);
  RequireFolder("--markdown", options.markdown_file);
  BenchResult result{
      .settings = ReadSettings(options.sweep),
      .cases = {},
      .num_runs = options.num_runs,
      .num_warm_up = options.num_warm_up,
      .delay = ParseConsumerDelay(options.consumer_delay, options.consumer_rule == "integer"
                                                              ? DelayRule::kInteger
                                                              : DelayRule::kExact)};
  for (const NamedQuery& query : queries) Measure(options, query, result);
  fmt::print("{}", TerminalReport(result, baseline));
  if (!options.json_file.empty()) WriteJson(ToJson(result), options.json_file);
  if (!options.markdown_file.empty())
    WriteText(MarkdownReport(result, baseline), options.markdown_file);
  return Outcome(result);
}

}  // namespace dbx::cli
