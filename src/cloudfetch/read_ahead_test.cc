// SPDX-License-Identifier: Apache-2.0
#include "cloudfetch/read_ahead.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

namespace dbx {
namespace {

using std::chrono::milliseconds;

constexpr int64_t kMiB = 1 << 20;
constexpr int64_t kLimit = 400 * kMiB;

/// A reader that starves while bytes are held back; `rate`: bytes in a millisecond for so many
/// ahead.
struct Path {
  std::function<int64_t(int64_t)> rate;
  SteadyTime now = SteadyTime() + std::chrono::hours(1);
  ReadAhead ahead{kLimit, now};
  int64_t received = 0;
  int64_t most = 0;

  void Run(milliseconds length) {
    for (milliseconds passed{0}; passed < length; passed += milliseconds(5)) {
      ahead.Observe(true, true, received, now);
      received += 5 * rate(ahead.num_bytes());
      most = std::max(most, ahead.num_bytes());
      now += milliseconds(5);
    }
  }
};

TEST(ReadAhead, IsNeverAboveTheLimit) {
  const ReadAhead small(10 * kMiB, SteadyTime());
  EXPECT_EQ(small.num_bytes(), 10 * kMiB);
  EXPECT_TRUE(small.is_at_limit());
}

TEST(ReadAhead, GrowsToTheLimitWhileThatBringsMore) {
  Path path{.rate = [](int64_t ahead) { return ahead / 1000; }};
  path.Run(milliseconds(1'000));
  EXPECT_EQ(path.ahead.num_bytes(), kLimit);
  path.Run(milliseconds(1'000));
  EXPECT_FALSE(path.ahead.next_look());
}

TEST(ReadAhead, TakesBackWhatBroughtNothing) {
  Path path{.rate = [](int64_t) { return 800'000; }};
  const int64_t first = path.ahead.num_bytes();
  path.Run(milliseconds(2'000));
  EXPECT_EQ(path.most, 2 * first);
  EXPECT_EQ(path.ahead.num_bytes(), first);
  ASSERT_TRUE(path.ahead.next_look());
  EXPECT_GT(*path.ahead.next_look(), path.now + milliseconds(100));
}

TEST(ReadAhead, StaysForAReaderThatIsServedOrWhenNothingIsHeldBack) {
  SteadyTime now;
  ReadAhead ahead(kLimit, now);
  for (int i = 0; i < 100; ++i) {
    EXPECT_FALSE(ahead.Observe(i % 2 == 0, i % 2 == 1, 0, now += milliseconds(100)));
    EXPECT_FALSE(ahead.next_look());
  }
}

TEST(ReadAhead, ForgetsShortGaps) {
  SteadyTime now;
  ReadAhead ahead(kLimit, now);
  for (int i = 0; i < 100; ++i) {
    EXPECT_FALSE(ahead.Observe(true, true, 0, now));
    EXPECT_FALSE(ahead.Observe(false, true, 0, now += milliseconds(2)));
    now += milliseconds(10);
  }
}

}  // namespace
}  // namespace dbx
