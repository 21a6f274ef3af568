// SPDX-License-Identifier: Apache-2.0
#include "net/http_server.h"

#include <gtest/gtest.h>
#include <sys/socket.h>

#include <atomic>
#include <chrono>
#include <map>
#include <thread>

#include "base/bytes.h"
#include "base/clock.h"
#include "base/mutex.h"
#include "base/str_cat.h"
#include "net/test_client.h"

namespace dbx::local {
namespace {

using std::chrono::milliseconds;

std::string Pattern(size_t num_bytes) {
  std::string text(num_bytes, '\0');
  for (size_t i = 0; i < num_bytes; ++i) text[i] = static_cast<char>('a' + i * 7 % 26);
  return text;
}

/// A server whose handler answers each path with what the test has put there.
class HttpServerTest : public ::testing::Test {
 protected:
  uint16_t Listen(HttpHandler handler, ListenerOptions options = {}) {
    options.handler = std::move(handler);
    Result<uint16_t> port = server_->Listen(std::move(options));
    EXPECT_TRUE(port.ok()) << port.status().ToString();
    server_->Start();
    return port.ok() ? *port : 0;
  }
  uint16_t ListenWithFault(const ReplyFault& fault, std::string body) {
    return Listen([fault, body = std::move(body)](const HttpRequest&) {
      return HttpReply{.body = body, .fault = fault};
    });
  }

