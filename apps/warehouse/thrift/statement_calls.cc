// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "base/str_cat.h"
#include "sql/sql_text.h"
#include "thrift/names.h"
#include "thrift/parameters.h"
#include "thrift/service.h"

namespace dbx::local {
namespace {

using thrift::TCacheLookupResult;
using thrift::TOperationState;
using thrift::TProtocolVersion;

std::optional<std::string> Overlay(const thrift::TExecuteStatementReq& request,
                                   std::string_view key) {
  for (const auto& [name, value] : request.confOverlay) {
    if (EqualsIgnoreCase(name, key)) return value;
  }
  return std::nullopt;
}

NativeTypes ReadNativeTypes(const thrift::TExecuteStatementReq& request, const Session& session) {
  NativeTypes native;
  if (request.__isset.useArrowNativeTypes &&
      session.version >= TProtocolVersion::SPARK_CLI_SERVICE_PROTOCOL_V5) {
    const thrift::TSparkArrowTypes& flags = request.useArrowNativeTypes;
    native = {.timestamp = flags.timestampAsArrow,
              .decimal = flags.decimalAsArrow,
              .complex = flags.complexTypesAsArrow,
              .interval = flags.intervalTypesAsArrow,
              .null_type = flags.nullTypeAsArrow};
  }
  const auto as_string = Overlay(request, kTimestampAsString);
  native.timestamp |= as_string ? EqualsIgnoreCase(*as_string, "false") : session.native_timestamps;
  return native;
}

/// All that decides the bytes of a result.
std::string CacheKey(const thrift::TExecuteStatementReq& request, const SqlSession& session,
                     const ResultForm& form) {
  return StrCat(form.arrow, form.links, form.lz4, form.arrow_schema, form.native.timestamp,
                form.native.decimal, form.native.complex, form.native.interval,
                form.native.null_type, "|", form.inline_limit_bytes, "|", form.chunk_bytes, "|",
                form.batch_bytes, "|", form.limits.rows.value_or(-1), "|", form.time_zone, "|",
                session.catalog(), "|", session.schema(), "|", request.statement);
}

bool MayBeCached(const thrift::TExecuteStatementReq& request) {
  const auto only_tags = [](const auto& conf) {
    return EqualsIgnoreCase(conf.first, "query_tags") || conf.first == kTimestampAsString;
  };
  return request.parameters.empty() &&
         std::all_of(request.confOverlay.begin(), request.confOverlay.end(), only_tags);
}

SqlRequest MakeSqlRequest(const thrift::TExecuteStatementReq& request) {
  SqlRequest sql{.sql = request.statement, .parameters = ReadParameters(request.parameters)};
  for (const auto& [name, value] : request.confOverlay) {
    if (!EqualsIgnoreCase(name, "query_tags") && name != kTimestampAsString)
      sql.conf_overlay.emplace(name, value);
  }
  return sql;
}

/// Where two faults speak of one statement, the result's own wins.
FaultAction StatementFault(std::optional<FaultAction> result_fault, const CallContext& context) {
  if (result_fault) return *std::move(result_fault);
  return context.fault.value_or(FaultAction());
}

/// The service refuses at once, without a handle, what it cannot even plan.
bool IsRefusedAtOnce(const Operation::Snapshot& snapshot) {
  return snapshot.state == TOperationState::ERROR_STATE &&
         snapshot.error.sqlstate().starts_with("42");
}

}  // namespace

ResultForm Service::MakeResultForm(const thrift::TExecuteStatementReq& request,
                                   const Session& session, const FaultAction& fault) const {
  ResultForm form;
  form.arrow = request.canReadArrowResult;
  const bool links_known = session.version >= TProtocolVersion::SPARK_CLI_SERVICE_PROTOCOL_V3;
  form.links = form.arrow && request.canDownloadResult && links_known;
  form.no_files_because = links_known ? NoFilesBecause::kNotAsked : NoFilesBecause::kOldProtocol;
  form.lz4 = request.canDecompressLZ4Result &&
             session.version >= TProtocolVersion::SPARK_CLI_SERVICE_PROTOCOL_V6;
  form.arrow_schema = session.version >= TProtocolVersion::SPARK_CLI_SERVICE_PROTOCOL_V5;
  form.native = ReadNativeTypes(request, session);
  form.inline_limit_bytes = options_.inline_limit_bytes;
  form.chunk_bytes = options_.chunk_bytes;
  if (request.maxBytesPerFile > 0)
    form.chunk_bytes = std::min(form.chunk_bytes, request.maxBytesPerFile);
  if (request.maxBytesPerBatch > 0)
    form.batch_bytes = std::min(form.batch_bytes, request.maxBytesPerBatch);
  if (request.__isset.resultRowLimit && request.resultRowLimit >= 0)
    form.limits.rows = request.resultRowLimit;
  form.time_zone = session.sql->time_zone();
  for (const std::string_view key : {"timezone", "spark.sql.session.timeZone"}) {
    if (const auto zone = Overlay(request, key)) form.time_zone = *zone;
  }
  form.fault = fault;
  return form;
}

void Service::ExecuteStatement(const thrift::TExecuteStatementReq& request,
                               thrift::TExecuteStatementResp* response, CallContext* context) {
  const std::shared_ptr<Session> session =
      FindSession(request.sessionHandle, &response->status, context);
  if (!session) return;
  CloseIdleOperations();
  std::optional<FaultAction> result_fault = NextFault({.point = FaultPoint::kResult,
                                                       .http_method = context->http.method,
                                                       .path = context->http.path,
                                                       .thrift_method = "ExecuteStatement",
                                                       .sql = request.statement,
                                                       .chunk_index = std::nullopt});
  const bool faulty = result_fault.has_value() || context->fault.has_value();
  Operation::Identity identity{.id = HandleId::Random(),
                               .session = session,
                               .sql = request.statement,
                               .fault = StatementFault(std::move(result_fault), *context)};
  const ResultForm form = MakeResultForm(request, *session, identity.fault);
  const std::string cache_key = cache_ && !faulty && MayBeCached(request)
                                    ? CacheKey(request, *session->sql, form)
                                    : std::string();
  std::shared_ptr<StoredResult> cached = cache_key.empty() ? nullptr : cache_->Find(cache_key);
  if (!cache_key.empty())
    identity.cache = cached ? TCacheLookupResult::LOCAL_CACHE_HIT : TCacheLookupResult::CACHE_MISS;
  auto operation = std::make_shared<Operation>(
      std::move(identity), cached ? cached : std::make_shared<StoredResult>(spool_), &clock_);
  table_.AddOperation(operation);
  statements_run_ += 1;
  if (cached) {
    operation->SetFinished(std::nullopt);
  } else {
    StartStatement(operation, request, form, cache_key);
  }

  const bool direct = request.__isset.getDirectResults &&
                      session->version >= TProtocolVersion::SPARK_CLI_SERVICE_PROTOCOL_V1;
  Operation::Snapshot snapshot = operation->Now();
  const std::optional<Operation::State> scripted =
      direct ? operation->NextScriptedState() : std::nullopt;
  if (scripted) {
    snapshot = operation->Now();
    snapshot.state = *scripted;
  } else if (!request.runAsync) {
    snapshot = operation->WaitUntilSettled(std::nullopt);
  } else if (direct) {
    snapshot = operation->WaitUntilSettled(options_.long_poll);
  }
  if (!scripted && ((!request.runAsync && snapshot.state == TOperationState::ERROR_STATE) ||
                    (direct && IsRefusedAtOnce(snapshot)))) {
    table_.RemoveOperation(operation->id());
    response->status = StatementError(snapshot.error);
    return;
  }
  response->status = Success();
  response->__set_operationHandle(operation->ToThrift());
  if (direct) {
    response->__isset.directResults = true;
    FillDirectResults(operation, snapshot, request.getDirectResults, context,
                      &response->directResults);
  }
  if (operation->fault().forget_operation) EndOperation(operation->id());
  if (operation->fault().forget_session) EndSession(request.sessionHandle);
}

void Service::StartStatement(const std::shared_ptr<Operation>& operation,
                             const thrift::TExecuteStatementReq& request, const ResultForm& form,
                             const std::string& cache_key) {
  if (request.queryTimeout > 0) {
    const auto timeout =
        std::chrono::seconds(std::min<int64_t>(request.queryTimeout, 365LL * 86'400));
    const std::weak_ptr<Operation> watched = operation;
    deadlines_.Add(std::chrono::steady_clock::now() + timeout, [watched, timeout] {
      const std::shared_ptr<Operation> late = watched.lock();
      if (!late || late->Now().state == TOperationState::FINISHED_STATE) return;
      late->End(TOperationState::TIMEDOUT_STATE,
                Status::Timeout(StrCat("Query timed out after ", timeout.count(), " seconds"))
                    .WithSqlstate("HYT00")
                    .WithErrorClass("QUERY_TIMED_OUT"));
    });
  }
  pool_.Submit([this, operation, sql = MakeSqlRequest(request), form, cache_key]() mutable {
    RunStatement(operation, std::move(sql), form, cache_key);
  });
  // Shutdown may have passed before the table knew the operation.
  if (stopping_)
    operation->End(TOperationState::CANCELED_STATE,
                   Status::Cancelled("the warehouse is shutting down"));
}

void Service::RunStatement(const std::shared_ptr<Operation>& operation, SqlRequest request,
                           const ResultForm& form, const std::string& cache_key) {
  std::shared_ptr<SqlStatement> statement = operation->session().sql->Prepare(std::move(request));
  if (!operation->Begin(statement)) return;
  Result<SqlResult> result = statement->Run();
  Status done = result.status();
  StatementKind kind = StatementKind::kQuery;
  if (result.ok()) {
    kind = result->kind;
    const std::optional<int64_t> modified_rows = result->modified_rows;
    ResultWriter writer(form, spool_, &operation->result(),
                        [&] { operation->SetFinished(modified_rows); });
    // What changes data makes remembered answers stale, and must do so before its client hears of
    // success.
    if (cache_ && (kind == StatementKind::kDml || kind == StatementKind::kDdl)) cache_->Clear();
    done = writer.Write(std::move(result).value());
  }
  if (!done.ok()) {
    operation->End(TOperationState::ERROR_STATE, done);
    operation->result().Fail(done);
  } else if (!cache_key.empty() && kind == StatementKind::kQuery) {
    cache_->Insert(cache_key, operation->shared_result());
  }
  statement.reset();
  operation->ReleaseStatement();
}

void Service::FillDirectResults(const std::shared_ptr<Operation>& operation,
                                const Operation::Snapshot& snapshot,
                                const thrift::TSparkGetDirectResults& wanted, CallContext* context,
                                thrift::TSparkDirectResults* direct) {
  direct->__set_operationStatus(MakeOperationStatus(snapshot));
  if (snapshot.state != TOperationState::FINISHED_STATE) return;
  if (operation->WaitUntilSettled(std::nullopt).state != TOperationState::FINISHED_STATE) return;
  direct->__set_resultSetMetadata(MakeResultMetadata(*operation, options_.inline_limit_bytes));
  const bool links = operation->result().header().shape == ResultShape::kFiles;
  if (wanted.maxRows == 0 || (links && wanted.skipUrlResults)) return;
  PageRequest page{.max_rows = wanted.maxRows};
  if (wanted.__isset.maxBytes) page.max_bytes = wanted.maxBytes;
  direct->__isset.resultSet = true;
  FillPage(operation, page, context, &direct->resultSet);
  const bool succeeded = direct->resultSet.status.statusCode == thrift::TStatusCode::SUCCESS_STATUS;
  if (links || !succeeded || direct->resultSet.hasMoreRows) return;
  thrift::TCloseOperationResp closed;
  closed.status = Success();
  direct->__set_closeOperation(closed);
  EndOperation(operation->id());
}

}  // namespace dbx::local
