// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/cancellation.h"
#include "base/status.h"
#include "warehouse/background_call.h"
#include "warehouse/thrift/session_core.h"
#include "warehouse/thrift/thrift_types.h"

namespace dbx::thrift {

/// An ExecuteStatement call on a thread of its own. A caller who stops waiting leaves a statement
/// behind that has no handle yet; somebody must wait for the handle to cancel it.
class Submission {
 public:
  /// Sends the call. `core` outlives this.
  Submission(SessionCore* core, TExecuteStatementReq request);

  /// The reply, whatever its own status says; or the reason as soon as `cancellation` (may be null)
  /// is cancelled.
  Result<TExecuteStatementResp> Wait(Cancellation* cancellation) {
    return call_.Wait(cancellation);
  }

  /// Waits for the reply, though not for long, and ends the statement that it names.
  void Abandon(Cancellation* cancellation);

 private:
  void EndOnServer(const TOperationHandle& handle, Cancellation* cancellation);

  SessionCore* const core_;
  BackgroundCall<TExecuteStatementResp> call_;
};

}  // namespace dbx::thrift
