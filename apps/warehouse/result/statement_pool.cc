// SPDX-License-Identifier: Apache-2.0
#include "result/statement_pool.h"

#include <utility>

namespace dbx::local {

StatementPool::StatementPool(int num_threads) {
  for (int i = 0; i < num_threads; ++i) threads_.emplace_back([this] { RunWork(); });
}

StatementPool::~StatementPool() {
  {
    MutexLock lock(mutex_);
    closed_ = true;
    changed_.NotifyAll();
  }
  for (std::thread& thread : threads_) thread.join();
}

void StatementPool::Submit(std::function<void()> work) {
  MutexLock lock(mutex_);
  queue_.push_back(std::move(work));
  changed_.NotifyOne();
}

void StatementPool::RunWork() {
  while (true) {
    std::function<void()> work;
    {
      MutexLock lock(mutex_);
      while (queue_.empty() && !closed_) changed_.Wait(mutex_);
      if (queue_.empty()) return;
      work = std::move(queue_.front());
      queue_.pop_front();
    }
    work();
  }
}

}  // namespace dbx::local
