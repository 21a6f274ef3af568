// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <ostream>
#include <string>
#include <type_traits>
#include <vector>

#include "base/clock.h"
#include "base/mutex.h"
#include "net/faults.h"
#include "net/spool.h"
#include "result/fake_engine.h"
#include "result/fake_parts.h"
#include "thrift/thrift_service.h"
#include "thrift_generated/TCLIService_types.h"

namespace dbx::thrift {

/// How GoogleTest shows the generated enums, whose own stream operators are only declared.
template <typename Enum>
  requires std::is_enum_v<Enum>
void PrintTo(const Enum& value, std::ostream* out) {
  *out << static_cast<int64_t>(value);
}

}  // namespace dbx::thrift

namespace dbx::local {

/// A message of `request` in the strict binary protocol.
std::string EncodeCall(const std::string& method, int32_t sequence_id,
                       const apache::thrift::TBase& request);

/// A reply's envelope; `Decode` reads field 0 of its result.
struct Envelope {
  uint32_t first_word = 0;
  std::string method;
  int32_t sequence_id = 0;
  int32_t exception_type = -1;  ///< of an EXCEPTION
};
Envelope DecodeReply(const std::string& body, apache::thrift::TBase* response);

/// The service with fakes around it and one client at its door.
class ThriftFixture {
 public:
  explicit ThriftFixture(ThriftOptions options = {});

  /// `statement`'s columns are `NumberedColumns` unless set otherwise in `engine.results`.
  FakeEngine engine;
  FakeSpool spool;
  FakeSigner signer;
  FakeFaults faults;
  FakeClock clock;
  std::unique_ptr<ThriftService> service;

  HttpReply Post(const std::string& body);
  /// Sends `request`; fills `response` when the reply is Thrift. The HTTP reply.
  HttpReply Call(const std::string& method, const apache::thrift::TBase& request,
                 apache::thrift::TBase* response);

  thrift::TOpenSessionReq OpenRequest() const;
  thrift::TSessionHandle Open();
  /// Arrow, links, LZ4 and native types, asynchronous, with direct results of 100,000 rows.
  thrift::TExecuteStatementReq ExecuteRequest(const std::string& sql);
  thrift::TExecuteStatementResp Execute(const thrift::TExecuteStatementReq& request);
  thrift::TExecuteStatementResp Execute(const std::string& sql) {
    return Execute(ExecuteRequest(sql));
  }
  thrift::TFetchResultsResp Fetch(const thrift::TOperationHandle& handle, int64_t max_rows = -1);
  thrift::TFetchResultsResp Fetch(const thrift::TFetchResultsReq& request);
  thrift::TGetOperationStatusResp GetStatus(const thrift::TOperationHandle& handle);
  thrift::TStatus Close(const thrift::TOperationHandle& handle);
  thrift::TStatus Cancel(const thrift::TOperationHandle& handle);

  thrift::TSessionHandle session;
  std::string path = "/sql/1.0/warehouses/local";

 private:
  int32_t sequence_id_ = 0;
};

}  // namespace dbx::local
