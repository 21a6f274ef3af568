// SPDX-License-Identifier: Apache-2.0
#include "bench_settings.h"

#include <gtest/gtest.h>

#include <fstream>

#include "failure.h"

namespace dbx::cli {
namespace {

using Options = std::vector<std::pair<std::string, std::string>>;

std::string FileWith(const std::string& text) {
  const std::string path = testing::TempDir() + "settings_" +
                           testing::UnitTest::GetInstance()->current_test_info()->name();
  std::ofstream(path) << text;
  return path;
}

std::string Refusal(const std::string& text) {
  try {
    ReadSettings(text);
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.exit(), Exit::kUsage);
    return failure.what();
  }
  return "";
}

TEST(BenchSettings, WithoutASweepTheDriverIsLeftAlone) {
  const std::vector<Setting> settings = ReadSettings("");
  ASSERT_EQ(settings.size(), 1U);
  EXPECT_EQ(settings[0].name, "ours");
  EXPECT_TRUE(settings[0].options.empty());
}

TEST(BenchSettings, TheBuiltInTableBeginsWithTheBaselineAndEndsWithAuto) {
  const std::vector<Setting> settings = ReadSettings("builtin");
  ASSERT_EQ(settings.size(), 7U);
  EXPECT_EQ(settings.front().name, "3/2/200");
  EXPECT_EQ(settings[4].options, (Options{{"databricks.cloudfetch.parallel_downloads", "10"},
                                          {"databricks.cloudfetch.prefetch_count", "16"},
                                          {"databricks.cloudfetch.memory_buffer_size_mb", "400"}}));
  EXPECT_EQ(settings.back().options,
            (Options{{"databricks.cloudfetch.parallel_downloads", "auto"}}));
}

TEST(BenchSettings, AFileNamesOptionsOrShortForms) {
  const std::string path = FileWith(
      R"(["3/2/200", {"name": "no lz4", "options": {"databricks.cloudfetch.lz4.enabled": false,
          "databricks.cloudfetch.prefetch_count": 8}}])");
  const std::vector<Setting> settings = ReadSettings(path);
  ASSERT_EQ(settings.size(), 2U);
  EXPECT_EQ(settings[1].name, "no lz4");
  EXPECT_EQ(settings[1].options, (Options{{"databricks.cloudfetch.lz4.enabled", "false"},
                                          {"databricks.cloudfetch.prefetch_count", "8"}}));
}

TEST(BenchSettings, SaysWhichFieldIsWrongAndHowToWriteIt) {
  EXPECT_NE(Refusal("/nowhere/sweep.json").find("cannot read"), std::string::npos);
  EXPECT_NE(Refusal(FileWith("[]")).find("no list of settings"), std::string::npos);
  EXPECT_NE(Refusal(FileWith(R"(["16/16"])")).find("DOWNLOADS/PREFETCH/MEGABYTES"),
            std::string::npos);
  EXPECT_NE(Refusal(FileWith(R"(["16/x/400"])")).find("16/x/400"), std::string::npos);
  EXPECT_NE(Refusal(FileWith(R"([{"name": "a"}])")).find("is no setting"), std::string::npos);
  EXPECT_NE(Refusal(FileWith(R"(["3/2/200", "3/2/200"])")).find("twice"), std::string::npos);
  EXPECT_NE(Refusal(FileWith(R"([{"name": "a", "options": {"k": [1]}}])")).find("a: k: [1]"),
            std::string::npos);
}

}  // namespace
}  // namespace dbx::cli
