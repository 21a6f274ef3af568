// SPDX-License-Identifier: Apache-2.0
#include "arrow/flat_table.h"

#include <gtest/gtest.h>

#include <vector>

namespace dbx {
namespace {

/// A table with a number (field 0), no field 1, and a vector of two 4-byte structs (field 2).
std::vector<uint8_t> Message() {
  return {
      16, 0, 0,  0,              // 0: the root lies at 16
      0,  0,                     // 4: padding
      10, 0, 12, 0,              // 6: lengths of the field offsets and of the table
      4,  0, 0,  0, 8, 0,        // 10: offsets of fields 0, 1 (absent), 2
      10, 0, 0,  0,              // 16: the field offsets lie 10 before
      42, 0, 0,  0,              // 20: field 0
      4,  0, 0,  0,              // 24: field 2 leads to 28
      2,  0, 0,  0,              // 28: two elements
      1,  2, 3,  4, 5, 6, 7, 8,  // 32
  };
}

TEST(FlatTable, ReadsNumbersAndVectors) {
  const std::vector<uint8_t> message = Message();
  const Result<FlatTable> table = FlatTable::Root(message);
  ASSERT_TRUE(table.ok()) << table.status().ToString();
  EXPECT_EQ(table->Scalar<int32_t>(0, 7).value(), 42);
  EXPECT_EQ(table->Scalar<int32_t>(1, 7).value(), 7);
  EXPECT_EQ(table->Scalar<int32_t>(99, 7).value(), 7);
  const Result<Bytes> vector = table->Vector(2, 4);
  ASSERT_TRUE(vector.ok());
  EXPECT_EQ(vector->size(), 8U);
  EXPECT_EQ(vector->front(), 1);
  EXPECT_EQ(table->Vector(1, 4).value().size(), 0U);
}

TEST(FlatTable, RefusesAVectorThatLeadsOut) {
  std::vector<uint8_t> message = Message();
  message[28] = 3;
  EXPECT_FALSE(FlatTable::Root(message)->Vector(2, 4).ok());
  message[28] = 2;
  EXPECT_FALSE(FlatTable::Root(message)->Vector(2, 5).ok());
  message[31] = 0xFF;
  EXPECT_FALSE(FlatTable::Root(message)->Vector(2, 16).ok());
}

TEST(FlatTable, RefusesFieldOffsetsOutsideTheMessage) {
  std::vector<uint8_t> message = Message();
  message[16] = 17;  // before the first byte
  EXPECT_FALSE(FlatTable::Root(message).ok());
  message = Message();
  message[19] = 0x80;  // far behind the last
  EXPECT_FALSE(FlatTable::Root(message).ok());
  message = Message();
  message[6] = 3;  // shorter than its own header
  EXPECT_FALSE(FlatTable::Root(message).ok());
  message[6] = 200;
  EXPECT_FALSE(FlatTable::Root(message).ok());
}

TEST(FlatTable, EveryPrefixIsReadSafely) {
  const std::vector<uint8_t> message = Message();
  for (size_t size = 0; size < message.size(); ++size) {
    const std::vector<uint8_t> prefix(message.begin(),
                                      message.begin() + static_cast<int64_t>(size));
    const Result<FlatTable> table = FlatTable::Root(prefix);
    if (!table.ok()) continue;
    EXPECT_FALSE(table->Vector(2, 4).ok()) << size;
    EXPECT_EQ(table->Scalar<int32_t>(0, 7).ok(), size >= 24) << size;
  }
}

}  // namespace
}  // namespace dbx
