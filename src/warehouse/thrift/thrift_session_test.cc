// SPDX-License-Identifier: Apache-2.0
#include "warehouse/thrift/thrift_session.h"

#include <gtest/gtest.h>

#include <thread>

#include "http/curl_client.h"
#include "http/testing/fake_server.h"
#include "warehouse/thrift/testing/thrift_fixture.h"
#include "warehouse/thrift/thrift_client.h"

namespace dbx::thrift {
namespace {

using ThriftSession = ThriftFixture;

std::string HeaderOf(const HttpRequest& request, std::string_view name) {
  for (const HttpHeader& header : request.headers) {
    if (header.name == name) return header.value.Reveal();
  }
  return "(absent)";
}

TEST_F(ThriftSession, OpensWithSettingsAndNamesAndClosesOnce) {
  config.session.catalog = "main";
  config.session.schema = "sales";
  config.session.settings = {{"TIMEZONE", "UTC"}};
  Open();
  EXPECT_EQ(session->catalog(), "main");
  EXPECT_EQ(session->schema(), "default");  // what the server says is in force
  Close();
  const TOpenSessionReq sent = service.Requests(kOpenSession).at(0);
  EXPECT_EQ(sent.client_protocol_i64, 0xA508);
  EXPECT_EQ(sent.configuration.at("TIMEZONE"), "UTC");
  EXPECT_EQ(sent.configuration.at("spark.thriftserver.arrowBasedRowSet.timestampAsString"),
            "false");
  EXPECT_EQ(sent.initialNamespace.catalogName, "main");
  EXPECT_EQ(sent.initialNamespace.schemaName, "sales");
  EXPECT_TRUE(sent.canUseMultipleCatalogs);
  const auto closed = service.Requests(kCloseSession);
  ASSERT_EQ(closed.size(), 1u);
  EXPECT_TRUE(closed[0].sessionHandle.sessionId == Identifier(0xEE));
}

TEST_F(ThriftSession, TakesTheAliasOfTheDefaultCatalogForNone) {
  config.session.catalog = "Spark";
  Open();
  EXPECT_FALSE(service.Requests(kOpenSession).at(0).__isset.initialNamespace);
}

TEST_F(ThriftSession, SendsTheHeadersOfTheProtocol) {
  config.endpoint.org_id = "42";
  config.http.user_agent_entry = "my-app";
  Open();
  const HttpRequest sent = service.http_requests().at(0);
  EXPECT_EQ(sent.method, HttpMethod::kPost);
  EXPECT_EQ(sent.url, SecretUrl("https://workspace.example/sql/1.0/warehouses/abc?o=42"));
  EXPECT_EQ(HeaderOf(sent, "Content-Type"), "application/x-thrift");
  EXPECT_EQ(HeaderOf(sent, "Accept"), "application/x-thrift");
  EXPECT_EQ(HeaderOf(sent, "Accept-Encoding"), "identity");
  EXPECT_EQ(HeaderOf(sent, "Authorization"), "Bearer dapi-SECRET-TOKEN");
  EXPECT_EQ(HeaderOf(sent, "x-databricks-org-id"), "42");
  const std::string agent = HeaderOf(sent, "User-Agent");
  EXPECT_TRUE(agent.starts_with("cloudfetch-adbc/")) << agent;
  EXPECT_TRUE(agent.ends_with(" Thrift (my-app)")) << agent;
}

TEST(ServiceUrl, KeepsPortsPathsAndAddresses) {
  EndpointConfig endpoint;
  endpoint.host = "::1";
  endpoint.port = 8443;
  endpoint.tls = false;
  endpoint.http_path = "sql/protocolv1/o/42/cluster";
  endpoint.org_id = "42";
  EXPECT_EQ(ServiceUrl(endpoint), SecretUrl("http://[::1]:8443/sql/protocolv1/o/42/cluster"));
}

TEST_F(ThriftSession, RefusesAServerThatIsNoneOfDatabricks) {
  service.InOrder(kOpenSession, {OpenedSession(TProtocolVersion::HIVE_CLI_SERVICE_PROTOCOL_V10)});
  EXPECT_EQ(TryOpen().status().code(), StatusCode::kNotImplemented);
}

TEST_F(ThriftSession, FollowsTheNamesThatUseSets) {
  TExecuteStatementResp told = Finished(1, ArrowMetadata(), EmptyPage(false), true);
  TDBSqlSessionConf conf;
  conf.__set_currentCatalog("other");
  conf.__set_currentDatabase("public");
  told.__set_sessionConf(conf);
  const TExecuteStatementResp silent = Finished(1, ArrowMetadata(), EmptyPage(false), true);
  service.InOrder(kExecuteStatement, {told, silent, silent});
  Open();
  ASSERT_TRUE(session->SetCatalog("other").ok());
  EXPECT_EQ(session->schema(), "public");
  ASSERT_TRUE(session->SetCatalog("third").ok());
  EXPECT_EQ(session->catalog(), "third");
  EXPECT_EQ(session->schema(), "");  // the server has not said
  ASSERT_TRUE(session->SetSchema("s").ok());
  EXPECT_EQ(session->schema(), "s");
  EXPECT_EQ(session->SetSchema("").code(), StatusCode::kInvalidArgument);
}

TEST_F(ThriftSession, KeepsTheNamesWhenUseFails) {
  TExecuteStatementResp refused;
  refused.status = Failure("42704", "[CATALOG_NOT_FOUND] no");
  service.InOrder(kExecuteStatement, {refused});
  Open();
  EXPECT_EQ(session->SetCatalog("nope").code(), StatusCode::kNotFound);
  EXPECT_EQ(session->catalog(), "main");
}

TEST_F(ThriftSession, SaysWhichVersionTheServerStates) {
  TGetInfoResp reply = Succeeded<TGetInfoResp>();
  reply.infoValue.__set_stringValue("3.5.0");
  reply.__isset.infoValue = true;
  TGetInfoResp refused;
  refused.status = Failure("HYC00", "not supported");
  service.InOrder(kGetInfo, {reply, refused});
  Open();
  EXPECT_EQ(*session->ServerVersion(), "3.5.0");
  EXPECT_EQ(*session->ServerVersion(), "");
  EXPECT_TRUE(service.Requests(kGetInfo).at(0).infoType == TGetInfoType::CLI_DBMS_VER);
}

TEST_F(ThriftSession, AResultOutlivesItsSession) {
  service.InOrder(kExecuteStatement, {Finished(1, ArrowMetadata(), ArrowPage(0, 5, false), true)});
  auto execution = Execute();
  ASSERT_TRUE(execution.ok());
  Close();
  EXPECT_EQ(*ReadRows(*execution->rows), RowRange(0, 5));
}

TEST_F(ThriftSession, FetchesOnePageAheadAndNoMore) {
  service.InOrder(kExecuteStatement, {Finished(1, ArrowMetadata(), ArrowPage(0, 5, true), false)});
  service.InOrder(kFetchNext,
                  {ArrowPage(5, 5, true), ArrowPage(10, 5, true), ArrowPage(15, 5, false)});
  auto execution = Execute();
  ASSERT_TRUE(execution.ok());
  ASSERT_TRUE((*execution->rows->Next()).has_value());
  ASSERT_TRUE(service.WaitForCalls("FetchResults", 1));
  execution->rows.reset();  // joins the thread that fetches
  EXPECT_LE(service.num_calls("FetchResults"), 2);
}

// The whole way down to the sockets: a status call that hangs is cut off at once.
TEST_F(ThriftSession, CancelEndsACallThatHangs) {
  FakeServer server;
  auto gate = std::make_shared<FakeGate>();
  server.HandleOthers([&](const FakeRequest& request) -> FakeAnswer {
    const ReceivedCall call = ReadCall(request.body, nullptr);
    const auto reply = [&call](const auto& response) {
      return FakeAnswer{.body = WriteReply(call.method, call.sequence_id, response)};
    };
    if (call.method == "OpenSession") return reply(OpenedSession());
    if (call.method == "ExecuteStatement") return reply(Accepted(1));
    if (call.method == "CancelOperation") return reply(Succeeded<TCancelOperationResp>());
    if (call.method == "CloseOperation") return reply(Succeeded<TCloseOperationResp>());
    if (call.method == "CloseSession") return reply(Succeeded<TCloseSessionResp>());
    return {.gate_after = FakeAnswer::kBeforeHead, .gate = gate};
  });
  config.endpoint = {.tls = false,
                     .host = "127.0.0.1",
                     .port = server.port(),
                     .http_path = "/sql/1.0/warehouses/abc",
                     .warehouse_id = "abc",
                     .org_id = ""};
  auto http = MakeCurlClient({}, Log());
  ASSERT_TRUE(http.ok());
  const auto auth = MakeTokenAuthProvider(Secret("t"));
  auto opened =
      OpenSession({.config = &config, .http = http->get(), .auth = auth.get(), .log = {}}, nullptr);
  ASSERT_TRUE(opened.ok()) << opened.status().ToString();
  Cancellation cancellation;
  std::thread user([&] {
    EXPECT_TRUE(server.WaitForRequests(3));
    cancellation.Cancel(Status::Cancelled("by the user"));
  });
  const auto execution = (*opened)->Execute({.sql = "SELECT 1"}, &cancellation);
  user.join();
  EXPECT_EQ(execution.status().code(), StatusCode::kCancelled) << execution.status().ToString();
  opened->reset();
  std::vector<std::string> methods;
  for (const FakeRequest& request : server.requests()) {
    methods.push_back(FakeService::MethodOf(request.body));
  }
  EXPECT_EQ(methods,
            (std::vector<std::string>{"OpenSession", "ExecuteStatement", "GetOperationStatus",
                                      "CancelOperation", "CloseOperation", "CloseSession"}));
}

}  // namespace
}  // namespace dbx::thrift
