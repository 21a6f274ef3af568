// SPDX-License-Identifier: Apache-2.0
#include "http/http_client.h"

#include <gtest/gtest.h>

#include <thread>

#include "http/testing/fake_http_client.h"
#include "http/testing/fake_server.h"
#include "http/testing/test_client.h"

namespace dbx {
namespace {

TEST(HttpResponseHead, FindsHeadersInAnyCase) {
  HttpResponseHead head;
  head.headers = {{"Retry-After", "1"}, {"RETRY-AFTER", "2"}};
  EXPECT_EQ(head.Header("retry-after"), "1");
  EXPECT_EQ(head.Header("retry"), "");
}

TEST(HttpClientCall, RefusesAnAnswerThatIsTooLong) {
  FakeServer server;
  server.Serve("/stated", {.body = std::string(1001, 'x')});
  server.Serve("/chunked",
               {.body = std::string(1001, 'x'), .framing = FakeAnswer::Framing::kChunked});
  server.Serve("/fits", {.body = std::string(1000, 'x')});
  const auto client = MakeTestClient();
  EXPECT_TRUE(client->Call(GetRequest(server.Url("/fits")), nullptr, 1000).ok());
  for (const char* const path : {"/stated", "/chunked"}) {
    const auto response = client->Call(GetRequest(server.Url(path)), nullptr, 1000);
    EXPECT_EQ(response.status().code(), StatusCode::kInvalidData) << response.status().ToString();
  }
}

TEST(HttpClientCall, ABodyGrowsByWhatArrivesAndNotByWhatIsStated) {
  FakeServer server;
  server.Serve("/a", {.body = "x", .stated_length = int64_t{1} << 40, .cut_after = 1});
  const auto client = MakeTestClient();
  const auto response = client->Call(GetRequest(server.Url("/a")), nullptr, INT64_MAX);
  EXPECT_EQ(response.status().code(), StatusCode::kIo) << response.status().ToString();
}

TEST(HttpClientCall, EndsWithTheReasonOfItsCancellation) {
  FakeServer server;
  server.Serve("/a", {.gate_after = FakeAnswer::kBeforeHead, .gate = std::make_shared<FakeGate>()});
  const auto client = MakeTestClient();
  Cancellation cancellation;
  std::thread other([&] {
    EXPECT_TRUE(server.WaitForRequests(1));
    cancellation.Cancel(Status::Cancelled("the user pressed a key"));
  });
  const auto response = client->Call(GetRequest(server.Url("/a")), &cancellation);
  other.join();
  EXPECT_EQ(response.status().message(), "the user pressed a key");
  EXPECT_TRUE(server.WaitForClosedConnections(1));
}

TEST(HttpClientCall, SendsNothingWhenCancelledBefore) {
  FakeHttpClient client;
  Cancellation cancellation;
  cancellation.Cancel(Status::Cancelled("too late"));
  EXPECT_EQ(client.Call(GetRequest("http://host.invalid/"), &cancellation).status().message(),
            "too late");
  EXPECT_TRUE(client.requests().empty());
}

}  // namespace
}  // namespace dbx
