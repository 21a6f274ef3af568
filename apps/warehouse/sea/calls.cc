// SPDX-License-Identifier: Apache-2.0
#include "sea/calls.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/str_cat.h"

namespace dbx::local {
namespace {

HttpReply EmptyReply() {
  return JsonReply("{}");
}

HttpReply Refused(const Status& error) {
  return RefusedReply(400, error.error_class().empty() ? "BAD_REQUEST" : error.error_class(),
                      error.message());
}

HttpReply UnknownStatement(const std::string& id) {
  if (!IsId(id)) {
    return RefusedReply(400, "INVALID_PARAMETER_VALUE",
                        StrCat("'", id, "' is not the id of a statement."));
  }
  return RefusedReply(404, "NOT_FOUND", StrCat("The statement ", id, " was not found."));
}

/// For the log: "sea.execute_statement".
std::string KindOf(const HttpRequest& request) {
  std::string kind = "sea.";
  for (const char c : NameOf(ReadCall(request).kind)) {
    const bool upper = c >= 'A' && c <= 'Z';
    if (upper && kind.back() != '.') kind.push_back('_');
    kind.push_back(upper ? static_cast<char>(c - 'A' + 'a') : c);
  }
  return kind == "sea." ? "not_found" : kind;
}

HttpReply ReplyOf(const FaultAction& fault) {
  return {
      .status = *fault.status, .headers = fault.headers, .body = fault.body, .fault = fault.reply};
}

}  // namespace

SeaCalls::SeaCalls(Engine* engine, Spool* spool, const LinkSigner* signer, FaultScript* faults,
                   SeaOptions options)
    : engine_(engine),
      spool_(spool),
      signer_(signer),
      faults_(faults),
      options_(std::move(options)),
      clock_(options_.clock != nullptr ? *options_.clock : Clock::Real()),
      table_({.session = options_.session_lifetime,
              .statement = options_.statement_lifetime,
              .closed_statement = options_.closed_lifetime},
             &clock_),
      pool_(options_.statement_threads) {}

SeaCalls::~SeaCalls() {
  Shutdown();
}

void SeaCalls::Shutdown() {
  stopping_ = true;
  for (const std::shared_ptr<SeaStatement>& statement : table_.statements())
    statement->End(StatementState::kCanceled, Status::Cancelled("the warehouse is shutting down"));
}

SeaCounters SeaCalls::counters() const {
  return {.sessions_opened = sessions_opened_,
          .sessions_open = static_cast<int64_t>(table_.num_sessions()),
          .statements_run = statements_run_,
          .statements_open = static_cast<int64_t>(table_.num_open_statements()),
          .links_given = links_given_};
}

HttpReply SeaCalls::Handle(const HttpRequest& request) {
  HttpReply reply = Answer(request);
  if (reply.kind.empty()) reply.kind = KindOf(request);
  return reply;
}

HttpReply SeaCalls::Answer(const HttpRequest& request) {
  if (stopping_)
    return RefusedReply(503, "TEMPORARILY_UNAVAILABLE", "The warehouse is shutting down.");
  SeaCall call = ReadCall(request);
  if (call.kind == SeaCall::Kind::kNone) {
    return RefusedReply(404, "ENDPOINT_NOT_FOUND",
                        StrCat("No API found for '", request.method, " ", request.path, "'"));
  }
  if (!faults_->empty()) {
    const bool chunk = call.kind == SeaCall::Kind::kGetChunk;
    const std::string sql = SqlOf(call);
    call.fault =
        faults_->Next({.point = FaultPoint::kSea,
                       .http_method = request.method,
                       .path = request.path,
                       .thrift_method = NameOf(call.kind),
                       .sql = sql,
                       .chunk_index = chunk ? std::optional(static_cast<int64_t>(call.chunk_index))
                                            : std::nullopt});
  }
  if (!call.fault) return Carry(call);
  Forget(call);
  // By default a fault's reply stands for a call that never arrived; "after" lets it be carried out
  // first.
  const bool replaced = call.fault->status.has_value();
  if (replaced && !call.fault->more.contains("after")) return ReplyOf(*call.fault);
  HttpReply reply = Carry(call);
  if (replaced) return ReplyOf(*call.fault);
  reply.fault = call.fault->reply;
  reply.headers.insert(reply.headers.end(), call.fault->headers.begin(), call.fault->headers.end());
  return reply;
}

HttpReply SeaCalls::Carry(const SeaCall& call) {
  switch (call.kind) {
    case SeaCall::Kind::kCreateSession:
      return CreateSession(call);
    case SeaCall::Kind::kDeleteSession:
      return DeleteSession(call);
    case SeaCall::Kind::kExecute:
      return Execute(call);
    case SeaCall::Kind::kGet:
      return GetStatement(call);
    case SeaCall::Kind::kGetChunk:
      return GetChunk(call);
    case SeaCall::Kind::kCancel:
      return CancelStatement(call);
    case SeaCall::Kind::kClose:
    case SeaCall::Kind::kNone:
      break;
  }
  return CloseStatement(call);
}

std::string SeaCalls::SqlOf(const SeaCall& call) {
  if (call.kind == SeaCall::Kind::kExecute) {
    const Result<ExecuteRequest> request = ParseExecuteRequest(call.http->body);
    return request.ok() ? request->statement : "";
  }
  const std::shared_ptr<SeaStatement> statement = table_.FindStatement(call.id);
  return statement ? statement->sql() : "";
}

void SeaCalls::Forget(const SeaCall& call) {
  if (!call.fault->forget_session && !call.fault->forget_operation) return;
  std::string session_id = call.id;
  if (call.kind == SeaCall::Kind::kExecute) {
    const Result<ExecuteRequest> request = ParseExecuteRequest(call.http->body);
    session_id = request.ok() ? request->session_id.value_or("") : "";
  } else if (const auto statement = table_.FindStatement(call.id)) {
    session_id = statement->session_id();
  }
  if (call.fault->forget_session) table_.EndSession(session_id);
  if (call.fault->forget_operation) table_.ForgetStatement(call.id);
}

HttpReply SeaCalls::CreateSession(const SeaCall& call) {
  Result<SessionRequest> request = ParseSessionRequest(call.http->body);
  if (!request.ok()) return Refused(request.status());
  table_.Sweep();
  Result<std::unique_ptr<SqlSession>> sql =
      engine_->NewSession(request->catalog, request->schema, request->confs);
  if (!sql.ok()) return RefusedReply(400, "INVALID_PARAMETER_VALUE", sql.status().message());
  const std::string id = NewId(clock_.WallNow());
  table_.AddSession(id, std::move(sql).value());
  sessions_opened_ += 1;
  return JsonReply(StrCat("{\"session_id\":\"", id, "\"}"));
}

HttpReply SeaCalls::DeleteSession(const SeaCall& call) {
  table_.EndSession(call.id);  // one that is gone already is as good
  return EmptyReply();
}

HttpReply SeaCalls::GetStatement(const SeaCall& call) {
  const std::shared_ptr<SeaStatement> statement = table_.FindStatement(call.id);
  if (!statement) return UnknownStatement(call.id);
  return Describe(call, statement, options_.long_poll, /*cancel_when_late=*/false);
}

HttpReply SeaCalls::Describe(const SeaCall& call, const std::shared_ptr<SeaStatement>& statement,
                             std::chrono::milliseconds timeout, bool cancel_when_late) {
  const std::optional<std::string> scripted = statement->NextScriptedState();
  const bool told = scripted && (*scripted == "PENDING" || *scripted == "RUNNING");
  SeaStatement::Snapshot now = told ? statement->Now() : statement->WaitUntilSettled(timeout);
  const bool late = now.state == StatementState::kPending || now.state == StatementState::kRunning;
  if (late && cancel_when_late) {
    statement->End(StatementState::kCanceled,
                   Status::Cancelled("it took longer than wait_timeout"));
    now = statement->Now();
  }
  if (scripted && *scripted != "SUCCEEDED" && *scripted != ToText(now.state))
    return JsonReply(ScriptedStatusText(*statement, *scripted));
  if (!now.result) return JsonReply(StatusText(*statement, now.state, now.error));
  int64_t links = 0;
  std::string text = ResultText(statement.get(), *now.result,
                                MakeLinkTerms(call, options_.links_per_page), &links);
  links_given_ += links;
  return JsonReply(std::move(text));
}

HttpReply SeaCalls::GetChunk(const SeaCall& call) {
  const std::shared_ptr<SeaStatement> statement = table_.FindStatement(call.id);
  if (!statement) return UnknownStatement(call.id);
  const SeaStatement::Snapshot now = statement->Now();
  if (now.state == StatementState::kClosed)
    return RefusedReply(404, "NOT_FOUND", StrCat("The statement ", call.id, " is closed."));
  if (!now.result) {
    return RefusedReply(
        400, "BAD_REQUEST",
        StrCat("The statement ", call.id, " has no result: its state is ", ToText(now.state), "."));
  }
  const size_t num_chunks = now.result->totals().num_pieces;
  if (call.chunk_index >= num_chunks) {
    return RefusedReply(400, "INVALID_PARAMETER_VALUE",
                        StrCat("The chunk index ", call.chunk_index, " is not below ", num_chunks,
                               ", the number of chunks."));
  }
  int64_t links = 0;
  std::string text = ChunkText(statement.get(), *now.result, call.chunk_index,
                               MakeLinkTerms(call, options_.links_per_chunk), &links);
  links_given_ += links;
  return JsonReply(std::move(text));
}

HttpReply SeaCalls::CancelStatement(const SeaCall& call) {
  const std::shared_ptr<SeaStatement> statement = table_.FindStatement(call.id);
  if (!statement) return UnknownStatement(call.id);
  statement->End(StatementState::kCanceled, Status::Cancelled("the statement was cancelled"));
  return EmptyReply();
}

HttpReply SeaCalls::CloseStatement(const SeaCall& call) {
  const std::shared_ptr<SeaStatement> statement = table_.FindStatement(call.id);
  if (!statement) return UnknownStatement(call.id);
  statement->End(StatementState::kClosed, Status::Cancelled("the statement was closed"));
  return EmptyReply();
}

LinkTerms SeaCalls::MakeLinkTerms(const SeaCall& call, int32_t max_links) const {
  return {.signer = signer_,
          .base = StorageBase(*call.http, options_.storage_port, options_.storage_tls),
          .lifetime = options_.link_lifetime,
          .max_links = max_links,
          .now = clock_.WallNow(),
          .born_expired = call.fault && call.fault->expire_link};
}

std::unique_ptr<SeaService> SeaService::Make(Engine* engine, Spool* spool, const LinkSigner* signer,
                                             FaultScript* faults, SeaOptions options) {
  return std::make_unique<SeaCalls>(engine, spool, signer, faults, std::move(options));
}

}  // namespace dbx::local
