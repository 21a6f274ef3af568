// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "base/cancellation.h"
#include "base/mutex.h"
#include "base/status.h"
#include "warehouse/housekeeper.h"
#include "warehouse/session.h"
#include "warehouse/session_loss.h"
#include "warehouse/thrift/thrift_client.h"
#include "warehouse/thrift/thrift_status.h"
#include "warehouse/thrift/thrift_types.h"

namespace dbx::thrift {

/// What a session and its operations share; an operation's result may outlive the session. Methods
/// from any thread.
class SessionCore {
 public:
  explicit SessionCore(const SessionContext& context) : context_(context), client_(context) {}

  const Config& config() const { return *context_.config; }
  const Log& log() const { return context_.log; }
  ThriftClient& client() { return client_; }
  Housekeeper& housekeeper() { return housekeeper_; }

  /// Set once, before anybody else knows of the core.
  void SetOpened(TSessionHandle handle, TProtocolVersion::type version) {
    handle_ = std::move(handle);
    version_ = version;
  }
  const TSessionHandle& handle() const { return handle_; }
  /// True when the server speaks `version` or a later one.
  bool Speaks(TProtocolVersion::type version) const { return version_ >= version; }

  const SessionLoss& loss() const { return loss_; }
  /// Ok, or why the session is gone for good.
  Status lost() const { return loss_.status(); }
  /// Remembers a failure that tells of a lost session; gives it back.
  Status Note(Status failure) { return loss_.Note(std::move(failure)); }

  /// A call whose own status is part of the outcome.
  template <typename Request, typename Response>
  Result<Response> Call(const Method<Request, Response>& method, const Request& request,
                        Cancellation* cancellation) {
    RETURN_IF_ERROR(lost());
    Result<Response> response = client_.Call(method, request, cancellation);
    if (!response.ok()) return Note(response.status());
    const Status status = ToStatus(response->status);
    if (!status.ok()) return Note(status);
    return response;
  }

  std::string catalog() const EXCLUDES(mutex_);
  std::string schema() const EXCLUDES(mutex_);
  void SetNames(std::string catalog, std::string schema) EXCLUDES(mutex_);

 private:
  const SessionContext context_;
  ThriftClient client_;
  TSessionHandle handle_;
  TProtocolVersion::type version_ = TProtocolVersion::SPARK_CLI_SERVICE_PROTOCOL_V1;

  SessionLoss loss_;

  mutable Mutex mutex_;
  std::string catalog_ GUARDED_BY(mutex_);
  std::string schema_ GUARDED_BY(mutex_);

  Housekeeper housekeeper_;  // last: its thread uses all the above
};

}  // namespace dbx::thrift
