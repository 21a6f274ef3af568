// SPDX-License-Identifier: Apache-2.0
#include "cloudfetch/download_limit.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

namespace dbx {
namespace {

using std::chrono::milliseconds;

/// A network that brings `rate` bytes per millisecond by so many downloads.
struct Path {
  std::function<int64_t(int32_t)> rate;
  SteadyTime now = SteadyTime() + std::chrono::hours(1);
  int64_t received = 0;

  void Run(DownloadLimit& limit, milliseconds length, bool starved = true, bool full = true) {
    for (milliseconds passed{0}; passed < length; passed += milliseconds(10)) {
      limit.Observe(starved, full, received, now);
      received += 10 * rate(limit.value());
      now += milliseconds(10);
    }
  }
};

/// Each connection brings 5 kB in a millisecond, all together no more than 100 kB.
Path FarAndThin() {
  return {.rate = [](int32_t downloads) { return std::min<int64_t>(5'000 * downloads, 100'000); }};
}

TEST(DownloadLimit, LeavesAFixedNumberAlone) {
  DownloadLimit limit = DownloadLimit::Fixed(3);
  Path path = FarAndThin();
  path.Run(limit, milliseconds(5'000));
  limit.NoteRefusal(path.now);
  EXPECT_EQ(limit.value(), 3);
  EXPECT_FALSE(limit.next_look());
}

TEST(DownloadLimit, DoublesWhileMoreDownloadsBringMore) {
  DownloadLimit limit = DownloadLimit::Automatic();
  EXPECT_EQ(limit.value(), 16);
  Path path = FarAndThin();
  path.Run(limit, milliseconds(4'000));
  EXPECT_EQ(limit.value(), 32);  // 20 fill the path; 64 brought no more
}

TEST(DownloadLimit, GoesBackWhereMoreDownloadsBringNothing) {
  DownloadLimit limit = DownloadLimit::Automatic();
  Path path{.rate = [](int32_t) { return 100'000; }};
  path.Run(limit, milliseconds(4'000));
  EXPECT_EQ(limit.value(), 16);
}

TEST(DownloadLimit, StaysWhileTheReaderOrTheSlotsAreNotTheReason) {
  DownloadLimit limit = DownloadLimit::Automatic();
  Path path = FarAndThin();
  path.Run(limit, milliseconds(4'000), /*starved=*/false);
  EXPECT_EQ(limit.value(), 16);
  path.Run(limit, milliseconds(4'000), /*starved=*/true, /*full=*/false);
  EXPECT_EQ(limit.value(), 16);
}

TEST(DownloadLimit, HalvesOnceForAStorageThatIsTooBusyAndWaits) {
  DownloadLimit limit = DownloadLimit::Automatic();
  Path path = FarAndThin();
  for (int i = 0; i < 5; ++i) limit.NoteRefusal(path.now);  // one burst
  EXPECT_EQ(limit.value(), 8);
  path.Run(limit, milliseconds(1'500));
  EXPECT_EQ(limit.value(), 8);
  path.Run(limit, milliseconds(4'000));
  EXPECT_GT(limit.value(), 8);
}

TEST(DownloadLimit, AsksToBeLookedAtWithinAWindowOnly) {
  DownloadLimit limit = DownloadLimit::Automatic();
  const SteadyTime now = SteadyTime() + std::chrono::hours(1);
  limit.Observe(true, false, 0, now);
  EXPECT_FALSE(limit.next_look());
  limit.Observe(true, true, 0, now);
  EXPECT_TRUE(limit.next_look());
}

}  // namespace
}  // namespace dbx
