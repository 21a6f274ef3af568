// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <limits>

#include "result/fake_engine.h"
#include "result/text_format.h"
#include "result/time_zone.h"

namespace dbx::local {
namespace {

std::string TextOf(const SqlType& type, const std::string& format,
                   const std::function<void(ArrowArray*)>& fill) {
  const nanoarrow::UniqueArray batch = OneColumn(format, fill);
  std::string text;
  AppendText(type, *batch->children[0], 0, TimeZone(), &text);
  return text;
}

std::string IntText(SqlTypeId id, const std::string& format, int64_t value) {
  return TextOf({.id = id}, format, [&](ArrowArray* array) {
    ASSERT_EQ(ArrowArrayAppendInt(array, value), NANOARROW_OK);
  });
}

std::string DoubleText(double value) {
  return TextOf({.id = SqlTypeId::kDouble}, "g", [&](ArrowArray* array) {
    ASSERT_EQ(ArrowArrayAppendDouble(array, value), NANOARROW_OK);
  });
}

std::string DecimalText(const char* digits, int32_t scale) {
  return TextOf({.id = SqlTypeId::kDecimal, .precision = 38, .scale = scale}, "d:38,0",
                [&](ArrowArray* array) {
                  ArrowDecimal decimal;
                  ArrowDecimalInit(&decimal, 128, 38, 0);
                  ASSERT_EQ(ArrowDecimalSetDigits(&decimal, ArrowCharView(digits)), NANOARROW_OK);
                  ASSERT_EQ(ArrowArrayAppendDecimal(array, &decimal), NANOARROW_OK);
                });
}

TEST(TextFormat, WritesDecimalsWithTheirWholeScale) {
  EXPECT_EQ(DecimalText("330", 2), "3.30");
  EXPECT_EQ(DecimalText("-5", 2), "-0.05");
  EXPECT_EQ(DecimalText("0", 0), "0");
  EXPECT_EQ(DecimalText("0", 1), "0.0");
  EXPECT_EQ(DecimalText("0", 4), "0.0000");
  EXPECT_EQ(DecimalText("99999999999999999999999999999999999999", 38),
            "0.99999999999999999999999999999999999999");
  EXPECT_EQ(DecimalText("-12345", 0), "-12345");
}

TEST(TextFormat, WritesDoublesAsJavaDoes) {
  EXPECT_EQ(DoubleText(1), "1.0");
  EXPECT_EQ(DoubleText(0.001), "0.001");
  EXPECT_EQ(DoubleText(1e7), "1.0E7");
  EXPECT_EQ(DoubleText(-1.5e-9), "-1.5E-9");
  EXPECT_EQ(DoubleText(0), "0.0");
  EXPECT_EQ(DoubleText(std::numeric_limits<double>::quiet_NaN()), "NaN");
  EXPECT_EQ(DoubleText(-std::numeric_limits<double>::infinity()), "-Infinity");
}

TEST(TextFormat, WritesTimesBeforeTheEpochAndTrimsFractions) {
  EXPECT_EQ(IntText(SqlTypeId::kTimestampNtz, "tsu:", -1), "1969-12-31 23:59:59.999999");
  EXPECT_EQ(IntText(SqlTypeId::kTimestampNtz, "tsu:", 500'000), "1970-01-01 00:00:00.5");
  EXPECT_EQ(IntText(SqlTypeId::kTimestamp, "tsu:UTC", 0), "1970-01-01 00:00:00");
  EXPECT_EQ(IntText(SqlTypeId::kDate, "tdD", -719'162), "0001-01-01");
}

TEST(TextFormat, WritesIntervals) {
  EXPECT_EQ(IntText(SqlTypeId::kIntervalDayTime, "tDu", -8 * 86'400'000'000LL),
            "-8 00:00:00.000000000");
  EXPECT_EQ(IntText(SqlTypeId::kIntervalDayTime, "tDu", 1), "0 00:00:00.000001000");
  EXPECT_EQ(IntText(SqlTypeId::kIntervalDayTime, "tDu", std::numeric_limits<int64_t>::min()),
            "-106751991 04:00:54.775808000");
}

TEST(TimeZone, KnowsFixedOffsets) {
  for (const auto& [name, offset] :
       {std::pair("UTC", 0), std::pair("Z", 0), std::pair("+08:00", 28'800),
        std::pair("-3", -10'800), std::pair("UTC+05:30", 19'800), std::pair("GMT-3", -10'800),
        std::pair("+0530", 19'800)}) {
    const auto zone = TimeZone::Find(name);
    ASSERT_TRUE(zone) << name;
    EXPECT_EQ(zone->OffsetAt(0), offset) << name;
  }
  for (const char* const name :
       {"", "+99", "../etc/passwd", "/etc/passwd", "No/Such_Zone", "+1:99"}) {
    EXPECT_FALSE(TimeZone::Find(name)) << name;
  }
}

/// A TZif file of version 2 with two recorded changes and a rule for later.
std::string SmallZoneFile(const std::string& rule) {
  const auto header = [](char num_times, char num_types) {
    std::string bytes = "TZif2" + std::string(15, '\0');
    for (const char count : {'\0', '\0', '\0', num_times, num_types, '\4'})
      bytes += std::string(3, '\0') + count;
    return bytes;
  };
  const auto big = [](int64_t value, int size) {
    std::string bytes;
    for (int i = size - 1; i >= 0; --i) bytes.push_back(static_cast<char>(value >> (8 * i)));
    return bytes;
  };
  std::string file = header(0, 1) + big(0, 4) + std::string("\0\0ABC\0", 6);
  file += header(2, 2) + big(1000, 8) + big(2000, 8) + std::string("\1\0", 2);
  file += big(-28'800, 4) + std::string("\0\0", 2) + big(-25'200, 4) + std::string("\1\0", 2) +
          std::string("ABC\0", 4);
  return file + "\n" + rule + "\n";
}

TEST(TimeZone, ReadsZoneFiles) {
  const auto zone = TimeZone::FromFile(SmallZoneFile(""));
  ASSERT_TRUE(zone);
  EXPECT_EQ(zone->OffsetAt(999), -28'800);
  EXPECT_EQ(zone->OffsetAt(1000), -25'200);
  EXPECT_EQ(zone->OffsetAt(2000), -28'800);
  const std::string file = SmallZoneFile("X1");
  for (size_t size = 0; size + 30 < file.size(); ++size)
    EXPECT_FALSE(TimeZone::FromFile(file.substr(0, size))) << size;
}

TEST(TimeZone, FollowsTheRuleBehindTheLastChange) {
  const auto north = TimeZone::FromFile(SmallZoneFile("PST8PDT,M3.2.0,M11.1.0"));
  ASSERT_TRUE(north);
  EXPECT_EQ(north->OffsetAt(4'102'444'800), -28'800);  // 2100-01-01
  EXPECT_EQ(north->OffsetAt(4'118'083'200), -25'200);  // 2100-07-01
  EXPECT_EQ(north->OffsetAt(1'615'715'999), -28'800);  // a second before 2021-03-14 10:00 UTC
  EXPECT_EQ(north->OffsetAt(1'615'716'000), -25'200);
  EXPECT_EQ(north->OffsetAt(1'636'275'599), -25'200);  // a second before 2021-11-07 09:00 UTC
  EXPECT_EQ(north->OffsetAt(1'636'275'600), -28'800);
  const auto south = TimeZone::FromFile(SmallZoneFile("<+10>-10<+1030>-10:30,M10.1.0,M4.1.0"));
  ASSERT_TRUE(south);
  EXPECT_EQ(south->OffsetAt(1'609'459'200), 37'800);  // January is summer
  EXPECT_EQ(south->OffsetAt(1'625'097'600), 36'000);
}

}  // namespace
}  // namespace dbx::local
