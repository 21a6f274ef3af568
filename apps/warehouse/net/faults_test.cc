// SPDX-License-Identifier: Apache-2.0
#include "net/faults.h"

#include <gtest/gtest.h>

#include <set>

namespace dbx::local {
namespace {

std::unique_ptr<FaultScript> Script(std::string_view text) {
  auto script = FaultScript::Make();
  const Status loaded = script->Load(text);
  EXPECT_TRUE(loaded.ok()) << loaded.ToString();
  return script;
}
FaultContext Chunk(int64_t index, std::string_view path = "/results/a") {
  return {.point = FaultPoint::kStorage, .http_method = "GET", .path = path, .chunk_index = index};
}

TEST(Faults, EmptyUntilLoadedAndAfterClear) {
  const auto script =
      Script(R"({"rules": [{"match": {"point": "storage"}, "action": {"status": 500}}]})");
  EXPECT_FALSE(script->empty());
  EXPECT_EQ(script->Next(Chunk(0))->status, 500);
  script->Clear();
  EXPECT_TRUE(script->empty());
  EXPECT_FALSE(script->Next(Chunk(0)));
}

TEST(Faults, NthAndTimesCountMatchesOfTheRule) {
  const auto script = Script(R"({"rules": [
    {"match": {"point": "thrift", "method": "FetchResults", "nth": 2}, "action": {"status": 503}},
    {"match": {"point": "thrift", "times": 1}, "action": {"status": 429}}]})");
  const FaultContext fetch{.point = FaultPoint::kThrift, .thrift_method = "FetchResults"};
  EXPECT_EQ(script->Next(fetch)->status, 429);
  EXPECT_EQ(script->Next(fetch)->status, 503);
  EXPECT_FALSE(script->Next(fetch));
  EXPECT_FALSE(script->Next({.point = FaultPoint::kHttp}));
}

TEST(Faults, MatchesPartsOfPathAndSql) {
  const auto script = Script(R"({"rules": [
    {"match": {"point": "http", "path": "telemetry", "http_method": "POST"}, "action": {"status": 404}},
    {"match": {"point": "result", "sql": "catalog_sales"}, "action": {"extra_rows": 3, "more": {"a": "b"}}}]})");
  EXPECT_FALSE(
      script->Next({.point = FaultPoint::kHttp, .http_method = "GET", .path = "/telemetry-ext"}));
  EXPECT_TRUE(
      script->Next({.point = FaultPoint::kHttp, .http_method = "POST", .path = "/telemetry-ext"}));
  const auto action =
      script->Next({.point = FaultPoint::kResult, .sql = "SELECT * FROM catalog_sales"});
  ASSERT_TRUE(action);
  EXPECT_EQ(action->extra_rows, 3);
  EXPECT_EQ(action->more.at("a"), "b");
}

TEST(Faults, AttemptCountsEachFileByItself) {
  const auto script = Script(
      R"({"rules": [{"match": {"point": "storage", "attempt": 1}, "action": {"truncate_after": 1}}]})");
  EXPECT_TRUE(script->Next(Chunk(0, "/results/a")));
  EXPECT_FALSE(script->Next(Chunk(0, "/results/a")));
  EXPECT_TRUE(script->Next(Chunk(1, "/results/b")));
}

constexpr std::string_view kRandom = R"({"seed": 7, "rules": [
  {"match": {"point": "storage", "probability": 0.5}, "action": {"reset_after": {"random": [100, 199]}}}]})";

TEST(Faults, DrawsTheSameForTheSameChunkInWhateverOrder) {
  const auto forwards = Script(kRandom);
  const auto backwards = Script(kRandom);
  const auto place = [](FaultScript& script, int64_t chunk) {
    const auto action = script.Next(Chunk(chunk, "/results/" + std::to_string(chunk)));
    return action ? *action->reply.reset_after : 0;
  };
  std::map<int64_t, uint64_t> first, second;
  for (int64_t i = 0; i < 200; ++i) first[i] = place(*forwards, i);
  for (int64_t i = 199; i >= 0; --i) second[i] = place(*backwards, i);
  EXPECT_EQ(first, second);
  std::set<uint64_t> places;
  for (const auto& [chunk, at] : first) places.insert(at);
  EXPECT_GT(places.size(), 30U);
  EXPECT_TRUE(places.contains(0));  // half of them meet no fault
  EXPECT_GE(*std::next(places.begin()), 100U);
  EXPECT_LE(*places.rbegin(), 199U);
}

TEST(Faults, ReadsToml) {
  const auto script = Script(R"(
    seed = 3
    [[rules]]
    match = {point = "storage", chunk = 2}
    action = {status = 503, headers = {"Retry-After" = "2"}, states = ["PENDING"]}
  )");
  EXPECT_FALSE(script->Next(Chunk(1)));
  const auto action = script->Next(Chunk(2));
  ASSERT_TRUE(action);
  EXPECT_EQ(action->headers, (HeaderList{{"Retry-After", "2"}}));
  EXPECT_EQ(action->states, std::vector<std::string>{"PENDING"});
}

TEST(Faults, RefusesWhatItDoesNotKnowAndKeepsTheOldRules) {
  const auto script =
      Script(R"({"rules": [{"match": {"point": "storage"}, "action": {"status": 500}}]})");
  const auto message = [&](std::string_view text) {
    const Status status = script->Load(text);
    EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
    return status.message();
  };
  EXPECT_NE(message(R"({"rulez": []})").find("'rulez'"), std::string::npos);
  EXPECT_NE(message(R"({"rules": [{"match": {"point": "storage", "chnk": 1}, "action": {}}]})")
                .find("rule 0: match: unknown key 'chnk'"),
            std::string::npos);
  EXPECT_NE(
      message(R"({"rules": [{"match": {"point": "moon"}, "action": {}}]})").find("point: wanted"),
      std::string::npos);
  EXPECT_NE(message(R"({"rules": [{"match": {"point": "http"}, "action": {"status": 99}}]})")
                .find("from 200 to 599"),
            std::string::npos);
  EXPECT_NE(
      message(
          R"({"rules": [{"match": {"point": "http"}, "action": {"delay_ms": {"random": [5, 1]}}}]})")
          .find("delay_ms"),
      std::string::npos);
  message("{\"rules\": ");
  message("rules = [[[");
  EXPECT_EQ(script->Next(Chunk(0))->status, 500);
}

TEST(Faults, DescribesItsRulesWithTheirUse) {
  const auto script = Script(
      R"({"seed": 5, "rules": [{"match": {"point": "storage", "nth": 2}, "action": {"status": 500}}]})");
  script->Next(Chunk(0));
  EXPECT_EQ(
      script->Describe(),
      R"({"seed":5,"rules":[{"rule":{"action":{"status":500},"match":{"nth":2,"point":"storage"}},)"
      R"("matched":1,"used":0}]})");
}

}  // namespace
}  // namespace dbx::local
