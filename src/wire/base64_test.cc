// SPDX-License-Identifier: Apache-2.0
#include "wire/base64.h"

#include <gtest/gtest.h>

namespace dbx {
namespace {

TEST(Base64, ReadsTextWithAndWithoutPadding) {
  EXPECT_EQ(DecodeBase64(""), "");
  EXPECT_EQ(DecodeBase64("Zg=="), "f");
  EXPECT_EQ(DecodeBase64("Zg"), "f");
  EXPECT_EQ(DecodeBase64("Zm8="), "fo");
  EXPECT_EQ(DecodeBase64("Zm9v"), "foo");
  EXPECT_EQ(DecodeBase64("AP/+gA=="), std::string("\0\xFF\xFE\x80", 4));
}

TEST(Base64, RefusesWhatIsNone) {
  EXPECT_EQ(DecodeBase64("Z"), std::nullopt);
  EXPECT_EQ(DecodeBase64("Zm9v\n"), std::nullopt);
  EXPECT_EQ(DecodeBase64("Zm-_"), std::nullopt);
  EXPECT_EQ(DecodeBase64("Zg==Zg=="), std::nullopt);
}

}  // namespace
}  // namespace dbx
