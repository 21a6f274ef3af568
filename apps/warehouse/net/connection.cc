// SPDX-License-Identifier: Apache-2.0
#include "net/connection.h"

#include <netinet/tcp.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <exception>
#include <utility>

#include "base/bytes.h"
#include "base/str_cat.h"
#include "net/jitter.h"

namespace dbx::local {
namespace {

using Outcome = IoResult::Outcome;

constexpr size_t kReadBytes = 16 << 10;
constexpr size_t kBulkReadBytes = 256 << 10;
// So much may go to one fast reader before the thread's other connections have a turn.
constexpr uint64_t kTurnBytes = 4 << 20;
// Measured with 16 readers on this machine's own network: 6.9 GB/s. Left to the kernel, which lets
// buffers grow until they no longer fit into the processor's cache: 5.2; 64 KiB: 5.7; 1 MiB: 5.
constexpr int kSendBufferBytes = 256 << 10;
// A client that is still sending when it is refused gets this long to read why.
constexpr std::chrono::seconds kFarewell{2};

std::unique_ptr<Pacer> MakePacer(uint64_t bytes_per_second) {
  return bytes_per_second == 0 ? nullptr : std::make_unique<Pacer>(bytes_per_second);
}

std::unique_ptr<Transport> MakeTransport(const Listener& listener, int descriptor) {
  return listener.tls ? listener.tls->Connect(descriptor) : MakePlainTransport(descriptor);
}

HttpReply TextReply(int status, std::string text) {
  return {.status = status,
          .headers = {{"Content-Type", "text/plain"}},
          .body = std::move(text),
          .kind = "refused"};
}

HttpReply Guarded(const HttpHandler& handler, const HttpRequest& request) {
  try {
    return handler(request);
  } catch (const std::exception& error) {
    return TextReply(500, StrCat("handler failed: ", error.what(), "\n"));
  }
}

std::string_view OutcomeOf(bool sent, ReplyEnd end) {
  if (!sent) return "client_closed";
  switch (end) {
    case ReplyEnd::kTruncate:
      return "truncated";
    case ReplyEnd::kReset:
      return "reset";
    case ReplyEnd::kStall:
      return "stalled";
    default:
      return "complete";
  }
}

}  // namespace

Connection::Connection(asio::ip::tcp::socket socket, const Listener& listener,
                       asio::thread_pool& workers, ServerTotals& totals)
    : socket_(std::move(socket)),
      listener_(listener),
      workers_(workers),
      totals_(totals),
      id_(++totals.connections_total),
      transport_(MakeTransport(listener, socket_.native_handle())),
      pacer_(MakePacer(listener.options.shaping.bytes_per_second_per_connection)),
      timer_(socket_.get_executor()) {
  const Shaping& shaping = listener.options.shaping;
  if (shaping.round_trip_ms > 0) {
    slow_start_.emplace(std::chrono::milliseconds(shaping.round_trip_ms),
                        shaping.bytes_per_second_per_connection);
  }
  ++totals_.connections_open;
}

Connection::~Connection() {
  --totals_.connections_open;
}

asio::awaitable<void> Connection::Run() {
  boost::system::error_code ignored;
  socket_.non_blocking(true, ignored);
  socket_.set_option(asio::ip::tcp::no_delay(true), ignored);
  socket_.set_option(asio::socket_base::send_buffer_size(kSendBufferBytes), ignored);
  if (!co_await Handshake()) co_return;
  while (co_await ServeOne() == Next::kAnotherRequest) {
  }
}

asio::awaitable<bool> Connection::Handshake() {
  while (true) {
    const IoResult result = transport_->Handshake();
    if (result.outcome == Outcome::kDone) co_return true;
    if (!co_await WaitFor(result.outcome)) co_return false;
  }
}

asio::awaitable<Connection::Next> Connection::ServeOne() {
  std::optional<Result<RequestHead>> head = co_await ReadHead();
  if (!head) co_return Next::kEnd;
  HttpRequest nothing;
  if (!head->ok()) co_return co_await Refuse(std::move(nothing), head->status());

  HttpRequest& request = (*head)->request;
  request.connection_id = id_;
  request.request_id = ++totals_.requests;
  request.scheme = listener_.tls ? "https" : "http";
  request.host = std::string(request.Header("host"));
  if (request.host.empty()) request.host = listener_.bound_address;

  const std::optional<Status> body = co_await ReadBody(**head);
  if (!body) co_return Next::kEnd;
  if (!body->ok()) co_return co_await Refuse(std::move(request), *body);
  HttpReply reply = co_await Ask(request);
  co_return co_await Reply(request, std::move(reply), (*head)->keep_alive);
}

asio::awaitable<bool> Connection::ReadMore() {
  const size_t before = input_.size();
  const size_t room = before < kReadBytes ? kReadBytes : kBulkReadBytes;
  while (true) {
    input_.resize(before + room);
    const IoResult result = transport_->Read(std::span(input_).subspan(before));
    input_.resize(before + (result.outcome == Outcome::kDone ? result.num_bytes : 0));
    if (result.outcome == Outcome::kDone) {
      totals_.bytes_received += result.num_bytes;
      co_return true;
    }
    if (!co_await WaitFor(result.outcome)) co_return false;
  }
}

asio::awaitable<std::optional<Result<RequestHead>>> Connection::ReadHead() {
  size_t searched = 0;
  while (true) {
    // Some clients send an empty line behind a body.
    const size_t first = std::min(input_.find_first_not_of("\r\n"), input_.size());
    if (searched == 0 && first > 0) input_.erase(0, first);
    const size_t end = FindHeadEnd(input_, searched);
    if (end > 0 && end <= kMaxHeadBytes) {
      head_read_at_ = std::chrono::steady_clock::now();
      Result<RequestHead> head = ParseRequestHead(std::string_view(input_).substr(0, end));
      input_.erase(0, end);
      co_return head;
    }
    if (end > 0 || input_.size() > kMaxHeadBytes) {
      co_return Status::InvalidData("request head is too long").WithHttpStatus(431);
    }
    searched = input_.size();
    if (!co_await ReadMore()) co_return std::nullopt;
  }
}

asio::awaitable<std::optional<Status>> Connection::ReadBody(RequestHead& head) {
  const bool wants_body = head.chunked || head.content_length > 0;
  if (wants_body && head.expects_continue && input_.empty() && !co_await SendContinue()) {
    co_return std::nullopt;
  }
  std::string& body = head.request.body;
  if (head.chunked) co_return co_await ReadChunks(body);
  while (input_.size() < head.content_length) {
    if (!co_await ReadMore()) co_return std::nullopt;
  }
  if (input_.size() == head.content_length) {
    body = std::move(input_);
    input_.clear();
  } else {
    body = input_.substr(0, head.content_length);
    input_.erase(0, head.content_length);
  }
  co_return Status::Ok();
}

asio::awaitable<std::optional<Status>> Connection::ReadChunks(std::string& body) {
  ChunkedDecoder decoder;
  while (true) {
    const Result<size_t> used = decoder.Feed(input_, body);
    if (!used.ok()) co_return used.status();
    input_.erase(0, *used);
    if (decoder.done()) co_return Status::Ok();
    if (!co_await ReadMore()) co_return std::nullopt;
  }
}

asio::awaitable<bool> Connection::SendContinue() {
  const ReplyPlan plan{.head = "HTTP/1.1 100 Continue\r\n\r\n", .body = {}};
  ReplyCursor cursor(plan);
  co_return co_await Send(cursor, nullptr);
}

asio::awaitable<HttpReply> Connection::Ask(const HttpRequest& request) {
  const HttpHandler& handler = listener_.options.handler;
  if (listener_.options.inline_handler) co_return Guarded(handler, request);
  auto ask = [&handler, &request]() -> asio::awaitable<HttpReply> {
    co_return Guarded(handler, request);
  };
  co_return co_await asio::co_spawn(workers_, ask, asio::use_awaitable);
}

asio::awaitable<Connection::Next> Connection::Refuse(HttpRequest request, const Status& why) {
  if (request.request_id == 0) request.request_id = ++totals_.requests;
  request.connection_id = id_;
  const int status = why.http_status() == 0 ? 400 : why.http_status();
  co_return co_await Reply(request, TextReply(status, why.message() + "\n"), false);
}

asio::awaitable<Connection::Next> Connection::Reply(const HttpRequest& request, HttpReply reply,
                                                    bool keep_alive) {
  ExchangeObserver* const observer = listener_.options.observer;
  if (observer) observer->Answered(request, reply);
  const SteadyTime::duration delay = FirstByteDelay(request, reply.fault);
  if (delay.count() > 0) co_await SleepUntil(head_read_at_ + delay);

  const std::unique_ptr<Pacer> reply_pacer = MakePacer(reply.fault.bytes_per_second.value_or(0));
  const ReplyPlan plan = PlanReply(std::move(reply), {.head_only = request.method == "HEAD",
                                                      .keep_alive = keep_alive,
                                                      .now = std::chrono::system_clock::now()});
  ReplyCursor cursor(plan);
  const bool sent = co_await Send(cursor, reply_pacer.get());
  if (observer) {
    observer->Finished(request.request_id,
                       {.outcome = OutcomeOf(sent, plan.end), .bytes_sent = cursor.sent()});
  }
  if (!sent) co_return Next::kEnd;
  co_return co_await FinishReply(plan.end);
}

SteadyTime::duration Connection::FirstByteDelay(const HttpRequest& request,
                                                const ReplyFault& fault) {
  const Shaping& shaping = listener_.options.shaping;
  SteadyTime::duration delay = std::chrono::milliseconds(shaping.first_byte_ms + fault.delay_ms);
  // Opening the connection was one way there and back already, which this machine did in no time.
  if (std::exchange(is_new_, false)) delay += std::chrono::milliseconds(shaping.round_trip_ms);
  return delay + JitterOf({.seed = shaping.seed, .request_id = request.request_id},
                          std::chrono::milliseconds(shaping.jitter_ms));
}

asio::awaitable<bool> Connection::Send(ReplyCursor& cursor, Pacer* reply_pacer) {
  const bool paced = is_paced(reply_pacer);
  uint64_t granted = paced ? 0 : UINT64_MAX;
  uint64_t turn = 0;
  while (!cursor.done()) {
    if (granted == 0) granted = co_await NextGrant(cursor.remaining(), reply_pacer);
    const IoResult result = cursor.WriteTo(*transport_, std::min(granted, kTurnBytes));
    if (result.outcome != Outcome::kDone) {
      turn = 0;
      if (!co_await WaitFor(result.outcome)) co_return false;
      continue;
    }
    totals_.bytes_sent += result.num_bytes;
    if (paced) granted -= result.num_bytes;
    turn += result.num_bytes;
    if (turn >= kTurnBytes && !cursor.done()) {
      turn = 0;
      co_await asio::post(socket_.get_executor(), asio::use_awaitable);
    }
  }
  co_return true;
}

asio::awaitable<uint64_t> Connection::NextGrant(uint64_t remaining, Pacer* reply_pacer) {
  const std::array<Pacer*, 3> pacers = {reply_pacer, pacer_.get(), listener_.total_pacer.get()};
  uint64_t num_bytes = remaining;
  for (const Pacer* pacer : pacers) {
    if (pacer) num_bytes = std::min(num_bytes, pacer->quantum());
  }
  const SteadyTime now = std::chrono::steady_clock::now();
  SteadyTime moment = now;
  if (slow_start_ && !slow_start_->is_over()) {
    const SlowStart::Grant grant = slow_start_->Next(num_bytes, now);
    num_bytes = grant.num_bytes;
    moment = grant.moment;
  }
  for (Pacer* pacer : pacers) {
    if (pacer) moment = std::max(moment, pacer->Reserve(num_bytes, now));
  }
  if (moment > now) co_await SleepUntil(moment);
  co_return num_bytes;
}

asio::awaitable<Connection::Next> Connection::FinishReply(ReplyEnd end) {
  switch (end) {
    case ReplyEnd::kKeepAlive:
      co_return Next::kAnotherRequest;
    case ReplyEnd::kStall:
      co_await ReadUntilClosed();
      break;
    case ReplyEnd::kReset:
      co_await WaitUntilSent();
      ResetNow();
      break;
    case ReplyEnd::kClose:
    case ReplyEnd::kTruncate:
      co_await CloseOrderly();
      break;
  }
  co_return Next::kEnd;
}

asio::awaitable<bool> Connection::WaitFor(Outcome outcome) {
  if (outcome == Outcome::kClosed) co_return false;
  const auto direction =
      outcome == Outcome::kWantRead ? asio::socket_base::wait_read : asio::socket_base::wait_write;
  boost::system::error_code error;
  co_await socket_.async_wait(direction, asio::redirect_error(asio::use_awaitable, error));
  co_return !error;
}

asio::awaitable<void> Connection::SleepUntil(SteadyTime moment) {
  timer_.expires_at(moment);
  boost::system::error_code ignored;
  co_await timer_.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
}

// A reset throws away what the kernel has not sent yet, and the client should see all bytes before
// it: with this option the descriptor counts as writable only when nothing is left to send.
asio::awaitable<void> Connection::WaitUntilSent() {
  const int lowest = 1;
  ::setsockopt(socket_.native_handle(), IPPROTO_TCP, TCP_NOTSENT_LOWAT, &lowest, sizeof(lowest));
  co_await WaitFor(Outcome::kWantWrite);
}

// Below TLS: nobody looks at these bytes any more.
asio::awaitable<void> Connection::ReadUntilClosed() {
  std::array<char, 4096> rest;
  const auto plain = MakePlainTransport(socket_.native_handle());
  while (true) {
    const IoResult result = plain->Read(rest);
    if (result.outcome != Outcome::kDone && !co_await WaitFor(result.outcome)) co_return;
  }
}

asio::awaitable<void> Connection::CloseOrderly() {
  transport_->FinishWriting();
  ::shutdown(socket_.native_handle(), SHUT_WR);
  // The timer may have fired already when this connection goes: its call then finds nobody.
  const auto self = std::make_shared<Connection*>(this);
  timer_.expires_after(kFarewell);
  timer_.async_wait([weak = std::weak_ptr(self)](const boost::system::error_code& error) {
    const auto connection = weak.lock();
    if (!error && connection) (*connection)->ResetNow();
  });
  co_await ReadUntilClosed();
  timer_.cancel();
}

void Connection::ResetNow() {
  boost::system::error_code ignored;
  socket_.set_option(asio::socket_base::linger(true, 0), ignored);
  socket_.close(ignored);
}

}  // namespace dbx::local
