// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "auth/auth_provider.h"

namespace dbx {
namespace {

TEST(TokenAuthProvider, GivesABearerHeader) {
  const auto provider = MakeTokenAuthProvider(Secret("dapi0123"));
  const Result<Secret> header = provider->AuthorizationHeader(nullptr);
  ASSERT_TRUE(header.ok()) << header.status().ToString();
  EXPECT_EQ(header->Reveal(), "Bearer dapi0123");
}

TEST(TokenAuthProvider, LeavesOutBlanksAround) {
  const auto provider = MakeTokenAuthProvider(Secret(" dapi0123\t"));
  EXPECT_EQ(provider->AuthorizationHeader(nullptr)->Reveal(), "Bearer dapi0123");
}

TEST(TokenAuthProvider, HasNothingElseToOfferWhenRefused) {
  EXPECT_FALSE(MakeTokenAuthProvider(Secret("dapi0123"))->OnRefused());
}

TEST(TokenAuthProvider, RefusesAnEmptyToken) {
  for (const char* const token : {"", "  ", "\t"}) {
    const auto header = MakeTokenAuthProvider(Secret(token))->AuthorizationHeader(nullptr);
    EXPECT_EQ(header.status().code(), StatusCode::kUnauthenticated);
  }
}

TEST(TokenAuthProvider, RefusesWhatNoTokenHasWithoutShowingIt) {
  for (const char* const token :
       {"dapi01\r\nX-Evil: 1", "dapi01\n", "dapi 01", "\"dapi01\x01", "dapi01\xC3\xA4"}) {
    const auto header = MakeTokenAuthProvider(Secret(token))->AuthorizationHeader(nullptr);
    ASSERT_FALSE(header.ok());
    EXPECT_EQ(header.status().code(), StatusCode::kUnauthenticated);
    EXPECT_EQ(header.status().message().find("dapi"), std::string::npos);
    EXPECT_EQ(header.status().message().find("Evil"), std::string::npos);
  }
}

}  // namespace
}  // namespace dbx
