// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "result/arrow_reading.h"
#include "thrift/thrift_client.h"

namespace dbx::local {
namespace {

using thrift::TOperationState;
using thrift::TStatusCode;

const ThriftOptions kOneFile{.inline_limit_bytes = 0};

/// The stored bytes of the only file of a statement under `fault`, and its link.
std::pair<std::string, thrift::TSparkArrowResultLink> OnlyFile(FaultAction fault) {
  ThriftFixture fixture(kOneFile);
  fixture.engine.results["q"] = NumberedResult(5000);
  fixture.faults.Add(FaultPoint::kResult, "", std::move(fault));
  const auto links = fixture.Execute("q").directResults.resultSet.results.resultLinks;
  EXPECT_EQ(links.size(), 1U);
  return {fixture.spool.Bytes(ObjectOf(links.at(0).fileLink)), links.at(0)};
}

TEST(ThriftService, S26_AFaultAnswersInTheCallsPlace) {
  ThriftFixture fixture;
  fixture.faults.Add(
      FaultPoint::kThrift, "OpenSession",
      {.status = 503,
       .headers = {{"Retry-After", "1"},
                   {"x-thriftserver-error-message", "TEMPORARILY_UNAVAILABLE: starting"}}});
  thrift::TOpenSessionResp response;
  const HttpReply reply = fixture.Call("OpenSession", fixture.OpenRequest(), &response);
  EXPECT_EQ(reply.status, 503);
  EXPECT_EQ(reply.headers[0].second, "1");
  EXPECT_EQ(fixture.service->counters().sessions_opened, 0);
  EXPECT_EQ(fixture.Call("OpenSession", fixture.OpenRequest(), &response).status, 200);
}

TEST(ThriftService, S26_AFaultMayLetTheCallHappenFirst) {
  ThriftFixture fixture;
  fixture.faults.Add(FaultPoint::kThrift, "OpenSession", {.status = 502, .more = {{"after", "1"}}});
  thrift::TOpenSessionResp response;
  EXPECT_EQ(fixture.Call("OpenSession", fixture.OpenRequest(), &response).status, 502);
  EXPECT_EQ(fixture.service->counters().sessions_opened, 1);
}

TEST(ThriftService, S32_AReplysFaultsGoToTheHttpServer) {
  ThriftFixture fixture;
  FaultAction action;
  action.reply.truncate_after = 7;
  action.reply.delay_ms = 3;
  fixture.faults.Add(FaultPoint::kThrift, "OpenSession", action);
  thrift::TOpenSessionResp response;
  const HttpReply reply = fixture.Call("OpenSession", fixture.OpenRequest(), &response);
  EXPECT_EQ(reply.fault.truncate_after, 7U);
  EXPECT_EQ(reply.fault.delay_ms, 3U);
  EXPECT_EQ(response.status.statusCode, TStatusCode::SUCCESS_STATUS);
}

TEST(ThriftService, S32_ExtraRowsLieBehindTheCountedOnes) {
  const auto [stored, link] = OnlyFile({.extra_rows = 10});
  const std::string stream = DecodeLz4Frames(stored);
  EXPECT_EQ(link.rowCount, 5000);
  EXPECT_EQ(static_cast<int64_t>(stream.size()), link.bytesNum);
  EXPECT_EQ(ReadArrowStream(stream).rows.size(), 5010U);
}

TEST(ThriftService, S32_FramesSplitAndDoubled) {
  int frames = 0;
  const auto [split, link] = OnlyFile({.split_frames = true});
  EXPECT_EQ(ReadArrowStream(DecodeLz4Frames(split, &frames)).rows.size(), 5000U);
  EXPECT_EQ(frames, 4);  // schema, two batches, end mark
  const auto [doubled, second_link] = OnlyFile({.duplicate_frame = true});
  EXPECT_EQ(static_cast<int64_t>(DecodeLz4Frames(doubled, &frames).size()),
            2 * second_link.bytesNum);
  EXPECT_EQ(frames, 2);
}

TEST(ThriftService, S32_StaleNamesInFiles) {
  const auto [stored, link] = OnlyFile({.more = {{"stale_names", "1"}}});
  EXPECT_STREQ(ReadArrowStream(DecodeLz4Frames(stored)).schema->children[0]->name, "stale_0");
}

TEST(ThriftService, S32_AMissingSchemaAndAnAbsentBatchList) {
  ThriftFixture fixture;
  fixture.engine.results["q"] = NumberedResult(0);
  fixture.faults.Add(FaultPoint::kResult, "",
                     {.no_arrow_schema = true, .more = {{"absent_batch_list", "1"}}});
  const thrift::TSparkDirectResults direct = fixture.Execute("q").directResults;
  EXPECT_FALSE(direct.resultSetMetadata.__isset.arrowSchema);
  EXPECT_FALSE(direct.resultSet.results.__isset.arrowBatches);
}

TEST(ThriftService, S32_LinksAreBornExpiredOnce) {
  ThriftFixture fixture(kOneFile);
  fixture.engine.results["q"] = NumberedResult(5000);
  fixture.faults.Add(FaultPoint::kResult, "", {.expire_link = true});
  const thrift::TExecuteStatementResp response = fixture.Execute("q");
  const auto& link = response.directResults.resultSet.results.resultLinks.at(0);
  EXPECT_LT(link.expiryTime, 1'700'000'000'000);
  EXPECT_NE(link.fileLink.find("life=-60&"), std::string::npos);
  thrift::TFetchResultsReq again;
  again.operationHandle = response.operationHandle;
  again.maxRows = -1;
  again.__set_startRowOffset(0);
  EXPECT_GT(fixture.Fetch(again).results.resultLinks.at(0).expiryTime, 1'700'000'000'000);
}

TEST(ThriftService, S32_EmptyPagesBeforeTheFirstRow) {
  ThriftFixture fixture(kOneFile);
  fixture.engine.results["q"] = NumberedResult(10);
  fixture.faults.Add(FaultPoint::kResult, "", {.more = {{"empty_pages", "2"}}});
  const thrift::TExecuteStatementResp response = fixture.Execute("q");
  EXPECT_TRUE(response.directResults.resultSet.hasMoreRows);
  EXPECT_TRUE(response.directResults.resultSet.results.resultLinks.empty());
  EXPECT_TRUE(fixture.Fetch(response.operationHandle).results.resultLinks.empty());
  EXPECT_EQ(fixture.Fetch(response.operationHandle).results.resultLinks.size(), 1U);
}

TEST(ThriftService, S32_AScriptOfStatesIsToldFirst) {
  ThriftFixture fixture;
  fixture.engine.results["q"] = NumberedResult(10);
  fixture.faults.Add(FaultPoint::kResult, "", {.states = {"PENDING", "RUNNING", "RUNNING"}});
  const thrift::TExecuteStatementResp response = fixture.Execute("q");
  EXPECT_EQ(response.directResults.operationStatus.operationState, TOperationState::PENDING_STATE);
  EXPECT_FALSE(response.directResults.__isset.resultSetMetadata);
  EXPECT_EQ(fixture.GetStatus(response.operationHandle).operationState,
            TOperationState::RUNNING_STATE);
  EXPECT_EQ(fixture.GetStatus(response.operationHandle).operationState,
            TOperationState::RUNNING_STATE);
  EXPECT_EQ(fixture.GetStatus(response.operationHandle).operationState,
            TOperationState::FINISHED_STATE);
  EXPECT_EQ(fixture.Fetch(response.operationHandle).results.arrowBatches.size(), 1U);
}

TEST(ThriftService, S32_AScriptMayEndTheStatement) {
  for (const auto& [name, state] : {std::pair("ERROR", TOperationState::ERROR_STATE),
                                    std::pair("TIMEDOUT", TOperationState::TIMEDOUT_STATE),
                                    std::pair("CLOSED", TOperationState::CLOSED_STATE)}) {
    ThriftFixture fixture;
    fixture.engine.results["q"] = NumberedResult(10);
    fixture.faults.Add(FaultPoint::kResult, "", {.states = {"RUNNING", name}});
    const thrift::TOperationHandle handle = fixture.Execute("q").operationHandle;
    const thrift::TGetOperationStatusResp status = fixture.GetStatus(handle);
    EXPECT_EQ(status.operationState, state);
    EXPECT_FALSE(status.errorMessage.empty());
    EXPECT_EQ(fixture.Fetch(handle).status.statusCode, TStatusCode::ERROR_STATUS);
  }
}

TEST(ThriftService, S32_SessionsAndOperationsAreForgotten) {
  ThriftFixture fixture(kOneFile);
  fixture.engine.results["q"] = NumberedResult(10);
  const thrift::TOperationHandle handle = fixture.Execute("q").operationHandle;
  fixture.faults.Add(FaultPoint::kThrift, "FetchResults", {.forget_operation = true});
  EXPECT_EQ(fixture.Fetch(handle).status.sqlState, "08000");
  fixture.faults.Add(FaultPoint::kThrift, "ExecuteStatement", {.forget_session = true});
  thrift::TExecuteStatementResp response;
  EXPECT_EQ(fixture.Call("ExecuteStatement", fixture.ExecuteRequest("q"), &response).status, 400);
}

TEST(ThriftService, S5_AFaultLowersTheServersVersion) {
  ThriftFixture fixture;
  fixture.faults.Add(FaultPoint::kThrift, "OpenSession", {.more = {{"server_version", "42244"}}});
  thrift::TOpenSessionResp response;
  fixture.Call("OpenSession", fixture.OpenRequest(), &response);
  EXPECT_EQ(response.serverProtocolVersion, 42244);
}

}  // namespace
}  // namespace dbx::local
