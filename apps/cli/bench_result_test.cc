// SPDX-License-Identifier: Apache-2.0
#include "bench_result.h"

#include <gtest/gtest.h>

#include "failure.h"

namespace dbx::cli {
namespace {

BenchResult ResultOf(const std::vector<BenchRun>& runs) {
  BenchResult result;
  result.settings = {{.name = "16/16/400", .options = {{"option", "16"}}}};
  result.cases = {{.name = "customer", .counted = 100, .runs = {runs}}};
  result.num_runs = 3;
  result.num_warm_up = 1;
  return result;
}

std::string TempFile() {
  return testing::TempDir() + "result_" +
         testing::UnitTest::GetInstance()->current_test_info()->name();
}

const std::vector<BenchRun>& ThreeRuns() {
  static const std::vector<BenchRun> runs{
      {.rows = 100, .columns = 18, .wire_bytes = 7, .seconds = 0.5, .peak_bytes = 2048},
      {.wrong = "99 rows came", .rows = 99, .seconds = 0.1},
      {.error = "no route"}};
  return runs;
}

TEST(BenchResult, AWrongRunHasNoTime) {
  const std::vector<std::optional<double>> times = Times(ThreeRuns());
  EXPECT_EQ(times, (std::vector<std::optional<double>>{0.5, std::nullopt, std::nullopt}));
  EXPECT_EQ(GoodRuns(ThreeRuns()).size(), 1U);
}

TEST(BenchResult, IsWrittenInTheShapeOfTheStoredResults) {
  const Json json = ToJson(ResultOf(ThreeRuns()));
  EXPECT_EQ(json["format"], 1);
  EXPECT_TRUE(json["machine"]["cores"].is_number_integer());
  const Json& one = json["cases"][0];
  EXPECT_EQ(one["dataset"]["rows"], 100);
  EXPECT_EQ(one["dataset"]["columns"], 18);
  EXPECT_EQ(one["knobs"]["16/16/400"]["option"], "16");
  const Json& records = one["records"]["16/16/400"];
  ASSERT_EQ(records.size(), 3U);
  EXPECT_EQ(records[0]["peak_kib"], 2);
  EXPECT_EQ(records[0]["wire_bytes"], 7);
  EXPECT_EQ(records[1]["wrong"], "99 rows came");
  EXPECT_EQ(records[2], (Json{{"error", "no route"}}));
}

TEST(BenchResult, ABaselineGivesTheGoodRunsOfTheSameQueryAndSetting) {
  const std::string path = TempFile();
  WriteJson(ToJson(ResultOf(ThreeRuns())), path);
  const Baseline baseline(path);
  EXPECT_EQ(baseline.Values("customer", "16/16/400", "seconds"), std::vector<double>{0.5});
  EXPECT_EQ(baseline.Values("customer", "16/16/400", "peak_kib"), std::vector<double>{2});
  EXPECT_TRUE(baseline.Values("customer", "auto", "seconds").empty());
  EXPECT_TRUE(baseline.Values("inventory", "16/16/400", "seconds").empty());
  EXPECT_EQ(baseline.Date().size(), std::string("2026-01-31").size());
  EXPECT_TRUE(Baseline().Values("customer", "16/16/400", "seconds").empty());
}

TEST(BenchResult, RefusesAFileThatIsNoResult) {
  const std::string path = TempFile();
  for (const char* const text : {"[]", "{}", R"({"format": 2, "cases": []})", R"({"format": 1})"}) {
    WriteText(text, path);
    try {
      const Baseline baseline(path);
      ADD_FAILURE() << text;
    } catch (const Failure& failure) {
      EXPECT_EQ(failure.exit(), Exit::kUsage);
      EXPECT_NE(std::string(failure.what()).find("a file that --json wrote"), std::string::npos);
    }
  }
}

TEST(BenchResult, ABaselineWithOddMembersIsReadAsFarAsItGoes) {
  const std::string path = TempFile();
  WriteText(R"({"format": 1, "cases": [3, {"name": "customer"},
      {"name": "customer", "records": {"ours": [1, {"seconds": "x"}, {"seconds": 2}]}}]})",
            path);
  EXPECT_EQ(Baseline(path).Values("customer", "ours", "seconds"), std::vector<double>{2});
}

}  // namespace
}  // namespace dbx::cli
