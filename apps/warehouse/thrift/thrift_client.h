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
#include "thrift/fake_engine.h"
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

/// Objects in memory, which the test can look at.
class FakeSpool final : public Spool {
 public:
  Result<std::string> Put(std::string_view bytes, std::optional<int64_t> chunk_index) override;
  std::shared_ptr<const SharedBytes> Get(std::string_view name) const override;
  void Remove(std::string_view name) override;

  std::string Bytes(const std::string& name) const EXCLUDES(mutex_);
  int64_t num_objects() const override EXCLUDES(mutex_);
  int64_t num_bytes() const override { return 0; }

 private:
  mutable Mutex mutex_;
  std::map<std::string, std::string> objects_ GUARDED_BY(mutex_);
  int next_ GUARDED_BY(mutex_) = 0;
};

/// Links that say what they were made of: "<base>/results/<name>?life=<seconds>&n=<count>".
class FakeSigner final : public LinkSigner {
 public:
  std::string Sign(std::string_view base, std::string_view name,
                   std::chrono::seconds lifetime) const override;
  LinkCheck Check(std::string_view, std::string_view, WallTime) const override { return {}; }

 private:
  mutable Mutex mutex_;
  mutable int64_t count_ GUARDED_BY(mutex_) = 0;
};

/// Gives each action once, at its point and method (any statement when that is empty).
class FakeFaults final : public FaultScript {
 public:
  void Add(FaultPoint point, std::string method, FaultAction action) EXCLUDES(mutex_);

  Status Load(std::string_view) override { return Status::Ok(); }
  void Clear() override {}
  std::optional<FaultAction> Next(const FaultContext& context) override;
  bool empty() const override;
  std::string Describe() const override { return "{}"; }

 private:
  struct Rule {
    FaultPoint point;
    std::string method;
    FaultAction action;
  };
  mutable Mutex mutex_;
  std::deque<Rule> rules_ GUARDED_BY(mutex_);
};

class FakeClock final : public Clock {
 public:
  SteadyTime Now() const override EXCLUDES(mutex_);
  WallTime WallNow() const override EXCLUDES(mutex_);
  void Advance(std::chrono::seconds duration) EXCLUDES(mutex_);

 private:
  mutable Mutex mutex_;
  std::chrono::seconds now_ GUARDED_BY(mutex_){1'700'000'000};
};

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

/// The spooled object that a fake link names.
std::string ObjectOf(const std::string& link);

}  // namespace dbx::local
