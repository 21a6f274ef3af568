// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <utility>

#include "base/mutex.h"
#include "base/status.h"

namespace dbx {

/// A bounded queue between threads that ends with a reason. All methods from any thread.
///
/// `Finish` is the orderly end: what was pushed is still popped, then Pop gives nullopt. `Fail`
/// keeps what was pushed too and gives its reason after it. `Cancel` drops all at once and gives
/// its reason to everyone.
template <typename T>
class Channel {
 public:
  explicit Channel(size_t capacity) : capacity_(capacity) {}

  /// Blocks while full. Fails once the channel has ended, with the reason.
  Status Push(T item) EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    while (!ended_ && items_.size() >= capacity_) changed_.Wait(mutex_);
    if (ended_)
      return reason_.ok() ? Status::InvalidState("push into a finished channel") : reason_;
    items_.push_back(std::move(item));
    changed_.NotifyAll();
    return Status::Ok();
  }

  /// Blocks while empty and open. nullopt: the orderly end.
  Result<std::optional<T>> Pop() EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    while (!ended_ && items_.empty()) changed_.Wait(mutex_);
    if (!items_.empty()) {
      std::optional<T> item(std::move(items_.front()));
      items_.pop_front();
      changed_.NotifyAll();
      return item;
    }
    if (!reason_.ok()) return reason_;
    return std::optional<T>();
  }

  void Finish() { End(Status::Ok(), false); }
  void Fail(Status reason) { End(std::move(reason), false); }
  /// Finish when `reason` is Ok, else Fail.
  void Close(Status reason) { End(std::move(reason), false); }
  void Cancel(Status reason) { End(std::move(reason), true); }

  size_t size() const EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    return items_.size();
  }

 private:
  void End(Status reason, bool drop) EXCLUDES(mutex_) {
    std::deque<T> dropped;  // dies outside the lock
    MutexLock lock(mutex_);
    if (drop) dropped.swap(items_);
    if (!ended_ || (drop && reason_.ok())) reason_ = std::move(reason);
    ended_ = true;
    changed_.NotifyAll();
  }

  const size_t capacity_;
  mutable Mutex mutex_;
  Condition changed_;
  bool ended_ GUARDED_BY(mutex_) = false;
  Status reason_ GUARDED_BY(mutex_);
  std::deque<T> items_ GUARDED_BY(mutex_);
};

}  // namespace dbx
