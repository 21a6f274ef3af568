// SPDX-License-Identifier: Apache-2.0
#include "warehouse/thrift/submission.h"

#include <utility>

#include "base/clock.h"

namespace dbx::thrift {
namespace {

// A server answers an asynchronous call within some five seconds.
constexpr std::chrono::seconds kPatience{15};

}  // namespace

Submission::Submission(SessionCore* core, TExecuteStatementReq request)
    : core_(core), call_([core, request = std::move(request)](Cancellation* cancellation) {
        return core->client().Call(kExecuteStatement, request, cancellation);
      }) {}

void Submission::Abandon(Cancellation* cancellation) {
  const auto reply = call_.WaitFor(kPatience, cancellation);
  if (reply && reply->__isset.operationHandle) EndOnServer(reply->operationHandle, cancellation);
}

void Submission::EndOnServer(const TOperationHandle& handle, Cancellation* cancellation) {
  TCancelOperationReq cancel;
  cancel.operationHandle = handle;
  const auto cancelled = core_->client().Call(kCancelOperation, cancel, cancellation);
  TCloseOperationReq close;
  close.operationHandle = handle;
  const auto closed = core_->client().Call(kCloseOperation, close, cancellation);
  core_->log().Write(LogLevel::kInfo, "statement.cancel",
                     {{"statement_id", ToUuid(handle.operationId)},
                      {"sent", cancelled.ok()},
                      {"closed", closed.ok()}});
}

}  // namespace dbx::thrift
