// SPDX-License-Identifier: Apache-2.0
#include "sql/variant_text.h"

#include <gtest/gtest.h>

namespace dbx::local {
namespace {

TEST(VariantText, KeysAreInOrderAndBlanksAreGone) {
  EXPECT_EQ(VariantText(R"({"nested": {"c": [1, 2, 3], "a": "b"}, "flag": true})"),
            R"({"flag":true,"nested":{"a":"b","c":[1,2,3]}})");
  EXPECT_EQ(VariantText("[ {\"b\" : 1 , \"a\" : null } , [ ] , { } ]"),
            R"([{"a":null,"b":1},[],{}])");
  EXPECT_EQ(VariantText(R"({"ab":1,"a b":2,"a":3})"), R"({"a":3,"a b":2,"ab":1})");
}

TEST(VariantText, ScalarsStayAsTheyAre) {
  for (const char* text :
       {"1.50", "1e400", "-0", "\"a \\\" b\"", "null", R"({"a":"x\\"})", "123456789012345678901"})
    EXPECT_EQ(VariantText(text), text);
}

TEST(VariantText, WhatIsNoJsonIsLeftAlone) {
  for (const std::string text : {"", "{", "[1", "{\"a\"}", "{\"a\":}", "\"open", "{} {}", "{1:2}",
                                 "[1,]x", "{\"b\":1,\"a\":\"\\\"}"})
    EXPECT_EQ(VariantText(text), text);
  const std::string deep = std::string(100'000, '[') + std::string(100'000, ']');
  EXPECT_EQ(VariantText(deep), deep);
}

}  // namespace
}  // namespace dbx::local
