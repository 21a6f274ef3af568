// SPDX-License-Identifier: Apache-2.0
#include "adbc/parameter_text.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

namespace dbx {
namespace {

TEST(ParameterText, WritesDatesOfAllCenturies) {
  EXPECT_EQ(DateText(0), "1970-01-01");
  EXPECT_EQ(DateText(-1), "1969-12-31");
  EXPECT_EQ(DateText(19'782), "2024-02-29");
  EXPECT_EQ(DateText(-25'509), "1900-02-28");
  EXPECT_EQ(DateText(-25'508), "1900-03-01") << "no leap year";
  EXPECT_EQ(DateText(-719'162), "0001-01-01");
  EXPECT_EQ(DateText(2'932'896), "9999-12-31");
  EXPECT_EQ(DateText(2'932'897), "+10000-01-01");
  EXPECT_EQ(DateText(-719'529), "-0001-12-31");
}

TEST(ParameterText, WritesTimestampsOfAllUnits) {
  EXPECT_EQ(TimestampText(0, 1), "1970-01-01 00:00:00");
  EXPECT_EQ(TimestampText(1'500, 1'000), "1970-01-01 00:00:01.5");
  EXPECT_EQ(TimestampText(-1, 1'000'000), "1969-12-31 23:59:59.999999");
  EXPECT_EQ(TimestampText(1'000, 1'000'000'000), "1970-01-01 00:00:00.000001");
  EXPECT_EQ(TimestampText(-86'400, 1), "1969-12-31 00:00:00");
  EXPECT_EQ(TimestampText(253'402'300'799, 1), "9999-12-31 23:59:59");
}

TEST(ParameterText, WritesTimesOfDay) {
  EXPECT_EQ(TimeOfDayText(86'399, 1), "23:59:59");
  EXPECT_EQ(TimeOfDayText(3'661'000'000'001, 1'000'000'000), "01:01:01.000000001");
}

TEST(ParameterText, WritesLengthsOfTime) {
  EXPECT_EQ(DayTimeText(0, 1), "0 00:00:00");
  EXPECT_EQ(DayTimeText(93'784'000'005, 1'000'000), "1 02:03:04.000005");
  EXPECT_EQ(DayTimeText(-42, 1), "-0 00:00:42");
  EXPECT_EQ(DayTimeText(std::numeric_limits<int64_t>::min(), 1'000'000),
            "-106751991 04:00:54.775808");
  EXPECT_EQ(YearMonthText(14), "1-2");
  EXPECT_EQ(YearMonthText(-14), "-1-2");
  EXPECT_EQ(YearMonthText(0), "0-0");
}

TEST(ParameterText, WritesTheShortestFloats) {
  EXPECT_EQ(DoubleText(0.1), "0.1");
  EXPECT_EQ(FloatText(0.1F), "0.1");
  EXPECT_EQ(DoubleText(1e308), "1e+308");
  EXPECT_EQ(DoubleText(std::nan("")), "NaN");
  EXPECT_EQ(DoubleText(-INFINITY), "-Infinity");
  EXPECT_EQ(FloatText(INFINITY), "Infinity");
}

TEST(ParameterText, WritesDecimalsInPlainDigits) {
  EXPECT_EQ(DecimalText("12345", 2), "123.45");
  EXPECT_EQ(DecimalText("-5", 3), "-0.005");
  EXPECT_EQ(DecimalText("0", 2), "0.00");
  EXPECT_EQ(DecimalText("7", -2), "700");
  EXPECT_EQ(DecimalText("7", 0), "7");
}

TEST(ParameterText, WritesBytesInHex) {
  const std::array<uint8_t, 2> bytes{0x00, 0xFF};
  EXPECT_EQ(BinaryLiteral(bytes), "X'00ff'");
  EXPECT_EQ(BinaryLiteral({}), "X''");
}

}  // namespace
}  // namespace dbx
