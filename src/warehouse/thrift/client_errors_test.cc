// SPDX-License-Identifier: Apache-2.0
// What a client has to put up with from real servers, rule by rule: failures, retries, cancelling,
// secrets.
#include <gtest/gtest.h>

#include <thread>

#include "base/str_cat.h"
#include "warehouse/thrift/testing/thrift_fixture.h"

namespace dbx::thrift {
namespace {

using ThriftClient = ThriftFixture;
using Answer = std::optional<Result<HttpResponse>>;

/// Answers the first `times` calls of a method with `answer`, then lets its handler do it.
FakeService::HttpHandler First(int times, Result<HttpResponse> answer) {
  auto left = std::make_shared<int>(times);
  return [left, answer = std::move(answer)](const HttpRequest&) -> Answer {
    return (*left)-- > 0 ? Answer(answer) : std::nullopt;
  };
}

Result<HttpResponse> Http(int status, std::string body = {},
                          std::vector<std::pair<std::string, std::string>> headers = {}) {
  return FakeHttpClient::Response(status, std::move(body), std::move(headers));
}

TExecuteStatementResp OnePage() {
  return Finished(1, ArrowMetadata(), ArrowPage(0, 2, false), true);
}

TEST_F(ThriftClient, C15_RefusesAReplyThatIsCutShort) {
  service.OnHttp("ExecuteStatement", [](const HttpRequest& request) -> Answer {
    const ReceivedCall call = ReadCall(request.body, nullptr);
    const std::string whole = WriteReply(call.method, call.sequence_id, OnePage());
    return Http(200, whole.substr(0, whole.size() - 5));
  });
  EXPECT_EQ(Execute().status().code(), StatusCode::kInvalidData);
  EXPECT_EQ(service.num_calls("ExecuteStatement"), 1);
}

TEST_F(ThriftClient, C16_SendsAStatementAgainWhenTheServiceRefusedIt) {
  service.InOrder(kExecuteStatement, {OnePage()});
  service.OnHttp("ExecuteStatement", First(1, Http(503, "", {{"Retry-After", "0"}})));
  EXPECT_TRUE(Execute().ok());
  EXPECT_EQ(service.num_calls("ExecuteStatement"), 2);
}

TEST_F(ThriftClient, C16_NeverSendsAStatementAgainThatMayHaveRun) {
  service.InOrder(kExecuteStatement, {OnePage()});
  for (const auto& failure : {Http(500), Http(504), Result<HttpResponse>(Status::Io("reset"))}) {
    const int before = service.num_calls("ExecuteStatement");
    service.OnHttp("ExecuteStatement", First(1, failure));
    EXPECT_FALSE(Execute().ok());
    EXPECT_EQ(service.num_calls("ExecuteStatement"), before + 1);
  }
}

TEST_F(ThriftClient, C16_NeverAsksTwiceForThePageAtTheCursor) {
  service.InOrder(kExecuteStatement, {Finished(1, ArrowMetadata(), ArrowPage(0, 2, true), false)});
  service.OnHttp("FetchResults", First(1, Result<HttpResponse>(Status::Io("reset"))));
  const auto execution = Execute();
  ASSERT_TRUE(execution.ok());
  EXPECT_EQ(ReadRows(*execution->rows).status().code(), StatusCode::kIo);
  EXPECT_EQ(service.num_calls("FetchResults"), 1);
}

TEST_F(ThriftClient, C16_AsksForTheStatusAgainAfterAFailure) {
  service.InOrder(kExecuteStatement, {Accepted(1)});
  service.InOrder(kGetResultSetMetadata, {ArrowMetadata()});
  service.InOrder(kFetchNext, {ArrowPage(0, 2, false)});
  service.OnHttp("GetOperationStatus", First(3, Result<HttpResponse>(Status::Io("reset"))));
  EXPECT_TRUE(Execute().ok());
  EXPECT_EQ(service.num_calls("GetOperationStatus"), 4);
}

TEST_F(ThriftClient, C16_WaitsForAWarehouseThatStarts) {
  service.OnHttp("OpenSession",
                 First(3, Http(503, "",
                               {{"Retry-After", "0"},
                                {"x-thriftserver-error-message", "TEMPORARILY_UNAVAILABLE"}})));
  EXPECT_TRUE(TryOpen().ok());
  EXPECT_EQ(service.num_calls("OpenSession"), 4);
}

TEST_F(ThriftClient, C16_TakesAHostThatNeverAnsweredForAbsent) {
  service.OnHttp("OpenSession",
                 First(9, Result<HttpResponse>(Status::Unavailable("no such host"))));
  EXPECT_EQ(TryOpen().status().code(), StatusCode::kUnavailable);
  EXPECT_EQ(service.num_calls("OpenSession"), 1);
}

TEST_F(ThriftClient, C17_KnowsALostSessionByTheHttpStatus) {
  service.OnHttp("ExecuteStatement",
                 First(9, Http(400, "",
                               {{"x-thriftserver-error-message",
                                 "INVALID_STATE: Invalid SessionHandle: SessionHandle [1]."}})));
  EXPECT_TRUE(Execute().status().session_lost());
  EXPECT_TRUE(Execute().status().session_lost());
  EXPECT_EQ(service.num_calls("ExecuteStatement"), 1);  // a dead session is not asked again
  Close();
  EXPECT_EQ(service.num_calls("CloseSession"), 0);
}

TEST_F(ThriftClient, C17_KnowsALostSessionByTheReply) {
  for (const char* const text :
       {"Invalid SessionHandle: SessionHandle [1]",
        "requirement failed: Session handle: SessionHandle [1] has not been initialized or had "
        "already closed."}) {
    TExecuteStatementResp reply;
    reply.status = Failure("08000", text);
    service.InOrder(kExecuteStatement, {reply});
    Close();
    const Status status = Execute().status();
    EXPECT_TRUE(status.session_lost()) << text;
    EXPECT_EQ(status.error_class(), "INVALID_SESSION");
  }
}

/// Gives another token once the first was refused.
class RenewingAuth : public AuthProvider {
 public:
  Result<Secret> AuthorizationHeader(Cancellation*) override {
    return Secret(StrCat("Bearer ", generation_));
  }
  bool OnRefused() override { return ++generation_ <= 2; }

