// SPDX-License-Identifier: Apache-2.0
#include "wire/thrift_codec.h"

#include <gtest/gtest.h>
#include <thrift/TApplicationException.h>
#include <thrift/protocol/TBinaryProtocol.h>
#include <thrift/transport/TBufferTransports.h>

#include <functional>
#include <memory>

#include "thrift_generated/TCLIService_types.h"

namespace dbx {
namespace {

using apache::thrift::protocol::TBinaryProtocol;
using apache::thrift::protocol::TMessageType;
using apache::thrift::transport::TMemoryBuffer;

std::string Message(const std::string& method, TMessageType type, int32_t sequence_id,
                    const std::function<void(TBinaryProtocol&)>& body) {
  auto buffer = std::make_shared<TMemoryBuffer>();
  TBinaryProtocol out(buffer);
  out.writeMessageBegin(method, type, sequence_id);
  body(out);
  return buffer->getBufferAsString();
}

std::string Reply(const apache::thrift::TBase& response) {
  return Message("FetchResults", apache::thrift::protocol::T_REPLY, 7,
                 [&response](TBinaryProtocol& out) {
                   out.writeFieldBegin("success", apache::thrift::protocol::T_STRUCT, 0);
                   response.write(&out);
                   out.writeFieldStop();
                 });
}

thrift::TFetchResultsResp Page() {
  thrift::TFetchResultsResp page;
  page.status.statusCode = thrift::TStatusCode::SUCCESS_STATUS;
  page.__set_hasMoreRows(true);
  thrift::TSparkArrowBatch batch;
  batch.batch = std::string(1000, 'b');
  batch.rowCount = 10;
  page.results.__set_arrowBatches({batch, batch});
  page.__isset.results = true;
  return page;
}

Status Decode(std::string_view body, thrift::TFetchResultsResp* response) {
  return DecodeReply("FetchResults", 7, body, response);
}
Status Decode(std::string_view body) {
  thrift::TFetchResultsResp response;
  return Decode(body, &response);
}

TEST(ThriftCodec, WritesAStrictCallWithTheRequestAsArgumentOne) {
  thrift::TCloseSessionReq request;
  request.sessionHandle.sessionId.guid = std::string(16, 'g');
  request.sessionHandle.sessionId.secret = std::string(16, 's');
  const auto call = EncodeCall("CloseSession", 2, request);
  ASSERT_TRUE(call.ok()) << call.status().ToString();
  const std::string head(
      "\x80\x01\x00\x01\x00\x00\x00\x0c"
      "CloseSession"
      "\x00\x00\x00\x02\x0c\x00\x01",
      27);
  EXPECT_EQ(call->substr(0, head.size()), head);
  EXPECT_TRUE(call->ends_with(std::string(4, '\0')));
}

TEST(ThriftCodec, ReadsAReply) {
  thrift::TFetchResultsResp page;
  const Status status = Decode(Reply(Page()), &page);
  ASSERT_TRUE(status.ok()) << status.ToString();
  EXPECT_TRUE(page.hasMoreRows);
  ASSERT_EQ(page.results.arrowBatches.size(), 2u);
  EXPECT_EQ(page.results.arrowBatches[1].batch, std::string(1000, 'b'));
}

TEST(ThriftCodec, RefusesEveryPrefixOfAReply) {
  const std::string whole = Reply(Page());
  for (size_t size = 0; size < whole.size(); ++size) {
    EXPECT_EQ(Decode(std::string_view(whole).substr(0, size)).code(), StatusCode::kInvalidData)
        << size;
  }
}

TEST(ThriftCodec, SurvivesEveryWrongByte) {
  std::string body = Reply(Page());
  for (char& byte : body) {
    const char right = byte;
    for (const char wrong : {'\0', '\x7f', '\xff', '\x0f'}) {
      byte = wrong;
      const Status status = Decode(body);
      EXPECT_EQ(status.ok(), status.message().empty());
    }
    byte = right;
  }
}

TEST(ThriftCodec, BelievesNoLengthBeforeItIsCompared) {
  std::string body = Reply(Page());
  const size_t batch = body.find(std::string("\0\0\x03\xe8", 4));
  body.replace(batch, 4, "\x7f\xff\xff\xff");
  EXPECT_EQ(Decode(body).code(), StatusCode::kInvalidData);
  body.replace(batch, 4, "\xff\xff\xff\xff");
  EXPECT_EQ(Decode(body).code(), StatusCode::kInvalidData);
  body = Reply(Page());
  const size_t list = body.find(std::string("\x0f\x05\x01\x0c\0\0\0\x02", 8));
  ASSERT_NE(list, std::string::npos);
  body.replace(list + 4, 4, "\x7f\xff\xff\xff");
  EXPECT_EQ(Decode(body).code(), StatusCode::kInvalidData);
}

TEST(ThriftCodec, RefusesEndlessNesting) {
  const std::string body =
      Message("FetchResults", apache::thrift::protocol::T_REPLY, 7, [](TBinaryProtocol& out) {
        for (int depth = 0; depth < 100'000; ++depth) {
          out.writeFieldBegin("f", apache::thrift::protocol::T_STRUCT, 99);
        }
      });
  EXPECT_EQ(Decode(body).code(), StatusCode::kInvalidData);
}

TEST(ThriftCodec, RefusesAReplyToAnotherCall) {
  thrift::TFetchResultsResp response;
  const std::string body = Reply(Page());
  EXPECT_EQ(DecodeReply("FetchResults", 8, body, &response).code(), StatusCode::kInvalidData);
  EXPECT_EQ(DecodeReply("GetInfo", 7, body, &response).code(), StatusCode::kInvalidData);
}

TEST(ThriftCodec, RefusesWhatIsNoReply) {
  EXPECT_EQ(Decode(Message("FetchResults", apache::thrift::protocol::T_CALL, 7,
                           [](TBinaryProtocol& out) { out.writeFieldStop(); }))
                .code(),
            StatusCode::kInvalidData);
  const Status empty = Decode(Message("FetchResults", apache::thrift::protocol::T_REPLY, 7,
                                      [](TBinaryProtocol& out) { out.writeFieldStop(); }));
  EXPECT_EQ(empty.code(), StatusCode::kInvalidData);
  EXPECT_NE(empty.message().find("no result"), std::string::npos);
  // The old form without a version word.
  EXPECT_EQ(Decode(std::string("\0\0\0\x0c"
                               "FetchResults"
                               "\x02\0\0\0\x07\0",
                               22))
                .code(),
            StatusCode::kInvalidData);
}

TEST(ThriftCodec, TellsWhatAnExceptionMessageSays) {
  using apache::thrift::TApplicationException;
  for (const auto& [type, code] :
       {std::pair(TApplicationException::UNKNOWN_METHOD, StatusCode::kNotImplemented),
        std::pair(TApplicationException::INTERNAL_ERROR, StatusCode::kInternal)}) {
    const TApplicationException exception(type, "the reason");
    const Status status =
        Decode(Message("FetchResults", apache::thrift::protocol::T_EXCEPTION, 7,
                       [&exception](TBinaryProtocol& out) { exception.write(&out); }));
    EXPECT_EQ(status.code(), code);
    EXPECT_NE(status.message().find("the reason"), std::string::npos);
  }
}

TEST(ThriftCodec, QuotesTextThatIsNoThriftAndNothingElse) {
  EXPECT_NE(Decode("<html>Bad Gateway</html>").message().find("Bad Gateway"), std::string::npos);
  EXPECT_NE(Decode("{\"message\":\"x\"}").message().find("message"), std::string::npos);
  EXPECT_EQ(Decode(std::string("\x01\x02\x03\x04 secret", 11)).message().find("secret"),
            std::string::npos);
  EXPECT_NE(Decode("").message().find("empty"), std::string::npos);
  EXPECT_LE(Decode(std::string(1 << 20, 'x')).message().size(), 300u);
}

}  // namespace
}  // namespace dbx
