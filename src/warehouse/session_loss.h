// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/mutex.h"
#include "base/status.h"

namespace dbx {

/// What a session remembers once it is gone for good. Methods from any thread.
class SessionLoss {
 public:
  /// Ok, or the first failure that told of it.
  Status status() const EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    return lost_;
  }
  /// Remembers a failure that tells of a lost session; gives it back.
  Status Note(Status failure) EXCLUDES(mutex_) {
    if (!failure.session_lost()) return failure;
    MutexLock lock(mutex_);
    if (lost_.ok()) lost_ = failure;
    return failure;
  }

 private:
  mutable Mutex mutex_;
  Status lost_ GUARDED_BY(mutex_);
};

}  // namespace dbx
