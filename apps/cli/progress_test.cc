// SPDX-License-Identifier: Apache-2.0
#include "progress.h"

#include <gtest/gtest.h>

#include <clocale>

#include "text.h"

namespace dbx::cli {
namespace {

TEST(ProgressLine, ShowsABarOnceTheChunksAreKnown) {
  std::setlocale(LC_CTYPE, "C.UTF-8");
  const ProgressState state{
      .rows = 720'000, .bytes = 285'000'000, .seconds = 2, .chunks = 7, .chunks_total = 28};
  const std::string line = ProgressLine(state, 200);
  EXPECT_NE(line.find("25 %"), std::string::npos) << line;
  EXPECT_NE(line.find("720,000 rows  285.0 MB  142.5 MB/s  7/28 chunks  6.00 s left"),
            std::string::npos)
      << line;
}

TEST(ProgressLine, CountsWithoutABarUntilThen) {
  EXPECT_EQ(ProgressLine({.rows = 10, .bytes = 5'000, .seconds = 1}, 200), "10 rows  5 kB  5 kB/s");
}

TEST(ProgressLine, FitsTheTerminal) {
  std::setlocale(LC_CTYPE, "C.UTF-8");
  const ProgressState state{
      .rows = 720'000, .bytes = 285'000'000, .seconds = 2, .chunks = 7, .chunks_total = 28};
  EXPECT_LE(DisplayWidth(ProgressLine(state, 40)), 40);
}

}  // namespace
}  // namespace dbx::cli
