// SPDX-License-Identifier: Apache-2.0
#include "base/secret.h"

#include <gtest/gtest.h>

#include <string>

namespace dbx {
namespace {

TEST(Secret, ShowsItsTextToRevealAlone) {
  const Secret secret("dapi123");
  EXPECT_EQ(secret.Reveal(), "dapi123");
  EXPECT_EQ(secret.Redacted(), "[redacted]");
  EXPECT_EQ(Secret().Redacted(), "");
  EXPECT_TRUE(Secret().empty());
  EXPECT_NE(secret, Secret("other"));
}

struct UrlCase {
  std::string url;
  std::string redacted;
  std::string host;
};

TEST(SecretUrl, HidesUserPartQueryAndFragment) {
  const UrlCase cases[] = {
      {"https://s.example/a/b?sig=1", "https://s.example/a/b?[redacted]", "s.example"},
      {"https://s.example/a/b", "https://s.example/a/b", "s.example"},
      {"https://s.example", "https://s.example", "s.example"},
      {"https://s.example?sig=1", "https://s.example?[redacted]", "s.example"},
      {"https://s.example#access_token=1", "https://s.example?[redacted]", "s.example"},
      {"https://me:pw@s.example:8443/a?x", "https://s.example:8443/a?[redacted]", "s.example"},
      {"https://me:p@w@s.example/a", "https://s.example/a", "s.example"},
      {"https://[::1]:8443/a?x", "https://[::1]:8443/a?[redacted]", "[::1]"},
      {"https://s.example/a@b?x@y", "https://s.example/a@b?[redacted]", "s.example"},
      {"databricks://token:dapi1@s.example/sql?x=1", "databricks://s.example/sql?[redacted]",
       "s.example"},
      {"", "", ""},
  };
  for (const UrlCase& one : cases) {
    EXPECT_EQ(SecretUrl(one.url).Redacted(), one.redacted) << one.url;
    EXPECT_EQ(SecretUrl(one.url).Host(), one.host) << one.url;
    EXPECT_EQ(SecretUrl(one.url).Reveal(), one.url);
  }
}

TEST(SecretUrl, APasswordThatNobodyEscapedIsHiddenToo) {
  for (const std::string url :
       {"https://me:p/w@s.example/a", "https://me:p?w@s.example/a", "https://me:p#w@h"}) {
    EXPECT_EQ(SecretUrl(url).Redacted(), "https://[redacted]") << url;
    EXPECT_EQ(SecretUrl(url).Host(), "") << url;
  }
}

}  // namespace
}  // namespace dbx
