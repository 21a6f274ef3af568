// SPDX-License-Identifier: Apache-2.0
#include "warehouse/thrift/thrift_client.h"

#include <limits>
#include <utility>

#include "base/str_cat.h"
#include "wire/thrift_codec.h"

namespace dbx::thrift {
namespace {

constexpr std::string_view kContentType = "application/x-thrift";

}  // namespace

SecretUrl ServiceUrl(const EndpointConfig& endpoint) {
  std::string path = endpoint.http_path;
  // A cluster's path names the organisation already.
  if (!endpoint.is_cluster() && !endpoint.org_id.empty()) path += StrCat("?o=", endpoint.org_id);
  return UrlOnHost(endpoint, path);
}

ThriftClient::ThriftClient(const SessionContext& context)
    : channel_(context, "Thrift"), url_(ServiceUrl(context.config->endpoint)) {}

Status ThriftClient::Exchange(const CallRules& rules, const apache::thrift::TBase& request,
                              apache::thrift::TBase* response, Cancellation* cancellation) {
  int32_t sequence_id = next_sequence_id_.fetch_add(1);
  if (sequence_id < 0) sequence_id &= std::numeric_limits<int32_t>::max();
  ASSIGN_OR_RETURN(std::string body, EncodeCall(rules.name, sequence_id, request));
  HttpRequest call = channel_.NewRequest(HttpMethod::kPost, url_, kContentType, rules);
  call.body = std::move(body);
  ASSIGN_OR_RETURN(const HttpResponse answer, channel_.Send(rules, call, cancellation));
  if (!answer.IsSuccess()) return ToStatus(answer, url_).WithContext(rules.name);
  const Status status = DecodeReply(rules.name, sequence_id, answer.body, response);
  return status.ok() ? status : status.WithHttpStatus(answer.head.status);
}

}  // namespace dbx::thrift
