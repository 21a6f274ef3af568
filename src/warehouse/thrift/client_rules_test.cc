// SPDX-License-Identifier: Apache-2.0
// What a client has to put up with from real servers, rule by rule: sessions, statements, rows.
// Errors and links have files of their own.
#include <gtest/gtest.h>

#include "arrow/testing/lz4_writer.h"
#include "base/str_cat.h"
#include "warehouse/thrift/testing/thrift_fixture.h"

namespace dbx::thrift {
namespace {

using ThriftClient = ThriftFixture;

void AppendI32(std::string& bytes, uint32_t value) {
  for (const int shift : {24, 16, 8, 0}) bytes.push_back(static_cast<char>(value >> shift));
}

void AppendField(std::string& bytes, char type, uint16_t id) {
  bytes.push_back(type);
  bytes.push_back(static_cast<char>(id >> 8));
  bytes.push_back(static_cast<char>(id));
}

TEST_F(ThriftClient, C1_ReadsFieldsInAnyOrderAndSkipsUnknownOnes) {
  // OpenSessionResp: an unknown list, the version before the status, the status with an unknown
  // field.
  service.OnHttp("OpenSession", [](const HttpRequest& request) {
    const ReceivedCall call = ReadCall(request.body, nullptr);
    std::string body = WriteReply(call.method, call.sequence_id, OpenedSession());
    const size_t result = body.find(std::string("\x0c\0\0", 3));
    std::string response;
    AppendField(response, 15, 0x0D77);
    response.push_back(8);
    AppendI32(response, 1);
    AppendI32(response, 7);
    AppendField(response, 12, 3);  // sessionHandle
    AppendField(response, 12, 1);
    for (const uint16_t id : {uint16_t{2}, uint16_t{1}}) {
      AppendField(response, 11, id);
      AppendI32(response, 16);
      response.append(16, static_cast<char>(id));
    }
    response.append(2, '\0');
    AppendField(response, 8, 2);
    AppendI32(response, 42248);
    AppendField(response, 12, 1);
    AppendField(response, 11, 0x0D02);
    AppendI32(response, 3);
    response.append("abc");
    AppendField(response, 8, 1);
    AppendI32(response, 0);
    response.append(3, '\0');
    return FakeHttpClient::Response(200, body.substr(0, result + 3) + response);
  });
  service.On<TExecuteStatementReq, TExecuteStatementResp>(
      kExecuteStatement, [](const auto& request) {
        EXPECT_EQ(request.sessionHandle.sessionId.guid, std::string(16, '\1'));
        EXPECT_EQ(request.sessionHandle.sessionId.secret, std::string(16, '\2'));
        TExecuteStatementResp reply = Finished(1, ArrowMetadata(), ArrowPage(0, 3, false), true);
        reply.directResults.resultSetMetadata.__set_cacheLookupResult(
            static_cast<TCacheLookupResult::type>(99));
        return reply;
      });
  const auto execution = Execute();
  ASSERT_TRUE(execution.ok()) << execution.status().ToString();
  EXPECT_EQ(*ReadRows(*execution->rows), RowRange(0, 3));
}

TEST_F(ThriftClient, C2_TakesSuccessWithInfoAsSuccessAndStillExecutingAsKeepPolling) {
  TExecuteStatementResp accepted = Accepted(1);
  accepted.status.statusCode = TStatusCode::SUCCESS_WITH_INFO_STATUS;
  service.InOrder(kExecuteStatement, {accepted});
  TGetOperationStatusResp busy = InState(TOperationState::RUNNING_STATE);
  busy.status.statusCode = TStatusCode::STILL_EXECUTING_STATUS;
  service.InOrder(kGetOperationStatus, {busy, busy, InState(TOperationState::FINISHED_STATE)});
  service.InOrder(kGetResultSetMetadata, {ArrowMetadata()});
  service.InOrder(kFetchNext, {ArrowPage(0, 5, false)});
  const auto execution = Execute();
  ASSERT_TRUE(execution.ok()) << execution.status().ToString();
  EXPECT_EQ(*ReadRows(*execution->rows), RowRange(0, 5));
  EXPECT_EQ(service.num_calls("GetOperationStatus"), 3);
}

TEST_F(ThriftClient, C2_TakesAnInvalidHandleAsAnError) {
  TExecuteStatementResp reply;
  reply.status.statusCode = TStatusCode::INVALID_HANDLE_STATUS;
  service.InOrder(kExecuteStatement, {reply});
  const auto execution = Execute();
  ASSERT_FALSE(execution.ok());
  EXPECT_NE(execution.status().message().find("handle"), std::string::npos);
}

TEST_F(ThriftClient, C3_DropsFeaturesThatTheServersVersionLacks) {
  service.InOrder(kOpenSession, {OpenedSession(TProtocolVersion::SPARK_CLI_SERVICE_PROTOCOL_V2)});
  service.InOrder(kExecuteStatement, {Finished(1, ArrowMetadata(), ArrowPage(0, 1, false), true)});
  ASSERT_TRUE(Execute().ok());
  const TExecuteStatementReq sent = service.Requests(kExecuteStatement).at(0);
  EXPECT_FALSE(sent.canDownloadResult);
  EXPECT_FALSE(sent.canDecompressLZ4Result);
  EXPECT_FALSE(sent.__isset.useArrowNativeTypes);
  const auto bound = Execute({.sql = "SELECT ?", .parameters = {{"INT", "1"}}});
  EXPECT_EQ(bound.status().code(), StatusCode::kNotImplemented);
}

TEST_F(ThriftClient, C3_AsksANewServerForEverything) {
  service.InOrder(kExecuteStatement, {Finished(1, ArrowMetadata(), ArrowPage(0, 1, false), true)});
  config.session.query_tags = {{"team", "a,b:c"}, {"flag", ""}};
  ASSERT_TRUE(Execute({.sql = "SELECT ?",
                       .parameters = {{"INT", "1"}, {"STRING", std::nullopt}},
                       .timeout = std::chrono::seconds(30)})
                  .ok());
  const TExecuteStatementReq sent = service.Requests(kExecuteStatement).at(0);
  EXPECT_TRUE(sent.runAsync && sent.canReadArrowResult && sent.canDownloadResult);
  EXPECT_TRUE(sent.canDecompressLZ4Result);
  EXPECT_EQ(sent.queryTimeout, 30);
  EXPECT_EQ(sent.getDirectResults.maxRows, 500'000);
  EXPECT_EQ(sent.getDirectResults.maxBytes, int64_t{10} << 20);
  const TSparkArrowTypes& native = sent.useArrowNativeTypes;
  EXPECT_TRUE(native.timestampAsArrow && native.decimalAsArrow && native.complexTypesAsArrow);
  EXPECT_TRUE(native.intervalTypesAsArrow && native.nullTypeAsArrow);
  EXPECT_EQ(sent.confOverlay.at("query_tags"), "flag,team:a\\,b\\:c");
  ASSERT_EQ(sent.parameters.size(), 2u);
  EXPECT_EQ(sent.parameters[0].ordinal, 1);
  EXPECT_EQ(sent.parameters[0].value.stringValue, "1");
  EXPECT_EQ(sent.parameters[1].ordinal, 2);
  EXPECT_FALSE(sent.parameters[1].__isset.value);
}

TEST_F(ThriftClient, C4_UsesTheNamesThatTheServerDidNotTakeOver) {
  TOpenSessionResp reply = OpenedSession();
  reply.__isset.initialNamespace = false;
  reply.__isset.canUseMultipleCatalogs = false;
  service.InOrder(kOpenSession, {reply});
  service.InOrder(kExecuteStatement, {Finished(1, ArrowMetadata(), EmptyPage(false), true)});
  config.session.catalog = "sales`x";
  config.session.schema = "q1";
  Open();
  const auto sent = service.Requests(kExecuteStatement);
  ASSERT_EQ(sent.size(), 2u);
  EXPECT_EQ(sent[0].statement, "USE CATALOG `sales``x`");
  EXPECT_EQ(sent[1].statement, "USE SCHEMA `q1`");
  EXPECT_EQ(session->catalog(), "sales`x");
  EXPECT_EQ(session->schema(), "q1");
}

TEST_F(ThriftClient, C5_GoesOnAfterAReplyWithTheStatusAlone) {
  TExecuteStatementResp reply = Accepted(1);
  reply.directResults.__set_operationStatus(InState(TOperationState::RUNNING_STATE));
  reply.__isset.directResults = true;
  service.InOrder(kExecuteStatement, {reply});
  service.InOrder(kGetResultSetMetadata, {ArrowMetadata()});
  service.InOrder(kFetchNext, {ArrowPage(0, 5, true), ArrowPage(5, 2, false)});
  const auto execution = Execute();
  ASSERT_TRUE(execution.ok()) << execution.status().ToString();
  EXPECT_EQ(*ReadRows(*execution->rows), RowRange(0, 7));
  Close();
  EXPECT_EQ(service.num_calls("CloseOperation"), 1);
}

TEST_F(ThriftClient, C5_GoesOnAfterAReplyWithoutTheFirstPage) {
  TExecuteStatementResp reply = Finished(1, ArrowMetadata(), EmptyPage(false), false);
  reply.directResults.__isset.resultSet = false;
  service.InOrder(kExecuteStatement, {reply});
  service.InOrder(kFetchNext, {ArrowPage(0, 5, false)});
  const auto execution = Execute();
  ASSERT_TRUE(execution.ok()) << execution.status().ToString();
  EXPECT_EQ(*ReadRows(*execution->rows), RowRange(0, 5));
  EXPECT_EQ(service.num_calls("GetResultSetMetadata"), 0);
  EXPECT_EQ(service.num_calls("GetOperationStatus"), 0);
}

TEST_F(ThriftClient, C5_ReportsAnErrorInTheDirectResultsStatus) {
  TExecuteStatementResp reply = Accepted(7);
  TGetOperationStatusResp failed = InState(TOperationState::ERROR_STATE);
  failed.__set_sqlState("22012");
  failed.__set_errorMessage("[DIVIDE_BY_ZERO] Division by zero.");
  reply.directResults.__set_operationStatus(failed);
  reply.__isset.directResults = true;
  service.InOrder(kExecuteStatement, {reply});
  const auto execution = Execute();
  ASSERT_FALSE(execution.ok());
  EXPECT_EQ(execution.status().sqlstate(), "22012");
  EXPECT_EQ(execution.status().error_class(), "DIVIDE_BY_ZERO");
  EXPECT_EQ(execution.status().statement_id(), StatementIdOf(7));
  Close();
  EXPECT_EQ(service.num_calls("CloseOperation"), 1);
}

TEST_F(ThriftClient, C5_ReportsAnErrorWithoutAHandle) {
  TExecuteStatementResp reply;
  reply.status = Failure("42601", "[PARSE_SYNTAX_ERROR] Syntax error at or near 'INSER'.");
  service.InOrder(kExecuteStatement, {reply});
  const auto execution = Execute();
  EXPECT_EQ(execution.status().code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(execution.status().sqlstate(), "42601");
  Close();
  EXPECT_EQ(service.num_calls("CloseOperation"), 0);
}

TEST_F(ThriftClient, C5_RefusesASuccessWithoutAHandle) {
  service.InOrder(kExecuteStatement, {Succeeded<TExecuteStatementResp>()});
  EXPECT_EQ(Execute().status().code(), StatusCode::kInvalidData);
}

TEST_F(ThriftClient, C6_DoesNotCloseAnOperationThatTheServerClosed) {
  service.InOrder(kExecuteStatement, {Finished(1, ArrowMetadata(), ArrowPage(0, 9, false), true)});
  {
    const auto execution = Execute();
    ASSERT_TRUE(execution.ok());
    EXPECT_EQ(*ReadRows(*execution->rows), RowRange(0, 9));
  }
  Close();
  EXPECT_EQ(service.calls(),
            (std::vector<std::string>{"OpenSession", "ExecuteStatement", "CloseSession"}));
}

TEST_F(ThriftClient, C6_ClosesOnceAndIgnoresWhatComesBack) {
  service.InOrder(kExecuteStatement, {Finished(1, ArrowMetadata(), ArrowPage(0, 9, false), false)});
  TCloseOperationResp refused;
  refused.status = Failure("08000", "Invalid OperationHandle");
  service.InOrder(kCloseOperation, {refused});
  auto execution = Execute();
  ASSERT_TRUE(execution.ok());
  EXPECT_EQ(*ReadRows(*execution->rows), RowRange(0, 9));
  execution->rows.reset();
  EXPECT_TRUE(Execute().ok());
  Close();
  EXPECT_EQ(service.num_calls("CloseOperation"), 2);  // one a statement
}

TEST_F(ThriftClient, C7_DecidesByWhatIsFilledNotByWhatIsAnnounced) {
  service.InOrder(kExecuteStatement, {Finished(1, LinkMetadata(), ArrowPage(0, 9, false), true)});
  const auto execution = Execute();
  ASSERT_TRUE(execution.ok()) << execution.status().ToString();
  ASSERT_NE(execution->rows, nullptr);
  EXPECT_EQ(*ReadRows(*execution->rows), RowRange(0, 9));
}

TEST_F(ThriftClient, C7_TakesAMissingFormatForColumns) {
  TGetResultSetMetadataResp metadata = ColumnMetadata({Column("n", TTypeId::INT_TYPE)});
  metadata.__isset.resultFormat = false;
  service.InOrder(kExecuteStatement,
                  {Finished(1, metadata, ColumnPage(0, {Integers({7, 8})}, false), true)});
  const auto execution = Execute();
  ASSERT_TRUE(execution.ok()) << execution.status().ToString();
  const auto batch = execution->rows->Next();
  ASSERT_TRUE(batch.ok()) << batch.status().ToString();
  EXPECT_EQ((*batch)->num_rows(), 2);
}

TEST_F(ThriftClient, C8_TakesNullBitmapsOfAnyLength) {
  const TGetResultSetMetadataResp metadata =
      ColumnMetadata({Column("a", TTypeId::INT_TYPE), Column("b", TTypeId::INT_TYPE),
                      Column("c", TTypeId::INT_TYPE)});
  std::vector<int32_t> values(12, 5);
  const std::string too_long("\xff\x0f\0\0", 4);
  service.InOrder(
      kExecuteStatement,
      {Finished(1, metadata,
                ColumnPage(
                    0, {Integers(values, ""), Integers(values, "\x10"), Integers(values, too_long)},
                    false),
                true)});
  const auto execution = Execute();
  ASSERT_TRUE(execution.ok());
  const auto batch = execution->rows->Next();
  ASSERT_TRUE(batch.ok()) << batch.status().ToString();
  const ArrowArray& rows = *(*batch)->c_array();
  EXPECT_EQ(rows.children[0]->null_count, 0);
  EXPECT_EQ(rows.children[1]->null_count, 1);
  EXPECT_EQ(rows.children[2]->null_count, 12);
}

TEST_F(ThriftClient, C9_TakesPagesWithoutRowsAndPagesLargerThanAsked) {
  service.InOrder(kExecuteStatement, {Finished(1, ArrowMetadata(), EmptyPage(true), false)});
  TFetchResultsResp no_batches = EmptyPage(true);
  no_batches.results.__set_arrowBatches({});
  service.InOrder(kFetchNext,
                  {no_batches, EmptyPage(true), ArrowPage(0, 40, true), EmptyPage(false)});
  const auto execution = Execute({.sql = "SELECT 1", .max_rows = 3});
  ASSERT_TRUE(execution.ok()) << execution.status().ToString();
  EXPECT_EQ(*ReadRows(*execution->rows), RowRange(0, 40));
  EXPECT_EQ(service.num_calls("FetchResults"), 4);  // and none past the end
  EXPECT_EQ(service.Requests(kFetchNext).at(0).maxRows, 3);
}

TEST_F(ThriftClient, C10_TrustsAnArrowSchemaWithFewerFieldsThanColumns) {
  TGetResultSetMetadataResp metadata = ColumnMetadata({Column("Result", TTypeId::STRING_TYPE)});
  metadata.__set_resultFormat(TSparkRowSetType::ARROW_BASED_SET);
  nanoarrow::UniqueSchema none;
  ArrowSchemaInit(none.get());
  ASSERT_EQ(ArrowSchemaSetTypeStruct(none.get(), 0), NANOARROW_OK);
  metadata.__set_arrowSchema(WriteSchemaMessage(*none.get()));
  service.InOrder(kExecuteStatement, {Finished(1, metadata, EmptyPage(false), true)});
  const auto execution = Execute({.sql = "CREATE TABLE t (n INT)"});
  ASSERT_TRUE(execution.ok()) << execution.status().ToString();
  EXPECT_EQ(execution->manifest.schema->num_columns(), 0);
  EXPECT_FALSE(execution->rows->Next()->has_value());
  EXPECT_EQ(execution->rows_affected, std::nullopt);
}

TEST_F(ThriftClient, C10_MakesASchemaWhenTheServerSendsNone) {
  TGetResultSetMetadataResp metadata = ArrowMetadata();
  metadata.__isset.arrowSchema = false;
  metadata.arrowSchema.clear();
  metadata.schema.columns.pop_back();  // a decimal, which such servers send as text
  TFetchResultsResp page = EmptyPage(false);
  service.InOrder(kExecuteStatement, {Finished(1, metadata, page, true)});
  const auto execution = Execute();
  ASSERT_TRUE(execution.ok()) << execution.status().ToString();
  const ArrowSchema& schema = *execution->manifest.schema->c_schema();
  ASSERT_EQ(schema.n_children, 2);
  EXPECT_STREQ(schema.children[0]->format, "l");
  EXPECT_STREQ(schema.children[1]->format, "u");
}

TEST_F(ThriftClient, C10_WaitsForASchemaThatComesWithTheFirstPage) {
  service.InOrder(kExecuteStatement, {Accepted(1)});
  service.InOrder(kGetResultSetMetadata, {Succeeded<TGetResultSetMetadataResp>()});
  TFetchResultsResp page = ArrowPage(0, 5, false);
  page.__set_resultSetMetadata(ArrowMetadata());
  service.InOrder(kFetchNext, {page});
  const auto execution = Execute();
  ASSERT_TRUE(execution.ok()) << execution.status().ToString();
  EXPECT_TRUE(service.Requests(kFetchNext).at(0).includeResultSetMetadata);
  EXPECT_EQ(*ReadRows(*execution->rows), RowRange(0, 5));
}

TEST_F(ThriftClient, C11_CutsBatchesToTheirRowCount) {
  TFetchResultsResp page = ArrowPage(0, 8, true);
  page.results.arrowBatches[1].rowCount = 1;
  service.InOrder(kExecuteStatement, {Finished(1, ArrowMetadata(), page, false)});
  service.InOrder(kFetchNext, {ArrowPage(5, 3, false)});
  const auto execution = Execute();
  ASSERT_TRUE(execution.ok());
  EXPECT_EQ(*ReadRows(*execution->rows), RowRange(0, 8));
}

TEST_F(ThriftClient, C11_NoticesAGapBetweenPages) {
  service.InOrder(kExecuteStatement, {Finished(1, ArrowMetadata(), ArrowPage(0, 5, true), false)});
  service.InOrder(kFetchNext, {ArrowPage(6, 3, false)});
  const auto execution = Execute();
  ASSERT_TRUE(execution.ok());
  EXPECT_EQ(ReadRows(*execution->rows).status().code(), StatusCode::kIntegrity);
  EXPECT_EQ(execution->rows->Next().status().code(), StatusCode::kIntegrity);  // and stays so
}

TEST_F(ThriftClient, C11_NoticesABatchWithTooFewRows) {
  TFetchResultsResp page = ArrowPage(0, 3, false);
  page.results.arrowBatches[0].rowCount = 4;
  service.InOrder(kExecuteStatement, {Finished(1, ArrowMetadata(), page, true)});
  const auto execution = Execute();
  ASSERT_TRUE(execution.ok());
  EXPECT_EQ(ReadRows(*execution->rows).status().code(), StatusCode::kIntegrity);
}

TEST_F(ThriftClient, C12_DecodesLz4FramesOfEveryKindAndPlainBatches) {
  TFetchResultsResp page = ArrowPage(0, 20, false);
  const std::vector<Lz4Layout> layouts = {{},
                                          {.checksums = true},
                                          {.content_size = true},
                                          {.linked_blocks = true, .small_blocks = true}};
  for (size_t index = 0; index < layouts.size(); ++index) {
    std::string& batch = page.results.arrowBatches[index].batch;
    batch = Lz4Frames(batch, layouts[index]);
  }
  service.InOrder(kExecuteStatement, {Finished(1, ArrowMetadata(true), page, true)});
  const auto execution = Execute();
  ASSERT_TRUE(execution.ok());
  EXPECT_EQ(execution->manifest.compression, Compression::kLz4Frame);
  EXPECT_EQ(*ReadRows(*execution->rows),
            RowRange(0, 20));  // the last batch is not compressed at all
}

TEST_F(ThriftClient, C12_RefusesACutOffFrame) {
  TFetchResultsResp page = ArrowPage(0, 3, false);
  std::string& batch = page.results.arrowBatches[0].batch;
  batch = Lz4Frames(batch);
  batch.resize(batch.size() / 2);
  service.InOrder(kExecuteStatement, {Finished(1, ArrowMetadata(true), page, true)});
  const auto execution = Execute();
  ASSERT_TRUE(execution.ok());
  EXPECT_EQ(ReadRows(*execution->rows).status().code(), StatusCode::kInvalidData);
}

TEST_F(ThriftClient, C25_CountsChangedRowsByTheStatusThenByTheColumn) {
  const TGetResultSetMetadataResp metadata =
      ColumnMetadata({Column("num_affected_rows", TTypeId::BIGINT_TYPE)});
  TExecuteStatementResp by_column =
      Finished(1, metadata, ColumnPage(0, {Longs({12})}, false), true);
  TExecuteStatementResp by_status = by_column;
  by_status.directResults.operationStatus.__set_numModifiedRows(11);
  service.InOrder(kExecuteStatement,
                  {by_status, by_column, Finished(1, metadata, EmptyPage(false), true),
                   Finished(1, ArrowMetadata(), ArrowPage(0, 3, false), true)});
  EXPECT_EQ(Execute()->rows_affected, 11);
  const auto execution = Execute();
  EXPECT_EQ(execution->rows_affected, 12);
  EXPECT_EQ((*execution->rows->Next())->num_rows(), 1);  // looking ahead took nothing away
  EXPECT_FALSE(execution->rows->Next()->has_value());
  EXPECT_EQ(Execute()->rows_affected, std::nullopt);
  EXPECT_EQ(Execute()->rows_affected, std::nullopt);
}

TEST_F(ThriftClient, C26_TakesTableTypesInAnyOrder) {
  TGetTableTypesResp reply = Succeeded<TGetTableTypesResp>();
  const TExecuteStatementResp finished =
      Finished(1, ColumnMetadata({Column("TABLE_TYPE", TTypeId::STRING_TYPE)}),
               ColumnPage(0, {Strings({"VIEW", "", "TABLE"})}, false), true);
  reply.__set_operationHandle(finished.operationHandle);
  reply.__set_directResults(finished.directResults);
  service.InOrder(kGetTableTypes, {reply});
  Open();
  EXPECT_EQ(*session->TableTypes(), (std::vector<std::string>{"VIEW", "", "TABLE"}));
}

TEST_F(ThriftClient, C27_AsksForMetadataThatTheDirectResultsLeaveOut) {
  TExecuteStatementResp reply =
      Finished(1, Succeeded<TGetResultSetMetadataResp>(), ArrowPage(0, 5, false), false);
  service.InOrder(kExecuteStatement, {reply});
  service.InOrder(kGetResultSetMetadata, {ArrowMetadata()});
  const auto execution = Execute();
  ASSERT_TRUE(execution.ok()) << execution.status().ToString();
  EXPECT_EQ(service.num_calls("GetResultSetMetadata"), 1);
  EXPECT_EQ(*ReadRows(*execution->rows), RowRange(0, 5));
}

TEST_F(ThriftClient, C28_RefusesToMoveFilesAndFetchesNothingOfThem) {
  TGetResultSetMetadataResp metadata = ColumnMetadata({Column("operation", TTypeId::STRING_TYPE)});
  metadata.__set_isStagingOperation(true);
  service.InOrder(kExecuteStatement,
                  {Finished(3, metadata, ColumnPage(0, {Strings({"PUT"})}, false), true)});
  const auto execution = Execute({.sql = "PUT '/tmp/a' INTO '/Volumes/a'"});
  EXPECT_EQ(execution.status().code(), StatusCode::kNotImplemented);
  EXPECT_EQ(execution.status().statement_id(), StatementIdOf(3));
}

}  // namespace
}  // namespace dbx::thrift
