// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <string_view>

#include "base/cancellation.h"
#include "base/status.h"
#include "warehouse/service_channel.h"
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
  Status Exchange(const CallRules& rules, const apache::thrift::TBase& request,
                  apache::thrift::TBase* response, Cancellation* cancellation);

  ServiceChannel channel_;
  const SecretUrl url_;
  std::atomic<int32_t> next_sequence_id_{1};
};

/// Where the service of `endpoint` is, such as "https://host/sql/1.0/warehouses/1?o=2".
SecretUrl ServiceUrl(const EndpointConfig& endpoint);

}  // namespace dbx::thrift
