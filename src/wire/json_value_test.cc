// SPDX-License-Identifier: Apache-2.0
#include "wire/json_value.h"

#include <gtest/gtest.h>

namespace dbx {
namespace {

TEST(JsonValue, KeepsWhatWasWritten) {
  const std::string text =
      R"({"a":[1,-2,1.10,123456789012345678901234567890,1e5],"b":{"c":null,"c":true},"d":"\u00e9\""})";
  const auto value = ParseJson(text);
  ASSERT_TRUE(value);
  ASSERT_EQ(value->members.size(), 3);
  const JsonValue& list = value->members[0].second;
  ASSERT_EQ(list.items.size(), 5);
  EXPECT_EQ(list.items[2].text, "1.10");
  EXPECT_EQ(list.items[3].text, "123456789012345678901234567890");
  EXPECT_EQ(value->members[1].second.members.size(), 2);
  EXPECT_EQ(value->members[2].second.text, "\xC3\xA9\"");
  EXPECT_EQ(ToText(*value),
            "{\"a\":[1,-2,1.10,123456789012345678901234567890,1e5],\"b\":{\"c\":null,\"c\":true},"
            "\"d\":\"\xC3\xA9\\\"\"}");
}

TEST(JsonValue, RefusesWhatIsNone) {
  for (const char* const text : {"", "[1", "[1]]", "{\"a\"}", "nul", "'a'"}) {
    EXPECT_FALSE(ParseJson(text)) << text;
  }
  EXPECT_TRUE(ParseJson(std::string(200, '[') + std::string(200, ']')));
  EXPECT_FALSE(ParseJson(std::string(100'000, '[')));
}

}  // namespace
}  // namespace dbx
