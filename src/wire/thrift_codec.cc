// SPDX-License-Identifier: Apache-2.0
#include "wire/thrift_codec.h"

#include <thrift/TApplicationException.h>
#include <thrift/TBase.h>
#include <thrift/protocol/TBinaryProtocol.h>
#include <thrift/transport/TBufferTransports.h>

#include <algorithm>
#include <exception>
#include <limits>
#include <memory>

#include "base/str_cat.h"

namespace dbx {
namespace {

using apache::thrift::TApplicationException;
using apache::thrift::TConfiguration;
using apache::thrift::protocol::TMessageType;
using apache::thrift::protocol::TType;
using apache::thrift::transport::TMemoryBuffer;
using BinaryProtocol = apache::thrift::protocol::TBinaryProtocolT<TMemoryBuffer>;

// More elements than any honest reply has; a list of structs is allocated before it is read.
constexpr int32_t kMaxElements = 1 << 22;
constexpr size_t kMaxQuotedBytes = 160;

/// The body's first words, when it is text: what a proxy or a gateway has to say.
std::string Quote(std::string_view body) {
  std::string words;
  for (const char c : body.substr(0, kMaxQuotedBytes)) {
    if (static_cast<unsigned char>(c) == 0x7F ||
        (c >= 0 && c < ' ' && c != '\n' && c != '\t' && c != '\r')) {
      return {};
    }
    words.push_back(c < ' ' && c >= 0 ? ' ' : c);
  }
  return words.empty() ? words : StrCat(" (it begins with: ", words, ")");
}

Status NotThrift(std::string_view method, std::string_view body) {
  return Status::InvalidData(
      body.empty() ? StrCat(method, ": the answer is empty")
                   : StrCat(method, ": the answer is not a Thrift message", Quote(body)));
}

bool IsStrictBinary(std::string_view body) {
  return body.size() >= 4 && body[0] == '\x80' && body[1] == '\x01';
}

Status ToStatus(std::string_view method, const TApplicationException& exception) {
  const auto type = exception.getType();
  const StatusCode code = type == TApplicationException::UNKNOWN_METHOD
                              ? StatusCode::kNotImplemented
                              : StatusCode::kInternal;
  return Status(code, StrCat(method, ": the service refused the call (type ",
                             static_cast<int>(type), "): ", exception.what()));
}

/// The result struct: field 0 is the response, everything else is passed over.
bool ReadResult(BinaryProtocol& in, apache::thrift::TBase* response) {
  bool found = false;
  std::string name;
  TType type = apache::thrift::protocol::T_STOP;
  int16_t id = 0;
  in.readStructBegin(name);
  while (in.readFieldBegin(name, type, id), type != apache::thrift::protocol::T_STOP) {
    if (id == 0 && type == apache::thrift::protocol::T_STRUCT) {
      response->read(&in);
      found = true;
    } else {
      in.skip(type);
    }
    in.readFieldEnd();
  }
  in.readStructEnd();
  return found;
}

Status ReadReply(BinaryProtocol& in, std::string_view method, int32_t sequence_id,
                 apache::thrift::TBase* response) {
  std::string name;
  TMessageType kind = apache::thrift::protocol::T_CALL;
  int32_t id = 0;
  in.readMessageBegin(name, kind, id);
  if (kind == apache::thrift::protocol::T_EXCEPTION) {
    TApplicationException exception;
    exception.read(&in);
    return ToStatus(method, exception);
  }
  if (kind != apache::thrift::protocol::T_REPLY) {
    return Status::InvalidData(
        StrCat(method, ": the answer is no reply (message type ", static_cast<int>(kind), ")"));
  }
  if (name != method)
    return Status::InvalidData(StrCat(method, ": the reply is to another method"));
  if (id != sequence_id) {
    return Status::InvalidData(
        StrCat(method, ": the reply is to call ", id, ", not ", sequence_id));
  }
  if (!ReadResult(in, response)) {
    return Status::InvalidData(StrCat(method, ": the reply has no result"));
  }
  return Status::Ok();
}

}  // namespace

Result<std::string> EncodeCall(std::string_view method, int32_t sequence_id,
                               const apache::thrift::TBase& request) {
  try {
    auto buffer = std::make_shared<TMemoryBuffer>();
    BinaryProtocol out(buffer);
    out.writeMessageBegin(std::string(method), apache::thrift::protocol::T_CALL, sequence_id);
    out.writeStructBegin("args");
    out.writeFieldBegin("req", apache::thrift::protocol::T_STRUCT, 1);
    request.write(&out);
    out.writeFieldEnd();
    out.writeFieldStop();
    out.writeStructEnd();
    out.writeMessageEnd();
    return buffer->getBufferAsString();
  } catch (const std::exception& failure) {
    return Status::Internal(StrCat(method, ": cannot encode the call: ", failure.what()));
  }
}

Status DecodeReply(std::string_view method, int32_t sequence_id, std::string_view body,
                   apache::thrift::TBase* response) {
  if (!IsStrictBinary(body)) return NotThrift(method, body);
  if (body.size() > std::numeric_limits<int32_t>::max()) {
    return Status::InvalidData(StrCat(method, ": the answer has ", body.size(), " bytes"));
  }
  const auto size = static_cast<int32_t>(body.size());
  try {
    // The buffer only observes: its pointer is not const for history's sake alone.
    auto* const data = const_cast<uint8_t*>(reinterpret_cast<const uint8_t*>(body.data()));
    auto limits = std::make_shared<TConfiguration>(size);
    auto buffer = std::make_shared<TMemoryBuffer>(data, static_cast<uint32_t>(size),
                                                  TMemoryBuffer::OBSERVE, std::move(limits));
    BinaryProtocol in(buffer, size, std::min(size, kMaxElements), /*strict_read=*/true,
                      /*strict_write=*/true);
    return ReadReply(in, method, sequence_id, response);
  } catch (const std::exception& failure) {
    return Status::InvalidData(StrCat(method, ": the reply cannot be read: ", failure.what()));
  }
}

}  // namespace dbx
