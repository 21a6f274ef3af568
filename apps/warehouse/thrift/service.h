// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>

#include "result/deadline_watch.h"
#include "result/result_cache.h"
#include "result/result_writer.h"
#include "result/statement_pool.h"
#include "thrift/error_status.h"
#include "thrift/message_codec.h"
#include "thrift/metadata_table.h"
#include "thrift/result_pages.h"
#include "thrift/session_table.h"
#include "thrift/thrift_service.h"
#include "thrift_generated/TCLIService_types.h"

namespace dbx::local {

/// One call on its way through the service.
struct CallContext {
  const HttpRequest& http;
  std::optional<FaultAction> fault = {};
  /// Set when the session is gone and the warehouse's manner is HTTP 400: the text of its header.
  std::optional<std::string> dead_session = {};
};

/// The calls themselves. One method each; what it does is in the protocol's own words. Thread-safe.
class Service final : public ThriftService {
 public:
  Service(Engine* engine, Spool* spool, const LinkSigner* signer, FaultScript* faults,
          ThriftOptions options);
  ~Service() override;

  HttpReply Handle(const HttpRequest& request) override;
  ThriftCounters counters() const override;
  void Shutdown() override;

  // session_calls.cc
  void OpenSession(const thrift::TOpenSessionReq& request, thrift::TOpenSessionResp* response,
                   CallContext* context);
  void CloseSession(const thrift::TCloseSessionReq& request, thrift::TCloseSessionResp* response,
                    CallContext* context);
  void GetInfo(const thrift::TGetInfoReq& request, thrift::TGetInfoResp* response,
               CallContext* context);
  void GetDelegationToken(const thrift::TGetDelegationTokenReq& request,
                          thrift::TGetDelegationTokenResp* response, CallContext* context);
  void CancelDelegationToken(const thrift::TCancelDelegationTokenReq& request,
                             thrift::TCancelDelegationTokenResp* response, CallContext* context);
  void RenewDelegationToken(const thrift::TRenewDelegationTokenReq& request,
                            thrift::TRenewDelegationTokenResp* response, CallContext* context);

  // statement_calls.cc
  void ExecuteStatement(const thrift::TExecuteStatementReq& request,
                        thrift::TExecuteStatementResp* response, CallContext* context);

  // operation_calls.cc
  void GetOperationStatus(const thrift::TGetOperationStatusReq& request,
                          thrift::TGetOperationStatusResp* response, CallContext* context);
  void CancelOperation(const thrift::TCancelOperationReq& request,
                       thrift::TCancelOperationResp* response, CallContext* context);
  void CloseOperation(const thrift::TCloseOperationReq& request,
                      thrift::TCloseOperationResp* response, CallContext* context);
  void GetResultSetMetadata(const thrift::TGetResultSetMetadataReq& request,
                            thrift::TGetResultSetMetadataResp* response, CallContext* context);
  void FetchResults(const thrift::TFetchResultsReq& request, thrift::TFetchResultsResp* response,
                    CallContext* context);

  // metadata_calls.cc
  void GetTypeInfo(const thrift::TGetTypeInfoReq& request, thrift::TGetTypeInfoResp* response,
                   CallContext* context);
  void GetCatalogs(const thrift::TGetCatalogsReq& request, thrift::TGetCatalogsResp* response,
                   CallContext* context);
  void GetSchemas(const thrift::TGetSchemasReq& request, thrift::TGetSchemasResp* response,
                  CallContext* context);
  void GetTables(const thrift::TGetTablesReq& request, thrift::TGetTablesResp* response,
                 CallContext* context);
  void GetTableTypes(const thrift::TGetTableTypesReq& request, thrift::TGetTableTypesResp* response,
                     CallContext* context);
  void GetColumns(const thrift::TGetColumnsReq& request, thrift::TGetColumnsResp* response,
                  CallContext* context);
  void GetFunctions(const thrift::TGetFunctionsReq& request, thrift::TGetFunctionsResp* response,
                    CallContext* context);
  void GetPrimaryKeys(const thrift::TGetPrimaryKeysReq& request,
                      thrift::TGetPrimaryKeysResp* response, CallContext* context);
  void GetCrossReference(const thrift::TGetCrossReferenceReq& request,
                         thrift::TGetCrossReferenceResp* response, CallContext* context);

  /// Reads the request, meets the faults, calls `handle`, writes the reply.
  template <typename Request, typename Response>
  HttpReply Answer(IncomingCall& call, const HttpRequest& http,
                   void (Service::*handle)(const Request&, Response*, CallContext*));

 private:
  /// Null when the session is gone; then `status` says so.
  std::shared_ptr<Session> FindSession(const thrift::TSessionHandle& handle,
                                       thrift::TStatus* status, CallContext* context);
  std::shared_ptr<Operation> FindOperation(const thrift::TOperationHandle& handle,
                                           thrift::TStatus* status);
  void EndSession(const thrift::TSessionHandle& handle);
  void EndOperation(const HandleId& id);
  void CloseIdleOperations();

  std::optional<FaultAction> NextFault(const FaultContext& context);
  template <typename Request>
  std::string SqlOf(const Request& request) const;
  template <typename Request>
  void Forget(const Request& request, const FaultAction& fault);

  ResultForm MakeResultForm(const thrift::TExecuteStatementReq& request, const Session& session,
                            const FaultAction& fault) const;
  void RunStatement(const std::shared_ptr<Operation>& operation, SqlRequest request,
                    const ResultForm& form, const std::string& cache_key);
  void StartStatement(const std::shared_ptr<Operation>& operation,
                      const thrift::TExecuteStatementReq& request, const ResultForm& form,
                      const std::string& cache_key);

  /// Fills the members that §8.2's rule asks for, and closes the operation when it is done with.
  void FillDirectResults(const std::shared_ptr<Operation>& operation,
                         const Operation::Snapshot& snapshot,
                         const thrift::TSparkGetDirectResults& wanted, CallContext* context,
                         thrift::TSparkDirectResults* direct);
  void FillPage(const std::shared_ptr<Operation>& operation, const PageRequest& request,
                CallContext* context, thrift::TFetchResultsResp* response);
  LinkTerms MakeLinkTerms(CallContext* context) const;

  template <typename Request, typename Response>
  void AnswerMetadata(const Request& request, thrift::TOperationType::type type,
                      const std::shared_ptr<Session>& session, const Result<MetadataTable>& table,
                      Response* response, CallContext* context);

  Engine* const engine_;
  Spool* const spool_;
  const LinkSigner* const signer_;
  FaultScript* const faults_;
  const ThriftOptions options_;
  const Clock& clock_;

  SessionTable table_;
  const std::shared_ptr<ResultCache> cache_;  // null: nothing is kept
  std::atomic<bool> stopping_ = false;
  std::atomic<int64_t> sessions_opened_ = 0;
  std::atomic<int64_t> statements_run_ = 0;
  std::atomic<int64_t> links_given_ = 0;

  DeadlineWatch deadlines_;  // these two own threads that use all of the above: destroyed first
  StatementPool pool_;
};

/// GetOperationStatus' fields for `snapshot`.
thrift::TGetOperationStatusResp MakeOperationStatus(const Operation::Snapshot& snapshot);
/// The error of a handle that names no operation (any more).
thrift::TStatus InvalidOperation(const thrift::TOperationHandle& handle);
/// The failure that a snapshot tells of.
thrift::TStatus SettledError(const Operation::Snapshot& snapshot, const Operation& operation);

}  // namespace dbx::local
