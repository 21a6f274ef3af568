// SPDX-License-Identifier: Apache-2.0
#include "text.h"

#include <gtest/gtest.h>

#include <clocale>

namespace dbx::cli {
namespace {

class TextTest : public testing::Test {
 protected:
  void SetUp() override { ASSERT_NE(std::setlocale(LC_CTYPE, "C.UTF-8"), nullptr); }
};

TEST_F(TextTest, GroupsDigits) {
  EXPECT_EQ(WithThousands(0), "0");
  EXPECT_EQ(WithThousands(999), "999");
  EXPECT_EQ(WithThousands(1441548), "1,441,548");
  EXPECT_EQ(WithThousands(-1000), "-1,000");
}

TEST_F(TextTest, SaysSizesAndTimesForPeople) {
  EXPECT_EQ(ByteSize(812'000), "812 kB");
  EXPECT_EQ(ByteSize(571'200'000), "571.2 MB");
  EXPECT_EQ(ByteSize(4.55e9), "4.55 GB");
  EXPECT_EQ(Duration(0.841), "0.84 s");
  EXPECT_EQ(Duration(125), "2 min 05 s");
}

TEST_F(TextTest, CountsCellsNotBytes) {
  EXPECT_EQ(DisplayWidth("abc"), 3);
  EXPECT_EQ(DisplayWidth("größe"), 5);
  EXPECT_EQ(DisplayWidth("日本"), 4);
  EXPECT_EQ(Fit("日本語", 5), "日本…");
  EXPECT_EQ(Fit("abc", 3), "abc");
  EXPECT_EQ(Fit("abcd", 3), "ab…");
}

TEST_F(TextTest, DisarmsControlCharacters) {
  EXPECT_EQ(Printable("a\x1b[2Jb\nc"), "a\\x1b[2Jb\\nc");
}

}  // namespace
}  // namespace dbx::cli
