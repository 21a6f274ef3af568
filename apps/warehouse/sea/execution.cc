// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "base/str_cat.h"
#include "sea/calls.h"
#include "sea/text_writer.h"

namespace dbx::local {
namespace {

/// All that decides the bytes of a result; empty when it must not be kept.
std::string CacheKey(const ExecuteRequest& request, const SqlSession& session,
                     const ResultForm& form) {
  if (!request.parameters.empty()) return {};
  return StrCat("sea|", static_cast<int>(request.disposition), static_cast<int>(request.format),
                form.lz4, "|", form.inline_limit_bytes, "|", form.chunk_bytes, "|",
                form.limits.rows.value_or(-1), "|", form.limits.bytes.value_or(-1), "|",
                form.time_zone, "|", session.catalog(), "|", session.schema(), "|",
                request.statement);
}

/// Statements without a result: no columns, no chunks.
Status WriteNothing(const ResultForm& form, StoredResult* result) {
  result->SetHeader(
      {.kind = StatementKind::kDdl, .shape = ResultShape::kBatches, .lz4 = form.arrow && form.lz4});
  result->Finish(std::nullopt, false);
  return result->status();
}

}  // namespace

HttpReply SeaCalls::Execute(const SeaCall& call) {
  Result<ExecuteRequest> request = ParseExecuteRequest(call.http->body);
  if (!request.ok()) {
    return RefusedReply(400, request.status().error_class(), request.status().message());
  }
  table_.Sweep();
  Result<std::shared_ptr<SqlSession>> session = SessionFor(*request);
  if (!session.ok() && request->session_id) {
    return RefusedReply(404, "NOT_FOUND", session.status().message());
  }
  const std::chrono::seconds wait = request->wait_timeout;
  const bool cancel_when_late = request->cancel_when_late;
  std::shared_ptr<SeaStatement> statement;
  if (session.ok()) {
    statement = Start(std::move(request).value(), std::move(session).value(), call);
  } else {
    statement = std::make_shared<SeaStatement>(
        SeaStatement::Identity{
            .id = NewId(clock_.WallNow()), .sql = request->statement, .fault = {}},
        std::make_shared<StoredResult>(spool_), &clock_);
    statement->End(StatementState::kFailed, session.status());
    table_.AddStatement(statement);
  }
  HttpReply reply = Describe(call, statement, wait, cancel_when_late);
  if (statement->fault().forget_operation) table_.ForgetStatement(statement->id());
  if (statement->fault().forget_session) table_.EndSession(statement->session_id());
  return reply;
}

Result<std::shared_ptr<SqlSession>> SeaCalls::SessionFor(const ExecuteRequest& request) {
  if (!request.session_id) {
    ASSIGN_OR_RETURN(std::unique_ptr<SqlSession> sql,
                     engine_->NewSession(request.catalog, request.schema, {}));
    return std::shared_ptr<SqlSession>(std::move(sql));
  }
  std::shared_ptr<SqlSession> session = table_.FindSession(*request.session_id);
  if (session) return session;
  return Status::NotFound(
      StrCat("The session ", *request.session_id, " was not found: it was closed or has expired."));
}

std::shared_ptr<SeaStatement> SeaCalls::Start(ExecuteRequest request,
                                              std::shared_ptr<SqlSession> session,
                                              const SeaCall& call) {
  std::optional<FaultAction> fault;
  if (!faults_->empty()) {
    fault = faults_->Next({.point = FaultPoint::kResult,
                           .http_method = call.http->method,
                           .path = call.http->path,
                           .thrift_method = NameOf(call.kind),
                           .sql = request.statement,
                           .chunk_index = std::nullopt});
  }
  const bool faulty = fault || call.fault;
  // Where two faults speak of one statement, the result's own wins.
  if (!fault) fault = call.fault;
  SeaStatement::Identity identity{.id = NewId(clock_.WallNow()),
                                  .session_id = request.session_id.value_or(""),
                                  .sql = request.statement,
                                  .disposition = request.disposition,
                                  .format = request.format,
                                  .fault = fault.value_or(FaultAction())};
  Work work{.form = MakeResultForm(request, *session, identity.fault)};
  if (options_.cache && !faulty) work.cache_key = CacheKey(request, *session, work.form);
  std::shared_ptr<StoredResult> cached =
      work.cache_key.empty() ? nullptr : options_.cache->Find(work.cache_key);
  auto statement = std::make_shared<SeaStatement>(
      std::move(identity), cached ? cached : std::make_shared<StoredResult>(spool_), &clock_);
  table_.AddStatement(statement);
  statements_run_ += 1;
  if (cached) {
    statement->SetSucceeded();
    return statement;
  }
  work.statement = statement;
  work.session = std::move(session);
  work.request = {.sql = std::move(request.statement), .parameters = std::move(request.parameters)};
  pool_.Submit([this, work = std::move(work)] { Run(work); });
  // Shutdown may have passed before the table knew the statement.
  if (stopping_)
    statement->End(StatementState::kCanceled, Status::Cancelled("the warehouse is shutting down"));
  return statement;
}

ResultForm SeaCalls::MakeResultForm(const ExecuteRequest& request, const SqlSession& session,
                                    const FaultAction& fault) const {
  ResultForm form;
  form.arrow = request.format == RowFormat::kArrowStream;
  form.links = request.disposition != Disposition::kInline;
  form.lz4 = request.lz4 && !fault.more.contains("ignore_lz4");
  form.native = kAllNative;
  const bool hybrid = request.disposition == Disposition::kHybrid;
  form.inline_limit_bytes = hybrid ? options_.inline_limit_bytes : -1;
  form.inline_max_bytes = hybrid ? 0 : options_.inline_max_bytes;
  form.chunk_bytes = options_.chunk_bytes;
  form.whole_streams = true;
  form.limits = request.limits;
  form.time_zone = session.time_zone();
  form.fault = fault;
  return form;
}

void SeaCalls::Run(const Work& work) {
  std::shared_ptr<StoredResult> result = work.statement->result();
  if (!result) return;  // closed before its turn came
  std::shared_ptr<SqlStatement> sql = work.session->Prepare(work.request);
  if (!work.statement->Begin(sql)) return;
  Result<SqlResult> rows = sql->Run();
  Status done = rows.status();
  StatementKind kind = StatementKind::kQuery;
  if (rows.ok()) {
    kind = rows->kind;
    // What changes data makes remembered answers stale, and must do so before its client hears of
    // success.
    if (options_.cache && (kind == StatementKind::kDml || kind == StatementKind::kDdl))
      options_.cache->Clear();
    done = WriteRows(work, result.get(), std::move(rows).value());
  }
  if (!done.ok()) {
    work.statement->End(StatementState::kFailed, done);
    result->Fail(done);
  } else {
    if (!work.cache_key.empty() && kind == StatementKind::kQuery)
      options_.cache->Insert(work.cache_key, result);
    result.reset();  // from here on the statement's own end is the end of its files
    work.statement->SetSucceeded();
  }
  sql.reset();
  work.statement->ReleaseStatement();
}

Status SeaCalls::WriteRows(const Work& work, StoredResult* result, SqlResult rows) {
  if (rows.kind == StatementKind::kDdl && rows.columns.empty())
    return WriteNothing(work.form, result);
  if (work.form.arrow) return ResultWriter(work.form, spool_, result, [] {}).Write(std::move(rows));
  return TextWriter(work.form, work.statement->format(), spool_, result).Write(std::move(rows));
}

}  // namespace dbx::local
