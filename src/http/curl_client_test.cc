// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <array>
#include <deque>
#include <filesystem>
#include <iterator>

#include "base/str_cat.h"
#include "http/testing/fake_server.h"
#include "http/testing/recording_observer.h"
#include "http/testing/test_client.h"

namespace dbx {
namespace {

using Flow = HttpObserver::Flow;
using std::chrono::milliseconds;

std::string Pattern(size_t size) {
  std::string text(size, '\0');
  for (size_t i = 0; i < size; ++i) text[i] = static_cast<char>('a' + i * 31 % 26 + (i >> 12) % 3);
  return text;
}

HttpRequest Post(std::string url, std::string body) {
  HttpRequest request = GetRequest(std::move(url));
  request.method = HttpMethod::kPost;
  request.body = std::move(body);
  return request;
}

TEST(CurlClient, GetsHeadAndBody) {
  FakeServer server;
  server.Serve("/a", {.headers = {{"X-One", "1"}, {"x-two", " two "}}, .body = "hello"});
  const auto client = MakeTestClient();
  const auto response = client->Call(GetRequest(server.Url("/a")), nullptr);
  ASSERT_TRUE(response.ok()) << response.status().ToString();
  EXPECT_EQ(response->head.status, 200);
  EXPECT_EQ(response->head.Header("x-one"), "1");
  EXPECT_EQ(response->head.Header("X-Two"), "two");
  EXPECT_EQ(response->head.content_length, 5);
  EXPECT_EQ(response->body, "hello");
}

TEST(CurlClient, TakesEveryStatusAndAnEmptyBody) {
  FakeServer server;
  for (const int status : {204, 301, 404, 503}) {
    const std::string path = StrCat("/", status);
    server.Serve(path, {.status = status, .headers = {{"Location", "/elsewhere"}}});
    RecordingObserver observer;
    const auto client = MakeTestClient();
    const auto transfer = client->Start(GetRequest(server.Url(path)), &observer);
    EXPECT_TRUE(observer.Wait().ok());
    EXPECT_EQ(observer.head().status, status);
    EXPECT_EQ(observer.num_heads(), 1);
    EXPECT_EQ(observer.num_done(), 1);
  }
}

TEST(CurlClient, FollowsNoRedirect) {
  FakeServer server;
  server.Serve("/from", {.status = 302, .headers = {{"Location", server.Url("/to")}}});
  const auto client = MakeTestClient();
  const auto response = client->Call(GetRequest(server.Url("/from")), nullptr);
  ASSERT_TRUE(response.ok());
  EXPECT_EQ(response->head.status, 302);
  EXPECT_EQ(server.num_requests("/to"), 0);
}

TEST(CurlClient, UsesItsConnectionAgain) {
  FakeServer server;
  server.Serve("/a", {.body = "x"});
  server.Serve("/b", {.body = "yy", .framing = FakeAnswer::Framing::kChunked});
  const auto client = MakeTestClient();
  for (int i = 0; i < 10; ++i) {
    ASSERT_TRUE(client->Call(GetRequest(server.Url(i % 2 ? "/a" : "/b")), nullptr).ok());
  }
  EXPECT_EQ(server.num_connections(), 1);
  EXPECT_EQ(server.num_requests(), 10);
}

TEST(CurlClient, SendsTheUrlByteForByte) {
  FakeServer server;
  const std::string target =
      "/a/../b//c%2fd%2Fe;x/~%7e?sig=a%2bb+c/d==&se=2024-01-01T00%3a00%3A00Z&x={y}|'%&&k?";
  server.HandleOthers([](const FakeRequest&) { return FakeAnswer{.body = "ok"}; });
  const auto client = MakeTestClient();
  ASSERT_TRUE(client->Call(GetRequest(server.Url(target + "#part")), nullptr).ok());
  ASSERT_TRUE(client->Call(GetRequest(server.Url("?only=query")), nullptr).ok());
  ASSERT_TRUE(client->Call(GetRequest(server.Url("")), nullptr).ok());
  const auto requests = server.requests();
  EXPECT_EQ(requests[0].target, target);
  EXPECT_EQ(requests[1].target, "/?only=query");
  EXPECT_EQ(requests[2].target, "/");
}

TEST(CurlClient, SendsTheHeadersAskedForInOrderAndNoOthers) {
  FakeServer server;
  server.Serve("/a", {});
  const auto client = MakeTestClient({.user_agent = "agent/1"});
  HttpRequest request = Post(server.Url("/a"), std::string(2 << 20, 'x'));
  request.headers = {{"X-Zeta", Secret("1")},
                     {"Content-Type", Secret("application/x-thrift")},
                     {"X-Alpha", Secret("2; 3")},
                     {"X-Empty", Secret("")}};
  ASSERT_TRUE(client->Call(std::move(request), nullptr).ok());
  std::string names;
  const FakeRequest seen = server.requests().at(0);
  for (const auto& [name, value] : seen.headers) names += name + " ";
  EXPECT_EQ(names, "Host User-Agent X-Zeta Content-Type X-Alpha X-Empty Content-Length ");
  EXPECT_EQ(seen.Header("User-Agent"), "agent/1");
  EXPECT_EQ(seen.Header("Content-Type"), "application/x-thrift");
  EXPECT_EQ(seen.Header("X-Alpha"), "2; 3");
}

TEST(CurlClient, AsksStorageForNothingButTheBytes) {
  FakeServer server;
  server.Serve("/a", {.headers = {{"Content-Encoding", "gzip"}}, .body = "not really gzip"});
  const auto client = MakeTestClient();
  const auto response = client->Call(GetRequest(server.Url("/a?sig=s")), nullptr);
  ASSERT_TRUE(response.ok()) << response.status().ToString();
  EXPECT_EQ(response->body, "not really gzip");
  const FakeRequest seen = server.requests().at(0);
  for (const char* const name :
       {"Authorization", "Accept", "Accept-Encoding", "Expect", "Cookie"}) {
    EXPECT_FALSE(seen.HasHeader(name)) << name;
  }
}

TEST(CurlClient, SendsAcceptWhenAskedTo) {
  FakeServer server;
  server.Serve("/a", {});
  const auto client = MakeTestClient();
  HttpRequest request = GetRequest(server.Url("/a"));
  request.headers = {{"accept", Secret("text/plain")}, {"Accept-Encoding", Secret("identity")}};
  ASSERT_TRUE(client->Call(std::move(request), nullptr).ok());
  EXPECT_EQ(server.requests()[0].Header("Accept"), "text/plain");
  EXPECT_EQ(server.requests()[0].Header("Accept-Encoding"), "identity");
}

TEST(CurlClient, SendsBodiesWithEachMethod) {
  FakeServer server;
  server.Serve("/a", {});
  const auto client = MakeTestClient();
  const std::string body = std::string("\0binary", 7) + Pattern(300'000);
  struct Case {
    HttpMethod method;
    std::string word;
    std::string body;
    bool has_length;
  };
  const std::array cases = {
      Case{HttpMethod::kGet, "GET", "", false},      Case{HttpMethod::kPost, "POST", body, true},
      Case{HttpMethod::kPost, "POST", "", true},     Case{HttpMethod::kPut, "PUT", body, true},
      Case{HttpMethod::kPut, "PUT", "", true},       Case{HttpMethod::kDelete, "DELETE", "", false},
      Case{HttpMethod::kDelete, "DELETE", "x", true}};
  for (const Case& one : cases) {
    HttpRequest request = Post(server.Url("/a"), one.body);
    request.method = one.method;
    ASSERT_TRUE(client->Call(std::move(request), nullptr).ok());
    const FakeRequest seen = server.requests().back();
    EXPECT_EQ(seen.method, one.word);
    EXPECT_TRUE(seen.body == one.body) << one.word << " " << seen.body.size();
    EXPECT_EQ(seen.HasHeader("Content-Length"), one.has_length) << one.word;
    EXPECT_FALSE(seen.HasHeader("Content-Type"));
  }
  EXPECT_EQ(server.num_connections(), 1);
}

TEST(CurlClient, RefusesWhatCannotBeSent) {
  FakeServer server;
  const auto client = MakeTestClient();
  HttpRequest broken_value = GetRequest(server.Url("/a"));
  broken_value.headers = {{"Authorization", Secret("Bearer hush\r\nX-Evil: 1")}};
  HttpRequest broken_name = GetRequest(server.Url("/a"));
  broken_name.headers = {{"X Evil", Secret("1")}};
  std::vector<HttpRequest> requests = {
      broken_value, broken_name, GetRequest("file:///etc/hostname"), GetRequest("http://"),
      GetRequest(StrCat("http://hush:hush@127.0.0.1:", server.port(), "/a"))};
  for (HttpRequest& request : requests) {
    const auto response = client->Call(std::move(request), nullptr);
    EXPECT_EQ(response.status().code(), StatusCode::kInvalidArgument)
        << response.status().ToString();
    EXPECT_EQ(response.status().message().find("hush"), std::string::npos);
  }
  EXPECT_EQ(server.num_requests(), 0);
}

TEST(CurlClient, PausesAndOffersTheSameBytesAgain) {
  FakeServer server;
  const std::string body = Pattern(3 << 20);
  server.Serve("/a", {.body = body});
  const auto client = MakeTestClient();
  int num_calls = 0;
  std::string refused;
  bool resumed_with_the_same = true;
  RecordingObserver observer;
  observer.on_body = [&](Bytes piece) {
    if (!refused.empty()) {
      resumed_with_the_same = resumed_with_the_same && AsText(piece).starts_with(refused);
      refused.clear();
      return Flow::kContinue;
    }
    if (++num_calls % 20 != 0) return Flow::kContinue;
    refused = AsText(piece);
    return Flow::kPause;
  };
  const auto transfer = client->Start(GetRequest(server.Url("/a")), &observer);
  for (int pieces = 1; observer.num_done() == 0; ++pieces) {
    observer.WaitForPieces(pieces);
    transfer->Resume();
  }
  EXPECT_TRUE(observer.Wait().ok());
  EXPECT_TRUE(observer.body() == body);
  EXPECT_TRUE(resumed_with_the_same);
}

TEST(CurlClient, NothingArrivesAndNoTimeRunsWhilePaused) {
  FakeServer server;
  const std::string body = Pattern(100'000);
  server.Serve("/a", {.body = body});
  server.Serve("/b", {.gate_after = FakeAnswer::kBeforeHead, .gate = std::make_shared<FakeGate>()});
  const auto client = MakeTestClient();
  bool pause = true;
  RecordingObserver observer;
  observer.on_body = [&](Bytes) {
    return std::exchange(pause, false) ? Flow::kPause : Flow::kContinue;
  };
  HttpRequest request = GetRequest(server.Url("/a"));
  request.timeout = milliseconds(200);
  request.stall_timeout = milliseconds(200);
  const auto transfer = client->Start(std::move(request), &observer);
  observer.WaitForPieces(1);
  // Another transfer's limit, longer than both, is the clock of this test.
  HttpRequest slow = GetRequest(server.Url("/b"));
  slow.timeout = milliseconds(500);
  EXPECT_EQ(client->Call(std::move(slow), nullptr).status().code(), StatusCode::kTimeout);
  EXPECT_EQ(observer.num_pieces(), 1);
  EXPECT_EQ(observer.num_done(), 0);
  transfer->Resume();
  EXPECT_TRUE(observer.Wait().ok()) << observer.Wait().ToString();
  EXPECT_TRUE(observer.body() == body);
}

TEST(CurlClient, ResumeWithoutAPauseDoesNothing) {
  FakeServer server;
  server.Serve("/a", {.body = "x"});
  const auto client = MakeTestClient();
  RecordingObserver observer;
  const auto transfer = client->Start(GetRequest(server.Url("/a")), &observer);
  transfer->Resume();
  EXPECT_TRUE(observer.Wait().ok());
  transfer->Resume();
  transfer->Cancel();
  EXPECT_TRUE(client->Call(GetRequest(server.Url("/a")), nullptr).ok());
  EXPECT_EQ(observer.num_done(), 1);
}

TEST(CurlClient, AnObserverEndsATransfer) {
  FakeServer server;
  server.Serve("/a", {.body = Pattern(1 << 20)});
  const auto client = MakeTestClient();
  RecordingObserver no_head;
  no_head.take_head = false;
  RecordingObserver no_body;
  no_body.on_body = [](Bytes) { return Flow::kEnd; };
  const auto first = client->Start(GetRequest(server.Url("/a")), &no_head);
  const auto second = client->Start(GetRequest(server.Url("/a")), &no_body);
  EXPECT_EQ(no_head.Wait().code(), StatusCode::kCancelled);
  EXPECT_EQ(no_head.num_pieces(), 0);
  EXPECT_EQ(no_body.Wait().code(), StatusCode::kCancelled);
  EXPECT_EQ(no_body.num_pieces(), 1);
}

TEST(CurlClient, CancelClosesTheSocketOfAStalledTransfer) {
  FakeServer server;
  const auto gate = std::make_shared<FakeGate>();
  server.Serve("/a", {.body = Pattern(1000), .gate_after = 10, .gate = gate});
  const auto client = MakeTestClient();
  RecordingObserver observer;
  const auto transfer = client->Start(GetRequest(server.Url("/a")), &observer);
  observer.WaitForPieces(1);
  transfer->Cancel();
  EXPECT_EQ(observer.Wait().code(), StatusCode::kCancelled);
  EXPECT_TRUE(server.WaitForClosedConnections(1));  // though its gate never opened
  EXPECT_EQ(observer.num_done(), 1);
}

TEST(CurlClient, CancelEndsWaitingForAConnectionAndForAPausedObserver) {
  FakeBlackHole black_hole;
  FakeServer server;
  server.Serve("/a", {.body = Pattern(1 << 20)});
  const auto client = MakeTestClient();
  RecordingObserver connecting;
  RecordingObserver paused;
  paused.on_body = [](Bytes) { return Flow::kPause; };
  const auto first = client->Start(GetRequest(black_hole.Url("/")), &connecting);
  const auto second = client->Start(GetRequest(server.Url("/a")), &paused);
  paused.WaitForPieces(1);
  std::thread other([&] {
    first->Cancel();
    second->Cancel();
  });
  EXPECT_EQ(connecting.Wait().code(), StatusCode::kCancelled);
  EXPECT_EQ(paused.Wait().code(), StatusCode::kCancelled);
  other.join();
  EXPECT_TRUE(server.WaitForClosedConnections(1));
}

TEST(CurlClient, AfterItsDestructionATransferTellsNothing) {
  FakeServer server;
  server.Serve("/a", {.body = Pattern(4 << 20)});
  const auto client = MakeTestClient();
  for (int i = 0; i < 50; ++i) {
    auto observer = std::make_unique<RecordingObserver>();
    auto transfer = client->Start(GetRequest(server.Url("/a")), observer.get());
    if (i % 3 == 1) observer->WaitForHead();
    if (i % 3 == 2) observer->WaitForPieces(i);
    transfer.reset();
    EXPECT_EQ(observer->num_done(), 1);
    observer.reset();  // a later call would touch what is gone
  }
}

TEST(CurlClient, ATransferMayDieInItsOwnAndInOthersCalls) {
  FakeServer server;
  server.Serve("/a", {.body = Pattern(1 << 20)});
  server.Serve("/b", {.body = "x", .gate_after = 0, .gate = std::make_shared<FakeGate>()});
  auto client = MakeTestClient();
  RecordingObserver own;
  RecordingObserver other;
  std::unique_ptr<HttpTransfer> victim = client->Start(GetRequest(server.Url("/b")), &other);
  other.WaitForHead();
  std::unique_ptr<HttpTransfer> transfer;
  own.on_done = [&](const Status&) {
    victim.reset();
    transfer.reset();
  };
  // Started from another call, so that `transfer` is set before OnDone can come.
  RecordingObserver starter;
  starter.on_done = [&](const Status&) {
    transfer = client->Start(GetRequest(server.Url("/a")), &own);
  };
  const auto start = client->Start(GetRequest(server.Url("/a")), &starter);
  EXPECT_TRUE(own.Wait().ok());
  EXPECT_TRUE(server.WaitForClosedConnections(1));
  client.reset();  // its thread is done with everything above
  EXPECT_EQ(other.num_done(), 0);
}

TEST(CurlClient, CarriesAHundredTransfersAtOnce) {
  FakeServer server;
  const auto gate = std::make_shared<FakeGate>();
  const std::string body = Pattern(200'000);
  server.Serve("/a", {.body = body, .gate_after = 1000, .gate = gate});
  const auto client = MakeTestClient();
  std::deque<RecordingObserver> observers(100);
  std::deque<RecordingObserver> again(100);
  std::vector<std::unique_ptr<HttpTransfer>> transfers;
  for (RecordingObserver& observer : observers) {
    transfers.push_back(client->Start(GetRequest(server.Url("/a")), &observer));
  }
  EXPECT_TRUE(server.WaitForRequests(100));
  EXPECT_EQ(server.num_connections(), 100);
  gate->Open();
  for (RecordingObserver& observer : observers) {
    EXPECT_TRUE(observer.Wait().ok());
    EXPECT_TRUE(observer.body() == body);
  }
  transfers.clear();
  // All of the connections were kept.
  for (RecordingObserver& observer : again) {
    transfers.push_back(client->Start(GetRequest(server.Url("/a")), &observer));
  }
  for (RecordingObserver& observer : again) EXPECT_TRUE(observer.Wait().ok());
  EXPECT_EQ(server.num_connections(), 100);
}

TEST(CurlClient, ItsEndIsTheEndOfItsTransfersAndSockets) {
  FakeBlackHole black_hole;
  FakeServer server;
  server.Serve("/a",
               {.body = Pattern(1000), .gate_after = 10, .gate = std::make_shared<FakeGate>()});
  server.Serve("/b", {.body = "x"});
  std::deque<RecordingObserver> observers(20);
  std::vector<std::unique_ptr<HttpTransfer>> transfers;
  auto client = MakeTestClient();
  ASSERT_TRUE(client->Call(GetRequest(server.Url("/b")), nullptr).ok());  // one that idles
  for (RecordingObserver& observer : observers) {
    const bool odd = transfers.size() % 2 != 0;
    transfers.push_back(
        client->Start(GetRequest(odd ? black_hole.Url("/") : server.Url("/a")), &observer));
  }
  observers[0].WaitForPieces(1);
  client.reset();
  for (RecordingObserver& observer : observers) {
    EXPECT_EQ(observer.num_done(), 1);
    EXPECT_EQ(observer.Wait().code(), StatusCode::kCancelled);
  }
  EXPECT_TRUE(server.WaitForClosedConnections(server.num_connections()));
  for (auto& transfer : transfers) transfer->Cancel();  // harmless, and so is their end
}

size_t NumOpenFiles() {
  const std::filesystem::directory_iterator files("/proc/self/fd");
  return static_cast<size_t>(std::distance(begin(files), end(files)));
}

TEST(CurlClient, LeavesNoFileOpen) {
  FakeServer server({.tls = true});
  server.Serve("/a", {.body = Pattern(1000)});
  CurlClientOptions options;
  options.tls.ca_file = server.ca_file();
  MakeTestClient();  // whatever the first one leaves for the whole process
  const size_t before = NumOpenFiles();
  {
    const auto client = MakeTestClient(options);
    std::deque<RecordingObserver> observers(8);
    std::vector<std::unique_ptr<HttpTransfer>> transfers;
    for (RecordingObserver& observer : observers) {
      transfers.push_back(client->Start(GetRequest(server.Url("/a")), &observer));
    }
    for (RecordingObserver& observer : observers) EXPECT_TRUE(observer.Wait().ok());
    EXPECT_GT(NumOpenFiles(), before);
  }
  EXPECT_TRUE(server.WaitForClosedConnections(server.num_connections()));
  EXPECT_EQ(NumOpenFiles(), before);
}

TEST(CurlClient, AnObserverMayStartAnewWhileTheClientEnds) {
  FakeServer server;
  server.Serve("/a", {.body = "x", .gate_after = 0, .gate = std::make_shared<FakeGate>()});
  RecordingObserver second;
  RecordingObserver first;
  std::unique_ptr<HttpTransfer> retry;
  auto client = MakeTestClient();
  HttpClient* const raw = client.get();
  first.on_done = [&](const Status&) { retry = raw->Start(GetRequest(server.Url("/a")), &second); };
  const auto transfer = client->Start(GetRequest(server.Url("/a")), &first);
  first.WaitForHead();
  client.reset();
  EXPECT_EQ(first.Wait().code(), StatusCode::kCancelled);
  EXPECT_EQ(second.Wait().code(), StatusCode::kCancelled);
}

TEST(CurlClient, LogsNoSecret) {
  FakeServer server;
  server.Serve("/a", {.body = "x"});
  Mutex mutex;
  std::string lines;
  const Log log(LogLevel::kTrace, [&](LogLevel, std::string_view line) {
    MutexLock lock(mutex);
    lines += line;
  });
  {
    const auto client = MakeTestClient({}, log);
    HttpRequest request = GetRequest(server.Url("/a?sig=hush"));
    request.headers = {{"Authorization", Secret("Bearer hush")}};
    ASSERT_TRUE(client->Call(std::move(request), nullptr).ok());
  }
  EXPECT_NE(lines.find("http.done"), std::string::npos) << lines;
  EXPECT_NE(lines.find("status=200"), std::string::npos) << lines;
  EXPECT_EQ(lines.find("hush"), std::string::npos) << lines;
}

TEST(CurlClient, AsksAProxyWithTheWholeUrlAndItsCredentials) {
  FakeServer proxy;
  proxy.HandleOthers([](const FakeRequest&) { return FakeAnswer{.body = "by proxy"}; });
  CurlClientOptions options;
  options.proxy.host = "127.0.0.1";
  options.proxy.port = proxy.port();
  options.proxy.user = "me";
  options.proxy.password = Secret("pass");
  options.proxy.no_proxy = "*.direct.invalid, other.invalid";
  const auto client = MakeTestClient(options);
  const auto response = client->Call(GetRequest("http://far.invalid/a?b=c"), nullptr);
  ASSERT_TRUE(response.ok()) << response.status().ToString();
  EXPECT_EQ(response->body, "by proxy");
  EXPECT_EQ(proxy.requests()[0].target, "http://far.invalid/a?b=c");
  EXPECT_EQ(proxy.requests()[0].Header("Proxy-Authorization"), "Basic bWU6cGFzcw==");
}

TEST(CurlClient, TellsWhatAProxyAnsweredToConnect) {
  FakeServer proxy;
  int status = 0;
  proxy.HandleOthers([&](const FakeRequest&) { return FakeAnswer{.status = status}; });
  CurlClientOptions options;
  options.proxy.host = "127.0.0.1";
  options.proxy.port = proxy.port();
  const auto client = MakeTestClient(options);
  const std::pair<int, StatusCode> cases[] = {{407, StatusCode::kUnauthenticated},
                                              {403, StatusCode::kUnauthorized},
                                              {503, StatusCode::kUnavailable}};
  for (const auto& [answer, code] : cases) {
    status = answer;
    const auto response = client->Call(GetRequest("https://far.invalid/a?sig=hush"), nullptr);
    EXPECT_EQ(response.status().code(), code) << response.status().ToString();
    EXPECT_NE(response.status().message().find("far.invalid"), std::string::npos);
    EXPECT_NE(response.status().message().find(StrCat(answer)), std::string::npos);
  }
  EXPECT_EQ(proxy.requests()[0].method, "CONNECT");
}

}  // namespace
}  // namespace dbx
