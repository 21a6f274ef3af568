// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "base/str_cat.h"
#include "thrift/service.h"

namespace dbx::local {
namespace {

using thrift::TOperationState;
using thrift::TOperationType;

std::string_view NameOf(TOperationType::type type) {
  switch (type) {
    case TOperationType::EXECUTE_STATEMENT:
      return "EXECUTE_STATEMENT";
    case TOperationType::GET_TYPE_INFO:
      return "GET_TYPE_INFO";
    case TOperationType::GET_CATALOGS:
      return "GET_CATALOGS";
    case TOperationType::GET_SCHEMAS:
      return "GET_SCHEMAS";
    case TOperationType::GET_TABLES:
      return "GET_TABLES";
    case TOperationType::GET_TABLE_TYPES:
      return "GET_TABLE_TYPES";
    case TOperationType::GET_COLUMNS:
      return "GET_COLUMNS";
    case TOperationType::GET_FUNCTIONS:
      return "GET_FUNCTIONS";
    case TOperationType::UNKNOWN:
      break;
  }
  return "UNKNOWN_OPERATION";
}

/// A result exists and nothing has gone wrong.
bool CanBeFetched(const Operation::Snapshot& snapshot) {
  return snapshot.state == TOperationState::FINISHED_STATE;
}

/// The log of a statement, of which there is never any.
void FillEmptyLog(thrift::TFetchResultsResp* response) {
  thrift::TStringColumn lines;
  lines.nulls.assign(1, '\0');
  thrift::TColumn column;
  column.__set_stringVal(lines);
  response->results.__set_columns({column});
  response->__isset.results = true;
  response->__set_hasMoreRows(false);
  response->status = Success();
}

}  // namespace

thrift::TGetOperationStatusResp MakeOperationStatus(const Operation::Snapshot& snapshot) {
  thrift::TGetOperationStatusResp status;
  status.status = Success();
  status.__set_operationState(snapshot.state);
  status.__set_hasResultSet(true);
  status.__set_idempotencyType(thrift::TOperationIdempotencyType::UNKNOWN);
  status.__set_operationStarted(snapshot.started_ms);
  if (snapshot.completed_ms != 0) status.__set_operationCompleted(snapshot.completed_ms);
  if (snapshot.modified_rows) status.__set_numModifiedRows(*snapshot.modified_rows);
  if (!snapshot.error.ok()) {
    // No display message while all is well: one client takes any for a failure.
    const ErrorTexts texts = MakeErrorTexts(snapshot.error);
    status.__set_sqlState(texts.sqlstate);
    status.__set_errorCode(0);
    status.__set_errorMessage(texts.error_message);
    status.__set_displayMessage(texts.display_message);
    status.__set_diagnosticInfo(texts.stack);
  }
  if (snapshot.state == TOperationState::CLOSED_STATE)
    status.__set_closeReason(snapshot.close_reason);
  return status;
}

thrift::TStatus InvalidOperation(const thrift::TOperationHandle& handle) {
  return CallError(
      StrCat("Invalid OperationHandle: OperationHandle [opType=", NameOf(handle.operationType),
             ", getHandleIdentifier()=", UuidOf(handle.operationId), "]"),
      "08000");
}

thrift::TStatus SettledError(const Operation::Snapshot& snapshot, const Operation& operation) {
  if (snapshot.state == TOperationState::CLOSED_STATE)
    return InvalidOperation(operation.ToThrift());
  if (!snapshot.error.ok()) return StatementError(snapshot.error);
  return CallError("The operation has no result.", "HY000");
}

std::shared_ptr<Operation> Service::FindOperation(const thrift::TOperationHandle& handle,
                                                  thrift::TStatus* status) {
  std::shared_ptr<Operation> operation = table_.FindOperation(handle);
  if (!operation) {
    *status = InvalidOperation(handle);
    return nullptr;
  }
  if (options_.idle_timeout.count() > 0 && operation->IdleTime() > options_.idle_timeout) {
    operation->End(TOperationState::CLOSED_STATE,
                   Status::Cancelled("closed after a time without calls"),
                   thrift::TDBSqlCloseOperationReason::COMMAND_INACTIVITY_TIMEOUT);
  }
  operation->NoteCall();
  return operation;
}

void Service::CloseIdleOperations() {
  if (options_.idle_timeout.count() == 0) return;
  for (const std::shared_ptr<Operation>& operation : table_.operations()) {
    // Twice the time: whoever comes back before that is told why the operation is closed.
    if (operation->IdleTime() > 2 * options_.idle_timeout) EndOperation(operation->id());
  }
}

void Service::EndOperation(const HandleId& id) {
  const std::shared_ptr<Operation> operation = table_.RemoveOperation(id);
  if (operation)
    operation->End(TOperationState::CLOSED_STATE, Status::Cancelled("the operation was closed"));
}

std::optional<FaultAction> Service::NextFault(const FaultContext& context) {
  return faults_->empty() ? std::nullopt : faults_->Next(context);
}

void Service::GetOperationStatus(const thrift::TGetOperationStatusReq& request,
                                 thrift::TGetOperationStatusResp* response, CallContext*) {
  const std::shared_ptr<Operation> operation =
      FindOperation(request.operationHandle, &response->status);
  if (!operation) return;
  const std::optional<Operation::State> scripted = operation->NextScriptedState();
  Operation::Snapshot snapshot =
      scripted ? operation->Now() : operation->WaitUntilSettled(options_.long_poll);
  if (scripted) snapshot.state = *scripted;
  *response = MakeOperationStatus(snapshot);
}

void Service::CancelOperation(const thrift::TCancelOperationReq& request,
                              thrift::TCancelOperationResp* response, CallContext*) {
  const std::shared_ptr<Operation> operation =
      FindOperation(request.operationHandle, &response->status);
  if (!operation) return;
  operation->End(TOperationState::CANCELED_STATE,
                 Status::Cancelled("[OPERATION_CANCELED] Operation has been canceled.")
                     .WithErrorClass("OPERATION_CANCELED")
                     .WithSqlstate("HY008"));
  response->status = Success();
}

void Service::CloseOperation(const thrift::TCloseOperationReq& request,
                             thrift::TCloseOperationResp* response, CallContext*) {
  const std::shared_ptr<Operation> operation =
      FindOperation(request.operationHandle, &response->status);
  if (!operation) return;
  EndOperation(operation->id());
  response->status = Success();
}

void Service::GetResultSetMetadata(const thrift::TGetResultSetMetadataReq& request,
                                   thrift::TGetResultSetMetadataResp* response, CallContext*) {
  const std::shared_ptr<Operation> operation =
      FindOperation(request.operationHandle, &response->status);
  if (!operation) return;
  const Operation::Snapshot snapshot = operation->WaitUntilSettled(std::nullopt);
  if (!CanBeFetched(snapshot)) {
    response->status = SettledError(snapshot, *operation);
    return;
  }
  *response = MakeResultMetadata(*operation, options_.inline_limit_bytes);
}

void Service::FetchResults(const thrift::TFetchResultsReq& request,
                           thrift::TFetchResultsResp* response, CallContext* context) {
  const std::shared_ptr<Operation> operation =
      FindOperation(request.operationHandle, &response->status);
  if (!operation) return;
  if (request.fetchType == 1) return FillEmptyLog(response);
  if (request.orientation != thrift::TFetchOrientation::FETCH_NEXT &&
      request.orientation != thrift::TFetchOrientation::FETCH_FIRST) {
    response->status =
        CallError(StrCat("The fetch type ", static_cast<int32_t>(request.orientation),
                         " is not supported for this resultset"),
                  "HY106");
    return;
  }
  PageRequest page{.orientation = request.orientation, .max_rows = request.maxRows};
  if (request.__isset.maxBytes) page.max_bytes = request.maxBytes;
  if (request.__isset.startRowOffset) page.start_row_offset = request.startRowOffset;
  FillPage(operation, page, context, response);
  if (request.includeResultSetMetadata &&
      response->status.statusCode == thrift::TStatusCode::SUCCESS_STATUS &&
      operation->session().version >= thrift::TProtocolVersion::SPARK_CLI_SERVICE_PROTOCOL_V5) {
    response->__set_resultSetMetadata(MakeResultMetadata(*operation, options_.inline_limit_bytes));
  }
}

void Service::FillPage(const std::shared_ptr<Operation>& operation, const PageRequest& request,
                       CallContext* context, thrift::TFetchResultsResp* response) {
  const Operation::Snapshot snapshot = operation->WaitUntilSettled(std::nullopt);
  if (!CanBeFetched(snapshot)) {
    response->status = SettledError(snapshot, *operation);
    return;
  }
  bool has_more = false;
  const Result<int64_t> links =
      FetchPage(operation.get(), request, MakeLinkTerms(context), &response->results, &has_more);
  if (!links.ok()) {
    response->status = StatementError(links.status());
    response->results = {};
    return;
  }
  links_given_ += *links;
  response->status = Success();
  response->__isset.results = true;
  // Before V1 the flag meant nothing and was never true: the end is an empty page.
  const bool flag_has_meaning =
      operation->session().version >= thrift::TProtocolVersion::SPARK_CLI_SERVICE_PROTOCOL_V1;
  response->__set_hasMoreRows(has_more && flag_has_meaning);
}

LinkTerms Service::MakeLinkTerms(CallContext* context) const {
  return {.signer = signer_,
          .base = StorageBase(context->http, options_.storage_port, options_.storage_tls),
          .lifetime = options_.link_lifetime,
          .max_links = std::max(options_.links_per_page, 1),
          .now = clock_.WallNow(),
          .born_expired = context->fault && context->fault->expire_link};
}

}  // namespace dbx::local
