// SPDX-License-Identifier: Apache-2.0
#include "options/option_value.h"

#include <gtest/gtest.h>

namespace dbx {
namespace {

TEST(OptionValue, TakesTruthInItsUsualSpellings) {
  EXPECT_TRUE(*ParseBool("k", "true"));
  EXPECT_TRUE(*ParseBool("k", " YES "));
  EXPECT_FALSE(*ParseBool("k", "0"));
  EXPECT_EQ(ParseBool("k", "maybe").status().message(), "k: 'maybe' is neither true nor false");
}

TEST(OptionValue, NamesKeyValueRangeAndUnitOfABadNumber) {
  EXPECT_EQ(*ParseInt("k", "16", 1, 256, "downloads"), 16);
  EXPECT_EQ(ParseInt("k", "0", 1, 256, "downloads").status().message(),
            "k: 0 is outside 1..256 downloads");
  EXPECT_EQ(ParseInt("k", "8x", 1, 256, "downloads").status().message(), "k: not an integer: '8x'");
  EXPECT_EQ(ParseInt("k", "", 1, 256, "downloads").status().message(), "k: not a number: ''");
  EXPECT_EQ(ParseInt("k", "99999999999999999999", 1, 256, "").status().code(),
            StatusCode::kInvalidArgument);
}

TEST(OptionValue, CountsATimeInItsUnitUnlessItCarriesOne) {
  EXPECT_EQ(*ParseDuration("k", "900", 1000, 1, 86'400), 900'000);
  EXPECT_EQ(*ParseDuration("k", "1500ms", 1000, 1, 86'400), 1'500);
  EXPECT_EQ(*ParseDuration("k", "15m", 1000, 1, 86'400), 900'000);
  EXPECT_EQ(*ParseDuration("k", "250", 1, 1, 1'000), 250);
  EXPECT_FALSE(ParseDuration("k", "5 parsecs", 1000, 1, 86'400).ok());
  EXPECT_EQ(ParseDuration("k", "25h", 1000, 1, 86'400).status().message(),
            "k: 25h is outside 1..86400 seconds");
  EXPECT_FALSE(ParseDuration("k", "9223372036854775807h", 1000, 1, 86'400).ok());
}

TEST(OptionValue, CountsBytesWithAndWithoutUnit) {
  EXPECT_EQ(*ParseBytes("k", "65536", 1, 1 << 30), 65'536);
  EXPECT_EQ(*ParseBytes("k", "400MB", 1, 1 << 30), 400 << 20);
  EXPECT_EQ(*ParseBytes("k", "2 kb", 1, 1 << 30), 2'048);
  EXPECT_FALSE(ParseBytes("k", "2GB", 1, 1 << 30).ok());
  EXPECT_FALSE(ParseBytes("k", "-1", 0, 1 << 30).ok());
}

}  // namespace
}  // namespace dbx
