// SPDX-License-Identifier: Apache-2.0
// What a client has to put up with from real servers, rule by rule: states, errors, what is absent,
// cancelling and closing. Rows and links have files of their own.
#include <gtest/gtest.h>

#include "arrow/testing/ipc_writer.h"
#include "base/str_cat.h"
#include "warehouse/sea/testing/sea_fixture.h"

namespace dbx::sea {
namespace {

using SeaRules = SeaFixture;

std::string TenRows() {
  return InState("SUCCEEDED", StrCat(Manifest({.columns = {}, .chunk_rows = {10}}), ",",
                                     Attachment(MakeIpcStream(0, 10, 10))));
}

TEST_F(SeaRules, SeaRule01_WaitsThroughPendingAndRunningWithoutManifest) {
  service.Reply("execute", {InState("PENDING")});
  service.Reply("get", {InState("RUNNING"), InState("RUNNING"), TenRows()});
  EXPECT_EQ(*ExecuteAndRead(), RowRange(0, 10));
  EXPECT_EQ(service.num_calls("get"), 3);
  // A server may hold a question for long.
  EXPECT_GT(service.Requests("get")[0].timeout, std::chrono::seconds(60));
}

TEST_F(SeaRules, SeaRule01_TakesASuccessWithTheFirstReply) {
  service.Reply("execute", {TenRows()});
  EXPECT_EQ(*ExecuteAndRead(), RowRange(0, 10));
  EXPECT_EQ(service.num_calls("get"), 0);
}

TEST_F(SeaRules, SeaRule01_GivesUpWhenTheStatementsTimeIsUp) {
  service.Reply("execute", {InState("PENDING")});
  service.Reply("get", {InState("RUNNING")});
  const auto execution = Execute({.sql = "SELECT 1", .timeout = std::chrono::seconds(1)});
  EXPECT_EQ(execution.status().code(), StatusCode::kTimeout);
  EXPECT_EQ(execution.status().sqlstate(), "HYT00");
  EXPECT_EQ(execution.status().statement_id(), "s1");
  EXPECT_TRUE(service.WaitForCalls("cancel", 1));
}

TEST_F(SeaRules, SeaRule02_TakesClosedWithManifestAsSuccessAndDoesNotCloseIt) {
  service.Reply("execute", {InState("CLOSED", StrCat(Manifest({.columns = {}, .chunk_rows = {3}}),
                                                     ",", Attachment(MakeIpcStream(0, 3, 3))))});
  EXPECT_EQ(*ExecuteAndRead(), RowRange(0, 3));
  Close();
  EXPECT_EQ(service.num_calls("close"), 0);
}

TEST_F(SeaRules, SeaRule02_TakesClosedWithoutManifestAsAnError) {
  service.Reply("execute", {InState("CLOSED")});
  EXPECT_EQ(Execute().status().code(), StatusCode::kInvalidState);
}

TEST_F(SeaRules, SeaRule03_DoesWithoutColumnsChunksAndResult) {
  service.Reply(
      "execute",
      {InState("SUCCEEDED",
               R"("manifest":{"format":"ARROW_STREAM","schema":{"column_count":0},)"
               R"("total_chunk_count":0,"total_row_count":0,"truncated":false},"result":{})"),
       InState("SUCCEEDED", R"("manifest":{"schema":{"column_count":0}})"), InState("SUCCEEDED")});
  for (int i = 0; i < 3; ++i) {
    const auto execution = Execute({.sql = "CREATE TABLE t (a INT)"});
    ASSERT_TRUE(execution.ok()) << execution.status().ToString();
    EXPECT_EQ(execution->rows->schema()->num_columns(), 0);
    EXPECT_FALSE((*execution->rows->Next()).has_value());
    EXPECT_FALSE(execution->rows_affected);
  }
}

TEST_F(SeaRules, SeaRule03_AsksForTheFirstChunkWhereTheReplyHasNone) {
  service.Reply("execute", {InState("SUCCEEDED", Manifest({.columns = {}, .chunk_rows = {5}}))});
  service.Reply("chunk 0", {StrCat(R"({"chunk_index":0,"attachment":")",
                                   EncodeBase64(MakeIpcStream(0, 5, 5)), "\"}")});
  EXPECT_EQ(*ExecuteAndRead(), RowRange(0, 5));
}

TEST_F(SeaRules, SeaRule04_ReadsErrorCodesOfBothKinds) {
  service.InOrder("open",
                  {Json(403, R"({"error_code":403,"message":"Invalid access token."})"),
                   Json(404, R"({"error_code":"RESOURCE_DOES_NOT_EXIST","message":"no"})")});
  const Status refused = TryOpen().status();
  EXPECT_EQ(refused.code(), StatusCode::kUnauthorized);
  EXPECT_NE(refused.message().find("Invalid access token."), std::string::npos);
  const Status missing = TryOpen().status();
  EXPECT_EQ(missing.code(), StatusCode::kNotFound);
  EXPECT_EQ(missing.error_class(), "RESOURCE_DOES_NOT_EXIST");
}

TEST_F(SeaRules, SeaRule04_TellsOfPagesThatAreNoJson) {
  config.retry.max_attempts = 1;
  service.InOrder("open", {FakeHttpClient::Response(502, "<html><p>Bad gateway</p></html>",
                                                    {{"content-type", "text/html"}}),
                           FakeHttpClient::Response(307, "", {{"location", "https://x.example"}}),
                           Json(200, "<html>")});
  const Status gateway = TryOpen().status();
  EXPECT_EQ(gateway.code(), StatusCode::kUnavailable);
  EXPECT_NE(gateway.message().find("Bad gateway"), std::string::npos);
  EXPECT_EQ(TryOpen().status().http_status(), 307);
  EXPECT_EQ(TryOpen().status().code(), StatusCode::kInvalidData);
}

TEST_F(SeaRules, SeaRule04_TrimsTheTextOfAnError) {
  service.Reply("execute",
                {Failed(R"({"error_code":"BAD_REQUEST","message":"\n[PARSE_SYNTAX_ERROR] Syntax )"
                        R"(error at or near 'X'. SQLSTATE: 42601 (line 1, pos 0)\n"})")});
  const Status status = Execute().status();
  EXPECT_TRUE(status.message().starts_with("[PARSE_SYNTAX_ERROR] Syntax")) << status.message();
  EXPECT_EQ(status.error_class(), "PARSE_SYNTAX_ERROR");
}

TEST_F(SeaRules, SeaRule05_FindsTheSqlstateWhereverItStands) {
  service.Reply("execute",
                {Failed(R"({"message":"[A_CLASS] no"})", R"("sql_state":"42P01")"),
                 Failed(R"({"message":"[A_CLASS] no","sql_state":"22001"})"),
                 Failed(R"({"message":"[A_CLASS] no SQLSTATE: 42703 (line 1) and more"})"),
                 Failed(R"({"error_code":"RESOURCE_EXHAUSTED","message":"busy"})"), Failed("{}")});
  EXPECT_EQ(Execute().status().sqlstate(), "42P01");
  EXPECT_EQ(Execute().status().sqlstate(), "22001");
  const Status in_text = Execute().status();
  EXPECT_EQ(in_text.sqlstate(), "42703");
  EXPECT_EQ(in_text.code(), StatusCode::kNotFound);
  const Status without = Execute().status();
  EXPECT_EQ(without.sqlstate(), "");
  EXPECT_EQ(without.code(), StatusCode::kUnavailable);
  EXPECT_EQ(Execute().status().code(), StatusCode::kInternal);
}

TEST_F(SeaRules, SeaRule20_NeverSendsAWaitTimeout) {
  service.Reply("execute", {TenRows()});
  ASSERT_TRUE(Execute().ok());
  config.cloudfetch.enabled = false;
  ASSERT_TRUE(Execute().ok());
  for (const HttpRequest& sent : service.Requests("execute")) {
    EXPECT_EQ(sent.body.find("wait_timeout"), std::string::npos) << sent.body;
  }
}

TEST_F(SeaRules, SeaRule21_FallsBackToLinksWhereTheHybridIsRefusedAndKeepsToThem) {
  service.InOrder("execute",
                  {Json(400, R"({"error_code":"INVALID_PARAMETER_VALUE","message":"disposition )"
                             R"(INLINE_OR_EXTERNAL_LINKS is not allowed"})"),
                   Json(200, TenRows())});
  ASSERT_TRUE(Execute().ok());
  ASSERT_TRUE(Execute().ok());
  const std::vector<HttpRequest> sent = service.Requests("execute");
  ASSERT_EQ(sent.size(), 3);
  EXPECT_NE(sent[0].body.find("INLINE_OR_EXTERNAL_LINKS"), std::string::npos);
  EXPECT_NE(sent[1].body.find("\"EXTERNAL_LINKS\""), std::string::npos);
  EXPECT_NE(sent[2].body.find("\"EXTERNAL_LINKS\""), std::string::npos);
}

