// SPDX-License-Identifier: Apache-2.0
#include "warehouse/thrift/testing/fake_service.h"

#include <thrift/TApplicationException.h>
#include <thrift/protocol/TBinaryProtocol.h>
#include <thrift/transport/TBufferTransports.h>

#include <algorithm>
#include <chrono>
#include <memory>

#include "base/clock.h"
#include "warehouse/thrift/testing/fake_replies.h"

namespace dbx::thrift {
namespace {

using apache::thrift::protocol::TBinaryProtocol;
using apache::thrift::transport::TMemoryBuffer;

template <typename Body>
std::string WriteMessage(std::string_view method, apache::thrift::protocol::TMessageType kind,
                         int32_t sequence_id, Body body) {
  auto buffer = std::make_shared<TMemoryBuffer>();
  TBinaryProtocol out(buffer);
  out.writeMessageBegin(std::string(method), kind, sequence_id);
  body(out);
  out.writeMessageEnd();
  return buffer->getBufferAsString();
}

}  // namespace

ReceivedCall ReadCall(std::string_view body, apache::thrift::TBase* request) {
  auto buffer = std::make_shared<TMemoryBuffer>();
  buffer->write(reinterpret_cast<const uint8_t*>(body.data()), static_cast<uint32_t>(body.size()));
  TBinaryProtocol in(buffer, 0, 0, true, true);
  ReceivedCall call;
  auto kind = apache::thrift::protocol::T_REPLY;
  in.readMessageBegin(call.method, kind, call.sequence_id);
  if (kind != apache::thrift::protocol::T_CALL) throw std::runtime_error("not a call");
  if (request == nullptr) return call;
  std::string name;
  auto type = apache::thrift::protocol::T_STOP;
  int16_t id = 0;
  in.readFieldBegin(name, type, id);
  if (id != 1) throw std::runtime_error("the first argument is missing");
  request->read(&in);
  return call;
}

std::string WriteReply(std::string_view method, int32_t sequence_id,
                       const apache::thrift::TBase& response) {
  return WriteMessage(method, apache::thrift::protocol::T_REPLY, sequence_id,
                      [&response](TBinaryProtocol& out) {
                        out.writeFieldBegin("success", apache::thrift::protocol::T_STRUCT, 0);
                        response.write(&out);
                        out.writeFieldStop();
                      });
}

std::string WriteException(std::string_view method, int32_t sequence_id, int32_t type,
                           std::string_view message) {
  using apache::thrift::TApplicationException;
  const TApplicationException exception(
      static_cast<TApplicationException::TApplicationExceptionType>(type), std::string(message));
  return WriteMessage(method, apache::thrift::protocol::T_EXCEPTION, sequence_id,
                      [&exception](TBinaryProtocol& out) { exception.write(&out); });
}

FakeService::FakeService() : http_([this](const HttpRequest& request) { return Answer(request); }) {
  On<TOpenSessionReq, TOpenSessionResp>(kOpenSession, [](const auto&) { return OpenedSession(); });
  On<TCloseSessionReq, TCloseSessionResp>(
      kCloseSession, [](const auto&) { return Succeeded<TCloseSessionResp>(); });
  On<TCloseOperationReq, TCloseOperationResp>(
      kCloseOperation, [](const auto&) { return Succeeded<TCloseOperationResp>(); });
  On<TCancelOperationReq, TCancelOperationResp>(
      kCancelOperation, [](const auto&) { return Succeeded<TCancelOperationResp>(); });
  On<TGetOperationStatusReq, TGetOperationStatusResp>(
      kGetOperationStatus, [](const auto&) { return InState(TOperationState::FINISHED_STATE); });
}

std::string FakeService::MethodOf(std::string_view body) {
  return ReadCall(body, nullptr).method;
}

void FakeService::SetHandler(std::string method, Handler handler) {
  MutexLock lock(mutex_);
  handlers_[std::move(method)] = std::move(handler);
}

void FakeService::OnHttp(std::string_view method, HttpHandler handler) {
  MutexLock lock(mutex_);
  http_handlers_[std::string(method)] = std::move(handler);
}

std::vector<std::string> FakeService::calls() const {
  MutexLock lock(mutex_);
  return calls_;
}

int FakeService::num_calls(std::string_view method) const {
  const std::vector<std::string> names = calls();
  return static_cast<int>(std::count(names.begin(), names.end(), method));
}

bool FakeService::WaitForCalls(std::string_view method, int count) const {
  const SteadyTime deadline = Clock::Real().Now() + std::chrono::seconds(30);
  MutexLock lock(mutex_);
  while (std::count(calls_.begin(), calls_.end(), method) < count) {
    if (!changed_.WaitUntil(mutex_, deadline)) return false;
  }
  return true;
}

Result<HttpResponse> FakeService::Answer(const HttpRequest& request) {
  const std::string method = MethodOf(request.body);
  HttpHandler http_handler;
  Handler handler;
  {
    MutexLock lock(mutex_);
    calls_.push_back(method);
    changed_.NotifyAll();
    if (http_handlers_.count(method) > 0) http_handler = http_handlers_[method];
    if (handlers_.count(method) > 0) handler = handlers_[method];
  }
  if (http_handler) {
    if (auto answer = http_handler(request)) return *std::move(answer);
  }
  if (!handler) throw std::runtime_error("the test has no answer to " + method);
  return FakeHttpClient::Response(200, handler(request.body),
                                  {{"content-type", "application/x-thrift"}});
}

}  // namespace dbx::thrift
