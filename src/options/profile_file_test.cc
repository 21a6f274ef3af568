// SPDX-License-Identifier: Apache-2.0
#include "options/profile_file.h"

#include <gtest/gtest.h>

namespace dbx {
namespace {

constexpr std::string_view kFile =
    "; made by hand\n[DEFAULT]\nhost = https://one.example\ntoken=abc\r\n\n[ two ]\n# "
    "note\nhost=https://two.example\n";

TEST(ProfileFile, ReadsOneSection) {
  EXPECT_EQ(ReadProfile(kFile, "DEFAULT")->at("token"), "abc");
  EXPECT_EQ(ReadProfile(kFile, "two")->at("host"), "https://two.example");
  EXPECT_FALSE(ReadProfile(kFile, "two")->contains("token"));
}

TEST(ProfileFile, SaysWhichSectionIsMissing) {
  EXPECT_EQ(ReadProfile(kFile, "three").status().code(), StatusCode::kNotFound);
  EXPECT_NE(ReadProfile(kFile, "three").status().message().find("[three]"), std::string::npos);
}

}  // namespace
}  // namespace dbx
