// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/status.h"

namespace apache::thrift {
class TBase;
}

namespace dbx::local {

/// Numbers of a TApplicationException.
enum class CallFault : int32_t {
  kUnknownMethod = 1,
  kMessageType = 2,
  kInternal = 6,
  kProtocol = 7
};

/// One CALL message in strict TBinaryProtocol. Lengths and counts are held against the size of the
/// message before anything is allocated; unknown fields of every type are skipped. Nothing is
/// thrown.
class IncomingCall {
 public:
  /// `body` must outlive this.
  explicit IncomingCall(std::string_view body);
  ~IncomingCall();
  IncomingCall(const IncomingCall&) = delete;
  IncomingCall& operator=(const IncomingCall&) = delete;

  /// First. kInvalidData: not a strict message; kInvalidArgument: a message, but no CALL.
  Status ReadHeader();
  const std::string& method() const { return method_; }
  int32_t sequence_id() const { return sequence_id_; }

  /// Then: field 1 of the arguments into `request`. kInvalidData also when the field is missing.
  Status ReadRequest(apache::thrift::TBase* request);

 private:
  struct Reader;
  std::unique_ptr<Reader> reader_;
  std::string method_;
  int32_t sequence_id_ = 0;
};

/// The REPLY to `method` with `response` as field 0.
std::string WriteReply(const std::string& method, int32_t sequence_id,
                       const apache::thrift::TBase& response);
/// The EXCEPTION to `method`.
std::string WriteException(const std::string& method, int32_t sequence_id, CallFault fault,
                           const std::string& message);

}  // namespace dbx::local
