// SPDX-License-Identifier: Apache-2.0
#include "thrift/thrift_service.h"

#include <map>
#include <string_view>
#include <utility>

#include "base/str_cat.h"
#include "thrift/service.h"

namespace dbx::local {
namespace {

using Answerer = HttpReply (*)(Service&, IncomingCall&, const HttpRequest&);

template <auto kHandle>
HttpReply AnswerWith(Service& service, IncomingCall& call, const HttpRequest& http) {
  return service.Answer(call, http, kHandle);
}

HttpReply ThriftReply(std::string body) {
  HttpReply reply;
  reply.headers.emplace_back("Content-Type", "application/x-thrift");
  reply.body = std::move(body);
  return reply;
}

/// The reply that a fault puts in the place of the true one.
HttpReply ReplyOf(const FaultAction& fault) {
  HttpReply reply;
  reply.status = fault.status.value_or(200);
  reply.headers = fault.headers;
  reply.body = fault.body;
  reply.fault = fault.reply;
  return reply;
}

template <typename Request>
constexpr bool kNamesSession = requires(const Request& request) { request.sessionHandle; };
template <typename Request>
constexpr bool kNamesOperation = requires(const Request& request) { request.operationHandle; };

}  // namespace

Service::Service(Engine* engine, Spool* spool, const LinkSigner* signer, FaultScript* faults,
                 ThriftOptions options)
    : engine_(engine),
      spool_(spool),
      signer_(signer),
      faults_(faults),
      options_(std::move(options)),
      clock_(options_.clock != nullptr ? *options_.clock : Clock::Real()),
      cache_(options_.cache),
      pool_(options_.statement_threads) {}

Service::~Service() {
  Shutdown();
}

void Service::Shutdown() {
  stopping_ = true;
  for (const std::shared_ptr<Operation>& operation : table_.operations()) {
    operation->End(thrift::TOperationState::CANCELED_STATE,
                   Status::Cancelled("the warehouse is shutting down"));
  }
}

ThriftCounters Service::counters() const {
  return {.sessions_opened = sessions_opened_,
          .sessions_open = static_cast<int64_t>(table_.num_sessions()),
          .statements_run = statements_run_,
          .operations_open = static_cast<int64_t>(table_.num_operations()),
          .links_given = links_given_};
}

template <typename Request>
std::string Service::SqlOf(const Request& request) const {
  if constexpr (requires { request.statement; }) {
    return request.statement;
  } else if constexpr (kNamesOperation<Request>) {
    const std::shared_ptr<Operation> operation = table_.FindOperation(request.operationHandle);
    return operation ? operation->sql() : "";
  } else {
    return "";
  }
}

template <typename Request>
void Service::Forget(const Request& request, const FaultAction& fault) {
  if constexpr (kNamesSession<Request>) {
    if (fault.forget_session) EndSession(request.sessionHandle);
  }
  if constexpr (kNamesOperation<Request>) {
    const std::shared_ptr<Operation> operation = table_.FindOperation(request.operationHandle);
    if (!operation) return;
    if (fault.forget_operation) EndOperation(operation->id());
    if (fault.forget_session) {
      thrift::TSessionHandle session;
      session.sessionId = operation->session().id.ToThrift();
      EndSession(session);
    }
  }
}

template <typename Request, typename Response>
HttpReply Service::Answer(IncomingCall& call, const HttpRequest& http,
                          void (Service::*handle)(const Request&, Response*, CallContext*)) {
  Request request;
  if (const Status read = call.ReadRequest(&request); !read.ok()) {
    return ThriftReply(
        WriteException(call.method(), call.sequence_id(), CallFault::kProtocol, read.message()));
  }
  CallContext context{.http = http};
  if (!faults_->empty()) {
    const std::string sql = SqlOf(request);
    context.fault = faults_->Next({.point = FaultPoint::kThrift,
                                   .http_method = http.method,
                                   .path = http.path,
                                   .thrift_method = call.method(),
                                   .sql = sql,
                                   .chunk_index = std::nullopt});
  }
  const bool replaced = context.fault && context.fault->status;
  if (context.fault) Forget(request, *context.fault);
  // By default a fault's reply stands for a call that never arrived; "after" lets it be carried out
  // first.
  if (replaced && !context.fault->more.contains("after")) return ReplyOf(*context.fault);

  Response response;
  (this->*handle)(request, &response, &context);
  if (replaced) return ReplyOf(*context.fault);
  HttpReply reply = ThriftReply(WriteReply(call.method(), call.sequence_id(), response));
  if (context.dead_session) {
    reply.status = 400;
    reply.headers.emplace_back("x-thriftserver-error-message", *context.dead_session);
  }
  if (context.fault) {
    reply.fault = context.fault->reply;
    reply.headers.insert(reply.headers.end(), context.fault->headers.begin(),
                         context.fault->headers.end());
  }
  return reply;
}

HttpReply Service::Handle(const HttpRequest& request) {
  static const std::map<std::string_view, Answerer> kAnswerers = {
      {"OpenSession", &AnswerWith<&Service::OpenSession>},
      {"CloseSession", &AnswerWith<&Service::CloseSession>},
      {"GetInfo", &AnswerWith<&Service::GetInfo>},
      {"ExecuteStatement", &AnswerWith<&Service::ExecuteStatement>},
      {"GetTypeInfo", &AnswerWith<&Service::GetTypeInfo>},
      {"GetCatalogs", &AnswerWith<&Service::GetCatalogs>},
      {"GetSchemas", &AnswerWith<&Service::GetSchemas>},
      {"GetTables", &AnswerWith<&Service::GetTables>},
      {"GetTableTypes", &AnswerWith<&Service::GetTableTypes>},
      {"GetColumns", &AnswerWith<&Service::GetColumns>},
      {"GetFunctions", &AnswerWith<&Service::GetFunctions>},
      {"GetPrimaryKeys", &AnswerWith<&Service::GetPrimaryKeys>},
      {"GetCrossReference", &AnswerWith<&Service::GetCrossReference>},
      {"GetOperationStatus", &AnswerWith<&Service::GetOperationStatus>},
      {"CancelOperation", &AnswerWith<&Service::CancelOperation>},
      {"CloseOperation", &AnswerWith<&Service::CloseOperation>},
      {"GetResultSetMetadata", &AnswerWith<&Service::GetResultSetMetadata>},
      {"FetchResults", &AnswerWith<&Service::FetchResults>},
      {"GetDelegationToken", &AnswerWith<&Service::GetDelegationToken>},
      {"CancelDelegationToken", &AnswerWith<&Service::CancelDelegationToken>},
      {"RenewDelegationToken", &AnswerWith<&Service::RenewDelegationToken>},
  };
  if (stopping_) {
    HttpReply reply;
    reply.status = 503;
    reply.headers.emplace_back("x-thriftserver-error-message",
                               "TEMPORARILY_UNAVAILABLE: shutting down");
    return reply;
  }
  IncomingCall call(request.body);
  if (const Status read = call.ReadHeader(); !read.ok()) {
    const bool no_call = read.code() == StatusCode::kInvalidArgument;
    return ThriftReply(WriteException(call.method(), call.sequence_id(),
                                      no_call ? CallFault::kMessageType : CallFault::kProtocol,
                                      read.message()));
  }
  const auto found = kAnswerers.find(call.method());
  if (found == kAnswerers.end()) {
    return ThriftReply(WriteException(call.method(), call.sequence_id(), CallFault::kUnknownMethod,
                                      StrCat("Invalid method name: '", call.method(), "'")));
  }
  return found->second(*this, call, request);
}

std::unique_ptr<ThriftService> ThriftService::Make(Engine* engine, Spool* spool,
                                                   const LinkSigner* signer, FaultScript* faults,
                                                   ThriftOptions options) {
  return std::make_unique<Service>(engine, spool, signer, faults, std::move(options));
}

}  // namespace dbx::local
