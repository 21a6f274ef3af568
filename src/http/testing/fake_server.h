// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "base/mutex.h"

namespace dbx {

/// Holds an answer back until the test opens it. Once open it stays open. All methods from any
/// thread.
class FakeGate {
 public:
  FakeGate();
  ~FakeGate();
  FakeGate(const FakeGate&) = delete;
  FakeGate& operator=(const FakeGate&) = delete;

  void Open();
  /// Readable once the gate is open.
  int fd() const { return fd_; }

 private:
  const int fd_;
};

/// What a client sent.
struct FakeRequest {
  std::string method;
  std::string target;                                        ///< byte for byte, with the query
  std::string path;                                          ///< `target` without the query
  std::vector<std::pair<std::string, std::string>> headers;  ///< in the order of the wire
  std::string body;
  int connection = 0;  ///< 0-based, in the order of acceptance
  int repeat = 0;      ///< how many requests for `path` came before this one

  /// Value of the first header of that name in any case, or empty.
  std::string_view Header(std::string_view name) const;
  bool HasHeader(std::string_view name) const;
};

/// What the server answers, and what goes wrong on the way.
struct FakeAnswer {
  enum class Framing : uint8_t { kLength, kChunked, kUntilClose };
  static constexpr int64_t kNever = INT64_MAX;
  static constexpr int64_t kBeforeHead = -1;

  int status = 200;
  std::vector<std::pair<std::string, std::string>> headers = {};
  std::string body = {};
  Framing framing = Framing::kLength;
  int64_t stated_length = -1;  ///< Content-Length that lies; -1: the true one
  /// Each of these takes place after so many bytes of the body, or kBeforeHead (no byte is
  /// answered).
  int64_t reset_after = kNever;  ///< resets the connection
  int64_t cut_after = kNever;    ///< closes the connection in good order
  int64_t gate_after = kNever;   ///< waits until `gate` is open (or the client goes away)
  std::shared_ptr<FakeGate> gate = {};
};

/// `whole` as storage serves it: 206 with Content-Range for "Range: bytes=a-[b]", 416 past the end,
/// else 200.
FakeAnswer FakeFile(const FakeRequest& request, std::string_view whole);

struct FakeServerOptions {
  bool tls = false;
  std::string certificate_host = "127.0.0.1";  ///< name or address in the certificate
  bool only_tls_1_1 = false;
};

/// An HTTP/1.1 server in this process, on 127.0.0.1, on a port that the system picks, for tests.
///
/// Answers by path (without the query); other paths get 404. A thread a connection, connections are
/// kept alive. Handlers run on those threads, several at once. Set-up and questions from any
/// thread, at any time. The destructor breaks every connection, closed gates or not, and joins.
class FakeServer {
 public:
  using Handler = std::function<FakeAnswer(const FakeRequest&)>;

  explicit FakeServer(const FakeServerOptions& options = {});
  ~FakeServer();
  FakeServer(const FakeServer&) = delete;
  FakeServer& operator=(const FakeServer&) = delete;

  /// Every request for `path` gets `answer`.
  void Serve(std::string path, FakeAnswer answer);
  /// The n-th request for `path` gets the n-th answer; the last one stays.
  void ServeInOrder(std::string path, std::vector<FakeAnswer> answers);
  void Handle(std::string path, Handler handler);
  /// For all paths that nothing else was said of.
  void HandleOthers(Handler handler);

  int port() const { return port_; }
  /// "http://127.0.0.1:port" + `target`, or https.
  std::string Url(std::string_view target) const;
  /// PEM file of the authority that signed the server's certificate; lives as long as the server.
  const std::string& ca_file() const { return ca_file_; }

  std::vector<FakeRequest> requests() const EXCLUDES(mutex_);
  int num_requests() const EXCLUDES(mutex_);
  int num_requests(std::string_view path) const EXCLUDES(mutex_);
  int num_connections() const EXCLUDES(mutex_);
  /// Connections that are over, whoever ended them.
  int num_closed_connections() const EXCLUDES(mutex_);

  /// Wait until so many have come (or closed) in all. False after 30 seconds, which is a failed
  /// test.
  bool WaitForRequests(int count) const EXCLUDES(mutex_);
  bool WaitForConnections(int count) const EXCLUDES(mutex_);
  bool WaitForClosedConnections(int count) const EXCLUDES(mutex_);

 private:
  class Connection;
  struct Tls;

  void Accept();
  void RunConnection(int socket, int number);
  void Converse(Connection& connection, int number);
  FakeAnswer Answer(FakeRequest& request) EXCLUDES(mutex_);
  bool WaitFor(int FakeServer::* counter, int count) const EXCLUDES(mutex_);

  // Set once.
  std::unique_ptr<Tls> tls_;
  std::string ca_file_;
  int port_ = 0;
  int listener_ = -1;
  FakeGate stop_;

  mutable Mutex mutex_;
  mutable Condition changed_;
  bool stopping_ GUARDED_BY(mutex_) = false;
  std::map<std::string, Handler, std::less<>> handlers_ GUARDED_BY(mutex_);
  Handler others_ GUARDED_BY(mutex_);
  std::map<std::string, int, std::less<>> repeats_ GUARDED_BY(mutex_);
  std::vector<FakeRequest> requests_ GUARDED_BY(mutex_);
  int num_requests_ GUARDED_BY(mutex_) = 0;
  int num_connections_ GUARDED_BY(mutex_) = 0;
  int num_closed_ GUARDED_BY(mutex_) = 0;
  std::vector<int> sockets_ GUARDED_BY(mutex_);  // open ones, to break them at the end
  std::vector<std::thread> connections_ GUARDED_BY(mutex_);

  std::thread acceptor_;
};

/// A port of 127.0.0.1 where connecting neither succeeds nor fails.
class FakeBlackHole {
 public:
  FakeBlackHole();
  ~FakeBlackHole();
  FakeBlackHole(const FakeBlackHole&) = delete;
  FakeBlackHole& operator=(const FakeBlackHole&) = delete;

  std::string Url(std::string_view target) const;

 private:
  int port_ = 0;
  std::vector<int> sockets_;
};

}  // namespace dbx
