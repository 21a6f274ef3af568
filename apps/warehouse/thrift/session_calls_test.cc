// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <thrift/protocol/TBinaryProtocol.h>
#include <thrift/transport/TBufferTransports.h>

#include "thrift/thrift_client.h"

namespace dbx::local {
namespace {

namespace protocol = apache::thrift::protocol;
using apache::thrift::transport::TMemoryBuffer;
using thrift::TProtocolVersion;
using thrift::TStatusCode;

std::string HeaderOf(const HttpReply& reply, const std::string& name) {
  for (const auto& [key, value] : reply.headers) {
    if (key == name) return value;
  }
  return "";
}

thrift::TCloseSessionReq CloseRequest(const thrift::TSessionHandle& handle) {
  thrift::TCloseSessionReq request;
  request.sessionHandle = handle;
  return request;
}

/// An OpenSession call whose fields come in reverse and beside unknown ones of every type.
std::string OddlyOrderedCall() {
  auto buffer = std::make_shared<TMemoryBuffer>();
  protocol::TBinaryProtocol out(buffer);
  out.writeMessageBegin("OpenSession", protocol::T_CALL, 77);
  out.writeFieldBegin("unknown", protocol::T_BOOL, 9);
  out.writeBool(true);
  out.writeFieldBegin("req", protocol::T_STRUCT, 1);
  out.writeFieldBegin("multi", protocol::T_BOOL, 0x505);
  out.writeBool(true);
  out.writeFieldBegin("x", protocol::T_MAP, 0xD41);
  out.writeMapBegin(protocol::T_STRING, protocol::T_LIST, 1);
  out.writeString(std::string("key"));
  out.writeListBegin(protocol::T_I16, 2);
  out.writeI16(1);
  out.writeI16(2);
  out.writeFieldBegin("x", protocol::T_STRUCT, 0xD42);
  out.writeFieldBegin("inner", protocol::T_DOUBLE, 1);
  out.writeDouble(1.5);
  out.writeFieldStop();
  out.writeFieldBegin("x", protocol::T_SET, 0xD43);
  out.writeSetBegin(protocol::T_BYTE, 1);
  out.writeByte(1);
  out.writeFieldBegin("version", protocol::T_I64, 0x502);
  out.writeI64(TProtocolVersion::SPARK_CLI_SERVICE_PROTOCOL_V6);
  out.writeFieldStop();
  out.writeFieldStop();
  return buffer->getBufferAsString();
}

TEST(ThriftService, S3_ReadsFieldsInAnyOrderAndSkipsUnknownOnes) {
  ThriftFixture fixture;
  thrift::TOpenSessionResp response;
  const Envelope envelope = DecodeReply(fixture.Post(OddlyOrderedCall()).body, &response);
  EXPECT_EQ(envelope.sequence_id, 77);
  EXPECT_EQ(response.serverProtocolVersion, TProtocolVersion::SPARK_CLI_SERVICE_PROTOCOL_V6);
  EXPECT_TRUE(response.canUseMultipleCatalogs);
}

TEST(ThriftService, S3_RefusesWhatIsNoStrictMessage) {
  ThriftFixture fixture;
  thrift::TOpenSessionResp response;
  const std::string good = EncodeCall("OpenSession", 5, fixture.OpenRequest());
  for (const std::string& bad :
       {std::string(), std::string("\x80\x01\x00\x01", 4), std::string(40, 'x'),
        std::string("\x00\x00\x00\x04Open", 8) + good, "\x80\x02" + good.substr(2)}) {
    EXPECT_EQ(DecodeReply(fixture.Post(bad).body, &response).exception_type, 7) << bad.size();
  }
  // A cut message is known by name and number, but its request can't be read.
  for (size_t size = 12 + 11; size < good.size(); ++size) {
    const Envelope envelope = DecodeReply(fixture.Post(good.substr(0, size)).body, &response);
    EXPECT_EQ(envelope.exception_type, 7) << size;
    EXPECT_EQ(envelope.sequence_id, 5);
  }
}

TEST(ThriftService, S3_HoldsLengthsAgainstTheBody) {
  ThriftFixture fixture;
  auto buffer = std::make_shared<TMemoryBuffer>();
  protocol::TBinaryProtocol out(buffer);
  out.writeMessageBegin("OpenSession", protocol::T_CALL, 1);
  out.writeFieldBegin("req", protocol::T_STRUCT, 1);
  out.writeFieldBegin("getInfos", protocol::T_LIST, 0x501);
  out.writeListBegin(protocol::T_I32, 500'000'000);
  thrift::TOpenSessionResp response;
  EXPECT_EQ(DecodeReply(fixture.Post(buffer->getBufferAsString()).body, &response).exception_type,
            7);
}

TEST(ThriftService, S3_RefusesNestingWithoutEnd) {
  ThriftFixture fixture;
  auto buffer = std::make_shared<TMemoryBuffer>();
  protocol::TBinaryProtocol out(buffer);
  out.writeMessageBegin("OpenSession", protocol::T_CALL, 1);
  for (int i = 0; i < 100'000; ++i) out.writeFieldBegin("deep", protocol::T_STRUCT, 2);
  thrift::TOpenSessionResp response;
  EXPECT_EQ(DecodeReply(fixture.Post(buffer->getBufferAsString()).body, &response).exception_type,
            7);
}

TEST(ThriftService, S4_EchoesNameAndNumberAndKnowsNoOtherMethods) {
  ThriftFixture fixture;
  thrift::TOpenSessionResp response;
  const Envelope known = DecodeReply(
      fixture.Post(EncodeCall("OpenSession", 42, fixture.OpenRequest())).body, &response);
  EXPECT_EQ(known.first_word, 0x80010002U);
  EXPECT_EQ(known.method, "OpenSession");
  EXPECT_EQ(known.sequence_id, 42);
  const Envelope unknown = DecodeReply(
      fixture.Post(EncodeCall("GetQueryId", 43, fixture.OpenRequest())).body, &response);
  EXPECT_EQ(unknown.exception_type, 1);
  EXPECT_EQ(unknown.method, "GetQueryId");
  EXPECT_EQ(unknown.sequence_id, 43);
}

TEST(ThriftService, S4_AnswersAMessageThatIsNoCallWithType2) {
  ThriftFixture fixture;
  std::string message = EncodeCall("OpenSession", 1, fixture.OpenRequest());
  message[3] = 2;  // REPLY
  thrift::TOpenSessionResp response;
  EXPECT_EQ(DecodeReply(fixture.Post(message).body, &response).exception_type, 2);
}

int64_t Negotiated(std::optional<int32_t> narrow, std::optional<int64_t> wide) {
  ThriftFixture fixture;
  thrift::TOpenSessionReq request;
  if (narrow) request.__set_client_protocol(static_cast<TProtocolVersion::type>(*narrow));
  if (wide) request.__set_client_protocol_i64(*wide);
  thrift::TOpenSessionResp response;
  fixture.Call("OpenSession", request, &response);
  EXPECT_EQ(response.sessionHandle.serverProtocolVersion, response.serverProtocolVersion);
  return response.serverProtocolVersion;
}

TEST(ThriftService, S5_NegotiatesTheVersion) {
  EXPECT_EQ(Negotiated(-7, 42249), 42248);
  EXPECT_EQ(Negotiated(-7, 42250), 42248);
  EXPECT_EQ(Negotiated(std::nullopt, 42246), 42246);
  EXPECT_EQ(Negotiated(42248, std::nullopt), 42242);
  EXPECT_EQ(Negotiated(9, std::nullopt), 9);
  EXPECT_EQ(Negotiated(std::nullopt, std::nullopt), 42242);
  EXPECT_EQ(Negotiated(-7, std::nullopt), 42242);
}

TEST(ThriftService, S6_TheWideVersionMakesTheNarrowOneCountForNothing) {
  for (const auto narrow : {std::optional<int32_t>(), std::optional<int32_t>(-7),
                            std::optional<int32_t>(5), std::optional<int32_t>(42243)}) {
    EXPECT_EQ(Negotiated(narrow, 42247), 42247);
  }
}

TEST(ThriftService, S7_MapsTheCatalogAliasAndReturnsTheNamespace) {
  ThriftFixture fixture;
  for (const char* const alias : {"SPARK", "spark", ""}) {
    thrift::TOpenSessionReq request = fixture.OpenRequest();
    request.initialNamespace.__set_catalogName(alias);
    request.__isset.initialNamespace = true;
    thrift::TOpenSessionResp response;
    fixture.Call("OpenSession", request, &response);
    EXPECT_EQ(response.initialNamespace.catalogName, "main");
    EXPECT_EQ(response.initialNamespace.schemaName, "default");
    EXPECT_TRUE(response.canUseMultipleCatalogs);
    EXPECT_TRUE(response.configuration.empty());
    EXPECT_TRUE(response.__isset.configuration);
  }
}

TEST(ThriftService, S7_TheNamespaceComesFromTheRequestOrItsConfiguration) {
  ThriftFixture fixture;
  thrift::TOpenSessionReq request = fixture.OpenRequest();
  request.__set_configuration({{"use:catalog", "sales"},
                               {"use:database", "eu"},
                               {"set:hivevar:ANSI_MODE", "true"},
                               {"spark.thriftserver.arrowBasedRowSet.timestampAsString", "false"}});
  thrift::TOpenSessionResp response;
  fixture.Call("OpenSession", request, &response);
  EXPECT_EQ(response.initialNamespace.catalogName, "sales");
  EXPECT_EQ(response.initialNamespace.schemaName, "eu");
  EXPECT_EQ(fixture.engine.last_confs(),
            (std::map<std::string, std::string>{{"ANSI_MODE", "true"}}));
}

TEST(ThriftService, S7_AnUnknownCatalogIsAnErrorOfTheCall) {
  ThriftFixture fixture;
  thrift::TOpenSessionReq request = fixture.OpenRequest();
  request.initialNamespace.__set_catalogName("missing");
  request.__isset.initialNamespace = true;
  thrift::TOpenSessionResp response;
  EXPECT_EQ(fixture.Call("OpenSession", request, &response).status, 200);
  EXPECT_EQ(response.status.statusCode, TStatusCode::ERROR_STATUS);
  EXPECT_EQ(response.status.sqlState, "42704");
  EXPECT_FALSE(response.__isset.sessionHandle);
}

TEST(ThriftService, S8_HandlesAreRandomUuidsLookedUpByBothParts) {
  ThriftFixture fixture;
  const thrift::TSessionHandle first = fixture.Open();
  const thrift::TSessionHandle second = fixture.Open();
  EXPECT_NE(first.sessionId.guid, second.sessionId.guid);
  EXPECT_NE(first.sessionId.secret, second.sessionId.secret);
  ASSERT_EQ(first.sessionId.guid.size(), 16U);
  EXPECT_EQ(first.sessionId.secret.size(), 16U);
  EXPECT_EQ(static_cast<uint8_t>(first.sessionId.guid[6]) >> 4, 4);
  EXPECT_EQ(static_cast<uint8_t>(first.sessionId.guid[8]) >> 6, 2);
  EXPECT_EQ(first.sessionId.executionVersion, 0);

  thrift::TSessionHandle forged = first;
  forged.sessionId.secret = second.sessionId.secret;
  thrift::TCloseSessionResp response;
  EXPECT_EQ(fixture.Call("CloseSession", CloseRequest(forged), &response).status, 400);
  thrift::TSessionHandle bare;
  bare.sessionId.guid = first.sessionId.guid;
  bare.sessionId.secret = first.sessionId.secret;
  EXPECT_EQ(fixture.Call("CloseSession", CloseRequest(bare), &response).status, 200);
}

TEST(ThriftService, S8_FindsOperationsByGuidAndSecretAlone) {
  ThriftFixture fixture;
  fixture.engine.results["q"] = NumberedResult(3);
  thrift::TExecuteStatementReq request = fixture.ExecuteRequest("q");
  request.__isset.getDirectResults = false;
  thrift::TOperationHandle handle = fixture.Execute(request).operationHandle;
  EXPECT_TRUE(handle.hasResultSet);
  EXPECT_EQ(static_cast<uint8_t>(handle.operationId.guid[6]) >> 4, 4);
  handle.operationType = thrift::TOperationType::UNKNOWN;
  handle.hasResultSet = false;
  handle.operationId.__isset.executionVersion = false;
  EXPECT_EQ(fixture.Fetch(handle).results.arrowBatches.size(), 1U);
}

TEST(ThriftService, S25_DeadSessionsInBothShapes) {
  ThriftFixture fixture;
  const thrift::TSessionHandle handle = fixture.Open();
  thrift::TCloseSessionResp response;
  EXPECT_EQ(fixture.Call("CloseSession", CloseRequest(handle), &response).status, 200);
  const HttpReply warehouse = fixture.Call("CloseSession", CloseRequest(handle), &response);
  EXPECT_EQ(warehouse.status, 400);
  EXPECT_NE(
      HeaderOf(warehouse, "x-thriftserver-error-message").find("Invalid SessionHandle: Session ["),
      std::string::npos);
  EXPECT_EQ(response.status.statusCode, TStatusCode::ERROR_STATUS);

  fixture.path = "/sql/protocolv1/o/1/cluster";
  const HttpReply cluster = fixture.Call("CloseSession", CloseRequest(handle), &response);
  EXPECT_EQ(cluster.status, 200);
  EXPECT_EQ(HeaderOf(cluster, "x-thriftserver-error-message"), "");
  EXPECT_TRUE(response.status.errorMessage.starts_with("Invalid SessionHandle: SessionHandle ["));
}

TEST(ThriftService, S25_TheWarehousesShapeCanBeSwitchedOff) {
  ThriftFixture fixture({.dead_session_as_http_400 = false});
  thrift::TSessionHandle never;
  never.sessionId.guid = "0123456789abcdef";
  never.sessionId.secret = "0123456789abcdef";
  thrift::TCloseSessionResp response;
  EXPECT_EQ(fixture.Call("CloseSession", CloseRequest(never), &response).status, 200);
  EXPECT_EQ(response.status.errorMessage,
            "Invalid SessionHandle: SessionHandle [30313233-3435-3637-3839-616263646566]");
}

TEST(ThriftService, S25_AnUnknownSessionIsToldFromAClosedOne) {
  ThriftFixture fixture;
  thrift::TSessionHandle never;
  never.sessionId.guid = "short";
  thrift::TCloseSessionResp response;
  const HttpReply reply = fixture.Call("CloseSession", CloseRequest(never), &response);
  EXPECT_EQ(reply.status, 400);
  EXPECT_TRUE(HeaderOf(reply, "x-thriftserver-error-message")
                  .starts_with("INVALID_STATE: Invalid SessionHandle"));
}

TEST(ThriftService, GetInfoAnswersWhatOdbcToolsAsk) {
  ThriftFixture fixture;
  thrift::TGetInfoReq request;
  request.sessionHandle = fixture.Open();
  request.infoType = thrift::TGetInfoType::CLI_DBMS_NAME;
  thrift::TGetInfoResp response;
  fixture.Call("GetInfo", request, &response);
  EXPECT_EQ(response.infoValue.stringValue, "Spark SQL");
  request.infoType = thrift::TGetInfoType::CLI_MAX_TABLE_NAME_LEN;
  response = {};
  fixture.Call("GetInfo", request, &response);
  EXPECT_EQ(response.infoValue.lenValue, 128);
  request.infoType = thrift::TGetInfoType::CLI_FETCH_DIRECTION;
  response = {};
  fixture.Call("GetInfo", request, &response);
  EXPECT_EQ(response.status.statusCode, TStatusCode::ERROR_STATUS);
  EXPECT_TRUE(response.infoValue.__isset.stringValue);
}

TEST(ThriftService, OpenSessionAnswersItsQuestionsInOrder) {
  ThriftFixture fixture;
  thrift::TOpenSessionReq request = fixture.OpenRequest();
  request.__set_getInfos({thrift::TGetInfoType::CLI_DBMS_VER, thrift::TGetInfoType::CLI_DBMS_NAME});
  thrift::TOpenSessionResp response;
  fixture.Call("OpenSession", request, &response);
  ASSERT_EQ(response.getInfos.size(), 2U);
  EXPECT_EQ(response.getInfos[0].stringValue, "3.5.0");
  EXPECT_EQ(response.getInfos[1].stringValue, "Spark SQL");
}

TEST(ThriftService, DelegationTokensAreRefused) {
  ThriftFixture fixture;
  thrift::TGetDelegationTokenReq request;
  request.sessionHandle = fixture.Open();
  thrift::TGetDelegationTokenResp response;
  fixture.Call("GetDelegationToken", request, &response);
  EXPECT_EQ(response.status.statusCode, TStatusCode::ERROR_STATUS);
}

TEST(ThriftService, CountsItsSessions) {
  ThriftFixture fixture;
  fixture.Open();
  const thrift::TSessionHandle second = fixture.Open();
  thrift::TCloseSessionResp response;
  fixture.Call("CloseSession", CloseRequest(second), &response);
  EXPECT_EQ(fixture.service->counters().sessions_opened, 2);
  EXPECT_EQ(fixture.service->counters().sessions_open, 1);
}

}  // namespace
}  // namespace dbx::local
