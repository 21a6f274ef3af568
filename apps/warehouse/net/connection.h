// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/thread_pool.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "net/http_server.h"
#include "net/pacer.h"
#include "net/reply_plan.h"
#include "net/request_parser.h"
#include "net/slow_start.h"
#include "net/transport.h"

namespace dbx::local {

namespace asio = boost::asio;

/// What all connections of a server count together.
struct ServerTotals {
  std::atomic<uint64_t> connections_open = 0;
  std::atomic<uint64_t> connections_total = 0;
  std::atomic<uint64_t> requests = 0;
  std::atomic<uint64_t> bytes_received = 0;
  std::atomic<uint64_t> bytes_sent = 0;
};

/// A listening address and what its connections share. Set once before the first connection.
struct Listener {
  ListenerOptions options;
  std::string bound_address;           ///< "127.0.0.1:8443"
  std::unique_ptr<TlsContext> tls;     ///< null: plain
  std::unique_ptr<Pacer> total_pacer;  ///< null: no limit
};

/// One client's connection from accept to close. Lives on one I/O thread.
class Connection {
 public:
  /// The references outlive this.
  Connection(asio::ip::tcp::socket socket, const Listener& listener, asio::thread_pool& workers,
             ServerTotals& totals);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  /// Serves requests until either side ends it. Ends without an error whatever happens.
  asio::awaitable<void> Run();

 private:
  enum class Next : uint8_t { kAnotherRequest, kEnd };

  asio::awaitable<bool> Handshake();
  asio::awaitable<Next> ServeOne();

  // Reading. False, or no value: the client has gone.
  asio::awaitable<bool> ReadMore();
  asio::awaitable<std::optional<Result<RequestHead>>> ReadHead();
  asio::awaitable<std::optional<Status>> ReadBody(RequestHead& head);
  asio::awaitable<std::optional<Status>> ReadChunks(std::string& body);
  asio::awaitable<bool> SendContinue();

  asio::awaitable<HttpReply> Ask(const HttpRequest& request);
  asio::awaitable<Next> Reply(const HttpRequest& request, HttpReply reply, bool keep_alive);
  asio::awaitable<Next> Refuse(HttpRequest request, const Status& why);
  asio::awaitable<bool> Send(ReplyCursor& cursor, Pacer* reply_pacer);
  asio::awaitable<uint64_t> NextGrant(uint64_t remaining, Pacer* reply_pacer);
  asio::awaitable<Next> FinishReply(ReplyEnd end);

  /// False: the wait failed, or the outcome is an end.
  asio::awaitable<bool> WaitFor(IoResult::Outcome outcome);
  asio::awaitable<void> SleepUntil(SteadyTime moment);
  asio::awaitable<void> WaitUntilSent();
  asio::awaitable<void> ReadUntilClosed();
  asio::awaitable<void> CloseOrderly();
  void ResetNow();

  bool is_paced(const Pacer* reply_pacer) const {
    return reply_pacer != nullptr || pacer_ != nullptr || listener_.total_pacer != nullptr ||
           (slow_start_ && !slow_start_->is_over());
  }
  /// From the request to the first byte of its reply.
  SteadyTime::duration FirstByteDelay(const HttpRequest& request, const ReplyFault& fault);

  asio::ip::tcp::socket socket_;
  const Listener& listener_;
  asio::thread_pool& workers_;
  ServerTotals& totals_;
  const uint64_t id_;
  const std::unique_ptr<Transport> transport_;
  const std::unique_ptr<Pacer> pacer_;  // null: no limit
  std::optional<SlowStart> slow_start_;
  bool is_new_ = true;  // nothing was answered yet
  asio::steady_timer timer_;
  std::string input_;        // read and not yet used
  SteadyTime head_read_at_;  // of the request that is being served
};

}  // namespace dbx::local