TEST_F(SeaRules, SeaRule21_LeavesOtherRefusalsAlone) {
  service.InOrder("execute",
                  {Json(400, R"({"error_code":"INVALID_PARAMETER_VALUE","message":"bad text"})")});
  EXPECT_EQ(Execute().status().error_class(), "INVALID_PARAMETER_VALUE");
  EXPECT_EQ(service.num_calls("execute"), 1);
}

TEST_F(SeaRules, SeaRule23_CancelsOnTheServerAndDoesNotCareForTheAnswer) {
  Cancellation cancellation;
  service.Reply("execute", {InState("RUNNING")});
  service.Handle("get", [&cancellation](const HttpRequest&) {
    cancellation.Cancel(Status::Cancelled("enough"));
    return Json(200, InState("RUNNING"));
  });
  service.InOrder("cancel", {Json(500, "{}"), Json(404, "{}")});
  config.retry.max_attempts = 1;
  const auto execution = Execute({.sql = "SELECT 1"}, &cancellation);
  EXPECT_EQ(execution.status().code(), StatusCode::kCancelled);
  EXPECT_TRUE(service.WaitForCalls("cancel", 1));
  EXPECT_TRUE(service.WaitForCalls("close", 1));
}

TEST_F(SeaRules, SeaRule23_EndsAStatementWhoseReplyNobodyWaitsForAnyMore) {
  Cancellation cancellation;
  Gate gate;
  service.Handle("execute", [&](const HttpRequest&) {
    cancellation.Cancel(Status::Cancelled("enough"));
    gate.Wait();
    return Json(200, InState("RUNNING"));
  });
  EXPECT_EQ(Execute({.sql = "SELECT 1"}, &cancellation).status().code(), StatusCode::kCancelled);
  gate.Open();
  EXPECT_TRUE(service.WaitForCalls("cancel", 1));
  EXPECT_TRUE(service.WaitForCalls("close", 1));
}

