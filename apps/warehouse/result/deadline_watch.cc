// SPDX-License-Identifier: Apache-2.0
#include "result/deadline_watch.h"

#include <utility>

namespace dbx::local {

DeadlineWatch::DeadlineWatch() : thread_([this] { Watch(); }) {}

DeadlineWatch::~DeadlineWatch() {
  {
    MutexLock lock(mutex_);
    closed_ = true;
    changed_.NotifyAll();
  }
  thread_.join();
}

void DeadlineWatch::Add(std::chrono::steady_clock::time_point deadline,
                        std::function<void()> expire) {
  MutexLock lock(mutex_);
  waiting_.emplace(deadline, std::move(expire));
  changed_.NotifyAll();
}

void DeadlineWatch::Watch() {
  while (true) {
    std::function<void()> expire;
    {
      MutexLock lock(mutex_);
      while (!closed_ &&
             (waiting_.empty() || waiting_.begin()->first > std::chrono::steady_clock::now())) {
        if (waiting_.empty()) {
          changed_.Wait(mutex_);
        } else {
          changed_.WaitUntil(mutex_, waiting_.begin()->first);
        }
      }
      if (closed_) return;
      expire = std::move(waiting_.begin()->second);
      waiting_.erase(waiting_.begin());
    }
    expire();
  }
}

}  // namespace dbx::local
