// SPDX-License-Identifier: Apache-2.0
#include "control_service.h"

#include <gtest/gtest.h>

#include <memory>

#include "base/str_cat.h"

namespace dbx::local {
namespace {

/// Answers each call with its own body.
class EchoThrift : public ThriftService {
 public:
  HttpReply Handle(const HttpRequest& request) override { return {.body = request.body}; }
  ThriftCounters counters() const override { return {.sessions_opened = 3}; }
  void Shutdown() override {}
};

/// Answers each call with its path.
class EchoSea : public SeaService {
 public:
  HttpReply Handle(const HttpRequest& request) override { return {.body = request.path}; }
  SeaCounters counters() const override { return {.sessions_opened = 5}; }
  void Shutdown() override {}
};

class ControlServiceTest : public ::testing::Test {
 protected:
  HttpReply Ask(std::string method, std::string path, std::string authorization = "Bearer dapi1",
                std::string body = "") const {
    const size_t question = path.find('?');
    HttpRequest request{.method = std::move(method), .path = path.substr(0, question)};
    if (question != std::string::npos) request.query = path.substr(question + 1);
    if (!authorization.empty()) request.headers = {{"Authorization", std::move(authorization)}};
    request.body = std::move(body);
    request.scheme = "http";
    request.host = "127.0.0.1:7";
    return service_.Handle(request);
  }
  static std::string Header(const HttpReply& reply, std::string_view name) {
    for (const auto& [key, value] : reply.headers) {
      if (key == name) return value;
    }
    return {};
  }

