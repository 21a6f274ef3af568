// SPDX-License-Identifier: Apache-2.0
// What the service must do with requests, rule by rule; results have a file of their own.
#include <gtest/gtest.h>

#include <set>
#include <thread>

#include "base/str_cat.h"
#include "sea/sea_client.h"
#include "sea/statement_table.h"

namespace dbx::local {
namespace {

using Json = SeaFixture::Json;

constexpr const char* kUnknownId = "01f1ed37-2dda-1731-9372-852b5eefbdb9";

FakeResult OneRow() {
  return NumberedResult(1);
}

TEST(SeaService, Rule01_CollectionPathsAreTakenWithAndWithoutSlash) {
  SeaFixture fixture;
  fixture.engine.results["q"] = OneRow();
  for (const char* path : {"/api/2.0/sql/sessions", "/api/2.0/sql/sessions/"}) {
    const SeaAnswer opened = fixture.Ask("POST", path, Json{{"warehouse_id", "w"}});
    EXPECT_EQ(opened.status, 200);
    EXPECT_TRUE(opened.json.contains("session_id"));
  }
  for (const char* path : {"/api/2.0/sql/statements", "/api/2.0/sql/statements/"}) {
    const SeaAnswer ran =
        fixture.Ask("POST", path, Json{{"warehouse_id", "w"}, {"statement", "q"}});
    EXPECT_EQ(ran.state(), "SUCCEEDED");
    EXPECT_EQ(fixture.Get(ran.id() + "/").state(), "SUCCEEDED");
  }
}

TEST(SeaService, Rule01_OneClientOpensSessionsBelowItsWarehouse) {
  SeaFixture fixture;
  const SeaAnswer opened = fixture.Ask("POST", "/api/2.0/sql/warehouses/w1/sessions",
                                       Json{{"schema", "shop"}, {"execution_mode", "FAST"}});
  ASSERT_EQ(opened.status, 200);
  const std::string id = opened.json["session_id"];
  EXPECT_EQ(fixture.service->counters().sessions_open, 1);
  EXPECT_EQ(fixture.Ask("DELETE", StrCat("/api/2.0/sql/sessions/", id)).json, Json::object());
  EXPECT_EQ(fixture.service->counters().sessions_open, 0);
}

TEST(SeaService, Rule03_SessionsAreMadeForAnyWarehouseAndTheOldCatalogName) {
  SeaFixture fixture;
  const std::string id =
      fixture.Open({{"catalog", "SPARK"},
                    {"schema", "shop"},
                    {"session_confs", {{"TIMEZONE", "UTC"}, {"QUERY_TAGS", "a:b"}}},
                    {"session_configuration", {{"ansi_mode", "false"}}},
                    {"execution_mode", "FAST"}});
  EXPECT_TRUE(IsId(id)) << id;
  const std::map<std::string, std::string> confs = {{"TIMEZONE", "UTC"}};
  EXPECT_EQ(fixture.engine.last_confs(), confs);
}

TEST(SeaService, Rule03_ASessionThatTheEngineRefusesIsARefusedRequest) {
  SeaFixture fixture;
  const SeaAnswer opened = fixture.Ask("POST", "/api/2.0/sql/sessions",
                                       Json{{"warehouse_id", "w"}, {"catalog", "missing"}});
  EXPECT_EQ(opened.status, 400);
  EXPECT_EQ(opened.json["error_code"], "INVALID_PARAMETER_VALUE");
}

TEST(SeaService, Rule04_SessionsAreDeletedHoweverTheWarehouseIsNamed) {
  SeaFixture fixture;
  for (const char* query : {"?warehouse_id=w1", ""}) {
    const std::string id = fixture.Open();
    const SeaAnswer closed = fixture.Ask("DELETE", StrCat("/api/2.0/sql/sessions/", id, query));
    EXPECT_EQ(closed.status, 200);
    EXPECT_EQ(closed.json, Json::object());
  }
  const std::string id = fixture.Open();
  const std::string path = StrCat("/api/2.0/sql/sessions/", id);
  const Json body = {{"warehouse_id", "w1"}, {"session_id", id}};
  EXPECT_EQ(fixture.Ask("DELETE", path, body).json, Json::object());
  EXPECT_EQ(fixture.Ask("DELETE", path, body).json, Json::object()) << "gone is as good";
  EXPECT_EQ(fixture.service->counters().sessions_open, 0);
}

TEST(SeaService, Rule05_UnknownFieldsAndBodiesAreIgnored) {
  SeaFixture fixture;
  fixture.engine.results["q"] = OneRow();
  const SeaAnswer ran =
      fixture.Execute("q", {{"new_field", {1, 2}}, {"query_tags", Json::array()}});
  ASSERT_EQ(ran.state(), "SUCCEEDED");
  const Json body = {{"statementId", ran.id()}, {"wait_timeout", "nonsense"}};
  EXPECT_EQ(fixture.Ask("GET", SeaFixture::Path(ran.id()), body).state(), "SUCCEEDED");
  EXPECT_EQ(fixture.Send("DELETE", SeaFixture::Path(ran.id()), "no JSON").json, Json::object());
}

TEST(SeaService, Rule05_WhatIsNoJsonObjectIsRefused) {
  SeaFixture fixture;
  for (const char* body : {"", "[]", "{\"statement\":", "7"}) {
    const SeaAnswer answer = fixture.Send("POST", "/api/2.0/sql/statements", body);
    EXPECT_EQ(answer.status, 400) << body;
    EXPECT_EQ(answer.json["error_code"], "MALFORMED_REQUEST") << body;
  }
}

TEST(SeaService, Rule06_StatementsRunWithAndWithoutASession) {
  SeaFixture fixture;
  fixture.engine.results["q"] = OneRow();
  EXPECT_EQ(fixture.Execute("q", {{"catalog", "main"}, {"schema", "shop"}}).state(), "SUCCEEDED");
  fixture.Open();
  EXPECT_EQ(fixture.Execute("q", {{"warehouse_id", "another"}}).state(), "SUCCEEDED");
  // Of a session of its own the statement tells what is wrong.
  fixture.session.clear();
  const SeaAnswer failed = fixture.Execute("q", {{"catalog", "missing"}});
  EXPECT_EQ(failed.status, 200);
  EXPECT_EQ(failed.error(), "BAD_REQUEST 42704");
}

TEST(SeaService, Rule06_ASessionThatIsGoneIsNotFound) {
  SeaFixture fixture;
  fixture.engine.results["q"] = OneRow();
  const std::string id = fixture.Open();
  fixture.Ask("DELETE", StrCat("/api/2.0/sql/sessions/", id));
  const SeaAnswer answer = fixture.Execute("q");
  EXPECT_EQ(answer.status, 404);
  EXPECT_EQ(answer.json["error_code"], "NOT_FOUND");
}

TEST(SeaService, Rule06_SessionsAndStatementsExpireWithoutCalls) {
  SeaFixture fixture({.statement_lifetime = std::chrono::seconds(60),
                      .closed_lifetime = std::chrono::seconds(30),
                      .session_lifetime = std::chrono::seconds(100)});
  fixture.engine.results["q"] = OneRow();
  fixture.Open();
  const std::string id = fixture.Execute("q").id();
  fixture.clock.Advance(std::chrono::seconds(50));
  EXPECT_EQ(fixture.Get(id).state(), "SUCCEEDED") << "a call makes its life begin anew";
  fixture.clock.Advance(std::chrono::seconds(61));
  EXPECT_EQ(fixture.Get(id).state(), "CLOSED");
  fixture.clock.Advance(std::chrono::seconds(31));
  EXPECT_EQ(fixture.Get(id).status, 404);
  EXPECT_EQ(fixture.Execute("q").status, 200) << "the session is a little younger";
  fixture.clock.Advance(std::chrono::seconds(101));
  EXPECT_EQ(fixture.Execute("q").status, 404);
}

TEST(SeaService, Rule06_AStatementThatIsAskedForKeepsItsSession) {
  SeaFixture fixture({.session_lifetime = std::chrono::seconds(100)});
  fixture.engine.results["q"] = OneRow();
  fixture.Open();
  const std::string id = fixture.Execute("q").id();
  for (int i = 0; i < 3; ++i) {
    fixture.clock.Advance(std::chrono::seconds(90));
    EXPECT_EQ(fixture.Get(id).state(), "SUCCEEDED");
  }
  EXPECT_EQ(fixture.Execute("q").state(), "SUCCEEDED");
}

TEST(SeaService, Rule07_WaitTimeoutIsZeroOrFromFiveToFiftySeconds) {
  SeaFixture fixture;
  fixture.engine.results["q"] = OneRow();
  for (const char* wait : {"0s", "5s", "50s"})
    EXPECT_EQ(fixture.Execute("q", {{"wait_timeout", wait}}).status, 200) << wait;
  for (const char* wait : {"4s", "51s", "-1s", "10", "s", "1m", ""}) {
    const SeaAnswer answer = fixture.Execute("q", {{"wait_timeout", wait}});
    EXPECT_EQ(answer.status, 400) << wait;
    EXPECT_EQ(answer.json["error_code"], "INVALID_PARAMETER_VALUE") << wait;
  }
  for (const char* field : {"disposition", "format", "on_wait_timeout", "result_compression"})
    EXPECT_EQ(fixture.Execute("q", {{field, "OTHER"}}).status, 400) << field;
  EXPECT_EQ(fixture.Execute("q", {{"row_limit", -1}}).status, 400);
  EXPECT_EQ(fixture.Execute("q", {{"format", "CSV"}}).status, 400) << "CSV has to be in files";
}

TEST(SeaService, Rule07_AStatementRunsOnBehindItsFirstAnswer) {
  SeaFixture fixture;
  const auto gate = std::make_shared<Gate>();
  fixture.engine.results["slow"] = OneRow();
  fixture.engine.results["slow"].run_gate = gate;
  const SeaAnswer first = fixture.Execute("slow", {{"wait_timeout", "0s"}});
  EXPECT_EQ(first.json.size(), 2U) << first.json;
  EXPECT_TRUE(first.state() == "PENDING" || first.state() == "RUNNING");
  gate->WaitForArrival();
  EXPECT_EQ(fixture.Get(first.id()).state(), "RUNNING");
  EXPECT_EQ(fixture.Chunk(first.id(), 0).status, 400);
  gate->Open();
  while (fixture.Get(first.id()).state() == "RUNNING") std::this_thread::yield();
  const SeaAnswer last = fixture.Get(first.id());
  EXPECT_EQ(last.state(), "SUCCEEDED");
  EXPECT_EQ(last.json["result"]["data_array"].size(), 1U);
}

TEST(SeaService, Rule07_AStatusRequestIsHeldUntilThereIsNews) {
  SeaFixture fixture({.long_poll = std::chrono::minutes(1)});
  const auto gate = std::make_shared<Gate>();
  fixture.engine.results["slow"] = OneRow();
  fixture.engine.results["slow"].run_gate = gate;
  const std::string id = fixture.Execute("slow", {{"wait_timeout", "0s"}}).id();
  std::thread opener([&] {
    gate->WaitForArrival();
    gate->Open();
  });
  EXPECT_EQ(fixture.Get(id).state(), "SUCCEEDED");
  opener.join();
}

TEST(SeaService, Rule07_ALateStatementIsCancelledOnRequest) {
  SeaFixture fixture;
  const auto gate = std::make_shared<Gate>();
  fixture.engine.results["slow"] = OneRow();
  fixture.engine.results["slow"].run_gate = gate;
  // The script ends the wait of five seconds at once.
  fixture.faults.Add(FaultPoint::kResult, "", {.states = {"RUNNING", "RUNNING"}});
  const SeaAnswer late =
      fixture.Execute("slow", {{"wait_timeout", "5s"}, {"on_wait_timeout", "CANCEL"}});
  EXPECT_EQ(fixture.Get(late.id()).state(), "RUNNING") << "the script's last word";
  EXPECT_EQ(fixture.Get(late.id()).state(), "CANCELED");
}

TEST(SeaService, Rule08_AFailureOfSqlIsAFailedStatement) {
  SeaFixture fixture;
  const SeaAnswer failed = fixture.Execute("SELECT * FROM nowhere");
  EXPECT_EQ(failed.status, 200);
  EXPECT_EQ(failed.state(), "FAILED");
  EXPECT_EQ(failed.error(), "BAD_REQUEST 42P01");
  const std::string message = failed.json["status"]["error"]["message"];
  EXPECT_TRUE(message.starts_with("\n[TABLE_OR_VIEW_NOT_FOUND] ")) << message;
  EXPECT_NE(message.find("SQLSTATE: 42P01"), std::string::npos) << message;
  EXPECT_FALSE(failed.json.contains("manifest"));
  EXPECT_FALSE(failed.json.contains("result"));
  EXPECT_EQ(fixture.Get(failed.id()).error(), "BAD_REQUEST 42P01");
}

TEST(SeaService, Rule08_RowsThatFailHalfwayFailTheStatement) {
  SeaFixture fixture;
  fixture.engine.results["q"] = NumberedResult(10);
  fixture.engine.results["q"].rows_error =
      Status::InvalidArgument("[DIVIDE_BY_ZERO] Division by zero. SQLSTATE: 22012")
          .WithErrorClass("DIVIDE_BY_ZERO")
          .WithSqlstate("22012");
  for (const Json& form : {Json::object(), SeaFixture::Arrow("EXTERNAL_LINKS"),
                           SeaFixture::Arrow("INLINE_OR_EXTERNAL_LINKS"),
                           Json{{"disposition", "EXTERNAL_LINKS"}, {"format", "CSV"}}}) {
    EXPECT_EQ(fixture.Execute("q", form).error(), "BAD_REQUEST 22012") << form;
  }
  EXPECT_EQ(fixture.spool.num_objects(), 0);
}

TEST(SeaService, Rule21_ParametersArePositionalAndNamed) {
  SeaFixture fixture;
  fixture.engine.results["q"] = OneRow();
  const Json parameters = {{{"type", "STRING"}, {"value", "second"}, {"ordinal", 2}},
                           {{"name", "mark"}, {"value", "named"}},
                           {{"type", "LONG"}, {"ordinal", 1}},
                           {{"type", "DATE"}, {"value", nullptr}, {"ordinal", 3}}};
  EXPECT_EQ(fixture.Execute("q", {{"parameters", parameters}}).state(), "SUCCEEDED");
  std::vector<SqlParameter> seen = fixture.engine.requests().back().parameters;
  std::erase_if(seen, [](const SqlParameter& parameter) {
    if (!parameter.name) return false;
    EXPECT_EQ(*parameter.name, "mark");
    EXPECT_EQ(parameter.type, "STRING");
    EXPECT_EQ(parameter.value, "named");
    return true;
  });
  ASSERT_EQ(seen.size(), 3U);
  EXPECT_EQ(seen[0].type, "LONG");
  EXPECT_EQ(seen[0].value, std::nullopt);
  EXPECT_EQ(seen[1].value, "second");
  EXPECT_EQ(seen[2].type, "DATE");
  EXPECT_EQ(seen[2].value, std::nullopt);
}

TEST(SeaService, Rule21_NoMoreThan256ParametersAndNoneOfComplexTypes) {
  SeaFixture fixture;
  fixture.engine.results["q"] = OneRow();
  Json parameters = Json::array();
  for (int i = 1; i <= 256; ++i)
    parameters.push_back({{"type", "INT"}, {"value", std::to_string(i)}, {"ordinal", i}});
  EXPECT_EQ(fixture.Execute("q", {{"parameters", parameters}}).status, 200);
  parameters.push_back({{"ordinal", 257}});
  EXPECT_EQ(fixture.Execute("q", {{"parameters", parameters}}).status, 400);
  for (const char* type : {"ARRAY<INT>", "MAP<STRING, INT>", "struct<a: INT>"}) {
    const Json complex = {{{"type", type}, {"value", "[]"}, {"ordinal", 1}}};
    EXPECT_EQ(fixture.Execute("q", {{"parameters", complex}}).status, 400) << type;
  }
}

TEST(SeaService, Rule22_RowLimitCutsAndSaysSo) {
  SeaFixture fixture;
  fixture.engine.results["q"] = NumberedResult(5000);
  for (const Json& form : {Json::object(), SeaFixture::Arrow("EXTERNAL_LINKS"),
                           SeaFixture::Arrow("INLINE_OR_EXTERNAL_LINKS", true)}) {
    for (const auto& [limit, rows, truncated] :
         {std::tuple(4999, 4999, true), std::tuple(5000, 5000, false),
          std::tuple(9000, 5000, false), std::tuple(1, 1, true)}) {
      Json request = form;
      request["row_limit"] = limit;
      const Json manifest = fixture.Execute("q", request).json["manifest"];
      EXPECT_EQ(manifest["total_row_count"], rows) << form << limit;
      EXPECT_EQ(manifest["truncated"], truncated) << form << limit;
    }
  }
}

TEST(SeaService, Rule22_ByteLimitCutsAndSaysSo) {
  SeaFixture fixture;
  fixture.engine.results["q"] = NumberedResult(5000);
  for (const Json& form : {Json::object(), SeaFixture::Arrow("EXTERNAL_LINKS")}) {
    Json request = form;
    request["byte_limit"] = 20'000;
    const Json cut = fixture.Execute("q", request).json["manifest"];
    EXPECT_EQ(cut["truncated"], true);
    EXPECT_GT(cut["total_row_count"], 500);
    EXPECT_LT(cut["total_row_count"], 2500);
    request["byte_limit"] = 1'000'000;
    const Json whole = fixture.Execute("q", request).json["manifest"];
    EXPECT_EQ(whole["truncated"], false);
    EXPECT_EQ(whole["total_row_count"], 5000);
  }
}

TEST(SeaService, Rule23_AClosedStatementIsClosedForAWhileAndThenUnknown) {
  SeaFixture fixture({.closed_lifetime = std::chrono::seconds(60)});
  fixture.engine.results["q"] = NumberedResult(10);
  const std::string id = fixture.Execute("q", SeaFixture::Arrow("EXTERNAL_LINKS")).id();
  EXPECT_EQ(fixture.spool.num_objects(), 1);
  for (int i = 0; i < 2; ++i) {
    const SeaAnswer closed = fixture.Ask("DELETE", SeaFixture::Path(id));
    EXPECT_EQ(closed.status, 200);
    EXPECT_EQ(closed.json, Json::object());
  }
  EXPECT_EQ(fixture.spool.num_objects(), 0);
  const SeaAnswer later = fixture.Get(id);
  EXPECT_EQ(later.state(), "CLOSED");
  EXPECT_EQ(later.json.size(), 2U) << later.json;
  EXPECT_EQ(fixture.Chunk(id, 0).status, 404);
  fixture.clock.Advance(std::chrono::seconds(61));
  EXPECT_EQ(fixture.Get(id).status, 404);
  EXPECT_EQ(fixture.Ask("DELETE", SeaFixture::Path(id)).status, 404);
}

TEST(SeaService, Rule23_ClosingInterruptsWhatRuns) {
  SeaFixture fixture;
  fixture.engine.results["slow"] = OneRow();
  fixture.engine.results["slow"].run_gate = std::make_shared<Gate>();
  const std::string id = fixture.Execute("slow", {{"wait_timeout", "0s"}}).id();
  EXPECT_EQ(fixture.Ask("DELETE", SeaFixture::Path(id)).json, Json::object());
  EXPECT_EQ(fixture.Get(id).state(), "CLOSED");
}

TEST(SeaService, Rule24_CancelAnswersAtOnceWhateverTheState) {
  SeaFixture fixture;
  const auto gate = std::make_shared<Gate>();
  fixture.engine.results["slow"] = OneRow();
  fixture.engine.results["slow"].run_gate = gate;
  fixture.engine.results["q"] = OneRow();
  const std::string id = fixture.Execute("slow", {{"wait_timeout", "0s"}}).id();
  gate->WaitForArrival();
  EXPECT_EQ(fixture.Ask("POST", SeaFixture::Path(id) + "/cancel").json, Json::object());
  const SeaAnswer canceled = fixture.Get(id);
  EXPECT_EQ(canceled.state(), "CANCELED");
  EXPECT_FALSE(canceled.json["status"].contains("error"));
  EXPECT_EQ(fixture.Ask("POST", SeaFixture::Path(id) + "/cancel", Json{{"statement_id", id}}).json,
            Json::object());

  const std::string done = fixture.Execute("q").id();
  EXPECT_EQ(fixture.Ask("POST", SeaFixture::Path(done) + "/cancel").json, Json::object());
  EXPECT_EQ(fixture.Get(done).state(), "SUCCEEDED") << "too late to matter";
}

TEST(SeaService, Rule24_UnknownAndMalformedIdsAreToldApart) {
  SeaFixture fixture;
  EXPECT_EQ(fixture.Ask("POST", SeaFixture::Path(kUnknownId) + "/cancel").status, 404);
  EXPECT_EQ(fixture.Get(kUnknownId).json["error_code"], "NOT_FOUND");
  EXPECT_EQ(fixture.Chunk(kUnknownId, 0).status, 404);
  EXPECT_EQ(fixture.Get("not-an-id").status, 400);
}

TEST(SeaService, Rule30_UnknownPathsAreNotFoundInJson) {
  SeaFixture fixture;
  for (const char* path : {"/api/2.0/sql/statements/x/y", "/api/2.0/sql/sessions/a/b",
                           "/api/2.0/sql/statements/a/result/chunks/-1"}) {
    const SeaAnswer answer = fixture.Ask("GET", path);
    EXPECT_EQ(answer.status, 404) << path;
    EXPECT_EQ(answer.json["error_code"], "ENDPOINT_NOT_FOUND") << path;
  }
}

TEST(SeaService, Rule31_OverloadNamesTheSecondsToWait) {
  SeaFixture fixture;
  fixture.engine.results["q"] = OneRow();
  fixture.faults.Add(FaultPoint::kSea, "ExecuteStatement",
                     {.status = 429, .headers = {{"Retry-After", "2"}}});
  const SeaAnswer busy = fixture.Execute("q");
  EXPECT_EQ(busy.status, 429);
  EXPECT_EQ(busy.reply.headers.at(0).second, "2");
  EXPECT_EQ(fixture.engine.requests().size(), 0U) << "the call never arrived";
  EXPECT_EQ(fixture.Execute("q").state(), "SUCCEEDED");
}

TEST(SeaService, Rule33_NothingOptionalIsSent) {
  SeaFixture fixture;
  fixture.engine.results["SHOW CATALOGS"] = OneRow();
  const SeaAnswer opened =
      fixture.Ask("POST", "/api/2.0/sql/sessions", Json{{"warehouse_id", "w"}});
  EXPECT_EQ(opened.json.size(), 1U) << opened.json;
  const SeaAnswer ran =
      fixture.Execute("SHOW CATALOGS", SeaFixture::Arrow("INLINE_OR_EXTERNAL_LINKS"));
  EXPECT_EQ(ran.state(), "SUCCEEDED") << "not CLOSED with rows";
  EXPECT_FALSE(ran.json["manifest"].contains("is_native_metadata_result"));
}

TEST(SeaFaults, ScriptedStatesComeBeforeTheTruth) {
  // The statement may still run when the script has ended: the last request is held until then.
  SeaFixture fixture({.long_poll = std::chrono::minutes(1)});
  fixture.engine.results["q"] = OneRow();
  fixture.faults.Add(FaultPoint::kResult, "", {.states = {"PENDING", "RUNNING", "PAUSED"}});
  const SeaAnswer first = fixture.Execute("q");
  EXPECT_EQ(first.state(), "PENDING");
  EXPECT_EQ(fixture.Get(first.id()).state(), "RUNNING");
  EXPECT_EQ(fixture.Get(first.id()).state(), "PAUSED") << "a word that no client knows";
  EXPECT_EQ(fixture.Get(first.id()).state(), "SUCCEEDED");
}

TEST(SeaFaults, AScriptedEndIsTheEnd) {
  for (const char* word : {"FAILED", "CANCELED", "CLOSED"}) {
    SeaFixture fixture;
    fixture.engine.results["q"] = OneRow();
    fixture.faults.Add(FaultPoint::kSea, "ExecuteStatement", {.states = {"RUNNING", word}});
    const std::string id = fixture.Execute("q", {{"wait_timeout", "0s"}}).id();
    const std::string second = fixture.Get(id).state();
    EXPECT_EQ(second, word);
    // One that was cancelled when it was done already has its result all the same.
    const std::string third = fixture.Get(id).state();
    EXPECT_TRUE(third == word || (third == "SUCCEEDED" && word == std::string("CANCELED")))
        << third;
  }
}

TEST(SeaFaults, SessionsAndStatementsAreForgotten) {
  SeaFixture fixture;
  fixture.engine.results["q"] = OneRow();
  fixture.Open();
  const std::string id = fixture.Execute("q").id();
  fixture.faults.Add(FaultPoint::kSea, "GetStatement", {.forget_operation = true});
  EXPECT_EQ(fixture.Get(id).status, 404);
  fixture.faults.Add(FaultPoint::kSea, "ExecuteStatement", {.forget_session = true});
  EXPECT_EQ(fixture.Execute("q").status, 404);
  EXPECT_EQ(fixture.Execute("q").status, 404);
}

TEST(SeaFaults, ACallMayBeCarriedOutAndItsReplyLost) {
  SeaFixture fixture;
  fixture.engine.results["q"] = OneRow();
  fixture.faults.Add(FaultPoint::kSea, "ExecuteStatement",
                     {.status = 502, .more = {{"after", "1"}}});
  EXPECT_EQ(fixture.Execute("q").status, 502);
  EXPECT_EQ(fixture.engine.requests().size(), 1U);
}

TEST(SeaService, ShutdownWakesWhoeverWaits) {
  SeaFixture fixture({.long_poll = std::chrono::minutes(1)});
  const auto gate = std::make_shared<Gate>();
  fixture.engine.results["slow"] = OneRow();
  fixture.engine.results["slow"].run_gate = gate;
  const std::string id = fixture.Execute("slow", {{"wait_timeout", "0s"}}).id();
  std::thread stopper([&] {
    gate->WaitForArrival();
    fixture.service->Shutdown();
  });
  const SeaAnswer told = fixture.Get(id);
  stopper.join();
  EXPECT_TRUE(told.status == 503 || told.state() == "CANCELED") << told.json;
  EXPECT_EQ(fixture.Get(id).status, 503);
}

TEST(StatementIds, GrowWithTimeAndNeverRepeat) {
  std::set<std::string> ids;
  for (int i = 0; i < 1000; ++i) {
    const std::string id = NewId(WallTime(std::chrono::seconds(1'700'000'000)));
    EXPECT_TRUE(IsId(id));
    EXPECT_EQ(id[14], '1');
    ids.insert(id);
  }
  EXPECT_EQ(ids.size(), 1000U);
  EXPECT_TRUE(ids.begin()->starts_with("01ee"));
  EXPECT_LT(*ids.rbegin(), NewId(WallTime(std::chrono::seconds(1'700'000'001))));
}

}  // namespace
}  // namespace dbx::local
