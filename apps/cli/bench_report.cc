// SPDX-License-Identifier: Apache-2.0
#include "bench_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "bench_statistics.h"
#include "table.h"
#include "text.h"

namespace dbx::cli {
namespace {

constexpr double kMiB = 1 << 20;

using Cells = std::vector<std::string>;

/// The runs of one query with one setting.
struct Row {
  const BenchCase& query;
  const Setting& setting;
  const std::vector<BenchRun>& runs;
};

std::vector<double> Figures(const std::vector<BenchRun>& runs,
                            const std::function<double(const BenchRun&)>& figure) {
  std::vector<double> values;
  for (const BenchRun* const run : GoodRuns(runs)) values.push_back(figure(*run));
  return values;
}

double MedianOf(const std::vector<BenchRun>& runs,
                const std::function<double(const BenchRun&)>& figure) {
  return Median(Figures(runs, figure));
}

std::vector<double> Seconds(const std::vector<BenchRun>& runs) {
  return Figures(runs, [](const BenchRun& run) { return run.seconds; });
}

std::vector<double> PeakKib(const std::vector<BenchRun>& runs) {
  return Figures(runs,
                 [](const BenchRun& run) { return static_cast<double>(run.peak_bytes) / 1024; });
}

double MedianSeconds(const std::vector<BenchRun>& runs) {
  return std::max(Median(Seconds(runs)), 1e-6);
}

int64_t RowsPerSecond(const Row& row) {
  return static_cast<int64_t>(static_cast<double>(row.query.counted) / MedianSeconds(row.runs));
}

/// The fastest run's.
int64_t BestRowsPerSecond(const Row& row) {
  const double seconds = std::max(Summarize(Seconds(row.runs)).minimum, 1e-6);
  return static_cast<int64_t>(static_cast<double>(row.query.counted) / seconds);
}

std::string Milliseconds(double seconds) {
  return fmt::format("{:.1f}", seconds * 1000);
}

std::string Reason(const std::vector<BenchRun>& runs) {
  for (const BenchRun& run : runs) {
    if (!run.good()) return run.wrong.empty() ? run.error : run.wrong;
  }
  return "no run";
}

/// "7", or "5 of 7".
std::string RunCount(const std::vector<BenchRun>& runs) {
  const size_t good = GoodRuns(runs).size();
  return good == runs.size() ? fmt::format("{}", good) : fmt::format("{} of {}", good, runs.size());
}

std::string PerCent(double ratio) {
  return fmt::format("{:+.1f} %", (ratio - 1) * 100);
}

std::string Difference(const std::optional<Ratio>& ratio) {
  if (!ratio) return "";
  const Mark mark = MarkOf(ratio);
  return PerCent(ratio->value) + (mark == Mark::kBetter  ? " faster"
                                  : mark == Mark::kWorse ? " slower"
                                                         : "");
}

/// By how much more rows a second than those of `first` in the same rounds: "+32.0 % (28 to 36)".
std::string Gain(const std::vector<BenchRun>& runs, const std::vector<BenchRun>& first) {
  const std::optional<Ratio> rate = PairedRatio(Times(first), Times(runs));
  if (!rate) return "";
  return fmt::format("{} ({:+.0f} to {:+.0f})", PerCent(rate->value),
                     (rate->interval.low - 1) * 100, (rate->interval.high - 1) * 100);
}

std::vector<Row> RowsOf(const BenchResult& result) {
  std::vector<Row> rows;
  for (const BenchCase& query : result.cases) {
    for (size_t i = 0; i < result.settings.size(); ++i)
      rows.push_back({query, result.settings[i], query.runs[i]});
  }
  return rows;
}

bool IsSweep(const BenchResult& result) {
  return result.settings.size() > 1;
}

/// The first cells of a line: the query, and of several settings which.
Cells Name(const Row& row, bool sweep) {
  return sweep ? Cells{row.query.name, row.setting.name} : Cells{row.query.name};
}

Table MakeTable(bool sweep, const Cells& headings) {
  Table table{.headings = {"query"}, .right_aligned = {false}, .rows = {}};
  if (sweep) table.headings.emplace_back("setting");
  table.right_aligned.resize(table.headings.size(), false);
  table.headings.insert(table.headings.end(), headings.begin(), headings.end());
  table.right_aligned.resize(table.headings.size(), true);
  return table;
}

void AddRow(Cells name, const Cells& cells, Table& table) {
  name.insert(name.end(), cells.begin(), cells.end());
  name.resize(table.headings.size());
  table.rows.push_back(std::move(name));
}

/// How the time compares with what the reader took for itself: 1 is the least that can be.
std::string TimesTheDelay(const Row& row) {
  const double delay = MedianOf(row.runs, [](const BenchRun& run) { return run.delay_seconds; });
  return delay > 0 ? fmt::format("{:.3f}", MedianSeconds(row.runs) / delay) : "";
}

Table TimeTable(const BenchResult& result, const Baseline& baseline) {
  Cells headings{"rows",    "columns",          "mean ms",        "median",
                 "minimum", "95 % of the mean", "first batch ms", "runs"};
  const bool delayed = result.delay.length.count() > 0;
  if (delayed) headings.emplace_back("× the delay");
  if (!baseline.empty()) headings.insert(headings.end(), {"baseline ms", "difference"});
  Table table = MakeTable(IsSweep(result), headings);
  for (const Row& row : RowsOf(result)) {
    if (GoodRuns(row.runs).empty()) {
      AddRow(Name(row, IsSweep(result)), {"no right run"}, table);
      continue;
    }
    const Summary time = Summarize(Seconds(row.runs));
    const double first = MedianOf(row.runs, [](const BenchRun& run) { return run.first_batch; });
    Cells cells{
        WithThousands(row.query.counted),
        std::to_string(GoodRuns(row.runs).front()->columns),
        Milliseconds(time.mean),
        Milliseconds(time.median),
        Milliseconds(time.minimum),
        fmt::format("{}–{}", Milliseconds(time.interval.low), Milliseconds(time.interval.high)),
        Milliseconds(first),
        RunCount(row.runs)};
    if (delayed) cells.push_back(TimesTheDelay(row));
    const std::vector<double> before = baseline.Values(row.query.name, row.setting.name, "seconds");
    if (!before.empty()) {
      cells.push_back(Milliseconds(Summarize(before).mean));
      cells.push_back(Difference(RatioOfMeans(Seconds(row.runs), before)));
    }
    AddRow(Name(row, IsSweep(result)), cells, table);
  }
  return table;
}

/// Wire bytes a second, or "inline" where none were counted.
std::string WireRate(const Row& row) {
  if (!GoodRuns(row.runs).front()->wire_bytes) return "inline";
  const double bytes = MedianOf(row.runs, [](const BenchRun& run) {
    return static_cast<double>(run.wire_bytes.value_or(0));
  });
  return fmt::format("{:.1f}", bytes / MedianSeconds(row.runs) / 1e6);
}

Cells RateCells(const Row& row) {
  const double decoded = MedianOf(
      row.runs, [](const BenchRun& run) { return static_cast<double>(run.decoded_bytes); });
  const double cpu =
      MedianOf(row.runs, [](const BenchRun& run) { return run.cpu_user + run.cpu_system; });
  const double allocated = MedianOf(
      row.runs, [](const BenchRun& run) { return static_cast<double>(run.allocated_bytes); });
  return {WithThousands(RowsPerSecond(row)),
          fmt::format("{:.1f}", decoded / MedianSeconds(row.runs) / 1e6),
          WireRate(row),
          decoded > 0 ? fmt::format("{:.2f}", cpu / (decoded / 1e9)) : "",
          fmt::format("{:.1f}", Median(PeakKib(row.runs)) / 1024),
          fmt::format("{:.1f}", allocated / kMiB)};
}

Table RateTable(const BenchResult& result) {
  Cells headings{"rows/s", "MB/s decoded", "MB/s wire", "CPU s/GB", "peak MiB", "allocated MiB"};
  const bool sweep = IsSweep(result);
  if (sweep) headings.push_back(fmt::format("rows/s against {}", result.settings.front().name));
  Table table = MakeTable(sweep, headings);
  for (const Row& row : RowsOf(result)) {
    if (GoodRuns(row.runs).empty()) continue;
    Cells cells = RateCells(row);
    if (sweep && &row.setting != &result.settings.front())
      cells.push_back(Gain(row.runs, row.query.runs.front()));
    AddRow(Name(row, sweep), cells, table);
  }
  return table;
}

/// What went wrong, a line each.
std::string Complaints(const BenchResult& result, const std::string& bullet) {
  std::string text;
  for (const Row& row : RowsOf(result)) {
    if (GoodRuns(row.runs).size() == row.runs.size()) continue;
    Cells name = Name(row, IsSweep(result));
    text += fmt::format("{}{}: {}\n", bullet, fmt::join(name, " "), Printable(Reason(row.runs)));
  }
  return text;
}

std::string DelayText(const ConsumerDelay& delay) {
  if (delay.length.count() == 0) return "no consumer delay";
  return fmt::format("consumer delay {} ms for {} rows ({} rule)",
                     static_cast<double>(delay.length.count()) / 1e6, WithThousands(delay.rows),
                     delay.rule == DelayRule::kExact ? "exact" : "integer");
}

std::string Conditions(const BenchResult& result) {
  return fmt::format("{}; {} runs after {} to warm up{}; {}", MachineLine(), result.num_runs,
                     result.num_warm_up, IsSweep(result) ? ", settings in turns" : "",
                     DelayText(result.delay));
}

std::string MarkdownTable(const Table& table) {
  std::string text = fmt::format("| {} |\n|", fmt::join(table.headings, " | "));
  for (const bool right : table.right_aligned) text += right ? "---:|" : "---|";
  text += "\n";
  for (const Cells& row : table.rows) text += fmt::format("| {} |\n", fmt::join(row, " | "));
  return text + "\n";
}

/// "1234.5 (1200.0) +2.9 % 🔴": value, baseline, difference, mark.
std::string WithBaseline(const std::vector<double>& values, const std::vector<double>& before,
                         double scale) {
  std::string text = fmt::format("{:.1f}", Summarize(values).mean * scale);
  const std::optional<Ratio> ratio = RatioOfMeans(values, before);
  if (!ratio) return text;
  const Mark mark = MarkOf(ratio);
  return fmt::format("{} ({:.1f}) {}{}", text, Summarize(before).mean * scale,
                     PerCent(ratio->value),
                     mark == Mark::kBetter  ? " 🟢"
                     : mark == Mark::kWorse ? " 🔴"
                                            : "");
}

/// Mean time, peak and allocated memory, rates: what both tables below tell of a row.
Cells ComparedCells(const Row& row, const Baseline& baseline) {
  const std::string& query = row.query.name;
  const std::string& setting = row.setting.name;
  const Cells rates = RateCells(row);
  return {WithBaseline(Seconds(row.runs), baseline.Values(query, setting, "seconds"), 1000),
          WithBaseline(PeakKib(row.runs), baseline.Values(query, setting, "peak_kib"), 1.0 / 1024),
          rates[5],
          rates[0],
          rates[1],
          rates[2]};
}

const Cells& ComparedHeadings() {
  static const Cells headings{"mean ms (baseline)", "peak memory MiB (baseline)",
                              "allocated MiB",      "rows/s",
                              "MB/s decoded",       "MB/s wire"};
  return headings;
}

/// A line a query, with the one setting that there is.
Table QueryTable(const BenchResult& result, const Baseline& baseline) {
  Cells headings{"rows", "columns"};
  headings.insert(headings.end(), ComparedHeadings().begin(), ComparedHeadings().end());
  Table table = MakeTable(false, headings);
  for (const Row& row : RowsOf(result)) {
    if (GoodRuns(row.runs).empty()) continue;
    Cells name{row.query.name, WithThousands(row.query.counted),
               std::to_string(GoodRuns(row.runs).front()->columns)};
    AddRow(std::move(name), ComparedCells(row, baseline), table);
  }
  return table;
}

/// A line a setting, for one query.
Table SweepTable(const BenchResult& result, const BenchCase& query, const Baseline& baseline) {
  Table table = MakeTable(false, ComparedHeadings());
  table.headings.front() = "setting";
  table.headings.insert(
      table.headings.end(),
      {"best run, rows/s", fmt::format("rows/s against {} (95 %)", result.settings.front().name)});
  table.right_aligned.resize(table.headings.size(), true);
  for (size_t i = 0; i < result.settings.size(); ++i) {
    const Row row{query, result.settings[i], query.runs[i]};
    if (GoodRuns(row.runs).empty()) continue;
    Cells cells = ComparedCells(row, baseline);
    cells.push_back(WithThousands(BestRowsPerSecond(row)));
    if (i > 0) cells.push_back(Gain(row.runs, query.runs.front()));
    AddRow({row.setting.name}, cells, table);
  }
  return table;
}

std::string BaselineText(const Baseline& baseline) {
  if (baseline.empty()) return "";
  return fmt::format(
      " In brackets the baseline{}; a mark only where the whole 95 % interval of the "
      "ratio lies beyond 3 %.",
      baseline.Date().empty() ? "" : " of " + baseline.Date());
}

}  // namespace

std::string TerminalReport(const BenchResult& result, const Baseline& baseline) {
  return fmt::format("{}\n{}\n{}\n{}", RenderTable(TimeTable(result, baseline), 0),
                     RenderTable(RateTable(result), 0), Conditions(result) + "\n",
                     Complaints(result, ""));
}

std::string MarkdownReport(const BenchResult& result, const Baseline& baseline) {
  std::string text =
      fmt::format("## cloudfetch bench\n\n{}.{}\n\n", Conditions(result), BaselineText(baseline));
  if (!IsSweep(result)) text += MarkdownTable(QueryTable(result, baseline));
  for (const BenchCase& query : result.cases) {
    if (!IsSweep(result)) break;
    text += fmt::format("### {}: {} rows\n\n", query.name, WithThousands(query.counted));
    text += MarkdownTable(SweepTable(result, query, baseline));
  }
  return text + Complaints(result, "- ");
}

}  // namespace dbx::cli