  EchoThrift thrift_;
  EchoSea sea_;
  std::unique_ptr<FaultScript> faults_ = FaultScript::Make();
  RequestLog log_;
  std::unique_ptr<Spool> spool_ = *Spool::Make("");
  ControlService service_{
      ControlParts{.thrift = &thrift_,
                   .sea = &sea_,
                   .faults = *faults_,
                   .log = log_,
                   .spool = *spool_,
                   .server_counters = [] { return ServerCounters{.bytes_sent = 42}; }},
      ControlOptions{.tokens = {"dapi1", "dapi2"}, .storage_port = 9}};
};

const std::string kCall("\x80\x01\x00\x01\x00\x00\x00\x0bOpenSession\x00\x00\x00\x01\x00", 24);

TEST_F(ControlServiceTest, PassesThriftOnAtEachFormOfThePath) {
  for (const char* path : {"/sql/1.0/warehouses/w1", "/sql/1.0/warehouses/w1/",
                           "/sql/1.0/endpoints/e?o=12", "/sql/protocolv1/o/123/0101-000000-abc"}) {
    const HttpReply reply = Ask("POST", path, "Bearer dapi2", kCall);
    EXPECT_EQ(reply.status, 200) << path;
    EXPECT_EQ(reply.body, kCall);
    EXPECT_EQ(reply.kind, "thrift.OpenSession");
  }
  for (const char* path :
       {"/sql/1.0/warehouses/", "/sql/1.0/warehouses/a/b", "/sql/protocolv1/o/1", "/sql/2.0/x"}) {
    EXPECT_EQ(Ask("POST", path, "Bearer dapi1", kCall).status, 404) << path;
  }
  EXPECT_EQ(Ask("GET", "/sql/1.0/warehouses/w1").status, 405);
}

TEST_F(ControlServiceTest, ChecksTheToken) {
  const std::string path = "/sql/1.0/warehouses/w1";
  EXPECT_EQ(Ask("POST", path, "Basic dG9rZW46ZGFwaTE=").status, 200);  // token:dapi1
  EXPECT_EQ(Ask("POST", path, "Basic eDpkYXBpMQ==").status, 401);      // x:dapi1
  for (const char* wrong :
       {"", "Bearer", "Bearer ", "Bearer dapi", "Bearer dapi11", "Basic !", "Digest dapi1"}) {
    const HttpReply reply = Ask("POST", path, wrong);
    EXPECT_EQ(reply.status, 401) << wrong;
    EXPECT_EQ(Header(reply, "www-authenticate"), "Bearer realm=\"DatabricksRealm\"");
    EXPECT_NE(reply.body.find(Header(reply, "x-databricks-reason-phrase")), std::string::npos);
    EXPECT_NE(reply.body.find("\"error_code\":401"), std::string::npos);
    EXPECT_NE(reply.body.find("[ReqId: "), std::string::npos);
  }
}

TEST_F(ControlServiceTest, Rule02_TheRestApiTellsAMissingTokenFromAWrongOne) {
  const std::string path = "/api/2.0/sql/sessions/";
  EXPECT_EQ(Ask("POST", path).body, path);
  EXPECT_EQ(Ask("POST", "/api/2.0/sql/warehouses/w1/sessions").status, 200);
  const HttpReply missing = Ask("POST", path, "");
  EXPECT_EQ(missing.status, 401);
  EXPECT_EQ(Header(missing, "www-authenticate"), "Bearer realm=\"DatabricksRealm\"");
  EXPECT_EQ(
      missing.body,
      "{\"error_code\":401,\"message\":\"Credential was not sent or was of an unsupported type "
      "for this API.\"}");
  const HttpReply wrong = Ask("POST", path, "Bearer other");
  EXPECT_EQ(wrong.status, 403);
  EXPECT_EQ(wrong.body, "{\"error_code\":403,\"message\":\"Invalid access token.\"}");
}

TEST_F(ControlServiceTest, Rule30_FlagsTelemetryAndUnknownPathsOfTheRestApi) {
  for (const char* client : {"OSS_JDBC/3.4.5", "ADBC/1.0", "PYTHON/4.9.0", "GOLANG/1.14.0"}) {
    const HttpReply flags = Ask("GET", StrCat("/api/2.0/connector-service/feature-flags/", client));
    EXPECT_EQ(flags.body, R"({"flags":[],"ttl_seconds":900})") << client;
  }
  EXPECT_EQ(Ask("POST", "/telemetry-unauth", "", "{}").status, 200);
  EXPECT_EQ(Ask("GET", "/api/2.0/sql/other").status, 404);
}

TEST_F(ControlServiceTest, Rule32_RepliesOfTheRestApiBearItsHeaders) {
  for (const char* token : {"Bearer dapi1", "Bearer wrong", ""}) {
    const HttpReply reply = Ask("GET", "/api/2.0/sql/statements/x", token);
    EXPECT_EQ(Header(reply, "server"), "databricks");
    EXPECT_EQ(Header(reply, "x-request-id").size(), 36U);
    EXPECT_FALSE(Header(reply, "x-databricks-org-id").empty());
  }
}

TEST_F(ControlServiceTest, AnswersWhatClientsAskWhenTheyConnect) {
  EXPECT_EQ(Ask("GET", "/api/2.0/connector-service/feature-flags/PYTHON/4.9.0").body,
            R"({"flags":[],"ttl_seconds":900})");
  EXPECT_NE(Ask("GET", "/api/2.0/sql/warehouses/w1").body.find(R"("state":"RUNNING")"),
            std::string::npos);
  EXPECT_EQ(Ask("GET", "/api/2.0/sql/warehouses/w1", "").status, 401);
  EXPECT_NE(Ask("GET", "/.well-known/databricks-config", "").body.find("http://127.0.0.1:7/oidc"),
            std::string::npos);
  EXPECT_NE(Ask("GET", "/oidc/.well-known/oauth-authorization-server", "")
                .body.find("http://127.0.0.1:7/oidc/v1/token"),
            std::string::npos);
  EXPECT_NE(Ask("POST", "/telemetry-ext", "", R"({"protoLogs": ["{}", "{}"]})")
                .body.find(R"("numProtoSuccess":2)"),
            std::string::npos);
  EXPECT_EQ(Ask("POST", "/telemetry-ext", "", "no JSON").status, 200);
  const HttpReply unknown = Ask("GET", "/api/9.9/else");
  EXPECT_EQ(unknown.status, 404);
  EXPECT_NE(unknown.body.find("ENDPOINT_NOT_FOUND"), std::string::npos);
}

TEST_F(ControlServiceTest, TakesShowsAndDropsFaults) {
  const std::string script =
      R"({"rules":[{"match":{"point":"http","path":"/sql/"},"action":{"status":503,"headers":{"Retry-After":"1"},"delay_ms":5}}]})";
  EXPECT_EQ(Ask("POST", "/__warehouse__/faults", "", script).status, 200);
  const HttpReply busy = Ask("POST", "/sql/1.0/warehouses/w1");
  EXPECT_EQ(busy.status, 503);
  EXPECT_EQ(Header(busy, "Retry-After"), "1");
  EXPECT_EQ(busy.fault.delay_ms, 5U);
  EXPECT_NE(Ask("GET", "/__warehouse__/faults", "").body.find("\"used\":1"), std::string::npos);
  EXPECT_EQ(Ask("POST", "/__warehouse__/faults", "", R"({"rulez":1})").status, 400);
  EXPECT_EQ(Ask("DELETE", "/__warehouse__/faults", "").status, 200);
  EXPECT_EQ(Ask("POST", "/sql/1.0/warehouses/w1").status, 200);
}

TEST_F(ControlServiceTest, TellsItsCounters) {
  const std::string stats = Ask("GET", "/__warehouse__/stats", "").body;
  EXPECT_NE(stats.find("\"thrift\":{\"sessions_opened\":3"), std::string::npos);
  EXPECT_NE(stats.find("\"sea\":{\"sessions_opened\":5"), std::string::npos);
  EXPECT_NE(stats.find("\"sent\":42"), std::string::npos);
  EXPECT_NE(stats.find("\"cpu_seconds\":"), std::string::npos);
  EXPECT_EQ(Ask("GET", "/__warehouse__/requests?since=5", "").body, R"({"next":0,"requests":[]})");
  EXPECT_EQ(Ask("GET", "/__warehouse__/else", "").status, 404);
}

TEST(ThriftMethodOf, BelievesNothing) {
  EXPECT_EQ(ThriftMethodOf(kCall), "OpenSession");
  EXPECT_EQ(ThriftMethodOf(""), "unknown");
  EXPECT_EQ(ThriftMethodOf(std::string("\x80\x01\x00\x01\x7f\xff\xff\xff"
                                       "Open",
                                       12)),
            "unknown");
  EXPECT_EQ(ThriftMethodOf(std::string("\x80\x01\x00\x01\x00\x00\x00\x04"
                                       "\"a\nb",
                                       12)),
            "unknown");
}

}  // namespace
}  // namespace dbx::local
