// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>

#include "base/mutex.h"
#include "base/status.h"

namespace dbx {

/// A request to stop that many waits can listen to. One owner; all methods from any thread.
///
/// Once cancelled it stays so, with the first reason. Whoever waits either registers a callback
/// that wakes it or waits here.
class Cancellation {
 public:
  using CallbackId = uint64_t;

  /// Ends every wait with `reason` (never Ok). Runs the callbacks on this thread, outside the lock.
  void Cancel(Status reason) EXCLUDES(mutex_);

  /// Ok while nobody has cancelled, else the reason.
  Status status() const EXCLUDES(mutex_);

  /// Calls `wake` once upon Cancel, at once when that has happened already. `wake` must not block
  /// and not call back into this object.
  CallbackId Add(std::function<void()> wake) EXCLUDES(mutex_);
  /// After this returns, the callback is not running and will not run. Never call it from a
  /// callback.
  void Remove(CallbackId id) EXCLUDES(mutex_);

  /// Ok after `duration`, or the reason as soon as someone cancels.
  Status WaitFor(std::chrono::steady_clock::duration duration) EXCLUDES(mutex_);

 private:
  mutable Mutex mutex_;
  Condition changed_;
  Status status_ GUARDED_BY(mutex_);
  CallbackId next_id_ GUARDED_BY(mutex_) = 1;
  CallbackId running_id_ GUARDED_BY(mutex_) = 0;
  std::map<CallbackId, std::function<void()>> callbacks_ GUARDED_BY(mutex_);
};

/// A callback on a Cancellation for as long as this lives.
class CancellationCallback {
 public:
  /// `cancellation` may be null (nothing ever cancels) and must outlive this.
  CancellationCallback(Cancellation* cancellation, std::function<void()> wake)
      : cancellation_(cancellation), id_(cancellation ? cancellation->Add(std::move(wake)) : 0) {}
  ~CancellationCallback() {
    if (cancellation_) cancellation_->Remove(id_);
  }
  CancellationCallback(const CancellationCallback&) = delete;
  CancellationCallback& operator=(const CancellationCallback&) = delete;

 private:
  Cancellation* const cancellation_;
  const Cancellation::CallbackId id_;
};

}  // namespace dbx
