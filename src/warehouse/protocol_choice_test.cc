// SPDX-License-Identifier: Apache-2.0
// databricks.protocol=auto: which protocol a session is opened with, and what is remembered.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "auth/auth_provider.h"
#include "base/str_cat.h"
#include "http/testing/fake_http_client.h"
#include "warehouse/protocol_memory.h"
#include "warehouse/session.h"
#include "warehouse/thrift/testing/fake_replies.h"
#include "warehouse/thrift/testing/fake_service.h"

namespace dbx {
namespace {

/// A host whose two protocols answer as the test says. Each test has one of its own: what is
/// remembered lasts for the process.
class ProtocolChoice : public testing::Test {
 protected:
  ProtocolChoice()
      : http_([this](const HttpRequest& request) { return Answer(request); }),
        auth_(MakeTokenAuthProvider(Secret("token"))) {
    static int hosts = 0;
    config.endpoint.host = StrCat("host", ++hosts, ".example");
    UseWarehouse();
    config.retry.max_attempts = 1;
  }

  void UseWarehouse() {
    config.endpoint.http_path = "/sql/1.0/warehouses/abc";
    config.endpoint.warehouse_id = "abc";
  }

  void UseCluster() {
    config.endpoint.http_path = "/sql/protocolv1/o/1/c";
    config.endpoint.warehouse_id.clear();
  }

  /// The protocols asked to open a session, one after another.
  std::vector<std::string> Open(Status* status = nullptr) {
    opened.clear();
    const auto session =
        OpenSession({.config = &config, .http = &http_, .auth = auth_.get(), .log = {}}, nullptr);
    if (status != nullptr) *status = session.status();
    return opened;
  }

  Config config;
  int sea_status = 200;
  std::string thrift_refusal;  // SQLSTATE; empty: it opens
  std::vector<std::string> opened;

 private:
  Result<HttpResponse> Answer(const HttpRequest& request) {
    if (request.url.Reveal().find("/api/2.0/sql/sessions") != std::string::npos) {
      if (request.method != HttpMethod::kPost) return FakeHttpClient::Response(200, "{}");
      opened.emplace_back("sea");
      return FakeHttpClient::Response(sea_status, R"({"session_id":"s"})");
    }
    const std::string method = thrift::FakeService::MethodOf(request.body);
    if (method != "OpenSession") return FakeHttpClient::Response(200, "");
    opened.emplace_back("thrift");
    thrift::TOpenSessionResp reply = thrift::OpenedSession();
    if (!thrift_refusal.empty()) reply.status = thrift::Failure(thrift_refusal, "Use the other.");
    const auto call = thrift::ReadCall(request.body, nullptr);
    return FakeHttpClient::Response(200, thrift::WriteReply(call.method, call.sequence_id, reply));
  }

  FakeHttpClient http_;
  const std::unique_ptr<AuthProvider> auth_;
};

using Protocols = std::vector<std::string>;

TEST_F(ProtocolChoice, TakesTheOneThatIsAskedFor) {
  config.protocol = Protocol::kThrift;
  EXPECT_EQ(Open(), Protocols{"thrift"});
  config.protocol = Protocol::kSea;
  sea_status = 404;
  Status status;
  EXPECT_EQ(Open(&status), Protocols{"sea"});
  EXPECT_EQ(status.code(), StatusCode::kNotFound);
  UseCluster();
  EXPECT_EQ(Open(&status), Protocols{});
  EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
}

TEST_F(ProtocolChoice, TakesThriftForClustersAndSeaForWarehouses) {
  EXPECT_EQ(Open(), Protocols{"sea"});
  UseCluster();
  EXPECT_EQ(Open(), Protocols{"thrift"});
}

TEST_F(ProtocolChoice, FallsBackToThriftWhereThereIsNoSeaAndRemembersThat) {
  for (const int answer : {307, 404, 405, 501}) {
    config.endpoint.port = answer;  // a host of its own
    sea_status = answer;
    EXPECT_EQ(Open(), (Protocols{"sea", "thrift"})) << answer;
    EXPECT_EQ(Open(), Protocols{"thrift"}) << answer;
  }
}

TEST_F(ProtocolChoice, DoesNotFallBackFromABusyOrRefusingService) {
  for (const int answer : {401, 403, 429, 500, 503}) {
    sea_status = answer;
    Status status;
    EXPECT_EQ(Open(&status), Protocols{"sea"}) << answer;
    EXPECT_FALSE(status.ok());
  }
}

TEST_F(ProtocolChoice, DoesNotRememberWhatDidNotWork) {
  sea_status = 404;
  thrift_refusal = "28000";
  Status status;
  EXPECT_EQ(Open(&status), (Protocols{"sea", "thrift"}));
  EXPECT_EQ(status.sqlstate(), "28000");
  EXPECT_EQ(Open(), (Protocols{"sea", "thrift"}));
}

TEST_F(ProtocolChoice, ComesBackToSeaWhereThriftIsRefused) {
  ProtocolMemory::OfProcess().Remember(config.endpoint, Protocol::kThrift);
  thrift_refusal = "KP001";
  EXPECT_EQ(Open(), (Protocols{"thrift", "sea"}));
  EXPECT_EQ(Open(), Protocols{"sea"});
}

TEST_F(ProtocolChoice, RemembersHostsInAnyCaseAndByPort) {
  ProtocolMemory memory;
  EndpointConfig endpoint;
  endpoint.host = "Host.Example";
  endpoint.port = 1;
  memory.Remember(endpoint, Protocol::kThrift);
  endpoint.host = "host.example";
  EXPECT_EQ(memory.Recall(endpoint), Protocol::kThrift);
  endpoint.port = 2;
  EXPECT_EQ(memory.Recall(endpoint), std::nullopt);
}

}  // namespace
}  // namespace dbx
