// SPDX-License-Identifier: Apache-2.0
#include "warehouse/service_channel.h"

#include <algorithm>
#include <utility>

#include "base/clock.h"
#include "base/str_cat.h"

namespace dbx {
namespace {

std::string UserAgent(const HttpConfig& http, std::string_view protocol) {
  std::string agent = StrCat("cloudfetch-adbc/", DBX_VERSION, " ", protocol);
  if (!http.user_agent_entry.empty()) agent += StrCat(" (", http.user_agent_entry, ")");
  return agent;
}

bool IsDefaultPort(const EndpointConfig& endpoint) {
  return endpoint.port == (endpoint.tls ? 443 : 80) || endpoint.port == 0;
}

}  // namespace

SecretUrl UrlOnHost(const EndpointConfig& endpoint, std::string_view path_and_query) {
  const bool bare_ipv6 =
      endpoint.host.find(':') != std::string::npos && endpoint.host.front() != '[';
  std::string url = StrCat(endpoint.tls ? "https://" : "http://", bare_ipv6 ? "[" : "",
                           endpoint.host, bare_ipv6 ? "]" : "");
  if (!IsDefaultPort(endpoint)) url += StrCat(":", endpoint.port);
  if (!path_and_query.starts_with('/')) url += '/';
  url += path_and_query;
  return SecretUrl(std::move(url));
}

ServiceChannel::ServiceChannel(const SessionContext& context, std::string_view protocol)
    : context_(context), user_agent_(UserAgent(context.config->http, protocol)) {}

HttpRequest ServiceChannel::NewRequest(HttpMethod method, SecretUrl url,
                                       std::string_view media_type, const CallRules& rules) const {
  HttpRequest request;
  request.method = method;
  request.url = std::move(url);
  request.timeout =
      rules.timeout.count() > 0 ? rules.timeout : context_.config->http.request_timeout;
  const auto add = [&request](std::string_view name, std::string_view value) {
    request.headers.push_back({std::string(name), Secret(std::string(value))});
  };
  add("Content-Type", media_type);
  add("Accept", media_type);
  add("Accept-Encoding", "identity");
  add("User-Agent", user_agent_);
  if (!context_.config->endpoint.org_id.empty()) {
    add("x-databricks-org-id", context_.config->endpoint.org_id);
  }
  return request;
}

Result<HttpResponse> ServiceChannel::Send(const CallRules& rules, const HttpRequest& request,
                                          Cancellation* cancellation) {
  Result<HttpResponse> answer = [&] {
    const RetryPolicy policy = PolicyFor(rules);
    if (!answered_) return SendUntilAnswered(policy, rules, request, cancellation);
    return CallWithRetry(
        *context_.http, request, policy, rules.repeatable, cancellation, context_.log,
        [this, cancellation](HttpRequest& attempt) { return Authorize(attempt, cancellation); });
  }();
  if (!answer.ok()) return answer.status().WithContext(rules.name);
  answered_ = true;
  // A refused call has not run, whatever it is: it may go out again with a fresh credential, once.
  if (answer->head.status != 401 || !context_.auth->OnRefused()) return answer;
  return SendOnce(request, cancellation);
}

Result<HttpResponse> ServiceChannel::SendOnce(const HttpRequest& request,
                                              Cancellation* cancellation) {
  HttpRequest attempt = request;
  RETURN_IF_ERROR(Authorize(attempt, cancellation));
  return context_.http->Call(std::move(attempt), cancellation);
}

Result<HttpResponse> ServiceChannel::SendUntilAnswered(const RetryPolicy& policy,
                                                       const CallRules& rules,
                                                       const HttpRequest& request,
                                                       Cancellation* cancellation) {
  const auto seed = static_cast<uint64_t>(Clock::Real().Now().time_since_epoch().count());
  RetryState retries(policy, rules.repeatable, Clock::Real(), seed);
  Cancellation never;
  bool answered = false;
  while (true) {
    Result<HttpResponse> answer = SendOnce(request, cancellation);
    if (!answer.ok() && !answered) return answer;
    if (answer.ok() && answer->IsSuccess()) return answer;
    answered = true;
    const RetryDecision decision =
        answer.ok() ? retries.OnResponse(answer->head) : retries.OnFailure(answer.status());
    if (!decision.retry) return answer;
    context_.log.Write(LogLevel::kInfo, "service.retry",
                       {{"method", rules.name}, {"delay_ms", decision.delay.count()}});
    RETURN_IF_ERROR((cancellation ? cancellation : &never)->WaitFor(decision.delay));
  }
}

Status ServiceChannel::Authorize(HttpRequest& request, Cancellation* cancellation) {
  ASSIGN_OR_RETURN(Secret value, context_.auth->AuthorizationHeader(cancellation));
  std::erase_if(request.headers,
                [](const HttpHeader& header) { return header.name == "Authorization"; });
  request.headers.push_back({"Authorization", std::move(value)});
  return Status::Ok();
}

RetryPolicy ServiceChannel::PolicyFor(const CallRules& rules) const {
  const RetryConfig& retry = context_.config->retry;
  RetryPolicy policy{.first_delay = retry.first_delay,
                     .max_delay = retry.max_delay,
                     .budget = retry.budget,
                     .rate_limit_budget = retry.rate_limit_budget,
                     .max_attempts = retry.max_attempts};
  if (rules.budget.count() > 0) {
    policy.budget = std::min(policy.budget, rules.budget);
    policy.rate_limit_budget = std::min(policy.rate_limit_budget, rules.budget);
  }
  return policy;
}

}  // namespace dbx
