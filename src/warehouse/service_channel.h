// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <string>
#include <string_view>

#include "base/cancellation.h"
#include "base/secret.h"
#include "base/status.h"
#include "http/http_client.h"
#include "http/retry.h"
#include "warehouse/session.h"

namespace dbx {

/// How one kind of call is sent.
struct CallRules {
  std::string_view name;  ///< in messages and the log
  Repeatable repeatable = Repeatable::kAlways;
  /// For one attempt; zero: the configured time-out of a request.
  std::chrono::milliseconds timeout{0};
  /// Time for all attempts together; zero: the configured budget.
  std::chrono::milliseconds budget{0};
};

/// Where `path_and_query` of the service is: "https://host/path?query", with the port where it is
/// not the scheme's own.
SecretUrl UrlOnHost(const EndpointConfig& endpoint, std::string_view path_and_query);

/// Sends requests with credentials to the service: retries by the call's rules, one fresh
/// credential after a 401. Methods from any thread. What the context points to outlives this.
class ServiceChannel {
 public:
  /// `protocol` stands in the User-Agent, such as "Thrift".
  ServiceChannel(const SessionContext& context, std::string_view protocol);

  /// A request with the headers that all have.
  HttpRequest NewRequest(HttpMethod method, SecretUrl url, std::string_view media_type,
                         const CallRules& rules) const;

  /// The answer, whatever its HTTP status. `cancellation` may be null. Errors: those of
  /// HttpClient::Call. Until the host has answered once, a failure of the network is final: a wrong
  /// name must not take the whole budget.
  Result<HttpResponse> Send(const CallRules& rules, const HttpRequest& request,
                            Cancellation* cancellation);

 private:
  Result<HttpResponse> SendOnce(const HttpRequest& request, Cancellation* cancellation);
  Result<HttpResponse> SendUntilAnswered(const RetryPolicy& policy, const CallRules& rules,
                                         const HttpRequest& request, Cancellation* cancellation);
  Status Authorize(HttpRequest& request, Cancellation* cancellation);
  RetryPolicy PolicyFor(const CallRules& rules) const;

  const SessionContext context_;
  const std::string user_agent_;
  std::atomic<bool> answered_{false};
};

}  // namespace dbx
