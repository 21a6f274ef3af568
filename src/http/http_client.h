// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "base/cancellation.h"
#include "base/secret.h"
#include "base/status.h"

namespace dbx {

struct HttpHeader {
  std::string name;
  Secret value;  ///< all values are handled as secrets: any may be a key
};

enum class HttpMethod : uint8_t { kGet, kPost, kPut, kDelete };

struct HttpRequest {
  HttpMethod method = HttpMethod::kGet;
  SecretUrl url;  ///< requested byte for byte
  std::vector<HttpHeader> headers;
  std::string body;
  /// From start to the last byte, time spent paused left out; zero: none.
  std::chrono::milliseconds timeout{0};
  /// Without a single byte in either direction, connecting included; zero: none.
  std::chrono::milliseconds stall_timeout{0};
};

/// Status line and headers, before the body.
struct HttpResponseHead {
  int status = 0;
  std::vector<std::pair<std::string, std::string>> headers;
  std::optional<int64_t> content_length;

  /// Value of the first header of that name in any case, or empty.
  std::string_view Header(std::string_view name) const;
};

struct HttpResponse {
  HttpResponseHead head;
  std::string body;
  bool IsSuccess() const { return head.status >= 200 && head.status < 300; }
};

/// Gets a transfer's news on the client's own thread: must not block, must not call Cancel on its
/// own transfer.
class HttpObserver {
 public:
  virtual ~HttpObserver() = default;
  /// Once, before the first body byte. False ends the transfer (OnDone follows with kCancelled).
  virtual bool OnHead(const HttpResponseHead& head) = 0;
  /// A piece of the body, in order, valid during the call. kPause: the same bytes are offered again
  /// after HttpTransfer::Resume, perhaps with more behind them; nothing else arrives meanwhile and
  /// no timeout runs.
  enum class Flow : uint8_t { kContinue, kPause, kEnd };
  virtual Flow OnBody(Bytes piece) = 0;
  /// Exactly once, last. Ok: the body came whole, as its length or framing says; the HTTP status
  /// may be any. Errors, whose messages name host and cause; those of the first three may pass, the
  /// others will not:
  ///   kUnavailable      surely no byte of the request was sent (connecting, DNS, TLS, proxy busy)
  ///   kIo               the request may have been executed: reset, cut short, closed without an
  ///   answer kTimeout          the same, and time is up kCancelled        by Cancel, by the
  ///   observer, or by the client's end kNotFound         no such host (a host that was reached
  ///   before gives kUnavailable) kInvalidArgument  the URL or a header cannot be sent; the
  ///   server's TLS certificate is not trusted kUnauthenticated, kUnauthorized   the proxy refuses
  ///   kInvalidData      what answers does not speak HTTP
  virtual void OnDone(const Status& status) = 0;
};

/// A request on its way. Destroying it cancels; after the destructor the observer is not called any
/// more. The destructor waits for a call of the observer that is running (so hold no lock that the
/// observer takes), except on the client's own thread: there it returns at once, and an OnDone that
/// is due is dropped. May outlive its client. All methods from any thread.
class HttpTransfer {
 public:
  virtual ~HttpTransfer() = default;
  virtual void Resume() = 0;
  /// Closes the socket at once. Returns without waiting; OnDone follows with kCancelled if it has
  /// not been called.
  virtual void Cancel() = 0;
};

/// Sends requests, none of them twice. All methods from any thread. HTTP/1.1, connections kept and
/// used again, TLS 1.2 or newer, no redirects followed.
class HttpClient {
 public:
  virtual ~HttpClient() = default;

  /// Starts a request whose answer `observer` (which outlives the transfer) is told of.
  virtual std::unique_ptr<HttpTransfer> Start(HttpRequest request, HttpObserver* observer) = 0;

  /// Sends a request and waits for the whole answer, whatever its status; the body may hold
  /// `max_body_bytes` at most. Errors: those of OnDone; the reason of `cancellation` (may be null)
  /// as soon as it is cancelled.
  Result<HttpResponse> Call(HttpRequest request, Cancellation* cancellation,
                            int64_t max_body_bytes = int64_t{1} << 31);
};

}  // namespace dbx
