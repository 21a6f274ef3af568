// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string_view>

#include "http/retry.h"
#include "thrift_generated/TCLIService_types.h"

/// The Thrift backend. The structs whose names begin with T are generated from idl/ and go no
/// further than this.
namespace dbx::thrift {

/// How a method of the service is called.
template <typename Request, typename Response>
struct Method {
  std::string_view name;
  Repeatable repeatable = Repeatable::kAlways;
  /// For one attempt; zero: the configured time-out of a request.
  std::chrono::milliseconds timeout{0};
  /// Time for all attempts together; zero: the configured budget.
  std::chrono::milliseconds budget{0};
};

inline constexpr Method<TOpenSessionReq, TOpenSessionResp> kOpenSession{"OpenSession"};
inline constexpr Method<TCloseSessionReq, TCloseSessionResp> kCloseSession{
    "CloseSession", Repeatable::kAlways, std::chrono::seconds(10), std::chrono::seconds(1)};
inline constexpr Method<TGetInfoReq, TGetInfoResp> kGetInfo{"GetInfo"};
inline constexpr Method<TGetTableTypesReq, TGetTableTypesResp> kGetTableTypes{"GetTableTypes"};
// A statement may have run although no answer came: never sent blindly again.
inline constexpr Method<TExecuteStatementReq, TExecuteStatementResp> kExecuteStatement{
    "ExecuteStatement", Repeatable::kOnlyIfNotSent};
inline constexpr Method<TGetOperationStatusReq, TGetOperationStatusResp> kGetOperationStatus{
    "GetOperationStatus"};
inline constexpr Method<TGetOperationStatusReq, TGetOperationStatusResp> kHeartbeat{
    "GetOperationStatus", Repeatable::kAlways, std::chrono::seconds(30), std::chrono::seconds(1)};
inline constexpr Method<TCancelOperationReq, TCancelOperationResp> kCancelOperation{
    "CancelOperation", Repeatable::kAlways, std::chrono::seconds(10), std::chrono::seconds(10)};
inline constexpr Method<TCloseOperationReq, TCloseOperationResp> kCloseOperation{
    "CloseOperation", Repeatable::kAlways, std::chrono::seconds(10), std::chrono::seconds(1)};
inline constexpr Method<TGetResultSetMetadataReq, TGetResultSetMetadataResp> kGetResultSetMetadata{
    "GetResultSetMetadata"};
// Rows in a reply move the server's cursor: asking again would skip a page.
inline constexpr Method<TFetchResultsReq, TFetchResultsResp> kFetchNext{"FetchResults",
                                                                        Repeatable::kOnlyIfNotSent};
// Links are asked for by row offset: asking again gives the same.
inline constexpr Method<TFetchResultsReq, TFetchResultsResp> kFetchLinks{"FetchResults"};

}  // namespace dbx::thrift
