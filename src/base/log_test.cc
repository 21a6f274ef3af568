// SPDX-License-Identifier: Apache-2.0
#include "base/log.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace dbx {
namespace {

class LogTest : public ::testing::Test {
 protected:
  Log MakeLog(LogLevel level) {
    return {level, [this](LogLevel, std::string_view line) { lines_.emplace_back(line); }};
  }
  std::vector<std::string> lines_;
};

TEST_F(LogTest, WritesAnEventAndItsFields) {
  const Log log = MakeLog(LogLevel::kDebug);
  log.Write(LogLevel::kDebug, "download.start",
            {{"chunk_index", 7}, {"ratio", 0.5}, {"hedged", true}, {"codec", "lz4"}});
  EXPECT_EQ(lines_, std::vector<std::string>{
                        "download.start chunk_index=7 ratio=0.5 hedged=true codec=lz4"});
}

TEST_F(LogTest, QuotesWhatWouldBreakTheLine) {
  const Log log = MakeLog(LogLevel::kInfo);
  log.Write(LogLevel::kInfo, "e",
            {{"a", "two words"}, {"b", "x\"y\\z"}, {"c", "1\n2\r\t"}, {"d", ""}, {"e", "k=v"}});
  EXPECT_EQ(lines_.at(0), R"(e a="two words" b="x\"y\\z" c="1\n2\r\t" d="" e="k=v")");
}

TEST_F(LogTest, WritesNothingAboveItsLevel) {
  const Log log = MakeLog(LogLevel::kWarn);
  log.Write(LogLevel::kInfo, "e", {});
  EXPECT_TRUE(lines_.empty());
  EXPECT_FALSE(log.enabled(LogLevel::kInfo));
  log.Write(LogLevel::kError, "e", {});
  EXPECT_EQ(lines_.size(), 1U);
}

TEST_F(LogTest, ADefaultLogWritesNothing) {
  const Log log;
  EXPECT_FALSE(log.enabled(LogLevel::kError));
  log.Write(LogLevel::kError, "e", {{"a", 1}});
}

TEST_F(LogTest, HidesSecrets) {
  const Log log = MakeLog(LogLevel::kTrace);
  log.Write(LogLevel::kTrace, "e",
            {{"token", Secret("dapi123")},
             {"url", SecretUrl("https://user:pw@s.example/a/b?X-Amz-Signature=1")}});
  EXPECT_EQ(lines_.at(0), "e token=[redacted] url=https://s.example/a/b?[redacted]");
}

}  // namespace
}  // namespace dbx
