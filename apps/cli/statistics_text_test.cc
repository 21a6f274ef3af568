// SPDX-License-Identifier: Apache-2.0
#include "statistics_text.h"

#include <gtest/gtest.h>

namespace dbx::cli {
namespace {

TEST(StatisticsText, ShowsWhateverTheDriverCounts) {
  EXPECT_EQ(StatisticsText(R"({"source":"cloudfetch","rows":1441548,"bytes_downloaded":571200000,)"
                           R"("reader_waited_seconds":0.0123,"peak_pool_bytes":812000})"),
            "  source            cloudfetch\n"
            "  rows              1,441,548\n"
            "  bytes downloaded  571.2 MB\n"
            "  reader waited     12.3 ms\n"
            "  peak pool bytes   812 kB\n");
}

TEST(StatisticsText, KeepsQuietAboutWhatIsNoObject) {
  EXPECT_EQ(StatisticsText(""), "");
  EXPECT_EQ(StatisticsText("[1]"), "");
}

}  // namespace
}  // namespace dbx::cli
