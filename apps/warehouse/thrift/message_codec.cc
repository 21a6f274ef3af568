// SPDX-License-Identifier: Apache-2.0
#include "thrift/message_codec.h"

#include <thrift/TApplicationException.h>
#include <thrift/TBase.h>
#include <thrift/protocol/TBinaryProtocol.h>
#include <thrift/transport/TBufferTransports.h>

#include <algorithm>
#include <exception>
#include <functional>
#include <limits>

namespace dbx::local {
namespace {

namespace protocol = apache::thrift::protocol;
using apache::thrift::TApplicationException;
using apache::thrift::TConfiguration;
using apache::thrift::transport::TMemoryBuffer;
using BinaryProtocol = protocol::TBinaryProtocolT<TMemoryBuffer>;

int BodyLimit(std::string_view body) {
  return static_cast<int>(
      std::min<size_t>(std::max<size_t>(body.size(), 1), std::numeric_limits<int>::max()));
}

std::string WriteMessage(const std::string& method, protocol::TMessageType type,
                         int32_t sequence_id,
                         const std::function<void(protocol::TProtocol&)>& write_body) {
  auto buffer = std::make_shared<TMemoryBuffer>();
  BinaryProtocol out(buffer);
  out.writeMessageBegin(method, type, sequence_id);
  write_body(out);
  out.writeMessageEnd();
  return buffer->getBufferAsString();
}

void WriteResult(protocol::TProtocol& out, const apache::thrift::TBase& response) {
  out.writeStructBegin("result");
  out.writeFieldBegin("success", protocol::T_STRUCT, 0);
  response.write(&out);
  out.writeFieldEnd();
  out.writeFieldStop();
  out.writeStructEnd();
}

}  // namespace

struct IncomingCall::Reader {
  explicit Reader(std::string_view body)
      : buffer(std::make_shared<TMemoryBuffer>(
            // The buffer only observes, though its constructor takes a pointer to mutable bytes.
            const_cast<uint8_t*>(reinterpret_cast<const uint8_t*>(body.empty() ? "" : body.data())),
            static_cast<uint32_t>(body.empty() ? 0 : BodyLimit(body)), TMemoryBuffer::OBSERVE,
            std::make_shared<TConfiguration>(BodyLimit(body)))),
        in(buffer, BodyLimit(body), BodyLimit(body), /*strict_read=*/true, /*strict_write=*/true),
        size(body.size()) {}

  std::shared_ptr<TMemoryBuffer> buffer;
  BinaryProtocol in;
  size_t size;
};

IncomingCall::IncomingCall(std::string_view body) : reader_(std::make_unique<Reader>(body)) {}
IncomingCall::~IncomingCall() = default;

Status IncomingCall::ReadHeader() {
  if (reader_->size < 12) return Status::InvalidData("message is shorter than its header");
  try {
    protocol::TMessageType type = protocol::T_CALL;
    reader_->in.readMessageBegin(method_, type, sequence_id_);
    if (type != protocol::T_CALL) return Status::InvalidArgument("message is not a call");
  } catch (const std::exception& failure) {
    return Status::InvalidData(failure.what());
  }
  return Status::Ok();
}

Status IncomingCall::ReadRequest(apache::thrift::TBase* request) {
  try {
    std::string name;
    protocol::TType type = protocol::T_STOP;
    int16_t id = 0;
    bool found = false;
    reader_->in.readStructBegin(name);
    while (true) {
      reader_->in.readFieldBegin(name, type, id);
      if (type == protocol::T_STOP) break;
      if (id == 1 && type == protocol::T_STRUCT) {
        request->read(&reader_->in);
        found = true;
      } else {
        reader_->in.skip(type);
      }
    }
    if (!found) return Status::InvalidData("arguments lack the request");
  } catch (const std::exception& failure) {
    return Status::InvalidData(failure.what());
  }
  return Status::Ok();
}

std::string WriteReply(const std::string& method, int32_t sequence_id,
                       const apache::thrift::TBase& response) {
  try {
    return WriteMessage(method, protocol::T_REPLY, sequence_id,
                        [&](protocol::TProtocol& out) { WriteResult(out, response); });
  } catch (const std::exception& failure) {
    return WriteException(method, sequence_id, CallFault::kInternal, failure.what());
  }
}

std::string WriteException(const std::string& method, int32_t sequence_id, CallFault fault,
                           const std::string& message) {
  const TApplicationException exception(
      static_cast<TApplicationException::TApplicationExceptionType>(fault), message);
  return WriteMessage(method, protocol::T_EXCEPTION, sequence_id,
                      [&](protocol::TProtocol& out) { exception.write(&out); });
}

}  // namespace dbx::local
