// SPDX-License-Identifier: Apache-2.0
#include "base/cancellation.h"

#include <utility>

namespace dbx {

void Cancellation::Cancel(Status reason) {
  {
    MutexLock lock(mutex_);
    if (!status_.ok()) return;
    status_ = std::move(reason);
    changed_.NotifyAll();
  }
  while (true) {
    std::function<void()> wake;
    {
      MutexLock lock(mutex_);
      if (callbacks_.empty()) return;
      auto first = callbacks_.begin();
      running_id_ = first->first;
      wake = std::move(first->second);
      callbacks_.erase(first);
    }
    wake();
    MutexLock lock(mutex_);
    running_id_ = 0;
    changed_.NotifyAll();
  }
}

Status Cancellation::status() const {
  MutexLock lock(mutex_);
  return status_;
}

Cancellation::CallbackId Cancellation::Add(std::function<void()> wake) {
  {
    MutexLock lock(mutex_);
    if (status_.ok()) {
      callbacks_.emplace(next_id_, std::move(wake));
      return next_id_++;
    }
  }
  wake();
  return 0;
}

void Cancellation::Remove(CallbackId id) {
  MutexLock lock(mutex_);
  callbacks_.erase(id);
  while (id != 0 && running_id_ == id) changed_.Wait(mutex_);
}

Status Cancellation::WaitFor(std::chrono::steady_clock::duration duration) {
  const auto deadline = std::chrono::steady_clock::now() + duration;
  MutexLock lock(mutex_);
  while (status_.ok()) {
    if (!changed_.WaitUntil(mutex_, deadline) && status_.ok()) return Status::Ok();
  }
  return status_;
}

}  // namespace dbx