  std::unique_ptr<HttpServer> server_ = HttpServer::Make(2, 4);
};

HttpReply Echo(const HttpRequest& request) {
  return {.headers = {{"X-Query", request.query}, {"X-Host", request.host}},
          .body = StrCat(request.method, " ", request.path, " ", request.body)};
}

TEST_F(HttpServerTest, KeepsAConnectionForManyRequests) {
  const uint16_t port = Listen(Echo);
  TestClient client(port);
  for (int i = 0; i < 3; ++i) {
    const TestReply reply = client.Get(StrCat("/a/", i, "?o=", i));
    EXPECT_EQ(reply.status, 200);
    EXPECT_EQ(reply.body, StrCat("GET /a/", i, " "));
    EXPECT_EQ(reply.Header("x-query"), StrCat("o=", i));
    EXPECT_EQ(reply.Header("x-host"), "127.0.0.1");
    EXPECT_EQ(reply.Header("connection"), "");
  }
  EXPECT_EQ(server_->counters().connections_total, 1U);
}

TEST_F(HttpServerTest, ReadsARequestThatComesByteByByteAndOneBehindAnother) {
  TestClient client(Listen(Echo));
  for (const char c : std::string("POST /x HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc"))
    client.Send({&c, 1});
  EXPECT_EQ(client.Read().body, "POST /x abc");
  client.Send("POST /y HTTP/1.1\r\nContent-Length: 1\r\n\r\n1GET /z HTTP/1.1\r\n\r\n");
  EXPECT_EQ(client.Read().body, "POST /y 1");
  EXPECT_EQ(client.Read().body, "GET /z ");
}

TEST_F(HttpServerTest, ReadsChunkedBodies) {
  TestClient client(Listen(Echo));
  client.Send("POST /c HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n4;x=y\r\nwiki\r\n");
  client.Send("5\r\npedia\r\n0\r\nTrailer: 1\r\n\r\n");
  EXPECT_EQ(client.Read().body, "POST /c wikipedia");
}

TEST_F(HttpServerTest, AsksForABodyThatWaitsToBeAskedFor) {
  TestClient client(Listen(Echo));
  client.Send("POST /e HTTP/1.1\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n");
  EXPECT_EQ(client.Read().status, 100);
  client.Send("ok");
  EXPECT_EQ(client.Read().body, "POST /e ok");
}

TEST_F(HttpServerTest, AnswersHeadWithoutABody) {
  TestClient client(Listen(Echo));
  client.Send("HEAD /h HTTP/1.1\r\n\r\n");
  const TestReply head = client.Read(/*has_body=*/false);
  EXPECT_EQ(head.Header("content-length"), "8");
  EXPECT_EQ(client.Get("/next").body, "GET /next ");
}

TEST_F(HttpServerTest, ClosesWhenAskedTo) {
  TestClient client(Listen(Echo));
  EXPECT_EQ(client.Get("/", "Connection: close\r\n").Header("connection"), "close");
  EXPECT_EQ(client.ReadBytes(1), "");
}

TEST_F(HttpServerTest, RefusesWhatIsNoHttp) {
  const uint16_t port = Listen(Echo);
  const std::map<std::string, int> cases = {
      {"nonsense\r\n\r\n", 400},
      {"GET / HTTP/2.0\r\n\r\n", 505},
      {"GET / HTTP/1.1\r\nBad Name: 1\r\n\r\n", 400},
      {"POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", 400},
      {"POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", 400},
      {"POST / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", 400},
      {"POST / HTTP/1.1\r\nContent-Length: 999999999999\r\n\r\n", 413},
      {"POST / HTTP/1.1\r\nTransfer-Encoding: gzip\r\n\r\n", 501},
      {"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", 400},
      {"GET / HTTP/1.1\r\nX: " + std::string(70'000, 'x'), 431},
  };
  for (const auto& [request, status] : cases) {
    TestClient client(port);
    client.Send(request);
    const TestReply reply = client.Read();
    EXPECT_EQ(reply.status, status) << request.substr(0, 60);
    EXPECT_EQ(reply.Header("connection"), "close");
    EXPECT_EQ(client.ReadBytes(1), "");
  }
}

TEST_F(HttpServerTest, TurnsAnExceptionOfAHandlerInto500) {
  TestClient client(
      Listen([](const HttpRequest&) -> HttpReply { throw std::runtime_error("broken"); }));
  EXPECT_EQ(client.Get("/").status, 500);
}

TEST_F(HttpServerTest, SendsManyPartsInOrder) {
  const auto bytes = std::make_shared<const std::string>(Pattern(3'000'000));
  TestClient client(Listen([bytes](const HttpRequest&) {
    HttpReply reply;
    for (size_t at = 0; at < bytes->size(); at += 100'000) {
      reply.parts.push_back({.owner = bytes, .bytes = AsBytes(*bytes).subspan(at, 100'000)});
    }
    return reply;
  }));
  EXPECT_TRUE(client.Get("/").body == *bytes);
}

TEST_F(HttpServerTest, AHandlerThatBlocksHoldsUpNobodyElse) {
  Mutex mutex;
  Condition changed;
  bool released = false;
  const uint16_t port = Listen([&](const HttpRequest& request) {
    MutexLock lock(mutex);
    while (request.path == "/slow" && !released) changed.Wait(mutex);
    return HttpReply{.body = request.path};
  });
  TestClient slow(port);
  TestClient quick(port);
  slow.SendGet("/slow");
  EXPECT_EQ(quick.Get("/quick").body, "/quick");
  {
    MutexLock lock(mutex);
    released = true;
    changed.NotifyAll();
  }
  EXPECT_EQ(slow.Read().body, "/slow");
}

TEST_F(HttpServerTest, FaultReset) {
  const std::string body = Pattern(500'000);
  TestClient client(ListenWithFault({.reset_after = 123'456}, body));
  const TestReply reply = client.Get("/");
  EXPECT_TRUE(reply.was_reset);
  EXPECT_EQ(reply.Header("content-length"), "500000");
  EXPECT_TRUE(reply.body == body.substr(0, 123'456));
}

TEST_F(HttpServerTest, FaultTruncate) {
  const std::string body = Pattern(500'000);
  TestClient client(ListenWithFault({.truncate_after = 400'001}, body));
  const TestReply reply = client.Get("/");
  EXPECT_TRUE(reply.ended);
  EXPECT_FALSE(reply.was_reset);
  EXPECT_TRUE(reply.body == body.substr(0, 400'001));
}

TEST_F(HttpServerTest, FaultStallKeepsTheConnectionOpen) {
  const std::string body = Pattern(1000);
  TestClient client(ListenWithFault({.stall_after = 10}, body));
  client.SendGet("/");
  std::string head;
  while (!head.ends_with("\r\n\r\n")) head += client.ReadBytes(1);
  EXPECT_EQ(client.ReadBytes(10), body.substr(0, 10));
  const timeval short_wait{.tv_sec = 0, .tv_usec = 20'000};
  ::setsockopt(client.descriptor(), SOL_SOCKET, SO_RCVTIMEO, &short_wait, sizeof(short_wait));
  char byte = 0;
  EXPECT_EQ(::recv(client.descriptor(), &byte, 1, 0), -1);  // no byte, and no end
  EXPECT_EQ(server_->counters().connections_open, 1U);
}

TEST_F(HttpServerTest, FaultWrongLength) {
  const uint16_t port = Listen([](const HttpRequest& request) {
    return HttpReply{.body = "0123456789",
                     .fault = {.content_length_delta = request.path == "/more" ? 5 : -4}};
  });
  TestClient more(port);
  const TestReply longer = more.Get("/more");
  EXPECT_EQ(longer.Header("content-length"), "15");
  EXPECT_TRUE(longer.ended);
  EXPECT_EQ(longer.body, "0123456789");
  TestClient less(port);
  EXPECT_EQ(less.Get("/less").body, "012345");
  EXPECT_EQ(less.ReadBytes(100), "6789");
}

TEST_F(HttpServerTest, FaultCorruptByteFlipsThatByteAlone) {
  std::string body = Pattern(100'000);
  TestClient client(ListenWithFault({.corrupt_at = 77'777}, body));
  body[77'777] = static_cast<char>(body[77'777] ^ 0xff);
  EXPECT_TRUE(client.Get("/").body == body);
  EXPECT_EQ(client.Get("/").status, 200);  // the connection lives on
}

TEST_F(HttpServerTest, APositionBeyondTheBodyFallsInside) {
  TestClient client(ListenWithFault({.corrupt_at = 13}, "0123456789"));
  EXPECT_EQ(client.Get("/").body, StrCat("012", static_cast<char>('3' ^ 0xff), "456789"));
}

TEST_F(HttpServerTest, DelaysTheFirstByteAndNoOtherConnection) {
  const uint16_t port = Listen([](const HttpRequest& request) {
    return HttpReply{.body = request.path,
                     .fault = {.delay_ms = request.path == "/late" ? 50U : 0U}};
  });
  TestClient late(port);
  TestClient prompt(port);
  const auto began = std::chrono::steady_clock::now();
  late.SendGet("/late");
  EXPECT_EQ(prompt.Get("/prompt").body, "/prompt");
  EXPECT_EQ(late.Read().body, "/late");
  EXPECT_GE(std::chrono::steady_clock::now() - began, milliseconds(50));
}

TEST_F(HttpServerTest, ShapesTheFirstByteAndTheRate) {
  const std::string body = Pattern(100'000);
  const uint16_t port =
      Listen([&](const HttpRequest&) { return HttpReply{.body = body}; },
             {.shaping = {.first_byte_ms = 20, .bytes_per_second_per_connection = 1'000'000}});
  TestClient client(port);
  const auto began = std::chrono::steady_clock::now();
  EXPECT_TRUE(client.Get("/").body == body);
  // 100 ms for the bytes but for the last step of a millisecond, and 20 ms before them: never
  // sooner.
  EXPECT_GE(std::chrono::steady_clock::now() - began, milliseconds(118));
}

TEST_F(HttpServerTest, SharesTheTotalRateBetweenConnections) {
  const std::string body = Pattern(50'000);
  const uint16_t port = Listen([&](const HttpRequest&) { return HttpReply{.body = body}; },
                               {.shaping = {.bytes_per_second_total = 1'000'000}});
  TestClient first(port);
  TestClient second(port);
  const auto began = std::chrono::steady_clock::now();
  first.SendGet("/");
  second.SendGet("/");
  EXPECT_TRUE(first.Read().body == body);
  EXPECT_TRUE(second.Read().body == body);
  EXPECT_GE(std::chrono::steady_clock::now() - began, milliseconds(97));
}

TEST_F(HttpServerTest, RatesOneReplyByFault) {
  const std::string body = Pattern(50'000);
  TestClient client(ListenWithFault({.bytes_per_second = 1'000'000}, body));
  const auto began = std::chrono::steady_clock::now();
  EXPECT_TRUE(client.Get("/").body == body);
  EXPECT_GE(std::chrono::steady_clock::now() - began, milliseconds(48));
}

TEST_F(HttpServerTest, SpeaksTls) {
  const TestCertificate certificate;
  const std::string body = Pattern(3'000'000);
  const uint16_t port = Listen(
      [&](const HttpRequest& request) {
        return HttpReply{.headers = {{"X-Scheme", request.scheme}}, .body = body};
      },
      {.tls_certificate_file = certificate.certificate_file(),
       .tls_key_file = certificate.key_file()});
  const std::string bytes = TlsGet(port, certificate, "/");
  EXPECT_NE(bytes.find("X-Scheme: https\r\n"), std::string::npos);
  EXPECT_TRUE(bytes.ends_with("\r\n\r\n" + body));
}

TEST_F(HttpServerTest, RefusesACertificateThatIsNotThereAndATakenPort) {
  EXPECT_EQ(
      server_->Listen({.tls_certificate_file = "/nowhere/c.pem", .tls_key_file = "/nowhere/k.pem"})
          .status()
          .code(),
      StatusCode::kInvalidArgument);
  EXPECT_EQ(server_->Listen({.address = "example:80"}).status().code(),
            StatusCode::kInvalidArgument);
  const uint16_t port = Listen(Echo);
  EXPECT_EQ(server_->Listen({.address = StrCat("127.0.0.1:", port)}).status().code(),
            StatusCode::kIo);
}

TEST_F(HttpServerTest, StopEndsIdleStalledDelayedAndPacedConnectionsAtOnce) {
  const std::string body = Pattern(1'000'000);
  const uint16_t port = Listen([&](const HttpRequest& request) {
    HttpReply reply{.body = body};
    if (request.path == "/stall") reply.fault.stall_after = 0;
    if (request.path == "/late") reply.fault.delay_ms = 3'600'000;
    if (request.path == "/slow") reply.fault.bytes_per_second = 100;
    return reply;
  });
  std::vector<TestClient> clients;
  for (const char* path : {"/stall", "/late", "/slow", "/whole"}) {
    clients.emplace_back(port).SendGet(path);
  }
  EXPECT_TRUE(clients.back().Read().body == body);
  TestClient idle(port);
  TestClient half(port);
  half.Send("GET / HT");
  EXPECT_EQ(idle.Get("/").status, 200);
  const auto began = std::chrono::steady_clock::now();
  server_->Stop();
  EXPECT_LT(std::chrono::steady_clock::now() - began, milliseconds(2000));
  EXPECT_EQ(server_->counters().connections_open, 0U);
  EXPECT_EQ(idle.ReadBytes(1), "");
}

/// Notes what an observer is told.
class Notes : public ExchangeObserver {
 public:
  void Answered(const HttpRequest& request, const HttpReply& reply) override {
    MutexLock lock(mutex_);
    lines_.push_back(StrCat("answered ", request.request_id, " ", reply.status));
  }
  void Finished(uint64_t request_id, const ExchangeEnd& end) override {
    MutexLock lock(mutex_);
    lines_.push_back(StrCat("finished ", request_id, " ", end.outcome));
  }
  std::vector<std::string> lines() const {
    MutexLock lock(mutex_);
    return lines_;
  }

 private:
  mutable Mutex mutex_;
  std::vector<std::string> lines_ GUARDED_BY(mutex_);
};

TEST_F(HttpServerTest, TellsItsObserverBeforeTheFirstByteAndAtTheEnd) {
  Notes notes;
  const uint16_t port = Listen(
      [](const HttpRequest& request) {
        HttpReply reply{.body = "0123456789"};
        if (request.path == "/cut") reply.fault.truncate_after = 4;
        return reply;
      },
      {.observer = &notes});
  TestClient client(port);
  client.Get("/");
  client.Get("/cut");
  server_->Stop();
  EXPECT_EQ(notes.lines(), (std::vector<std::string>{"answered 1 200", "finished 1 complete",
                                                     "answered 2 200", "finished 2 truncated"}));
}

TEST_F(HttpServerTest, ServesManyConnectionsAtOnce) {
  const std::string body = Pattern(200'000);
  const uint16_t port = Listen([&](const HttpRequest&) { return HttpReply{.body = body}; });
  std::atomic<int> right = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 16; ++i) {
    threads.emplace_back([&] {
      TestClient client(port);
      for (int k = 0; k < 20; ++k) right += client.Get("/").body == body ? 1 : 0;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(right, 320);
}

}  // namespace
}  // namespace dbx::local
