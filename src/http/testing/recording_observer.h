// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

#include "base/mutex.h"
#include "http/http_client.h"

namespace dbx {

/// Keeps what a transfer tells, for a test to wait for and to look at. All methods from any thread.
class RecordingObserver : public HttpObserver {
 public:
  /// Asked before a piece is kept; only a kContinue keeps it. Set it before the start.
  std::function<Flow(Bytes piece)> on_body;
  /// Called after everything was noted. Set it before the start.
  std::function<void(const Status&)> on_done;
  bool take_head = true;

  bool OnHead(const HttpResponseHead& head) override {
    MutexLock lock(mutex_);
    head_ = head;
    ++num_heads_;
    changed_.NotifyAll();
    return take_head;
  }

  Flow OnBody(Bytes piece) override {
    const Flow flow = on_body ? on_body(piece) : Flow::kContinue;
    MutexLock lock(mutex_);
    if (flow == Flow::kContinue) body_.append(AsText(piece));
    ++num_pieces_;
    changed_.NotifyAll();
    return flow;
  }

  void OnDone(const Status& status) override {
    {
      MutexLock lock(mutex_);
      status_ = status;
      ++num_done_;
      changed_.NotifyAll();
    }
    if (on_done) on_done(status);
  }

  /// Blocks until the end, and tells how it was.
  Status Wait() {
    MutexLock lock(mutex_);
    while (num_done_ == 0) changed_.Wait(mutex_);
    return status_;
  }

  /// Blocks until so many pieces were offered (kept or not), or the end.
  void WaitForPieces(int count) {
    MutexLock lock(mutex_);
    while (num_pieces_ < count && num_done_ == 0) changed_.Wait(mutex_);
  }

  void WaitForHead() {
    MutexLock lock(mutex_);
    while (num_heads_ == 0 && num_done_ == 0) changed_.Wait(mutex_);
  }

  HttpResponseHead head() const {
    MutexLock lock(mutex_);
    return head_;
  }
  std::string body() const {
    MutexLock lock(mutex_);
    return body_;
  }
  int num_heads() const { return Count(&RecordingObserver::num_heads_); }
  int num_pieces() const { return Count(&RecordingObserver::num_pieces_); }
  int num_done() const { return Count(&RecordingObserver::num_done_); }

 private:
  int Count(int RecordingObserver::* counter) const {
    MutexLock lock(mutex_);
    return this->*counter;
  }

  mutable Mutex mutex_;
  Condition changed_;
  HttpResponseHead head_ GUARDED_BY(mutex_);
  std::string body_ GUARDED_BY(mutex_);
  Status status_ GUARDED_BY(mutex_);
  int num_heads_ GUARDED_BY(mutex_) = 0;
  int num_pieces_ GUARDED_BY(mutex_) = 0;
  int num_done_ GUARDED_BY(mutex_) = 0;
};

}  // namespace dbx