TEST_F(SeaRules, SeaRule23_TakesCanceledAsItsEnd) {
  service.Reply("execute", {InState("PENDING")});
  service.Reply("get", {InState("CANCELED")});
  EXPECT_EQ(Execute().status().code(), StatusCode::kCancelled);
}

TEST_F(SeaRules, SeaRule24_ClosesStatementsThenTheSessionWithItsWarehouse) {
  service.Reply("execute", {TenRows()});
  service.InOrder("close", {Json(404, R"({"error_code":"NOT_FOUND","message":"gone"})")});
  EXPECT_EQ(*ExecuteAndRead(), RowRange(0, 10));
  Close();
  EXPECT_EQ(service.num_calls("close"), 1);
  EXPECT_EQ(service.calls().back(), "delete session");
  EXPECT_EQ(service.Requests("delete session")[0].url.Reveal(),
            "https://workspace.example/api/2.0/sql/sessions/session-1?warehouse_id=abc");
}

TEST_F(SeaRules, SeaRule25_SendsAStatementAgainOnlyWhenItSurelyDidNotRun) {
  service.InOrder("execute",
                  {Json(429, "{}", {{"retry-after", "0"}}), Json(503, "{}", {{"retry-after", "0"}}),
                   Status::Unavailable("no connection"), Json(200, TenRows())});
  ASSERT_TRUE(Execute().ok());
  EXPECT_EQ(service.num_calls("execute"), 4);
}

