// SPDX-License-Identifier: Apache-2.0
#include "warehouse/thrift/testing/fake_replies.h"

#include <utility>

#include "arrow/testing/ipc_writer.h"
#include "base/str_cat.h"
#include "warehouse/thrift/thrift_status.h"

namespace dbx::thrift {
namespace {

constexpr int64_t kRowsPerBatch = 4;

template <typename Column, typename Values>
Column WithValues(Values values, std::string nulls) {
  Column column;
  column.values = std::move(values);
  column.nulls = std::move(nulls);
  return column;
}

TFetchResultsResp Page(int64_t first_row, bool more) {
  auto page = Succeeded<TFetchResultsResp>();
  page.__set_hasMoreRows(more);
  TRowSet rows;
  rows.__set_startRowOffset(first_row);
  page.__set_results(rows);
  return page;
}

}  // namespace

TStatus Success() {
  TStatus status;
  status.statusCode = TStatusCode::SUCCESS_STATUS;
  return status;
}

TStatus Failure(std::string_view sqlstate, std::string_view message) {
  TStatus status;
  status.statusCode = TStatusCode::ERROR_STATUS;
  status.__set_sqlState(std::string(sqlstate));
  status.__set_errorCode(0);
  status.__set_errorMessage(std::string(message));
  return status;
}

THandleIdentifier Identifier(uint8_t number) {
  THandleIdentifier identifier;
  identifier.guid = std::string(16, '\0');
  identifier.guid[0] = static_cast<char>(number);
  identifier.secret = kHandleSecret;
  return identifier;
}

TOperationHandle Handle(uint8_t number) {
  TOperationHandle handle;
  handle.operationId = Identifier(number);
  handle.operationType = TOperationType::EXECUTE_STATEMENT;
  handle.hasResultSet = true;
  return handle;
}

std::string StatementIdOf(uint8_t number) {
  return ToUuid(Identifier(number));
}

TOpenSessionResp OpenedSession(TProtocolVersion::type version) {
  auto reply = Succeeded<TOpenSessionResp>();
  reply.__set_serverProtocolVersion(version);
  TSessionHandle handle;
  handle.sessionId = Identifier(0xEE);
  reply.__set_sessionHandle(handle);
  TNamespace names;
  names.__set_catalogName("main");
  names.__set_schemaName("default");
  reply.__set_initialNamespace(names);
  reply.__set_canUseMultipleCatalogs(true);
  return reply;
}

TGetOperationStatusResp InState(TOperationState::type state) {
  auto operation = Succeeded<TGetOperationStatusResp>();
  operation.__set_operationState(state);
  return operation;
}

TColumnDesc Column(std::string_view name, TTypeId::type type, int32_t position) {
  TColumnDesc column;
  column.columnName = std::string(name);
  column.__set_position(position);
  TTypeEntry entry;
  TPrimitiveTypeEntry primitive;
  primitive.type = type;
  entry.__set_primitiveEntry(primitive);
  column.typeDesc.types.push_back(entry);
  return column;
}

TColumnDesc DecimalColumn(std::string_view name, int32_t precision, int32_t scale) {
  TColumnDesc column = Column(name, TTypeId::DECIMAL_TYPE);
  TTypeQualifiers qualifiers;
  qualifiers.qualifiers["precision"].__set_i32Value(precision);
  qualifiers.qualifiers["scale"].__set_i32Value(scale);
  column.typeDesc.types.front().primitiveEntry.__set_typeQualifiers(qualifiers);
  return column;
}

TGetResultSetMetadataResp ArrowMetadata(bool lz4) {
  TGetResultSetMetadataResp metadata =
      ColumnMetadata({Column("row", TTypeId::BIGINT_TYPE, 1),
                      Column("text", TTypeId::STRING_TYPE, 2), DecimalColumn("amount", 18, 2)});
  metadata.__set_resultFormat(TSparkRowSetType::ARROW_BASED_SET);
  metadata.__set_lz4Compressed(lz4);
  metadata.__set_arrowSchema(MakeIpcMessages(0, 0, 1).schema);
  return metadata;
}

TGetResultSetMetadataResp LinkMetadata() {
  TGetResultSetMetadataResp metadata = ArrowMetadata(true);
  metadata.__set_resultFormat(TSparkRowSetType::URL_BASED_SET);
  return metadata;
}

TGetResultSetMetadataResp ColumnMetadata(std::vector<TColumnDesc> columns) {
  auto metadata = Succeeded<TGetResultSetMetadataResp>();
  TTableSchema schema;
  schema.columns = std::move(columns);
  metadata.__set_schema(schema);
  metadata.__set_resultFormat(TSparkRowSetType::COLUMN_BASED_SET);
  return metadata;
}

TFetchResultsResp ArrowPage(int64_t first_row, int64_t num_rows, bool more) {
  TFetchResultsResp page = Page(first_row, more);
  std::vector<TSparkArrowBatch> batches;
  int64_t left = num_rows;
  for (std::string& bytes : MakeIpcMessages(first_row, num_rows, kRowsPerBatch).batches) {
    TSparkArrowBatch& batch = batches.emplace_back();
    batch.batch = std::move(bytes);
    batch.rowCount = std::min(left, kRowsPerBatch);
    left -= batch.rowCount;
  }
  page.results.__set_arrowBatches(batches);
  return page;
}

TFetchResultsResp LinkPage(int64_t first_row, std::vector<int64_t> rows_of_links, bool more,
                           std::string_view mark) {
  TFetchResultsResp page = Page(first_row, more);
  std::vector<TSparkArrowResultLink> links;
  for (const int64_t rows : rows_of_links) {
    TSparkArrowResultLink& link = links.emplace_back();
    link.fileLink = StrCat("https://storage.example/f", first_row, "?signature=SIGNATURE-", mark);
    link.expiryTime = 4'102'444'800'000;  // 2100-01-01
    link.startRowOffset = first_row;
    link.rowCount = rows;
    link.bytesNum = rows * 100;
    link.__set_httpHeaders({{"x-key", "HEADER-SECRET"}});
    first_row += rows;
  }
  page.results.__set_resultLinks(links);
  return page;
}

TFetchResultsResp ColumnPage(int64_t first_row, std::vector<TColumn> columns, bool more) {
  TFetchResultsResp page = Page(first_row, more);
  page.results.__set_columns(columns);
  return page;
}

TFetchResultsResp EmptyPage(bool more) {
  return Page(0, more);
}

TExecuteStatementResp Accepted(uint8_t number) {
  auto reply = Succeeded<TExecuteStatementResp>();
  reply.__set_operationHandle(Handle(number));
  return reply;
}

TExecuteStatementResp Finished(uint8_t number, TGetResultSetMetadataResp metadata,
                               TFetchResultsResp page, bool closed) {
  TExecuteStatementResp reply = Accepted(number);
  TSparkDirectResults direct;
  direct.__set_operationStatus(InState(TOperationState::FINISHED_STATE));
  direct.__set_resultSetMetadata(metadata);
  direct.__set_resultSet(page);
  if (closed) direct.__set_closeOperation(Succeeded<TCloseOperationResp>());
  reply.__set_directResults(direct);
  return reply;
}

TColumn Strings(std::vector<std::string> values, std::string nulls) {
  TColumn column;
  column.__set_stringVal(WithValues<TStringColumn>(std::move(values), std::move(nulls)));
  return column;
}

TColumn Integers(std::vector<int32_t> values, std::string nulls) {
  TColumn column;
  column.__set_i32Val(WithValues<TI32Column>(std::move(values), std::move(nulls)));
  return column;
}

TColumn Longs(std::vector<int64_t> values, std::string nulls) {
  TColumn column;
  column.__set_i64Val(WithValues<TI64Column>(std::move(values), std::move(nulls)));
  return column;
}

}  // namespace dbx::thrift
