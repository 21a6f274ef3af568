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
    : core_(core), thread_([this, request = std::move(request)] { Run(request); }) {}

Submission::~Submission() {
  call_cancellation_.Cancel(Status::Cancelled("the statement was abandoned"));
  thread_.join();
}

void Submission::Run(const TExecuteStatementReq& request) {
  auto reply = core_->client().Call(kExecuteStatement, request, &call_cancellation_);
  MutexLock lock(mutex_);
  reply_ = std::move(reply);
  changed_.NotifyAll();
}

Result<TExecuteStatementResp> Submission::Wait(Cancellation* cancellation) {
  const CancellationCallback wake(cancellation, [this] {
    MutexLock lock(mutex_);
    changed_.NotifyAll();
  });
  MutexLock lock(mutex_);
  while (!reply_) {
    if (cancellation) RETURN_IF_ERROR(cancellation->status());
    changed_.Wait(mutex_);
  }
  return *std::exchange(reply_, std::nullopt);
}

void Submission::Abandon(Cancellation* cancellation) {
  const SteadyTime deadline = Clock::Real().Now() + kPatience;
  std::optional<TOperationHandle> handle;
  {
    const CancellationCallback wake(cancellation, [this] {
      MutexLock lock(mutex_);
      changed_.NotifyAll();
    });
    MutexLock lock(mutex_);
    while (!reply_ && cancellation->status().ok()) {
      if (!changed_.WaitUntil(mutex_, deadline)) break;
    }
    if (reply_ && reply_->ok() && (*reply_)->__isset.operationHandle) {
      handle = (*reply_)->operationHandle;
    }
  }
  if (handle) EndOnServer(*handle, cancellation);
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
