// SPDX-License-Identifier: Apache-2.0
#include "cloudfetch/read_ahead.h"

#include <gtest/gtest.h>

namespace dbx {
namespace {

using std::chrono::milliseconds;

constexpr int64_t kMiB = 1 << 20;
constexpr int64_t kLimit = 400 * kMiB;

TEST(ReadAhead, IsNeverAboveTheLimit) {
  const ReadAhead small(10 * kMiB, SteadyTime());
  EXPECT_EQ(small.num_bytes(), 10 * kMiB);
}

TEST(ReadAhead, GrowsToTheLimitWhileTheReaderStarvesAndBytesAreHeldBack) {
  SteadyTime now;
  ReadAhead ahead(kLimit, now);
  const int64_t first = ahead.num_bytes();
  EXPECT_FALSE(ahead.Observe(true, true, now));
  ASSERT_TRUE(ahead.next_look());
  EXPECT_TRUE(ahead.Observe(true, true, *ahead.next_look()));
  EXPECT_EQ(ahead.num_bytes(), 2 * first);
  for (int i = 0; i < 10 && ahead.next_look(); ++i) ahead.Observe(true, true, *ahead.next_look());
  EXPECT_EQ(ahead.num_bytes(), kLimit);
  EXPECT_FALSE(ahead.next_look());
}

TEST(ReadAhead, StaysForAReaderThatIsServedOrWhenNothingIsHeldBack) {
  SteadyTime now;
  ReadAhead ahead(kLimit, now);
  for (int i = 0; i < 100; ++i) {
    EXPECT_FALSE(ahead.Observe(i % 2 == 0, i % 2 == 1, now += milliseconds(100)));
    EXPECT_FALSE(ahead.next_look());
  }
}

TEST(ReadAhead, ForgetsShortGaps) {
  SteadyTime now;
  ReadAhead ahead(kLimit, now);
  for (int i = 0; i < 100; ++i) {
    EXPECT_FALSE(ahead.Observe(true, true, now));
    EXPECT_FALSE(ahead.Observe(false, true, now += milliseconds(2)));
    now += milliseconds(10);
  }
}

}  // namespace
}  // namespace dbx
