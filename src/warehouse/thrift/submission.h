// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <thread>

#include "base/cancellation.h"
#include "base/mutex.h"
#include "base/status.h"
#include "warehouse/thrift/session_core.h"
#include "warehouse/thrift/thrift_types.h"

namespace dbx::thrift {

/// An ExecuteStatement call on a thread of its own. A caller who stops waiting leaves a statement
/// behind that has no handle yet; somebody must wait for the handle to cancel it.
class Submission {
 public:
  /// Sends the call. `core` outlives this.
  Submission(SessionCore* core, TExecuteStatementReq request);
  ~Submission();
  Submission(const Submission&) = delete;
  Submission& operator=(const Submission&) = delete;

  /// The reply, whatever its own status says; or the reason as soon as `cancellation` (may be null)
  /// is cancelled.
  Result<TExecuteStatementResp> Wait(Cancellation* cancellation) EXCLUDES(mutex_);

  /// Waits for the reply, though not for long, and ends the statement that it names.
  void Abandon(Cancellation* cancellation) EXCLUDES(mutex_);

 private:
  void Run(const TExecuteStatementReq& request) EXCLUDES(mutex_);
  void EndOnServer(const TOperationHandle& handle, Cancellation* cancellation);

  SessionCore* const core_;
  Cancellation call_cancellation_;

  Mutex mutex_;
  Condition changed_;
  std::optional<Result<TExecuteStatementResp>> reply_ GUARDED_BY(mutex_);

  std::thread thread_;
};

}  // namespace dbx::thrift
