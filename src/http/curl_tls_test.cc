// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstdlib>

#include "base/mutex.h"
#include "base/str_cat.h"
#include "http/testing/fake_server.h"
#include "http/testing/test_client.h"

namespace dbx {
namespace {

CurlClientOptions Trusting(const FakeServer& server) {
  CurlClientOptions options;
  options.tls.ca_file = server.ca_file();
  return options;
}

Result<HttpResponse> Get(const FakeServer& server, CurlClientOptions options) {
  const auto client = MakeTestClient(std::move(options));
  return client->Call(GetRequest(server.Url("/a?sig=hush")), nullptr);
}

TEST(CurlTls, TrustsTheAuthorityThatItIsGiven) {
  FakeServer server({.tls = true});
  server.Serve("/a", {.body = std::string(300'000, 't')});
  const auto client = MakeTestClient(Trusting(server));
  for (int i = 0; i < 3; ++i) {
    const auto response = client->Call(GetRequest(server.Url("/a")), nullptr);
    ASSERT_TRUE(response.ok()) << response.status().ToString();
    EXPECT_EQ(response->body.size(), 300'000U);
  }
  EXPECT_EQ(server.num_connections(), 1);
}

TEST(CurlTls, TakesTheAuthorityFromTheEnvironment) {
  FakeServer server({.tls = true});
  server.Serve("/a", {});
  setenv("SSL_CERT_FILE", server.ca_file().c_str(), 1);
  const auto response = Get(server, {});
  unsetenv("SSL_CERT_FILE");
  EXPECT_TRUE(response.ok()) << response.status().ToString();
}

TEST(CurlTls, AnUnknownAuthorityIsFinalAndSaysHowToGiveIt) {
  FakeServer server({.tls = true});
  FakeServer other({.tls = true});
  const auto response = Get(server, Trusting(other));
  const Status& status = response.status();
  EXPECT_EQ(status.code(), StatusCode::kInvalidArgument) << status.ToString();
  for (const char* const words : {"127.0.0.1", "not trusted", "CA file", "SSL_CERT_FILE"}) {
    EXPECT_NE(status.message().find(words), std::string::npos) << status.ToString();
  }
  EXPECT_EQ(status.message().find("hush"), std::string::npos);
  EXPECT_EQ(server.num_requests(), 0);
}

TEST(CurlTls, ACertificateOfAnotherHostIsRefusedUnlessAllowed) {
  FakeServer server({.tls = true, .certificate_host = "other.example"});
  server.Serve("/a", {});
  const auto response = Get(server, Trusting(server));
  EXPECT_EQ(response.status().code(), StatusCode::kInvalidArgument) << response.status().ToString();
  EXPECT_NE(response.status().message().find("another host"), std::string::npos)
      << response.status().ToString();

  CurlClientOptions lax = Trusting(server);
  lax.tls.verify_hostname = false;
  EXPECT_TRUE(Get(server, lax).ok());
  FakeServer untrusted({.tls = true, .certificate_host = "other.example"});
  EXPECT_FALSE(Get(untrusted, lax).ok());
}

TEST(CurlTls, VerifiesNothingWhenToldSoAndWarns) {
  FakeServer server({.tls = true, .certificate_host = "other.example"});
  server.Serve("/a", {});
  std::string lines;
  CurlClientOptions options;
  options.tls.verify = false;
  const auto client = MakeTestClient(
      options, Log(LogLevel::kWarn, [&](LogLevel, std::string_view line) { lines += line; }));
  EXPECT_TRUE(client->Call(GetRequest(server.Url("/a")), nullptr).ok());
  EXPECT_NE(lines.find("tls.verification_off"), std::string::npos);
}

TEST(CurlTls, RefusesOldTls) {
  FakeServer server({.tls = true, .only_tls_1_1 = true});
  const auto response = Get(server, Trusting(server));
  EXPECT_EQ(response.status().code(), StatusCode::kInvalidArgument) << response.status().ToString();
  EXPECT_NE(response.status().message().find("TLS 1.2"), std::string::npos);
  EXPECT_EQ(server.num_requests(), 0);
}

TEST(CurlTls, RefusesAServerThatDoesNotSpeakTls) {
  FakeServer server;
  const auto client = MakeTestClient();
  const auto response =
      client->Call(GetRequest(StrCat("https://127.0.0.1:", server.port(), "/")), nullptr);
  EXPECT_EQ(response.status().code(), StatusCode::kInvalidArgument) << response.status().ToString();
}

TEST(CurlTls, ACaFileThatCannotBeReadIsNamedAtOnce) {
  CurlClientOptions options;
  options.tls.ca_file = "/nowhere/authority.pem";
  const auto client = MakeCurlClient(options, {});
  EXPECT_EQ(client.status().code(), StatusCode::kInvalidArgument);
  EXPECT_NE(client.status().message().find("/nowhere/authority.pem"), std::string::npos);
}

TEST(CurlTls, ABodyCutShortIsAnError) {
  FakeServer server({.tls = true});
  server.Serve("/a", {.body = std::string(50'000, 't'), .cut_after = 20'000});
  EXPECT_EQ(Get(server, Trusting(server)).status().code(), StatusCode::kIo);
  // Without a length, only TLS itself can tell an end from a cut; the server here says no good-bye.
  server.Serve("/a",
               {.body = std::string(50'000, 't'), .framing = FakeAnswer::Framing::kUntilClose});
  EXPECT_EQ(Get(server, Trusting(server)).status().code(), StatusCode::kIo);
}

}  // namespace
}  // namespace dbx