 private:
  int generation_ = 1;
};

TEST_F(ThriftClient, C18_TriesAFreshCredentialOnce) {
  RenewingAuth auth;
  const SessionContext context{.config = &config, .http = service.http(), .auth = &auth, .log = {}};
  service.OnHttp("OpenSession", [](const HttpRequest& request) -> Answer {
    const bool fresh = request.headers.back().value == Secret("Bearer 2");
    return fresh ? std::nullopt : Answer(Http(401, "{\"error_code\":401,\"message\":\"expired\"}"));
  });
  EXPECT_TRUE(OpenSession(context, nullptr).ok());
  EXPECT_EQ(service.num_calls("OpenSession"), 2);
}

TEST_F(ThriftClient, C18_ReportsARefusedToken) {
  service.OnHttp("OpenSession", First(9, Http(401, "{\"error_code\":401,\"message\":\"Bad token\"}",
                                              {{"content-type", "application/json"}})));
  const Status status = TryOpen().status();
  EXPECT_EQ(status.code(), StatusCode::kUnauthenticated);
  EXPECT_EQ(status.http_status(), 401);
  EXPECT_NE(status.message().find("Bad token"), std::string::npos) << status.message();
  EXPECT_EQ(service.num_calls("OpenSession"), 1);
}

TEST_F(ThriftClient, C19_ReportsAnExceptionMessage) {
  service.OnHttp("GetTableTypes", [](const HttpRequest& request) -> Answer {
    const ReceivedCall call = ReadCall(request.body, nullptr);
    return Http(200, WriteException(call.method, call.sequence_id, 1, "Invalid method name"));
  });
  Open();
  const Status status = session->TableTypes().status();
  EXPECT_EQ(status.code(), StatusCode::kNotImplemented);
  EXPECT_NE(status.message().find("Invalid method name"), std::string::npos);
}

TEST_F(ThriftClient, C19_ReportsAProxysPage) {
  service.OnHttp("OpenSession", First(1, Http(200, "<html><body>Please log in</body></html>")));
  const Status status = TryOpen().status();
  EXPECT_EQ(status.code(), StatusCode::kInvalidData);
  EXPECT_EQ(status.http_status(), 200);
  EXPECT_NE(status.message().find("Please log in"), std::string::npos) << status.message();
}

TEST_F(ThriftClient, C20_WaitsThroughEveryStateBeforeTheEnd) {
  service.InOrder(kExecuteStatement, {Accepted(1)});
  std::vector<TGetOperationStatusResp> states(8, InState(TOperationState::PENDING_STATE));
  states.front() = InState(TOperationState::INITIALIZED_STATE);
  states.push_back(Succeeded<TGetOperationStatusResp>());  // no state at all
  states.push_back(InState(TOperationState::RUNNING_STATE));
  states.push_back(InState(TOperationState::FINISHED_STATE));
  service.InOrder(kGetOperationStatus, states);
  service.InOrder(kGetResultSetMetadata, {ArrowMetadata()});
  service.InOrder(kFetchNext, {ArrowPage(0, 2, false)});
  EXPECT_TRUE(Execute().ok());
}

TEST_F(ThriftClient, C20_KnowsEveryBadEnd) {
  TGetOperationStatusResp idle = InState(TOperationState::CLOSED_STATE);
  idle.__set_closeReason(TDBSqlCloseOperationReason::COMMAND_INACTIVITY_TIMEOUT);
  const std::vector<std::pair<TGetOperationStatusResp, StatusCode>> ends = {
      {InState(TOperationState::CANCELED_STATE), StatusCode::kCancelled},
      {InState(TOperationState::TIMEDOUT_STATE), StatusCode::kTimeout},
      {idle, StatusCode::kInvalidState},
      {InState(TOperationState::UKNOWN_STATE), StatusCode::kInternal},
      {InState(static_cast<TOperationState::type>(77)), StatusCode::kInternal},
      {InState(TOperationState::ERROR_STATE), StatusCode::kInternal},
  };
  service.InOrder(kExecuteStatement, {Accepted(9)});
  for (const auto& [end, code] : ends) {
    service.InOrder(kGetOperationStatus, {InState(TOperationState::RUNNING_STATE), end});
    const Status status = Execute().status();
    EXPECT_EQ(status.code(), code) << status.ToString();
    EXPECT_EQ(status.statement_id(), StatementIdOf(9));
  }
  Close();
  EXPECT_EQ(service.num_calls("CloseOperation"), static_cast<int>(ends.size()));
}

TEST_F(ThriftClient, C21_PrefersTheTextForPeople) {
  TExecuteStatementResp reply;
  reply.status = Failure("42P01",
                         "Error running query: [TABLE_OR_VIEW_NOT_FOUND] some.java.Exception: \n"
                         "[TABLE_OR_VIEW_NOT_FOUND] The table `t` cannot be found.");
  reply.status.__set_displayMessage("\n[TABLE_OR_VIEW_NOT_FOUND] The table `t` cannot be found.");
  reply.status.__set_infoMessages({"*some.java.Exception:text:1:2"});
  service.InOrder(kExecuteStatement, {reply});
  const Status status = Execute().status();
  EXPECT_EQ(status.message(), "[TABLE_OR_VIEW_NOT_FOUND] The table `t` cannot be found.");
  EXPECT_EQ(status.sqlstate(), "42P01");
  EXPECT_EQ(status.error_class(), "TABLE_OR_VIEW_NOT_FOUND");
  EXPECT_EQ(status.code(), StatusCode::kNotFound);
}

TEST_F(ThriftClient, C29_KeepsSecretsOutOfLogsAndErrors) {
  config.statement.heartbeat_interval = std::chrono::milliseconds(1);
  service.InOrder(kExecuteStatement, {Finished(1, LinkMetadata(), LinkPage(0, {5}, true), false)});
  service.InOrder(kFetchLinks, {LinkPage(9, {5}, false)});
  std::string errors;
  {
    auto execution = Execute();
    ASSERT_TRUE(execution.ok());
    const auto links = ReadLinks(*execution->links);  // fails at the gap
    ASSERT_FALSE(links.ok());
    errors += links.status().ToString();
    ASSERT_TRUE(service.WaitForCalls("GetOperationStatus", 1));
  }
  service.OnHttp("ExecuteStatement", First(1, Http(403, "no")));
  errors += Execute().status().ToString();
  service.OnHttp("ExecuteStatement", First(1, Http(200, "no")));
  errors += Execute().status().ToString();
  Close();
  for (const std::string& text : {errors, LogText()}) {
    for (const char* const secret : {"SECRET", "SIGNATURE", "signature", "dapi"}) {
      EXPECT_EQ(text.find(secret), std::string::npos) << text;
    }
  }
  EXPECT_NE(LogText().find("session.open"), std::string::npos);
}

TEST_F(ThriftClient, C30_KeepsTheSqlstateOfAServerThatRefusesThrift) {
  TOpenSessionResp reply;
  reply.status = Failure("KP001", "Use the REST API.");
  service.InOrder(kOpenSession, {reply});
  const Status status = TryOpen().status();
  EXPECT_EQ(status.sqlstate(), "KP001");
  EXPECT_NE(status.message().find("Use the REST API."), std::string::npos);
}

TEST_F(ThriftClient, ReportsAFailedPageAndStaysFailed) {
  service.InOrder(kExecuteStatement, {Finished(1, ArrowMetadata(), ArrowPage(0, 2, true), false)});
  TFetchResultsResp failed;
  failed.status = Failure("57P01", "The warehouse was stopped.");
  failed.__set_hasMoreRows(true);
  service.InOrder(kFetchNext, {failed});
  const auto execution = Execute();
  ASSERT_TRUE(execution.ok());
  EXPECT_EQ((*execution->rows->Next())->num_rows(), 2);  // all earlier rows come first
  for (int again = 0; again < 2; ++again) {
    const Status status = execution->rows->Next().status();
    EXPECT_EQ(status.message(), "The warehouse was stopped.");
    EXPECT_EQ(status.statement_id(), StatementIdOf(1));
  }
  EXPECT_EQ(service.num_calls("FetchResults"), 1);
}

TEST_F(ThriftClient, CancelsAStatementThatRuns) {
  service.InOrder(kExecuteStatement, {Accepted(4)});
  Cancellation cancellation;
  service.On<TGetOperationStatusReq, TGetOperationStatusResp>(
      kGetOperationStatus, [&cancellation](const auto&) {
        cancellation.Cancel(Status::Cancelled("by the user"));
        return InState(TOperationState::RUNNING_STATE);
      });
  const Status status = Execute({.sql = "SELECT 1"}, &cancellation).status();
  EXPECT_EQ(status.code(), StatusCode::kCancelled);
  EXPECT_EQ(status.statement_id(), StatementIdOf(4));
  Close();
  const std::vector<std::string> calls = service.calls();
  EXPECT_EQ(std::vector<std::string>(calls.end() - 3, calls.end()),
            (std::vector<std::string>{"CancelOperation", "CloseOperation", "CloseSession"}));
  EXPECT_TRUE(service.Requests(kCancelOperation).at(0).operationHandle.operationId ==
              Identifier(4));
}

TEST_F(ThriftClient, CancelsAStatementWhoseHandleComesAfterTheCallerHasGone) {
  Gate submitted;
  service.On<TExecuteStatementReq, TExecuteStatementResp>(kExecuteStatement,
                                                          [&submitted](const auto&) {
                                                            submitted.Wait();
                                                            return Accepted(5);
                                                          });
  Open();
  Cancellation cancellation;
  std::thread user([&] {
    ASSERT_TRUE(service.WaitForCalls("ExecuteStatement", 1));
    cancellation.Cancel(Status::Cancelled("by the user"));
  });
  const Status status = Execute({.sql = "SELECT 1"}, &cancellation).status();
  user.join();
  EXPECT_EQ(status.code(), StatusCode::kCancelled);
  EXPECT_EQ(service.num_calls("CancelOperation"), 0);
  submitted.Open();
  ASSERT_TRUE(service.WaitForCalls("CloseOperation", 1));
  EXPECT_TRUE(service.Requests(kCancelOperation).at(0).operationHandle.operationId ==
              Identifier(5));
}

TEST_F(ThriftClient, CancellingAResultEndsItOnTheServer) {
  service.InOrder(kExecuteStatement, {Finished(1, ArrowMetadata(), ArrowPage(0, 2, true), false)});
  Gate fetched;
  service.On<TFetchResultsReq, TFetchResultsResp>(kFetchNext, [&fetched](const auto&) {
    fetched.Wait();
    return ArrowPage(2, 2, false);
  });
  auto execution = Execute();
  ASSERT_TRUE(execution.ok());
  ASSERT_TRUE(execution->rows->Next().ok());
  ASSERT_TRUE(service.WaitForCalls("FetchResults", 1));
  execution->rows->Cancel(Status::Cancelled("by the user"));
  EXPECT_EQ(execution->rows->Next().status().message(), "by the user");
  EXPECT_TRUE(service.WaitForCalls("CloseOperation", 1));
  EXPECT_EQ(service.num_calls("CancelOperation"), 1);  // the server was at work for us
  fetched.Open();
}

}  // namespace
}  // namespace dbx::thrift
