// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <thread>

#include "base/cancellation.h"
#include "base/clock.h"
#include "base/mutex.h"

namespace dbx {

/// A session's one thread for calls that nobody waits for: closes, cancels and heartbeats, so that
/// releasing a result never waits for the network. The thread starts with the first piece of work.
/// Methods from any thread.
class Housekeeper {
 public:
  /// `cancellation` ends the task's waits when the session can wait no longer.
  using Task = std::function<void(Cancellation* cancellation)>;
  /// False: no further beat is wanted.
  using Beat = std::function<bool(Cancellation* cancellation)>;
  using BeatId = uint64_t;

  Housekeeper() = default;
  ~Housekeeper() { Shutdown(Milliseconds(0)); }
  Housekeeper(const Housekeeper&) = delete;
  Housekeeper& operator=(const Housekeeper&) = delete;

  /// Runs `task` after those before it and before any beat. Dropped once Shutdown has begun.
  void RunSoon(Task task) EXCLUDES(mutex_);

  /// Calls `beat` every `interval`, the first time after one interval.
  BeatId StartBeat(Milliseconds interval, Beat beat) EXCLUDES(mutex_);
  /// After this returns the beat is not running and will not run; a running one is cancelled first.
  /// Never from a beat.
  void StopBeat(BeatId id) EXCLUDES(mutex_);

  /// Ends all beats, lets the tasks run for `patience`, cancels what is left of them and joins the
  /// thread. Never from a task. Later calls do nothing.
  void Shutdown(Milliseconds patience) EXCLUDES(mutex_);

 private:
  struct BeatEntry {
    Milliseconds interval;
    SteadyTime due;
    std::shared_ptr<Beat> beat;
    std::shared_ptr<Cancellation> cancellation;
  };

  void StartThread() REQUIRES(mutex_);
  void Run() EXCLUDES(mutex_);
  /// Waits for work; empty: the end has come.
  std::function<void()> NextWork() EXCLUDES(mutex_);
  void RunBeat(BeatId id, const BeatEntry& entry) EXCLUDES(mutex_);
  std::map<BeatId, BeatEntry>::iterator EarliestBeat() REQUIRES(mutex_);

  Cancellation tasks_cancellation_;

  Mutex mutex_;
  Condition changed_;
  std::deque<Task> tasks_ GUARDED_BY(mutex_);
  std::map<BeatId, BeatEntry> beats_ GUARDED_BY(mutex_);
  BeatId next_beat_id_ GUARDED_BY(mutex_) = 1;
  BeatId running_beat_ GUARDED_BY(mutex_) = 0;
  bool stopping_ GUARDED_BY(mutex_) = false;
  bool finished_ GUARDED_BY(mutex_) = true;  // no thread is running

  std::thread thread_;
};

}  // namespace dbx
