// SPDX-License-Identifier: Apache-2.0
#include "base/bytes.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace dbx {
namespace {

constexpr std::string_view kNumbers("\x04\x03\x02\x01\x08\x07\x06\x05\x04\x03\x02\x01rest", 16);

TEST(ByteReader, ReadsLittleEndianNumbersInOrder) {
  ByteReader reader(AsBytes(kNumbers));
  EXPECT_EQ(reader.U32("first").value(), 0x01020304U);
  EXPECT_EQ(reader.U64("second").value(), 0x0102030405060708U);
  EXPECT_EQ(reader.remaining(), 4U);
  EXPECT_EQ(AsText(reader.Take(4, "text").value()), "rest");
  EXPECT_EQ(reader.remaining(), 0U);
}

TEST(ByteReader, NamesTheFieldThatIsTooShort) {
  ByteReader reader(AsBytes("abc"));
  const Status status = reader.U32("magic").status();
  EXPECT_EQ(status.code(), StatusCode::kInvalidData);
  EXPECT_NE(status.message().find("magic"), std::string::npos);
  EXPECT_NE(status.message().find('3'), std::string::npos);
}

TEST(ByteReader, AFailureTakesNothing) {
  ByteReader reader(AsBytes("abc"));
  EXPECT_FALSE(reader.U64("number").ok());
  EXPECT_FALSE(reader.Take(4, "text").ok());
  EXPECT_FALSE(reader.Skip(UINT64_MAX, "padding").ok());
  EXPECT_EQ(AsText(reader.rest()), "abc");
}

TEST(ByteReader, SkipsExactlyToTheEnd) {
  ByteReader reader(AsBytes("abc"));
  EXPECT_TRUE(reader.Skip(3, "all").ok());
  EXPECT_TRUE(reader.Skip(0, "nothing").ok());
  EXPECT_FALSE(reader.Skip(1, "more").ok());
}

TEST(Bytes, ViewsTextAndBack) {
  const std::string text = "a\xFF";
  const Bytes bytes = AsBytes(text);
  EXPECT_EQ(bytes[1], 0xFF);
  EXPECT_EQ(AsText(bytes).data(), text.data());
}

}  // namespace
}  // namespace dbx
