// SPDX-License-Identifier: Apache-2.0
#include "cloudfetch/file_times.h"

#include <gtest/gtest.h>

namespace dbx {
namespace {

TEST(FileTimes, SaysNothingOfTooFewFiles) {
  FileTimes times;
  times.Add(100, Milliseconds(10));
  times.Add(100, Milliseconds(10));
  EXPECT_FALSE(times.Patience(100));
}

TEST(FileTimes, TakesTwiceTheMiddleOneAndAGrace) {
  FileTimes times;
  for (const int length : {10, 5'000, 20, 30, 9'000}) times.Add(100, Milliseconds(length));
  EXPECT_EQ(times.Patience(100), Milliseconds(160));
  EXPECT_EQ(times.Patience(0), Milliseconds(160));
  EXPECT_EQ(times.Patience(50), Milliseconds(160));  // a short file waits for its first byte too
  EXPECT_EQ(times.Patience(300), Milliseconds(280));
}

TEST(FileTimes, ForgetsOldFiles) {
  FileTimes times;
  for (int i = 0; i < 15; ++i) times.Add(100, Milliseconds(1'000));
  for (int i = 0; i < 15; ++i) times.Add(100, Milliseconds(10));
  EXPECT_EQ(times.Patience(100), Milliseconds(120));
}

}  // namespace
}  // namespace dbx
