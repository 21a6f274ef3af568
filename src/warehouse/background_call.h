// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <thread>
#include <utility>

#include "base/cancellation.h"
#include "base/clock.h"
#include "base/mutex.h"
#include "base/status.h"

namespace dbx {

/// A call on a thread of its own, which somebody may stop waiting for without breaking it off: what
/// it began on the server has no name before its reply. Methods from any thread.
template <typename Reply>
class BackgroundCall {
 public:
  /// Calls `call` at once; what it uses outlives this. Its Cancellation is cancelled when this
  /// dies.
  explicit BackgroundCall(std::function<Result<Reply>(Cancellation*)> call)
      : thread_([this, call = std::move(call)] {
          Result<Reply> reply = call(&broken_off_);
          MutexLock lock(mutex_);
          reply_ = std::move(reply);
          changed_.NotifyAll();
        }) {}

  ~BackgroundCall() {
    broken_off_.Cancel(Status::Cancelled("the statement was abandoned"));
    thread_.join();
  }
  BackgroundCall(const BackgroundCall&) = delete;
  BackgroundCall& operator=(const BackgroundCall&) = delete;

  /// Takes the reply, once; or gives the reason as soon as `cancellation` (may be null) is
  /// cancelled.
  Result<Reply> Wait(Cancellation* cancellation) EXCLUDES(mutex_) {
    const CancellationCallback wake(cancellation, [this] { Wake(); });
    MutexLock lock(mutex_);
    while (!reply_) {
      if (cancellation) RETURN_IF_ERROR(cancellation->status());
      changed_.Wait(mutex_);
    }
    return *std::exchange(reply_, std::nullopt);
  }

  /// The reply if it comes well within `patience` and before `cancellation` is cancelled.
  std::optional<Reply> WaitFor(Milliseconds patience, Cancellation* cancellation) EXCLUDES(mutex_) {
    const SteadyTime deadline = Clock::Real().Now() + patience;
    const CancellationCallback wake(cancellation, [this] { Wake(); });
    MutexLock lock(mutex_);
    while (!reply_ && cancellation->status().ok()) {
      if (!changed_.WaitUntil(mutex_, deadline)) break;
    }
    if (!reply_ || !reply_->ok()) return std::nullopt;
    return **reply_;
  }

 private:
  void Wake() EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    changed_.NotifyAll();
  }

  Cancellation broken_off_;

  Mutex mutex_;
  Condition changed_;
  std::optional<Result<Reply>> reply_ GUARDED_BY(mutex_);

  std::thread thread_;
};

}  // namespace dbx
