// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <thread>

#include "result/arrow_reading.h"
#include "thrift/thrift_client.h"

namespace dbx::local {
namespace {

using thrift::TOperationState;
using thrift::TSparkRowSetType;
using thrift::TStatusCode;

constexpr auto kSuccess = TStatusCode::SUCCESS_STATUS;
constexpr auto kError = TStatusCode::ERROR_STATUS;

/// The rows of inline batches, by the reply's own metadata.
ArrowTable InlineRows(const thrift::TGetResultSetMetadataResp& metadata,
                      const thrift::TRowSet& rows) {
  std::string stream = metadata.arrowSchema;
  for (const thrift::TSparkArrowBatch& batch : rows.arrowBatches) {
    stream += metadata.lz4Compressed ? DecodeLz4Frames(batch.batch) : batch.batch;
  }
  return ReadArrowStream(stream);
}

FakeResult DdlResult() {
  return {.kind = StatementKind::kDdl,
          .columns = {{.name = "Result", .type = {.id = SqlTypeId::kString}}}};
}

FakeResult DmlResult() {
  FakeResult result{.kind = StatementKind::kDml,
                    .columns = {{.name = "num_affected_rows", .type = {.id = SqlTypeId::kBigint}}},
                    .modified_rows = 4};
  result.batches = [] {
    std::vector<nanoarrow::UniqueArray> batches;
    batches.push_back(OneColumn(
        "l", [](ArrowArray* column) { EXPECT_EQ(ArrowArrayAppendInt(column, 4), NANOARROW_OK); }));
    return batches;
  };
  return result;
}

TEST(ThriftService, S9_ACompleteInlineResultComesWholeAndClosed) {
  ThriftFixture fixture;
  fixture.engine.results["q"] = NumberedResult(10);
  const thrift::TExecuteStatementResp response = fixture.Execute("q");
  ASSERT_EQ(response.status.statusCode, kSuccess);
  const thrift::TSparkDirectResults& direct = response.directResults;
  EXPECT_EQ(direct.operationStatus.operationState, TOperationState::FINISHED_STATE);
  EXPECT_TRUE(direct.__isset.resultSetMetadata);
  EXPECT_EQ(direct.resultSet.status.statusCode, kSuccess);
  EXPECT_FALSE(direct.resultSet.hasMoreRows);
  EXPECT_TRUE(direct.__isset.closeOperation);
  const ArrowTable table = InlineRows(direct.resultSetMetadata, direct.resultSet.results);
  ASSERT_EQ(table.rows.size(), 10U);
  EXPECT_EQ(table.rows[9], (std::vector<std::string>{"9", "name 9"}));
  EXPECT_EQ(table.rows[6][1], "null");
  EXPECT_EQ(fixture.Close(response.operationHandle).statusCode, kError);
}

TEST(ThriftService, S9_WithoutRowsAskedForOnlyTheMetadataComes) {
  ThriftFixture fixture;
  fixture.engine.results["q"] = NumberedResult(10);
  thrift::TExecuteStatementReq request = fixture.ExecuteRequest("q");
  request.getDirectResults.maxRows = 0;
  const thrift::TExecuteStatementResp response = fixture.Execute(request);
  EXPECT_TRUE(response.directResults.__isset.resultSetMetadata);
  EXPECT_FALSE(response.directResults.__isset.resultSet);
  EXPECT_FALSE(response.directResults.__isset.closeOperation);
  EXPECT_EQ(fixture.Close(response.operationHandle).statusCode, kSuccess);
}

TEST(ThriftService, S9_MoreRowsKeepTheOperationOpen) {
  ThriftFixture fixture;
  fixture.engine.results["q"] = NumberedResult(5000);
  thrift::TExecuteStatementReq request = fixture.ExecuteRequest("q");
  request.getDirectResults.maxRows = 4096;
  const thrift::TExecuteStatementResp response = fixture.Execute(request);
  EXPECT_TRUE(response.directResults.resultSet.hasMoreRows);
  EXPECT_FALSE(response.directResults.__isset.closeOperation);
  const thrift::TFetchResultsResp rest = fixture.Fetch(response.operationHandle);
  EXPECT_EQ(rest.results.startRowOffset, 4096);
  EXPECT_FALSE(rest.hasMoreRows);
}

TEST(ThriftService, S9_LinksAreNotClosed) {
  ThriftFixture fixture({.inline_limit_bytes = 0});
  fixture.engine.results["q"] = NumberedResult(100);
  const thrift::TExecuteStatementResp response = fixture.Execute("q");
  const thrift::TSparkDirectResults& direct = response.directResults;
  EXPECT_EQ(direct.resultSetMetadata.resultFormat, TSparkRowSetType::URL_BASED_SET);
  EXPECT_FALSE(direct.resultSet.hasMoreRows);
  EXPECT_FALSE(direct.__isset.closeOperation);
  EXPECT_EQ(fixture.spool.num_objects(), 1);
  EXPECT_EQ(fixture.Close(response.operationHandle).statusCode, kSuccess);
}

TEST(ThriftService, S9_SkipUrlResultsLeavesTheFirstLinksOut) {
  ThriftFixture fixture({.inline_limit_bytes = 0});
  fixture.engine.results["q"] = NumberedResult(100);
  thrift::TExecuteStatementReq request = fixture.ExecuteRequest("q");
  request.getDirectResults.__set_skipUrlResults(true);
  const thrift::TExecuteStatementResp response = fixture.Execute(request);
  EXPECT_TRUE(response.directResults.__isset.resultSetMetadata);
  EXPECT_FALSE(response.directResults.__isset.resultSet);
  EXPECT_EQ(fixture.Fetch(response.operationHandle).results.resultLinks.size(), 1U);
}

TEST(ThriftService, S9_AStatementThatStillRunsIsToldByItsStateAlone) {
  ThriftFixture fixture({.long_poll = std::chrono::milliseconds(1)});
  FakeResult result = NumberedResult(3);
  result.run_gate = std::make_shared<Gate>();
  fixture.engine.results["slow"] = result;
  const thrift::TExecuteStatementResp response = fixture.Execute("slow");
  const thrift::TOperationState::type state = response.directResults.operationStatus.operationState;
  EXPECT_TRUE(state == TOperationState::RUNNING_STATE || state == TOperationState::PENDING_STATE);
  EXPECT_FALSE(response.directResults.__isset.resultSetMetadata);
  result.run_gate->Open();
  EXPECT_EQ(fixture.Fetch(response.operationHandle).results.arrowBatches.size(), 1U);
  EXPECT_EQ(fixture.GetStatus(response.operationHandle).operationState,
            TOperationState::FINISHED_STATE);
}

TEST(ThriftService, S9_ASynchronousCallWaitsForTheEnd) {
  ThriftFixture fixture({.long_poll = std::chrono::milliseconds(1)});
  FakeResult result = NumberedResult(3);
  result.run_gate = std::make_shared<Gate>();
  fixture.engine.results["slow"] = result;
  thrift::TExecuteStatementReq request = fixture.ExecuteRequest("slow");
  request.runAsync = false;
  std::thread opener([&] {
    result.run_gate->WaitForArrival();
    result.run_gate->Open();
  });
  EXPECT_TRUE(fixture.Execute(request).directResults.__isset.closeOperation);
  opener.join();
}

TEST(ThriftService, S9_WithoutDirectResultsTheHandleComesAtOnce) {
  ThriftFixture fixture;
  FakeResult result = NumberedResult(3);
  result.run_gate = std::make_shared<Gate>();
  fixture.engine.results["slow"] = result;
  thrift::TExecuteStatementReq request = fixture.ExecuteRequest("slow");
  request.__isset.getDirectResults = false;
  const thrift::TExecuteStatementResp response = fixture.Execute(request);
  EXPECT_FALSE(response.__isset.directResults);
  result.run_gate->Open();
  thrift::TGetResultSetMetadataReq metadata_request;
  metadata_request.operationHandle = response.operationHandle;
  thrift::TGetResultSetMetadataResp metadata;
  fixture.Call("GetResultSetMetadata", metadata_request, &metadata);
  EXPECT_EQ(metadata.schema.columns.size(), 2U);
  EXPECT_EQ(metadata.schema.columns[1].position, 2);
  EXPECT_EQ(metadata.schema.columns[1].comment, "");
}

TEST(ThriftService, S10_DdlHasAResultColumnForThriftAndNoneForArrow) {
  ThriftFixture fixture;
  fixture.engine.results["create"] = DdlResult();
  const thrift::TExecuteStatementResp response = fixture.Execute("create");
  EXPECT_TRUE(response.operationHandle.hasResultSet);
  const thrift::TGetResultSetMetadataResp& metadata = response.directResults.resultSetMetadata;
  ASSERT_EQ(metadata.schema.columns.size(), 1U);
  EXPECT_EQ(metadata.schema.columns[0].columnName, "Result");
  EXPECT_EQ(metadata.resultFormat, TSparkRowSetType::ARROW_BASED_SET);
  EXPECT_EQ(ReadArrowStream(metadata.arrowSchema).schema->n_children, 0);
  const thrift::TRowSet& rows = response.directResults.resultSet.results;
  EXPECT_TRUE(rows.__isset.arrowBatches);
  EXPECT_TRUE(rows.arrowBatches.empty());
  EXPECT_FALSE(response.directResults.operationStatus.__isset.numModifiedRows);
  EXPECT_TRUE(response.directResults.__isset.closeOperation);
}

TEST(ThriftService, S10_DmlHasItsCountTwice) {
  ThriftFixture fixture;
  fixture.engine.results["update"] = DmlResult();
  const thrift::TExecuteStatementResp response = fixture.Execute("update");
  EXPECT_EQ(response.directResults.operationStatus.numModifiedRows, 4);
  const ArrowTable table = InlineRows(response.directResults.resultSetMetadata,
                                      response.directResults.resultSet.results);
  EXPECT_EQ(table.rows, (std::vector<std::vector<std::string>>{{"4"}}));
}

TEST(ThriftService, S21_AWaitForTheStateEndsWhenItChanges) {
  ThriftFixture fixture({.long_poll = std::chrono::hours(1)});
  FakeResult result = NumberedResult(3);
  result.run_gate = std::make_shared<Gate>();
  fixture.engine.results["slow"] = result;
  thrift::TExecuteStatementReq request = fixture.ExecuteRequest("slow");
  request.__isset.getDirectResults = false;
  const thrift::TOperationHandle handle = fixture.Execute(request).operationHandle;
  std::thread opener([&] {
    result.run_gate->WaitForArrival();
    result.run_gate->Open();
  });
  EXPECT_EQ(fixture.GetStatus(handle).operationState, TOperationState::FINISHED_STATE);
  opener.join();
}

TEST(ThriftService, S21_AFailureFillsEveryText) {
  ThriftFixture fixture;
  FakeResult result;
  result.error = Status::InvalidArgument("[DIVIDE_BY_ZERO] Division by zero. SQLSTATE: 22012")
                     .WithErrorClass("DIVIDE_BY_ZERO")
                     .WithSqlstate("22012");
  fixture.engine.results["bad"] = result;
  const thrift::TExecuteStatementResp response = fixture.Execute("bad");
  EXPECT_EQ(response.status.statusCode, kSuccess);
  const thrift::TGetOperationStatusResp status = fixture.GetStatus(response.operationHandle);
  EXPECT_EQ(status.status.statusCode, kSuccess);
  EXPECT_EQ(status.operationState, TOperationState::ERROR_STATE);
  EXPECT_EQ(status.sqlState, "22012");
  EXPECT_EQ(status.errorCode, 0);
  EXPECT_EQ(status.displayMessage, "\n[DIVIDE_BY_ZERO] Division by zero. SQLSTATE: 22012");
  EXPECT_TRUE(
      status.errorMessage.starts_with("Error running query: [DIVIDE_BY_ZERO] org.apache.spark."));
  EXPECT_FALSE(status.diagnosticInfo.empty());
  EXPECT_EQ(fixture.Fetch(response.operationHandle).status.sqlState, "22012");
}

TEST(ThriftService, S22_ASuccessHasNoMessages) {
  ThriftFixture fixture;
  fixture.engine.results["q"] = NumberedResult(1);
  const thrift::TGetOperationStatusResp status = fixture.Execute("q").directResults.operationStatus;
  EXPECT_FALSE(status.__isset.displayMessage);
  EXPECT_FALSE(status.__isset.errorMessage);
  EXPECT_FALSE(status.__isset.sqlState);
  EXPECT_FALSE(status.status.__isset.displayMessage);
}

TEST(ThriftService, S23_WhatCannotBePlannedIsRefusedAtOnce) {
  ThriftFixture fixture;
  HttpReply reply;
  thrift::TExecuteStatementResp response;
  reply =
      fixture.Call("ExecuteStatement", fixture.ExecuteRequest("SELECT * FROM nowhere"), &response);
  EXPECT_EQ(reply.status, 200);
  EXPECT_EQ(response.status.statusCode, kError);
  EXPECT_FALSE(response.__isset.operationHandle);
  EXPECT_EQ(response.status.sqlState, "42P01");
  EXPECT_EQ(response.status.errorCode, 0);
  EXPECT_TRUE(response.status.displayMessage.starts_with("\n[TABLE_OR_VIEW_NOT_FOUND] "));
  EXPECT_TRUE(response.status.errorMessage.starts_with(
      "Error running query: [TABLE_OR_VIEW_NOT_FOUND] org.apache."));
  EXPECT_GT(response.status.infoMessages.size(), 1U);
  EXPECT_TRUE(response.status.infoMessages[0].starts_with("*"));
  EXPECT_EQ(fixture.service->counters().operations_open, 0);
}

TEST(ThriftService, S24_ClosedAndUnknownOperationsAreErrorsOfTheCall) {
  ThriftFixture fixture;
  fixture.engine.results["q"] = NumberedResult(1);
  thrift::TOperationHandle handle = fixture.Execute("q").operationHandle;
  handle.operationType = thrift::TOperationType::UNKNOWN;
  const thrift::TStatus closed = fixture.Close(handle);
  EXPECT_EQ(closed.statusCode, kError);
  EXPECT_EQ(closed.sqlState, "08000");
  EXPECT_TRUE(
      closed.errorMessage.starts_with("Invalid OperationHandle: OperationHandle "
                                      "[opType=UNKNOWN_OPERATION, getHandleIdentifier()="));
  EXPECT_EQ(closed.errorMessage, closed.displayMessage);
  EXPECT_EQ(fixture.Fetch(handle).status.sqlState, "08000");
  EXPECT_EQ(fixture.GetStatus(handle).status.sqlState, "08000");
  EXPECT_EQ(fixture.Cancel(handle).sqlState, "08000");
}

TEST(ThriftService, S27_ClosingASessionEndsWhatRunsAndFreesFiles) {
  ThriftFixture fixture({.inline_limit_bytes = 0});
  fixture.engine.results["q"] = NumberedResult(100);
  FakeResult slow = NumberedResult(3);
  slow.run_gate = std::make_shared<Gate>();
  fixture.engine.results["slow"] = slow;
  fixture.Execute("q");
  EXPECT_EQ(fixture.spool.num_objects(), 1);
  thrift::TExecuteStatementReq request = fixture.ExecuteRequest("slow");
  request.__isset.getDirectResults = false;
  const thrift::TOperationHandle running = fixture.Execute(request).operationHandle;
  slow.run_gate->WaitForArrival();
  thrift::TCloseSessionReq close;
  close.sessionHandle = fixture.session;
  thrift::TCloseSessionResp response;
  fixture.Call("CloseSession", close, &response);
  EXPECT_EQ(fixture.service->counters().operations_open, 0);
  EXPECT_EQ(fixture.GetStatus(running).status.sqlState, "08000");
  fixture.service.reset();  // joins the runner, which only ends because it was interrupted
  EXPECT_EQ(fixture.spool.num_objects(), 0);
}

TEST(ThriftService, S27_AnIdleOperationIsClosedWithItsReason) {
  ThriftFixture fixture({.inline_limit_bytes = 0, .idle_timeout = std::chrono::seconds(60)});
  fixture.engine.results["q"] = NumberedResult(100);
  const thrift::TOperationHandle handle = fixture.Execute("q").operationHandle;
  fixture.clock.Advance(std::chrono::seconds(61));
  const thrift::TGetOperationStatusResp status = fixture.GetStatus(handle);
  EXPECT_EQ(status.operationState, TOperationState::CLOSED_STATE);
  EXPECT_EQ(status.closeReason, thrift::TDBSqlCloseOperationReason::COMMAND_INACTIVITY_TIMEOUT);
  EXPECT_EQ(fixture.Fetch(handle).status.sqlState, "08000");
  fixture.clock.Advance(std::chrono::seconds(200));
  fixture.Execute("q");
  EXPECT_EQ(fixture.service->counters().operations_open, 1);
  EXPECT_EQ(fixture.spool.num_objects(), 1);
}

TEST(ThriftService, S29_AnOverlayHoldsForOneStatementAndTagsGoNoFurther) {
  ThriftFixture fixture;
  fixture.engine.results["q"] = NumberedResult(1);
  thrift::TExecuteStatementReq request = fixture.ExecuteRequest("q");
  request.__set_confOverlay({{"query_tags", "team:x"}, {"ansi_mode", "false"}});
  fixture.Execute(request);
  fixture.Execute("q");
  const std::vector<SqlRequest> requests = fixture.engine.requests();
  ASSERT_EQ(requests.size(), 2U);
  EXPECT_EQ(requests[0].conf_overlay, (std::map<std::string, std::string>{{"ansi_mode", "false"}}));
  EXPECT_TRUE(requests[1].conf_overlay.empty());
}

thrift::TSparkParameter Parameter(std::optional<std::string> name, std::optional<std::string> type,
                                  std::optional<std::string> value) {
  thrift::TSparkParameter parameter;
  if (name) parameter.__set_name(*name);
  if (type) parameter.__set_type(*type);
  if (value) parameter.value.__set_stringValue(*value);
  parameter.__isset.value = value.has_value();
  return parameter;
}

thrift::TSparkParameterValueArg Argument(const std::string& type, const std::string& value) {
  thrift::TSparkParameterValueArg argument;
  argument.__set_type(type);
  argument.__set_value(value);
  return argument;
}

TEST(ThriftService, S30_ParametersGoByNameOrListOrder) {
  ThriftFixture fixture;
  fixture.engine.results["q"] = NumberedResult(1);
  thrift::TExecuteStatementReq request = fixture.ExecuteRequest("q");
  thrift::TSparkParameter array = Parameter(std::nullopt, "ARRAY", std::nullopt);
  array.__set_arguments({Argument("INT", "1"), Argument("VOID", "None")});
  thrift::TSparkParameter same_ordinal = Parameter(std::nullopt, "INT", "6");
  same_ordinal.__set_ordinal(1);
  request.__set_parameters({same_ordinal, Parameter("day", "DATE", "2024-01-31"),
                            Parameter(std::nullopt, "STRING", std::nullopt),
                            Parameter(std::nullopt, std::nullopt, std::nullopt),
                            Parameter(std::nullopt, "VOID", "None"), array});
  thrift::TSparkParameter number;
  number.__set_type("DOUBLE");
  number.value.__set_doubleValue(1.5);
  number.__isset.value = true;
  request.parameters.push_back(number);
  fixture.Execute(request);
  const std::vector<SqlParameter> read = fixture.engine.requests().at(0).parameters;
  ASSERT_EQ(read.size(), 7U);
  EXPECT_EQ(read[0].name, std::nullopt);
  EXPECT_EQ(read[0].value, "6");
  EXPECT_EQ(read[1].name, "day");
  EXPECT_EQ(read[1].type, "DATE");
  EXPECT_EQ(read[2].value, std::nullopt);
  EXPECT_EQ(read[3].type, "VOID");
  EXPECT_EQ(read[4].value, std::nullopt);
  ASSERT_EQ(read[5].arguments.size(), 2U);
  EXPECT_EQ(read[5].arguments[0].value, "1");
  EXPECT_EQ(read[5].arguments[1].value, std::nullopt);
  EXPECT_EQ(read[6].value, "1.5");
}

TEST(ThriftService, S31_CancelEndsAWaitingPoll) {
  ThriftFixture fixture({.long_poll = std::chrono::hours(1)});
  FakeResult slow = NumberedResult(3);
  slow.run_gate = std::make_shared<Gate>();
  fixture.engine.results["slow"] = slow;
  thrift::TExecuteStatementReq request = fixture.ExecuteRequest("slow");
  request.__isset.getDirectResults = false;
  const thrift::TOperationHandle handle = fixture.Execute(request).operationHandle;
  std::thread canceller([&] {
    slow.run_gate->WaitForArrival();
    thrift::TCancelOperationReq cancel;
    cancel.operationHandle = handle;
    fixture.Post(EncodeCall("CancelOperation", 900, cancel));
  });
  const thrift::TGetOperationStatusResp status = fixture.GetStatus(handle);
  canceller.join();
  EXPECT_EQ(status.operationState, TOperationState::CANCELED_STATE);
  EXPECT_EQ(fixture.Fetch(handle).status.statusCode, kError);
  EXPECT_EQ(fixture.Close(handle).statusCode, kSuccess);
}

TEST(ThriftService, S31_CancelEndsAWaitingFetch) {
  ThriftFixture fixture({.inline_limit_bytes = 0, .chunk_bytes = 1});
  FakeResult slow = NumberedResult(3 * 4096);
  slow.rows_gate = std::make_shared<Gate>();
  slow.gated_from = 2;
  fixture.engine.results["slow"] = slow;
  thrift::TExecuteStatementResp response = fixture.Execute("slow");
  EXPECT_TRUE(response.directResults.resultSet.hasMoreRows);
  std::thread canceller([&] {
    slow.rows_gate->WaitForArrival();
    thrift::TCancelOperationReq cancel;
    cancel.operationHandle = response.operationHandle;
    fixture.Post(EncodeCall("CancelOperation", 900, cancel));
  });
  thrift::TFetchResultsResp page;
  do {
    page = fixture.Fetch(response.operationHandle);
  } while (page.status.statusCode == kSuccess && page.hasMoreRows);
  canceller.join();
  EXPECT_EQ(page.status.statusCode, kError);
}

TEST(ThriftService, AQueryTimeoutEndsTheStatement) {
  ThriftFixture fixture;
  FakeResult slow = NumberedResult(3);
  slow.run_gate = std::make_shared<Gate>();
  fixture.engine.results["slow"] = slow;
  thrift::TExecuteStatementReq request = fixture.ExecuteRequest("slow");
  request.__set_queryTimeout(1);
  request.runAsync = false;
  const thrift::TExecuteStatementResp response = fixture.Execute(request);
  EXPECT_EQ(response.directResults.operationStatus.operationState, TOperationState::TIMEDOUT_STATE);
  EXPECT_EQ(response.directResults.operationStatus.sqlState, "HYT00");
}

TEST(ThriftService, RowsThatFailLateFailTheFetchAndTheState) {
  ThriftFixture fixture({.inline_limit_bytes = 0, .chunk_bytes = 1});
  FakeResult result = NumberedResult(3 * 4096);
  result.rows_error = Status::Internal("[CAST_INVALID_INPUT] bad value")
                          .WithErrorClass("CAST_INVALID_INPUT")
                          .WithSqlstate("22018");
  fixture.engine.results["late"] = result;
  const thrift::TOperationHandle handle = fixture.Execute("late").operationHandle;
  thrift::TFetchResultsResp page;
  do {
    page = fixture.Fetch(handle);
  } while (page.status.statusCode == kSuccess && page.hasMoreRows);
  EXPECT_EQ(page.status.sqlState, "22018");
  EXPECT_EQ(fixture.GetStatus(handle).operationState, TOperationState::ERROR_STATE);
}

TEST(ThriftService, ShutdownWakesEveryoneAndRefusesLaterCalls) {
  ThriftFixture fixture({.long_poll = std::chrono::hours(1)});
  FakeResult slow = NumberedResult(3);
  slow.run_gate = std::make_shared<Gate>();
  fixture.engine.results["slow"] = slow;
  thrift::TExecuteStatementReq request = fixture.ExecuteRequest("slow");
  std::thread stopper([&] {
    slow.run_gate->WaitForArrival();
    fixture.service->Shutdown();
  });
  const thrift::TExecuteStatementResp response = fixture.Execute(request);
  stopper.join();
  EXPECT_EQ(response.directResults.operationStatus.operationState, TOperationState::CANCELED_STATE);
  EXPECT_EQ(fixture.Post("anything").status, 503);
}

TEST(ThriftService, TheRowLimitCutsExactly) {
  ThriftFixture fixture;
  fixture.engine.results["q"] = NumberedResult(5000);
  thrift::TExecuteStatementReq request = fixture.ExecuteRequest("q");
  request.__set_resultRowLimit(4100);
  const thrift::TSparkDirectResults direct = fixture.Execute(request).directResults;
  EXPECT_EQ(InlineRows(direct.resultSetMetadata, direct.resultSet.results).rows.size(), 4100U);
  EXPECT_TRUE(direct.resultSetMetadata.truncatedByThriftLimit);
  request.__set_resultRowLimit(5000);
  EXPECT_FALSE(fixture.Execute(request).directResults.resultSetMetadata.truncatedByThriftLimit);
}

}  // namespace
}  // namespace dbx::local
