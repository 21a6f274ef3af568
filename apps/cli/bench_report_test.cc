// SPDX-License-Identifier: Apache-2.0
#include "bench_report.h"

#include <gtest/gtest.h>

namespace dbx::cli {
namespace {

std::vector<BenchRun> RunsOf(const std::vector<double>& seconds) {
  std::vector<BenchRun> runs;
  for (const double time : seconds) {
    runs.push_back({.rows = 1000,
                    .columns = 4,
                    .decoded_bytes = 5'000'000,
                    .wire_bytes = 2'000'000,
                    .seconds = time,
                    .first_batch = time / 10,
                    .peak_bytes = 50 << 20,
                    .allocated_bytes = 20 << 20});
  }
  return runs;
}

BenchResult ResultOf(const std::vector<std::string>& settings,
                     const std::vector<std::vector<BenchRun>>& runs) {
  BenchResult result;
  for (const std::string& name : settings) result.settings.push_back({.name = name, .options = {}});
  result.cases = {{.name = "inventory", .counted = 1000, .runs = runs}};
  result.num_runs = static_cast<int>(runs.front().size());
  result.num_warm_up = 1;
  return result;
}

Baseline BaselineOf(const BenchResult& result) {
  const std::string path = testing::TempDir() + "report_" +
                           testing::UnitTest::GetInstance()->current_test_info()->name();
  WriteJson(ToJson(result), path);
  return Baseline(path);
}

bool Has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(BenchReport, TellsTimesAndRates) {
  const BenchResult result = ResultOf({"ours"}, {RunsOf({0.5, 0.5, 0.5})});
  const std::string text = TerminalReport(result, Baseline());
  EXPECT_TRUE(Has(text, "500.0 │  500.0 │   500.0 │")) << text;
  EXPECT_TRUE(Has(text, "2,000 │         10.0 │       4.0 │")) << text;
  EXPECT_FALSE(Has(text, "baseline"));
  EXPECT_FALSE(Has(text, "setting"));
}

TEST(BenchReport, MarksOnlyWhatIsSurelyBeyondThreePerCent) {
  const Baseline baseline = BaselineOf(ResultOf({"ours"}, {RunsOf({0.50, 0.51, 0.49})}));
  const std::string slower =
      MarkdownReport(ResultOf({"ours"}, {RunsOf({0.60, 0.61, 0.59})}), baseline);
  EXPECT_TRUE(Has(slower, "600.0 (500.0) +20.0 % 🔴")) << slower;
  const std::string faster =
      MarkdownReport(ResultOf({"ours"}, {RunsOf({0.40, 0.41, 0.39})}), baseline);
  EXPECT_TRUE(Has(faster, "400.0 (500.0) -20.0 % 🟢")) << faster;
  const std::string unsure =
      MarkdownReport(ResultOf({"ours"}, {RunsOf({0.45, 0.70, 0.50})}), baseline);
  EXPECT_TRUE(Has(unsure, "550.0 (500.0) +10.0 % |")) << unsure;
}

TEST(BenchReport, ASweepSetsEachSettingBesideTheFirst) {
  // The second setting takes half the time of the first in every round, though rounds differ.
  const BenchResult result =
      ResultOf({"3/2/200", "16/16/400"}, {RunsOf({1.0, 2.0, 4.0}), RunsOf({0.5, 1.0, 2.0})});
  EXPECT_TRUE(Has(TerminalReport(result, Baseline()), "+100.0 % (+100 to +100)"));
  const std::string markdown = MarkdownReport(result, Baseline());
  EXPECT_TRUE(Has(markdown, "| 3/2/200 | 2333.3 | 50.0 | 20.0 | 500 | 2.5 | 1.0 | 1,000 |  |"))
      << markdown;
  EXPECT_TRUE(Has(
      markdown,
      "| 16/16/400 | 1166.7 | 50.0 | 20.0 | 1,000 | 5.0 | 2.0 | 2,000 | +100.0 % (+100 to +100) |"))
      << markdown;
}

TEST(BenchReport, SetsTheTimeBesideThatOfASlowReader) {
  std::vector<BenchRun> runs = RunsOf({0.53, 0.53, 0.53});
  for (BenchRun& run : runs) run.delay_seconds = 0.5;
  BenchResult result = ResultOf({"ours"}, {runs});
  result.delay = {.length = std::chrono::milliseconds(5), .rows = 10'000};
  const std::string text = TerminalReport(result, Baseline());
  EXPECT_TRUE(Has(text, "1.060")) << text;
  EXPECT_TRUE(Has(text, "consumer delay 5 ms for 10,000 rows (exact rule)")) << text;
}

TEST(BenchReport, SaysWhyARunDoesNotCount) {
  std::vector<BenchRun> runs = RunsOf({0.5, 0.5});
  runs.push_back({.wrong = "999 rows came, the server counts 1,000", .rows = 999, .seconds = 0.01});
  const std::string some = TerminalReport(ResultOf({"ours"}, {runs}), Baseline());
  EXPECT_TRUE(Has(some, "2 of 3")) << some;
  EXPECT_TRUE(Has(some, "500.0 │  500.0 │   500.0 │")) << some;
  EXPECT_TRUE(Has(some, "inventory: 999 rows came")) << some;
  const std::string none =
      TerminalReport(ResultOf({"ours"}, {{{.error = "no route"}}}), Baseline());
  EXPECT_TRUE(Has(none, "no right run")) << none;
  EXPECT_TRUE(Has(none, "inventory: no route")) << none;
}

}  // namespace
}  // namespace dbx::cli
