// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "http/retry.h"

namespace dbx {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

// Sun, 06 Nov 1994 08:49:37 GMT
const WallTime kMoment = std::chrono::system_clock::from_time_t(784111777);

TEST(RetryAfter, ReadsSeconds) {
  EXPECT_EQ(ParseRetryAfter("0", kMoment), milliseconds(0));
  EXPECT_EQ(ParseRetryAfter("120", kMoment), seconds(120));
  EXPECT_EQ(ParseRetryAfter(" 7 ", kMoment), seconds(7));
}

TEST(RetryAfter, ReadsTheThreeFormsOfADate) {
  const WallTime now = kMoment - seconds(30);
  EXPECT_EQ(ParseRetryAfter("Sun, 06 Nov 1994 08:49:37 GMT", now), seconds(30));
  EXPECT_EQ(ParseRetryAfter("Sunday, 06-Nov-94 08:49:37 GMT", now), seconds(30));
  EXPECT_EQ(ParseRetryAfter("Sun Nov  6 08:49:37 1994", now), seconds(30));
}

TEST(RetryAfter, IsNeverEarlierThanTheDateAndNeverNegative) {
  EXPECT_EQ(ParseRetryAfter("Sun, 06 Nov 1994 08:49:37 GMT", kMoment - milliseconds(1200)),
            seconds(2));
  EXPECT_EQ(ParseRetryAfter("Sun, 06 Nov 1994 08:49:37 GMT", kMoment + seconds(5)),
            milliseconds(0));
}

TEST(RetryAfter, KeepsHugeNumbersInBounds) {
  const auto huge = ParseRetryAfter("99999999999999999999999999", kMoment);
  ASSERT_TRUE(huge.has_value());
  EXPECT_EQ(*huge, seconds(365 * 24 * 3600));
}

TEST(RetryAfter, TakesNoNonsense) {
  for (const char* const text :
       {"", " ", "-5", "1.5", "soon", "5 s", "0x10", "12:30:00", "Sun, 99 Foo 1994 08:49:37 GMT",
        "tomorrow at 08:49:37 o'clock", "+3"}) {
    EXPECT_FALSE(ParseRetryAfter(text, kMoment).has_value()) << text;
  }
}

}  // namespace
}  // namespace dbx
