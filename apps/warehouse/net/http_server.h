// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/status.h"

namespace dbx::local {

using HeaderList = std::vector<std::pair<std::string, std::string>>;

struct HttpRequest {
  std::string method = {};
  std::string path = {};   ///< as sent, without the query
  std::string query = {};  ///< as sent, without '?'
  HeaderList headers = {};
  std::string body = {};
  std::string scheme = {};  ///< "http" or "https": how this client came
  std::string host = {};  ///< its Host header, else the listener's address: links are built from it
  uint64_t connection_id = 0;
  uint64_t request_id = 0;

  /// Value of the first header of that name in any case, or empty.
  std::string_view Header(std::string_view name) const;
};

/// Bytes that stay alive and unchanged while someone holds `owner`; several in a row make a body.
struct SharedBytes {
  std::shared_ptr<const void> owner = {};
  std::span<const uint8_t> bytes = {};
  /// When not negative: an open file that holds the same bytes from `file_offset` on and lives as
  /// long as `owner`. Plain connections then hand its pages to the kernel and touch no byte.
  int file = -1;
  uint64_t file_offset = 0;
};

/// What goes wrong, or slowly, with one reply. Everything off by default. A position beyond the
/// body's end is taken modulo the body's length, so that one drawn at random always falls inside.
struct ReplyFault {
  uint32_t delay_ms = 0;                        ///< before the first byte of the head
  std::optional<uint64_t> reset_after = {};     ///< TCP reset after that many body bytes
  std::optional<uint64_t> truncate_after = {};  ///< orderly close after that many body bytes
  std::optional<uint64_t> stall_after =
      {};  ///< nothing more after that many body bytes, connection open
  std::optional<int64_t> content_length_delta = {};  ///< added to the true Content-Length
  std::optional<uint64_t> corrupt_at = {};           ///< that body byte is flipped
  std::optional<uint64_t> bytes_per_second = {};     ///< rate of this body
};

struct HttpReply {
  int status = 200;
  HeaderList headers = {};  ///< without Content-Length, Date, Connection: the server adds those
  std::string body = {};    ///< used when `parts` is empty
  std::vector<SharedBytes> parts = {};
  ReplyFault fault = {};
  std::string kind =
      {};  ///< a word for the log and the counters, such as "storage.get"; never sent
};

/// Answers requests. Called on worker threads, several at once; may block.
using HttpHandler = std::function<HttpReply(const HttpRequest&)>;

/// Shape of every connection of a listener. Zero: off, at no cost.
struct Shaping {
  uint32_t first_byte_ms = 0;
  uint64_t bytes_per_second_per_connection = 0;
  uint64_t bytes_per_second_total = 0;
  /// Simulated way: a new connection's first reply comes so much later, and its window opens from
  /// ten segments on, twice as far in each round trip.
  uint32_t round_trip_ms = 0;
  uint32_t jitter_ms =
      0;  ///< the first byte comes up to so much earlier or later, by `seed` and request
  uint64_t seed = 0;
};

/// How an exchange ended.
struct ExchangeEnd {
  std::string_view outcome =
      {};                   ///< "complete", "truncated", "reset", "stalled" or "client_closed"
  uint64_t bytes_sent = 0;  ///< head and body, as handed to the kernel
};

/// Told of each request twice, on I/O threads: before the first byte of its reply is sent, and when
/// all is over. A stop of the server leaves out the second. Must not block.
class ExchangeObserver {
 public:
  virtual ~ExchangeObserver() = default;
  virtual void Answered(const HttpRequest& request, const HttpReply& reply) = 0;
  virtual void Finished(uint64_t request_id, const ExchangeEnd& end) = 0;
};

struct ServerCounters {
  uint64_t connections_open = 0;
  uint64_t connections_total = 0;
  uint64_t bytes_received = 0;  ///< of requests, as read (after TLS)
  uint64_t bytes_sent = 0;      ///< of replies, as written (before TLS)
};

struct ListenerOptions {
  std::string address = "127.0.0.1:0";
  std::string tls_certificate_file = {};  ///< PEM; empty: plain HTTP
  std::string tls_key_file = {};
  Shaping shaping = {};
  /// True: the handler never blocks and runs on the I/O thread (storage). False: on the worker
  /// pool.
  bool inline_handler = false;
  HttpHandler handler = {};
  ExchangeObserver* observer = nullptr;  ///< outlives the server when set
};

/// HTTP/1.1 with keep-alive on any number of listeners. Bodies go straight to the descriptor. All
/// methods from any thread but the server's own.
class HttpServer {
 public:
  virtual ~HttpServer() = default;  ///< stops
  static std::unique_ptr<HttpServer> Make(int io_threads, int worker_threads);

  /// Returns the port in use. Any time before or after Start. Errors: kInvalidArgument (address,
  /// certificate or key), kIo (the port is taken).
  virtual Result<uint16_t> Listen(ListenerOptions options) = 0;
  virtual void Start() = 0;
  /// Ends all connections and joins all threads. Handlers that wait must be woken by their owner
  /// first.
  virtual void Stop() = 0;
  virtual ServerCounters counters() const = 0;
};

}  // namespace dbx::local
