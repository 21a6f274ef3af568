// SPDX-License-Identifier: Apache-2.0
#include "result/value_text.h"

#include <gtest/gtest.h>

#include <cmath>

namespace dbx {
namespace {

TEST(ValueText, ReadsDates) {
  EXPECT_EQ(ParseDate("1970-01-01"), 0);
  EXPECT_EQ(ParseDate("2023-05-15"), 19492);
  EXPECT_EQ(ParseDate("0001-01-01"), -719162);
  EXPECT_EQ(ParseDate("9999-12-31"), 2932896);
  EXPECT_EQ(ParseDate("+10000-01-01"), 2932897);
  EXPECT_EQ(ParseDate("2024-02-29"), 19782);
  for (const char* const wrong : {"", "2023-02-29", "2023-13-01", "2023-1-1", "23-01-01",
                                  "2023-01-01x", "2023/01/01", "99999999-01-01", "2023-00-10"}) {
    EXPECT_EQ(ParseDate(wrong), std::nullopt) << wrong;
  }
}

TEST(ValueText, ReadsTimestamps) {
  EXPECT_EQ(ParseTimestamp("1970-01-01 00:00:00"), 0);
  EXPECT_EQ(ParseTimestamp("2021-01-01 10:00:00"), 1609495200000000);
  EXPECT_EQ(ParseTimestamp("2021-06-15 12:34:56.789"), 1623760496789000);
  EXPECT_EQ(ParseTimestamp("2021-06-15T12:34:56.000001"), 1623760496000001);
  EXPECT_EQ(ParseTimestamp("2021-06-15 12:34:56.123456789"), 1623760496123456);
  EXPECT_EQ(ParseTimestamp("1969-12-31 23:59:59.5"), -500000);
  EXPECT_EQ(ParseTimestamp("1970-01-01"), 0);
  EXPECT_EQ(ParseTimestamp("1970-01-01T00:00:00Z"), 0);
  EXPECT_EQ(ParseTimestamp("1970-01-01 00:00:00+05:30"), -19800000000);
  EXPECT_EQ(ParseTimestamp("1970-01-01T00:00:00.000-08:00"), 28800000000);
  for (const char* const wrong :
       {"", "1970-01-01 ", "1970-01-01 24:00:00", "1970-01-01 00:60:00", "1970-01-01 00:00",
        "1970-01-01 00:00:00 UTC", "1970-01-01 00:00:00+99:00", "1970-01-01_00:00:00"}) {
    EXPECT_EQ(ParseTimestamp(wrong), std::nullopt) << wrong;
  }
}

TEST(ValueText, ReadsDecimals) {
  EXPECT_EQ(ParseDecimal("123.45", 10, 2), "12345");
  EXPECT_EQ(ParseDecimal("-0.05", 10, 2), "-5");
  EXPECT_EQ(ParseDecimal("+7", 10, 2), "700");
  EXPECT_EQ(ParseDecimal("0.00", 10, 2), "0");
  EXPECT_EQ(ParseDecimal("1.2300", 10, 2), "123");
  EXPECT_EQ(ParseDecimal(".5", 1, 1), "5");
  EXPECT_EQ(ParseDecimal("99999999999999999999999999999999999999", 38, 0),
            "99999999999999999999999999999999999999");
  for (const char* const wrong :
       {"", "-", ".", "1.234", "123456789.00", "1e3", "NaN", "1.2.3", "--1"}) {
    EXPECT_EQ(ParseDecimal(wrong, 10, 2), std::nullopt) << wrong;
  }
}

TEST(ValueText, ReadsNumbersAndTruth) {
  EXPECT_EQ(ParseInteger("-9223372036854775808"), INT64_MIN);
  EXPECT_EQ(ParseInteger("9223372036854775808"), std::nullopt);
  EXPECT_EQ(ParseInteger("1 "), std::nullopt);
  EXPECT_EQ(ParseDouble("1.5E10"), 1.5e10);
  EXPECT_TRUE(std::isnan(*ParseDouble("NaN")));
  EXPECT_EQ(ParseDouble("-Infinity"), -HUGE_VAL);
  EXPECT_EQ(ParseDouble("x"), std::nullopt);
  EXPECT_EQ(ParseBool("TRUE"), true);
  EXPECT_EQ(ParseBool("0"), false);
  EXPECT_EQ(ParseBool("yes"), std::nullopt);
}

}  // namespace
}  // namespace dbx
