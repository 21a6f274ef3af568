// SPDX-License-Identifier: Apache-2.0
#include "sea/cell_text.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "result/fake_engine.h"
#include "sea/sea_client.h"
#include "sql/sql_testing.h"

namespace dbx::local {
namespace {

std::string TextOf(const SqlType& type, const std::string& format,
                   const std::function<void(ArrowArray*)>& fill, std::string_view zone = "UTC") {
  const nanoarrow::UniqueArray batch = OneColumn(format, fill);
  std::string text;
  AppendCell(type, *batch->children[0], 0, *TimeZone::Find(zone), &text);
  return text;
}

std::string TimestampText(int64_t micros, std::string_view zone,
                          SqlTypeId id = SqlTypeId::kTimestamp) {
  return TextOf(
      {.id = id}, id == SqlTypeId::kTimestamp ? "tsu:UTC" : "tsu:",
      [&](ArrowArray* array) { ASSERT_EQ(ArrowArrayAppendInt(array, micros), NANOARROW_OK); },
      zone);
}

TEST(CellText, TimestampsHaveMillisecondsAndTheOffset) {
  EXPECT_EQ(TimestampText(1'609'524'000'000'000, "America/Los_Angeles"),
            "2021-01-01T10:00:00.000-08:00");
  EXPECT_EQ(TimestampText(1'623'785'696'789'000, "America/Los_Angeles"),
            "2021-06-15T12:34:56.789-07:00");
  EXPECT_EQ(TimestampText(1'609'524'000'500'000, "UTC"), "2021-01-01T18:00:00.500Z");
  EXPECT_EQ(TimestampText(1'609'524'000'000'000, "Asia/Kolkata"), "2021-01-01T23:30:00.000+05:30");
  EXPECT_EQ(TimestampText(-1, "UTC"), "1969-12-31T23:59:59.999999Z");
  EXPECT_EQ(TimestampText(1'000'000'123'400, "UTC"), "1970-01-12T13:46:40.123400Z");
}

TEST(CellText, TimestampsWithoutZoneHaveNoOffset) {
  EXPECT_EQ(TimestampText(1'609'495'200'000'000, "America/Los_Angeles", SqlTypeId::kTimestampNtz),
            "2021-01-01T10:00:00.000");
}

TEST(CellText, BytesAreBase64) {
  const auto text = [](const std::string& bytes) {
    return TextOf({.id = SqlTypeId::kBinary}, "z", [&](ArrowArray* array) {
      const ArrowBufferView view = {{bytes.data()}, static_cast<int64_t>(bytes.size())};
      ASSERT_EQ(ArrowArrayAppendBytes(array, view), NANOARROW_OK);
    });
  };
  EXPECT_EQ(text(""), "");
  EXPECT_EQ(text(std::string("\xFF\x00", 2)), "/wA=");
  EXPECT_EQ(text("abc"), "YWJj");
}

TEST(CellText, JsonStringsAreEscaped) {
  const auto text = [](std::string_view plain) {
    std::string json;
    AppendJsonString(plain, &json);
    EXPECT_EQ(nlohmann::json::parse(json), plain);
    return json;
  };
  EXPECT_EQ(text(""), "\"\"");
  EXPECT_EQ(text("a\"b\\c"), R"("a\"b\\c")");
  EXPECT_EQ(text("\n\x01z"), R"("\u000a\u0001z")");
  EXPECT_EQ(text("größe"), "\"größe\"");
}

/// What the real engine's values look like, column by column.
class EngineTexts : public ::testing::Test {
 protected:
  nlohmann::ordered_json Row(const std::string& sql) {
    SeaFixture fixture;
    const auto engine = *Engine::Open({.data_directory = folder_.path()});
    const auto service =
        SeaService::Make(engine.get(), &fixture.spool, &fixture.signer, &fixture.faults, {});
    HttpRequest request{.method = "POST", .path = "/api/2.0/sql/statements"};
    request.body = nlohmann::json{{"statement", sql}, {"warehouse_id", "w"}}.dump();
    const auto answer = nlohmann::ordered_json::parse(service->Handle(request).body);
    EXPECT_EQ(answer["status"]["state"], "SUCCEEDED") << answer;
    return answer["result"]["data_array"][0];
  }

 private:
  TestFolder folder_;
};

TEST_F(EngineTexts, ScalarsOfAllTypes) {
  const nlohmann::json row = Row(
      "SELECT true, CAST(-1 AS TINYINT), CAST(2 AS SMALLINT), 3, CAST(4 AS BIGINT), "
      "CAST(1.5 AS FLOAT), CAST(1e10 AS DOUBLE), CAST('NaN' AS DOUBLE), CAST('-Infinity' AS "
      "DOUBLE), "
      "CAST(7 AS DECIMAL(18,2)), ' text ', DATE'2021-01-01', TIMESTAMP_NTZ'2021-01-01 10:00:00', "
      "INTERVAL '100' YEAR, INTERVAL '3 4:30:20.123' DAY TO SECOND, NULL, "
      "parse_json('{\"b\": [1, 2], \"a\":\"x\"}')");
  const nlohmann::json expected = {"true",
                                   "-1",
                                   "2",
                                   "3",
                                   "4",
                                   "1.5",
                                   "1.0E10",
                                   "NaN",
                                   "-Infinity",
                                   "7.00",
                                   " text ",
                                   "2021-01-01",
                                   "2021-01-01T10:00:00.000",
                                   "100-0",
                                   "3 04:30:20.123000000",
                                   nullptr,
                                   R"({"a":"x","b":[1,2]})"};
  EXPECT_EQ(row, expected);
}

TEST_F(EngineTexts, ArraysMapsAndStructsAreJson) {
  const nlohmann::json row =
      Row("SELECT array(1, NULL, 3), map('k\"', 1.50, 'l', NULL), "
          "named_struct('a', 'x\"y', 'b', DATE'2020-02-02', 'c', X'00ff', 'd', true), "
          "array(array(1.5D, CAST('NaN' AS DOUBLE))), map(1, array('a'))");
  const nlohmann::json expected = {"[1,null,3]", R"({"k\"":1.50,"l":null})",
                                   R"({"a":"x\"y","b":"2020-02-02","c":"AP8=","d":true})",
                                   R"([[1.5,"NaN"]])", R"({"1":["a"]})"};
  EXPECT_EQ(row, expected);
}

}  // namespace
}  // namespace dbx::local