TEST_F(SeaRules, SeaRule25_DoesNotSendAgainWhatMayHaveRun) {
  const std::vector<FakeSea::Answer> unsure = {Json(500, "{}"), Json(503, "{}"), Json(504, "{}"),
                                               Status::Io("reset"), Status::Timeout("no answer")};
  for (const FakeSea::Answer& answer : unsure) {
    service.InOrder("execute", {answer});
    const int before = service.num_calls("execute");
    EXPECT_FALSE(Execute().ok());
    EXPECT_EQ(service.num_calls("execute"), before + 1);
  }
}

TEST_F(SeaRules, SeaRule26_TellsAnObjectThatIsNotFoundFromOtherFailures) {
  service.Reply("execute", {Failed(R"({"message":"[TABLE_OR_VIEW_NOT_FOUND] t. SQLSTATE: 42P01"})"),
                            Failed(R"({"message":"[SCHEMA_NOT_FOUND] s. SQLSTATE: 42704"})")});
  const Status table = Execute().status();
  EXPECT_EQ(table.code(), StatusCode::kNotFound);
  EXPECT_EQ(table.error_class(), "TABLE_OR_VIEW_NOT_FOUND");
  EXPECT_EQ(Execute().status().code(), StatusCode::kNotFound);
}

TEST_F(SeaRules, SeaRule27_KeepsTheSqlstateOfAListingThatIsRefused) {
  service.Reply("execute", {Failed(R"({"message":"[PARSE_SYNTAX_ERROR] x. SQLSTATE: 42601"})")});
  const Status status = Execute({.sql = "SHOW COLUMNS IN ALL CATALOGS"}).status();
  EXPECT_EQ(status.sqlstate(), "42601");
  EXPECT_FALSE(status.session_lost());
}

std::string Names(std::string_view catalog, std::string_view schema) {
  return InState("SUCCEEDED", StrCat(Manifest({.columns = StrCat("[", Column("c", "STRING", 0), ",",
                                                                 Column("s", "STRING", 1), "]"),
                                               .chunk_rows = {1}}),
                                     R"(,"result":{"row_count":1,"data_array":[[")", catalog,
                                     R"(",")", schema, R"("]]})"));
}

TEST_F(SeaRules, SeaRule28_AsksForTheNamesInForceWhenSomebodyWantsThem) {
  service.Reply("execute", {Names("main", "default"), InState("SUCCEEDED"), Names("other", "x")});
  session = *TryOpen();
  EXPECT_EQ(service.num_calls("execute"), 0);
  EXPECT_EQ(session->catalog(), "main");
  EXPECT_EQ(session->schema(), "default");
  EXPECT_EQ(service.num_calls("execute"), 1);
  ASSERT_TRUE(session->SetCatalog("o`ther").ok());
  EXPECT_NE(service.Requests("execute")[1].body.find("USE CATALOG `o``ther`"), std::string::npos);
  EXPECT_EQ(session->catalog(), "other");
  EXPECT_EQ(session->schema(), "x");
}

TEST_F(SeaRules, SeaRule28_AsksForTheVersionInWords) {
  service.Reply("execute", {Names("3.5.0 1a2b3c", "")});
  session = *TryOpen();
  EXPECT_EQ(*session->ServerVersion(), "3.5.0");
  service.Reply("execute", {Failed("{}")});
  EXPECT_EQ(*session->ServerVersion(), "");
  EXPECT_EQ(session->TableTypes()->size(), 3);
}

