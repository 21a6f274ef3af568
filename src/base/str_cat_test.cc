// SPDX-License-Identifier: Apache-2.0
#include "base/str_cat.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace dbx {
namespace {

TEST(StrCat, JoinsPiecesOfEveryKind) {
  EXPECT_EQ(StrCat("a", std::string("b"), std::string_view("c"), 'd', 1, true, false),
            "abcd1truefalse");
  EXPECT_EQ(StrCat(), "");
}

TEST(StrCat, WritesTheLargestNumbers) {
  EXPECT_EQ(StrCat(std::numeric_limits<int64_t>::min()), "-9223372036854775808");
  EXPECT_EQ(StrCat(std::numeric_limits<uint64_t>::max()), "18446744073709551615");
  EXPECT_EQ(StrCat(static_cast<uint8_t>(65)), "65");
}

TEST(StrCat, WritesFloatsAsShortAsTheyCanBeReadBack) {
  EXPECT_EQ(StrCat(0.1), "0.1");
  EXPECT_EQ(StrCat(-2.5F), "-2.5");
  EXPECT_EQ(std::stod(StrCat(std::numeric_limits<double>::max())),
            std::numeric_limits<double>::max());
}

}  // namespace
}  // namespace dbx
