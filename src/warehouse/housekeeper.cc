// SPDX-License-Identifier: Apache-2.0
#include "warehouse/housekeeper.h"

#include <algorithm>
#include <utility>

namespace dbx {

void Housekeeper::RunSoon(Task task) {
  MutexLock lock(mutex_);
  if (stopping_) return;
  tasks_.push_back(std::move(task));
  StartThread();
  changed_.NotifyAll();
}

Housekeeper::BeatId Housekeeper::StartBeat(Milliseconds interval, Beat beat) {
  MutexLock lock(mutex_);
  if (stopping_) return 0;
  const BeatId id = next_beat_id_++;
  beats_[id] = BeatEntry{interval, Clock::Real().Now() + interval,
                         std::make_shared<Beat>(std::move(beat)), std::make_shared<Cancellation>()};
  StartThread();
  changed_.NotifyAll();
  return id;
}

void Housekeeper::StopBeat(BeatId id) {
  std::shared_ptr<Cancellation> cancellation;
  {
    MutexLock lock(mutex_);
    const auto entry = beats_.find(id);
    if (entry != beats_.end()) {
      cancellation = entry->second.cancellation;
      beats_.erase(entry);
    }
  }
  if (cancellation) cancellation->Cancel(Status::Cancelled("the statement has ended"));
  MutexLock lock(mutex_);
  while (id != 0 && running_beat_ == id) changed_.Wait(mutex_);
}

void Housekeeper::Shutdown(Milliseconds patience) {
  const SteadyTime deadline = Clock::Real().Now() + patience;
  std::map<BeatId, BeatEntry> beats;
  {
    MutexLock lock(mutex_);
    stopping_ = true;
    beats.swap(beats_);
    changed_.NotifyAll();
  }
  for (const auto& [id, entry] : beats) {
    entry.cancellation->Cancel(Status::Cancelled("the session has ended"));
  }
  {
    MutexLock lock(mutex_);
    while (!finished_ && changed_.WaitUntil(mutex_, deadline)) continue;
  }
  tasks_cancellation_.Cancel(Status::Cancelled("the session has ended"));
  if (thread_.joinable()) thread_.join();
}

void Housekeeper::StartThread() {
  if (!finished_ || stopping_) return;
  finished_ = false;
  thread_ = std::thread([this] { Run(); });
}

void Housekeeper::Run() {
  while (const std::function<void()> work = NextWork()) work();
  MutexLock lock(mutex_);
  finished_ = true;
  changed_.NotifyAll();
}

std::function<void()> Housekeeper::NextWork() {
  MutexLock lock(mutex_);
  while (true) {
    if (!tasks_.empty()) {
      Task task = std::move(tasks_.front());
      tasks_.pop_front();
      return [this, task = std::move(task)] { task(&tasks_cancellation_); };
    }
    if (stopping_) return {};
    const auto earliest = EarliestBeat();
    if (earliest == beats_.end()) {
      changed_.Wait(mutex_);
    } else if (Clock::Real().Now() < earliest->second.due) {
      changed_.WaitUntil(mutex_, earliest->second.due);
    } else {
      running_beat_ = earliest->first;
      return [this, id = earliest->first, entry = earliest->second] { RunBeat(id, entry); };
    }
  }
}

void Housekeeper::RunBeat(BeatId id, const BeatEntry& entry) {
  const bool more = (*entry.beat)(entry.cancellation.get());
  MutexLock lock(mutex_);
  running_beat_ = 0;
  const auto found = beats_.find(id);
  if (found != beats_.end()) {
    if (more) {
      found->second.due = Clock::Real().Now() + entry.interval;
    } else {
      beats_.erase(found);
    }
  }
  changed_.NotifyAll();
}

std::map<Housekeeper::BeatId, Housekeeper::BeatEntry>::iterator Housekeeper::EarliestBeat() {
  return std::min_element(beats_.begin(), beats_.end(),
                          [](const auto& a, const auto& b) { return a.second.due < b.second.due; });
}

}  // namespace dbx
