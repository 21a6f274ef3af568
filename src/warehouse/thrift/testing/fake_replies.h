// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "warehouse/thrift/thrift_types.h"

/// Pieces of replies as real servers send them, for scripts of a FakeService.
namespace dbx::thrift {

inline constexpr char kHandleSecret[] = "SECRET-of-handle";  // 16 bytes

TStatus Success();
TStatus Failure(std::string_view sqlstate, std::string_view message);
template <typename Response>
Response Succeeded() {
  Response response;
  response.status = Success();
  return response;
}

THandleIdentifier Identifier(uint8_t number);
/// Its statement id is "<number as two digits>000000-0000-0000-0000-000000000000".
TOperationHandle Handle(uint8_t number);
std::string StatementIdOf(uint8_t number);

TOpenSessionResp OpenedSession(
    TProtocolVersion::type version = TProtocolVersion::SPARK_CLI_SERVICE_PROTOCOL_V8);
TGetOperationStatusResp InState(TOperationState::type state);

TColumnDesc Column(std::string_view name, TTypeId::type type, int32_t position = 1);
TColumnDesc DecimalColumn(std::string_view name, int32_t precision, int32_t scale);

/// Metadata of a result with the columns of RowSchema() in arrow/testing.
TGetResultSetMetadataResp ArrowMetadata(bool lz4 = false);
TGetResultSetMetadataResp LinkMetadata();
TGetResultSetMetadataResp ColumnMetadata(std::vector<TColumnDesc> columns);

/// Pages of the rows first_row .. first_row + num_rows - 1 of RowSchema(), or of links to them.
TFetchResultsResp ArrowPage(int64_t first_row, int64_t num_rows, bool more);
TFetchResultsResp LinkPage(int64_t first_row, std::vector<int64_t> rows_of_links, bool more,
                           std::string_view mark = "a");
TFetchResultsResp ColumnPage(int64_t first_row, std::vector<TColumn> columns, bool more);
TFetchResultsResp EmptyPage(bool more);

/// A reply with a handle and no direct results.
TExecuteStatementResp Accepted(uint8_t number);
/// A reply whose direct results hold everything; `closed`: the server has closed the operation.
TExecuteStatementResp Finished(uint8_t number, TGetResultSetMetadataResp metadata,
                               TFetchResultsResp page, bool closed);

TColumn Strings(std::vector<std::string> values, std::string nulls = std::string(1, '\0'));
TColumn Integers(std::vector<int32_t> values, std::string nulls = std::string(1, '\0'));
TColumn Longs(std::vector<int64_t> values, std::string nulls = std::string(1, '\0'));

}  // namespace dbx::thrift
