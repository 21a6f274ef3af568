// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "adbc/statement_statistics.h"
#include "base/cancellation.h"
#include "base/mutex.h"
#include "cloudfetch/cloudfetch_stream.h"
#include "result/result_stream.h"

namespace dbx {

/// One call on a connection or statement and, after it, the result that it opened: what Cancel
/// stops and what progress and statistics tell of. It runs, then perhaps is read, then has ended.
///
/// Cancel, progress and statistics come from any thread; the rest from the one thread that makes
/// the call and, later, the one that reads the result.
class RunningCall {
 public:
  RunningCall() = default;
  RunningCall(const RunningCall&) = delete;
  RunningCall& operator=(const RunningCall&) = delete;

  /// What the call's waits listen to; lives as long as this.
  Cancellation* cancellation() { return &cancellation_; }

  /// The statement's id once it is known.
  void SetStatementId(std::string id) EXCLUDES(mutex_);
  std::string statement_id() const EXCLUDES(mutex_);

  /// The call has opened `stream`. `cloudfetch` is the part of it that counts, or null.
  void BeginReading(std::unique_ptr<ResultStream> stream, const CloudFetchStream* cloudfetch)
      EXCLUDES(mutex_);
  /// As ResultStream::Next; after Cancel its reason.
  Result<std::optional<RecordBatch>> Next() EXCLUDES(mutex_);
  /// The call or the reading is over. Destroys the stream, which joins its threads.
  void End() EXCLUDES(mutex_);

  /// Stops the call or the reading. False when it had ended already.
  bool Cancel(const Status& reason) EXCLUDES(mutex_);
  bool ended() const { return ended_; }

  /// Between 0 and 1; 0 while nothing is known.
  double progress() const EXCLUDES(mutex_);
  /// Also after the end.
  StatementStatistics statistics() const EXCLUDES(mutex_);

 private:
  Cancellation cancellation_;
  mutable Mutex mutex_;
  std::atomic<bool> ended_{false};
  bool read_whole_ GUARDED_BY(mutex_) = false;
  std::string statement_id_ GUARDED_BY(mutex_);
  // Shared, so that Cancel may use it while End gives it up.
  std::shared_ptr<ResultStream> stream_ GUARDED_BY(mutex_);
  const CloudFetchStream* cloudfetch_ GUARDED_BY(mutex_) = nullptr;
  StatementStatistics delivered_ GUARDED_BY(mutex_);
};

/// The calls of one handle that Cancel may have to stop. All methods from any thread.
class RunningCalls {
 public:
  void Add(const std::shared_ptr<RunningCall>& call) EXCLUDES(mutex_);
  /// Stops all of them. Errors: kInvalidState when none was running.
  Status CancelAll() EXCLUDES(mutex_);

 private:
  std::vector<std::shared_ptr<RunningCall>> Live() EXCLUDES(mutex_);

  Mutex mutex_;
  std::vector<std::weak_ptr<RunningCall>> calls_ GUARDED_BY(mutex_);
};

/// Ends a call without a result when it goes out of scope.
class CallScope {
 public:
  explicit CallScope(RunningCalls& calls) : call_(std::make_shared<RunningCall>()) {
    calls.Add(call_);
  }
  ~CallScope() { call_->End(); }
  CallScope(const CallScope&) = delete;
  CallScope& operator=(const CallScope&) = delete;

  Cancellation* cancellation() { return call_->cancellation(); }

 private:
  const std::shared_ptr<RunningCall> call_;
};

/// The result of a call for the application: reading goes through the call, and its end ends the
/// call.
std::unique_ptr<ResultStream> MakeCallStream(std::shared_ptr<RunningCall> call,
                                             std::shared_ptr<const Schema> schema);

}  // namespace dbx
