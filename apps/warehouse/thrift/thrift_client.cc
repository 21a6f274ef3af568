// SPDX-License-Identifier: Apache-2.0
#include "thrift/thrift_client.h"

#include <gtest/gtest.h>
#include <thrift/TApplicationException.h>
#include <thrift/protocol/TBinaryProtocol.h>
#include <thrift/transport/TBufferTransports.h>

#include <cstring>
#include <utility>

#include "base/str_cat.h"

namespace dbx::local {
namespace {

namespace protocol = apache::thrift::protocol;
using apache::thrift::transport::TMemoryBuffer;

}  // namespace

std::string EncodeCall(const std::string& method, int32_t sequence_id,
                       const apache::thrift::TBase& request) {
  auto buffer = std::make_shared<TMemoryBuffer>();
  protocol::TBinaryProtocol out(buffer);
  out.writeMessageBegin(method, protocol::T_CALL, sequence_id);
  out.writeFieldBegin("req", protocol::T_STRUCT, 1);
  request.write(&out);
  out.writeFieldStop();
  return buffer->getBufferAsString();
}

Envelope DecodeReply(const std::string& body, apache::thrift::TBase* response) {
  Envelope envelope;
  auto buffer = std::make_shared<TMemoryBuffer>();
  buffer->write(reinterpret_cast<const uint8_t*>(body.data()), static_cast<uint32_t>(body.size()));
  protocol::TBinaryProtocol in(buffer);
  protocol::TMessageType type = protocol::T_CALL;
  in.readMessageBegin(envelope.method, type, envelope.sequence_id);
  for (size_t i = 0; i < 4; ++i)
    envelope.first_word = envelope.first_word << 8 | static_cast<uint8_t>(body[i]);
  if (type == protocol::T_EXCEPTION) {
    apache::thrift::TApplicationException exception;
    exception.read(&in);
    envelope.exception_type = exception.getType();
    return envelope;
  }
  std::string name;
  protocol::TType field = protocol::T_STOP;
  int16_t id = -1;
  in.readFieldBegin(name, field, id);
  EXPECT_EQ(id, 0);
  EXPECT_EQ(field, protocol::T_STRUCT);
  response->read(&in);
  in.readFieldBegin(name, field, id);
  EXPECT_EQ(field, protocol::T_STOP);
  EXPECT_EQ(buffer->available_read(), 0U);
  return envelope;
}

ThriftFixture::ThriftFixture(ThriftOptions options) {
  options.clock = &clock;
  options.statement_threads = 4;
  if (options.storage_port == 0) options.storage_port = 9000;
  service = ThriftService::Make(&engine, &spool, &signer, &faults, std::move(options));
}

HttpReply ThriftFixture::Post(const std::string& body) {
  HttpRequest request;
  request.method = "POST";
  request.path = path;
  request.scheme = "http";
  request.host = "127.0.0.1:8443";
  request.body = body;
  return service->Handle(request);
}

HttpReply ThriftFixture::Call(const std::string& method, const apache::thrift::TBase& request,
                              apache::thrift::TBase* response) {
  const int32_t sequence_id = ++sequence_id_;
  HttpReply reply = Post(EncodeCall(method, sequence_id, request));
  if (reply.headers.empty() || reply.headers[0].second != "application/x-thrift") return reply;
  const Envelope envelope = DecodeReply(reply.body, response);
  EXPECT_EQ(envelope.method, method);
  EXPECT_EQ(envelope.sequence_id, sequence_id);
  return reply;
}

thrift::TOpenSessionReq ThriftFixture::OpenRequest() const {
  thrift::TOpenSessionReq request;
  request.__set_client_protocol_i64(thrift::TProtocolVersion::SPARK_CLI_SERVICE_PROTOCOL_V9);
  request.__set_canUseMultipleCatalogs(true);
  return request;
}

thrift::TSessionHandle ThriftFixture::Open() {
  thrift::TOpenSessionResp response;
  Call("OpenSession", OpenRequest(), &response);
  EXPECT_EQ(response.status.statusCode, thrift::TStatusCode::SUCCESS_STATUS);
  session = response.sessionHandle;
  return session;
}

thrift::TExecuteStatementReq ThriftFixture::ExecuteRequest(const std::string& sql) {
  if (session.sessionId.guid.empty()) Open();
  thrift::TExecuteStatementReq request;
  request.sessionHandle = session;
  request.statement = sql;
  request.__set_runAsync(true);
  thrift::TSparkGetDirectResults direct;
  direct.maxRows = 100'000;
  request.__set_getDirectResults(direct);
  request.__set_canReadArrowResult(true);
  request.__set_canDownloadResult(true);
  request.__set_canDecompressLZ4Result(true);
  thrift::TSparkArrowTypes native;
  native.__set_timestampAsArrow(true);
  native.__set_decimalAsArrow(true);
  native.__set_complexTypesAsArrow(true);
  native.__set_intervalTypesAsArrow(true);
  native.__set_nullTypeAsArrow(true);
  request.__set_useArrowNativeTypes(native);
  return request;
}

thrift::TExecuteStatementResp ThriftFixture::Execute(const thrift::TExecuteStatementReq& request) {
  thrift::TExecuteStatementResp response;
  Call("ExecuteStatement", request, &response);
  return response;
}

thrift::TFetchResultsResp ThriftFixture::Fetch(const thrift::TOperationHandle& handle,
                                               int64_t max_rows) {
  thrift::TFetchResultsReq request;
  request.operationHandle = handle;
  request.maxRows = max_rows;
  return Fetch(request);
}

thrift::TFetchResultsResp ThriftFixture::Fetch(const thrift::TFetchResultsReq& request) {
  thrift::TFetchResultsResp response;
  Call("FetchResults", request, &response);
  return response;
}

thrift::TGetOperationStatusResp ThriftFixture::GetStatus(const thrift::TOperationHandle& handle) {
  thrift::TGetOperationStatusReq request;
  request.operationHandle = handle;
  thrift::TGetOperationStatusResp response;
  Call("GetOperationStatus", request, &response);
  return response;
}

thrift::TStatus ThriftFixture::Close(const thrift::TOperationHandle& handle) {
  thrift::TCloseOperationReq request;
  request.operationHandle = handle;
  thrift::TCloseOperationResp response;
  Call("CloseOperation", request, &response);
  return response.status;
}

thrift::TStatus ThriftFixture::Cancel(const thrift::TOperationHandle& handle) {
  thrift::TCancelOperationReq request;
  request.operationHandle = handle;
  thrift::TCancelOperationResp response;
  Call("CancelOperation", request, &response);
  return response.status;
}

}  // namespace dbx::local
