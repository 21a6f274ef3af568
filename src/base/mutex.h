// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>

#if defined(__clang__)
#define DBX_THREAD_ANNOTATION(x) __attribute__((x))
#else
#define DBX_THREAD_ANNOTATION(x)
#endif

#define GUARDED_BY(x) DBX_THREAD_ANNOTATION(guarded_by(x))
#define REQUIRES(...) DBX_THREAD_ANNOTATION(requires_capability(__VA_ARGS__))
#define EXCLUDES(...) DBX_THREAD_ANNOTATION(locks_excluded(__VA_ARGS__))

namespace dbx {

/// A lock that clang's thread-safety analysis understands.
class DBX_THREAD_ANNOTATION(capability("mutex")) Mutex {
 public:
  void Lock() DBX_THREAD_ANNOTATION(acquire_capability()) { mutex_.lock(); }
  void Unlock() DBX_THREAD_ANNOTATION(release_capability()) { mutex_.unlock(); }

 private:
  friend class Condition;
  std::mutex mutex_;
};

/// Holds a Mutex while it lives.
class DBX_THREAD_ANNOTATION(scoped_lockable) MutexLock {
 public:
  explicit MutexLock(Mutex& mutex) DBX_THREAD_ANNOTATION(acquire_capability(mutex))
      : mutex_(mutex) {
    mutex_.Lock();
  }
  ~MutexLock() DBX_THREAD_ANNOTATION(release_capability()) { mutex_.Unlock(); }
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

 private:
  Mutex& mutex_;
};

/// Waits for a change of what a Mutex guards. Each wait may wake without a change: wait in a loop.
class Condition {
 public:
  void Wait(Mutex& mutex) REQUIRES(mutex) {
    std::unique_lock<std::mutex> lock(mutex.mutex_, std::adopt_lock);
    changed_.wait(lock);
    lock.release();
  }

  /// False once `deadline` has passed.
  bool WaitUntil(Mutex& mutex, std::chrono::steady_clock::time_point deadline) REQUIRES(mutex) {
    std::unique_lock<std::mutex> lock(mutex.mutex_, std::adopt_lock);
    const bool woken = changed_.wait_until(lock, deadline) == std::cv_status::no_timeout;
    lock.release();
    return woken;
  }

  void NotifyOne() { changed_.notify_one(); }
  void NotifyAll() { changed_.notify_all(); }

 private:
  std::condition_variable changed_;
};

}  // namespace dbx
