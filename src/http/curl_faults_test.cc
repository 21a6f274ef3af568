// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "base/str_cat.h"
#include "http/testing/fake_server.h"
#include "http/testing/recording_observer.h"
#include "http/testing/test_client.h"

namespace dbx {
namespace {

using std::chrono::milliseconds;

const std::string kBody(50'000, 'b');

/// What a GET of an answer ends with; the URL carries a secret that no message may show.
Status Get(FakeAnswer answer, std::string* body = nullptr) {
  FakeServer server;
  server.Serve("/a", std::move(answer));
  const auto client = MakeTestClient();
  RecordingObserver observer;
  const auto transfer = client->Start(GetRequest(server.Url("/a?sig=hush")), &observer);
  Status status = observer.Wait();
  EXPECT_EQ(server.num_requests(), 1);
  EXPECT_EQ(status.message().find("hush"), std::string::npos) << status.ToString();
  if (body) *body = observer.body();
  return status;
}

TEST(CurlFaults, ABodyCutShortIsAnErrorWithTheBytesThatCame) {
  std::string body;
  const Status status = Get({.body = kBody, .cut_after = 20'000}, &body);
  EXPECT_EQ(status.code(), StatusCode::kIo) << status.ToString();
  EXPECT_NE(status.message().find("cut short after 20000 bytes"), std::string::npos)
      << status.ToString();
  EXPECT_NE(status.message().find("127.0.0.1"), std::string::npos);
  EXPECT_EQ(body.size(), 20'000U);
}

TEST(CurlFaults, AChunkedBodyWithoutItsEndIsAnError) {
  const Status status =
      Get({.body = kBody, .framing = FakeAnswer::Framing::kChunked, .cut_after = 20'000});
  EXPECT_EQ(status.code(), StatusCode::kIo) << status.ToString();
}

TEST(CurlFaults, AStatedLengthTooLongIsAnError) {
  const Status status = Get({.body = kBody, .stated_length = 60'000, .cut_after = 50'000});
  EXPECT_EQ(status.code(), StatusCode::kIo) << status.ToString();
}

TEST(CurlFaults, AStatedLengthTooShortEndsThereAndTheRestIsNoOthersAnswer) {
  FakeServer server;
  server.Serve("/a", {.body = kBody, .stated_length = 100});
  server.Serve("/b", {.body = "mine"});
  const auto client = MakeTestClient();
  const auto first = client->Call(GetRequest(server.Url("/a")), nullptr);
  ASSERT_TRUE(first.ok()) << first.status().ToString();
  EXPECT_EQ(first->body.size(), 100U);
  // If the rest is there already, the connection is not used again; if it comes later, it is no
  // answer.
  const auto second = client->Call(GetRequest(server.Url("/b")), nullptr);
  EXPECT_TRUE(!second.ok() || second->body == "mine") << second->body;
}

TEST(CurlFaults, ABodyThatEndsWithTheConnectionIsWhole) {
  std::string body;
  EXPECT_TRUE(Get({.body = kBody, .framing = FakeAnswer::Framing::kUntilClose}, &body).ok());
  EXPECT_TRUE(body == kBody);
}

TEST(CurlFaults, AResetIsAnError) {
  for (const auto framing : {FakeAnswer::Framing::kLength, FakeAnswer::Framing::kUntilClose}) {
    const Status status = Get({.body = kBody, .framing = framing, .reset_after = 20'000});
    EXPECT_EQ(status.code(), StatusCode::kIo) << status.ToString();
  }
}

TEST(CurlFaults, AConnectionThatClosesWithoutAnAnswerMayHaveExecutedTheRequest) {
  EXPECT_EQ(Get({.reset_after = FakeAnswer::kBeforeHead}).code(), StatusCode::kIo);
  EXPECT_EQ(Get({.cut_after = FakeAnswer::kBeforeHead}).code(), StatusCode::kIo);
}

// libcurl by itself would send the request again here, and a statement would run twice.
TEST(CurlFaults, ARequestOnAKeptConnectionThatDiesIsSentOnce) {
  FakeServer server;
  server.ServeInOrder("/a", {{.body = "x"}, {.cut_after = FakeAnswer::kBeforeHead}, {.body = "y"}});
  const auto client = MakeTestClient();
  HttpRequest request = GetRequest(server.Url("/a"));
  request.method = HttpMethod::kPost;
  request.body = "INSERT";
  ASSERT_TRUE(client->Call(request, nullptr).ok());
  const auto lost = client->Call(request, nullptr);
  EXPECT_EQ(lost.status().code(), StatusCode::kIo) << lost.status().ToString();
  EXPECT_EQ(server.num_requests(), 2);
  const auto next = client->Call(request, nullptr);
  ASSERT_TRUE(next.ok()) << next.status().ToString();
  EXPECT_EQ(next->body, "y");
}

TEST(CurlFaults, ARefusedConnectionSurelySentNothing) {
  int port = 0;
  {
    FakeServer gone;
    port = gone.port();
  }
  const auto client = MakeTestClient();
  const auto response =
      client->Call(GetRequest(StrCat("http://127.0.0.1:", port, "/a?sig=hush")), nullptr);
  EXPECT_EQ(response.status().code(), StatusCode::kUnavailable) << response.status().ToString();
  EXPECT_EQ(response.status().sqlstate(), "08001");
  EXPECT_NE(response.status().message().find("127.0.0.1"), std::string::npos);
  EXPECT_EQ(response.status().message().find("hush"), std::string::npos);
}

TEST(CurlFaults, AHostThatDoesNotExistIsFinal) {
  // No name has so long a part: the system knows that without asking anyone.
  const std::string host = std::string(64, 'x') + ".invalid";
  const auto client = MakeTestClient();
  const auto response = client->Call(GetRequest(StrCat("http://", host, "/a?sig=hush")), nullptr);
  EXPECT_EQ(response.status().code(), StatusCode::kNotFound) << response.status().ToString();
  EXPECT_NE(response.status().message().find(host), std::string::npos);
  EXPECT_EQ(response.status().message().find("hush"), std::string::npos);
}

TEST(CurlFaults, ConnectingIsBounded) {
  FakeBlackHole black_hole;
  const auto by_client = MakeTestClient({.connect_timeout = milliseconds(100)});
  EXPECT_EQ(by_client->Call(GetRequest(black_hole.Url("/")), nullptr).status().code(),
            StatusCode::kUnavailable);

  const auto by_request = MakeTestClient();
  HttpRequest stalls = GetRequest(black_hole.Url("/"));
  stalls.stall_timeout = milliseconds(100);
  EXPECT_EQ(by_request->Call(std::move(stalls), nullptr).status().code(), StatusCode::kUnavailable);
  HttpRequest ends = GetRequest(black_hole.Url("/"));
  ends.timeout = milliseconds(100);
  EXPECT_EQ(by_request->Call(std::move(ends), nullptr).status().code(), StatusCode::kTimeout);
}

TEST(CurlFaults, ABodyThatStallsIsCut) {
  FakeServer server;
  const auto gate = std::make_shared<FakeGate>();
  for (const int64_t after : {FakeAnswer::kBeforeHead, int64_t{0}, int64_t{100}}) {
    server.Serve("/a", {.body = kBody, .gate_after = after, .gate = gate});
    const auto client = MakeTestClient();
    HttpRequest request = GetRequest(server.Url("/a?sig=hush"));
    request.stall_timeout = milliseconds(50);
    const auto response = client->Call(std::move(request), nullptr);
    EXPECT_EQ(response.status().code(), StatusCode::kTimeout) << response.status().ToString();
    EXPECT_NE(response.status().message().find("not a byte within 50 ms"), std::string::npos);
    EXPECT_EQ(response.status().message().find("hush"), std::string::npos);
  }
  EXPECT_TRUE(server.WaitForClosedConnections(3));
}

TEST(CurlFaults, WhatDoesNotSpeakHttpIsRefused) {
  FakeServer tls_server({.tls = true});
  const auto client = MakeTestClient();
  const auto response =
      client->Call(GetRequest(StrCat("http://127.0.0.1:", tls_server.port(), "/")), nullptr);
  EXPECT_FALSE(response.ok());
}

}  // namespace
}  // namespace dbx