TEST_F(SeaRules, SeaRule29_TellsOfASettingThatTheServiceDoesNotKnow) {
  config.session.settings = {{"NO_SUCH", "1"}};
  const std::string text =
      R"("message":"[CONFIG_NOT_AVAILABLE] Configuration NO_SUCH is not available. SQLSTATE: 42K0I")";
  service.InOrder("open", {Json(400, StrCat(R"({"error_code":"BAD_REQUEST",)", text, "}")),
                           Json(200, R"({"session_id":"session-1"})")});
  const Status at_once = TryOpen().status();
  EXPECT_EQ(at_once.error_class(), "CONFIG_NOT_AVAILABLE");
  EXPECT_EQ(at_once.sqlstate(), "42K0I");
  EXPECT_NE(service.Requests("open")[0].body.find(R"("session_confs":{"NO_SUCH":"1"})"),
            std::string::npos);
  service.Reply("execute", {Failed(StrCat("{", text, "}"))});
  EXPECT_EQ(Execute().status().error_class(), "CONFIG_NOT_AVAILABLE");
}

TEST_F(SeaRules, KnowsASessionThatIsGone) {
  service.InOrder(
      "execute",
      {Json(404, R"({"error_code":"NOT_FOUND","message":"Session s does not exist."})")});
  const Status lost = Execute().status();
  EXPECT_TRUE(lost.session_lost());
  EXPECT_EQ(lost.code(), StatusCode::kInvalidState);
  EXPECT_EQ(lost.error_class(), "INVALID_SESSION");
  EXPECT_TRUE(Execute().status().session_lost());
  EXPECT_EQ(service.num_calls("execute"), 1);
  Close();
  EXPECT_EQ(service.num_calls("delete session"), 0);
}

TEST_F(SeaRules, SendsParametersByPositionOrName) {
  service.Reply("execute", {TenRows()});
  ASSERT_TRUE(
      Execute({.sql = "SELECT ?, ?", .parameters = {{"INT", "6"}, {"STRING", std::nullopt}}}).ok());
  ASSERT_TRUE(Execute({.sql = "SELECT :n", .parameters = {{"DATE", "2024-02-29", "n"}}}).ok());
  const std::vector<HttpRequest> sent = service.Requests("execute");
  EXPECT_NE(sent[0].body.find(R"("parameters":[{"type":"INT","value":"6","ordinal":1},)"
                              R"({"type":"STRING","ordinal":2}])"),
            std::string::npos);
  EXPECT_NE(sent[1].body.find(R"([{"name":"n","type":"DATE","value":"2024-02-29"}])"),
            std::string::npos);
}

TEST_F(SeaRules, KeepsAResultWithLinksAlive) {
  config.statement.heartbeat_interval = std::chrono::milliseconds(1);
  service.Reply("execute",
                {InState("SUCCEEDED", StrCat(Manifest({.columns = {}, .chunk_rows = {3}}), ",",
                                             Links({Link(0, 0, 3)})))});
  service.Reply("get", {InState("SUCCEEDED")});
  ServeFirstFile(3);
  auto execution = Execute();
  ASSERT_TRUE(execution.ok()) << execution.status().ToString();
  EXPECT_TRUE(service.WaitForCalls("get", 2));
  execution->links.reset();
  Close();
  EXPECT_EQ(service.num_calls("close"), 1);
}

TEST_F(SeaRules, HidesSecrets) {
  service.Reply("execute",
                {InState("SUCCEEDED", StrCat(Manifest({.columns = {}, .chunk_rows = {3}}), ",",
                                             Links({Link(0, 5, 3)})))});
  std::string errors = Execute().status().ToString();
  service.InOrder("file /a/0", {Json(403, "<Error><Code>AccessDenied</Code></Error>")});
  service.Reply("chunk 0", {ChunkOfLinks({Link(0, 0, 3)})});
  service.Reply("execute",
                {InState("SUCCEEDED", StrCat(Manifest({.columns = {}, .chunk_rows = {3}}), ",",
                                             Links({Link(0, 0, 3)})))});
  errors += Execute().status().ToString();
  EXPECT_NE(errors.find("chunk 0"), std::string::npos);
  Close();
  for (const std::string& text : {errors, LogText()}) {
    EXPECT_EQ(text.find("SECRET"), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace dbx::sea
