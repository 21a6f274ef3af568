// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

#include "base/cancellation.h"
#include "base/clock.h"
#include "base/log.h"
#include "http/http_client.h"

namespace dbx {

/// Budgets run from the first attempt's start and hold the next wait too; milliseconds::max():
/// without end.
struct RetryPolicy {
  std::chrono::milliseconds first_delay{500};
  std::chrono::milliseconds max_delay{32'000};
  std::chrono::milliseconds budget{900'000};             ///< for 408, 5xx and the network
  std::chrono::milliseconds rate_limit_budget{120'000};  ///< for 429
  int32_t max_attempts = 0;                              ///< 0: as many as the budget allows
};

/// What the other side may have done with a request that failed.
enum class Repeatable : uint8_t {
  kAlways,         ///< reads, closes, status: sending it twice does no harm
  kOnlyIfNotSent,  ///< statements: again only when it surely did not reach the service or was
                   ///< refused unexecuted
};

/// What to do about one failed attempt.
struct RetryDecision {
  bool retry = false;
  std::chrono::milliseconds delay{0};
};

/// Keeps count of the attempts at one request. Again are tried
///   kAlways:         408, 429, 500, 502, 503, 504; kUnavailable, kIo and kTimeout of the network
///   kOnlyIfNotSent:  429; 503 with a Retry-After, by which the service says that it refused;
///   kUnavailable
/// Delays double from `first_delay` with ±20 % jitter; a Retry-After
/// (seconds or HTTP date) is the least delay. `seed` makes the jitter repeatable in tests.
class RetryState {
 public:
  RetryState(const RetryPolicy& policy, Repeatable repeatable, const Clock& clock, uint64_t seed);
  RetryDecision OnFailure(const Status& failure);
  RetryDecision OnResponse(const HttpResponseHead& head);
  int32_t attempts() const { return attempts_; }

 private:
  RetryDecision Decide(std::chrono::milliseconds least_delay, std::chrono::milliseconds budget);

  const RetryPolicy policy_;
  const Repeatable repeatable_;
  const Clock& clock_;
  const SteadyTime start_;
  uint64_t random_;
  int32_t attempts_ = 0;
  std::chrono::milliseconds next_delay_;
};

/// `client.Call` with retries by `policy`. `prepare`, if given, is called before each attempt (to
/// put fresh credentials into the headers). The answer of the last attempt is returned as it came.
/// The waits end at once, with the reason, when `cancellation` (may be null) is cancelled.
Result<HttpResponse> CallWithRetry(HttpClient& client, const HttpRequest& request,
                                   const RetryPolicy& policy, Repeatable repeatable,
                                   Cancellation* cancellation, const Log& log,
                                   const std::function<Status(HttpRequest&)>& prepare = {},
                                   const Clock& clock = Clock::Real());

/// Seconds or an HTTP date of a Retry-After header as a length from `now`; nullopt when absent or
/// senseless.
std::optional<std::chrono::milliseconds> ParseRetryAfter(std::string_view value, WallTime now);

/// The status for an answer that is no success: code by HTTP status, the service's text from the
/// known headers (x-thriftserver-error-message, x-databricks-error-or-redirect-message,
/// x-databricks-reason-phrase) or from a JSON body's message (an XML body's Code and Message), cut
/// to a sane length and free of secrets. Of HTML the first words of text.
///   401 kUnauthenticated, 403 kUnauthorized, 404 kNotFound, 408 and 504 kTimeout, 429, 502 and 503
///   kUnavailable, 400 that tells of an invalid session handle kInvalidState with session_lost(),
///   else kIo.
/// `http_status()` is set, `error_class()` too when the body has an error code (as "ExpiredToken").
Status ToStatus(const HttpResponse& response, const SecretUrl& url);

}  // namespace dbx
