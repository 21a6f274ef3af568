// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/cancellation.h"
#include "base/status.h"
#include "http/http_client.h"
#include "http/retry.h"
#include "warehouse/session.h"
#include "warehouse/thrift/thrift_types.h"

namespace dbx::thrift {

/// Calls the service over HTTP: one POST a call, with retries by the method's rule and one fresh
/// credential after a 401. Methods from any thread. What the context points to outlives this.
class ThriftClient {
 public:
  explicit ThriftClient(const SessionContext& context);

  /// The reply, whatever its own status says. `cancellation` may be null.
  /// Errors: those of HttpClient::Call and of DecodeReply; `ToStatus` of an HTTP answer that is no
  /// success. Until the host has answered once, a failure of the network is final: a wrong name
  /// must not take the whole budget.
  template <typename Request, typename Response>
  Result<Response> Call(const Method<Request, Response>& method, const Request& request,
                        Cancellation* cancellation) {
    Response response;
    RETURN_IF_ERROR(Exchange({method.name, method.repeatable, method.timeout, method.budget},
                             request, &response, cancellation));
    return response;
  }

 private:
  struct CallRules {
    std::string_view name;
    Repeatable repeatable;
    std::chrono::milliseconds timeout;
    std::chrono::milliseconds budget;
  };

  Status Exchange(const CallRules& rules, const apache::thrift::TBase& request,
                  apache::thrift::TBase* response, Cancellation* cancellation);
  HttpRequest MakeRequest(const CallRules& rules, std::string body) const;
  Result<HttpResponse> Send(const CallRules& rules, const HttpRequest& request,
                            Cancellation* cancellation);
  Result<HttpResponse> SendOnce(const HttpRequest& request, Cancellation* cancellation);
  Result<HttpResponse> SendUntilAnswered(const RetryPolicy& policy, const CallRules& rules,
                                         const HttpRequest& request, Cancellation* cancellation);
  Status Authorize(HttpRequest& request, Cancellation* cancellation);
  RetryPolicy PolicyFor(const CallRules& rules) const;

  const SessionContext context_;
  const SecretUrl url_;
  const std::string user_agent_;
  std::atomic<int32_t> next_sequence_id_{1};
  std::atomic<bool> answered_{false};
};

/// Where the service of `endpoint` is, such as "https://host/sql/1.0/warehouses/1?o=2".
SecretUrl ServiceUrl(const EndpointConfig& endpoint);

}  // namespace dbx::thrift
