// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/mutex.h"
#include "base/status.h"
#include "net/faults.h"
#include "result/stored_result.h"
#include "sea/execute_request.h"
#include "sql/engine.h"

namespace dbx::local {

enum class StatementState : uint8_t {
  kPending,
  kRunning,
  kSucceeded,
  kFailed,
  kCanceled,
  kClosed,
};

std::string_view ToText(StatementState state);

/// A statement from its execution until it is forgotten. All methods from any thread.
class SeaStatement {
 public:
  struct Identity {
    std::string id = {};
    std::string session_id = {};  ///< empty: a session of its own
    std::string sql = {};
    Disposition disposition = Disposition::kInline;
    RowFormat format = RowFormat::kJsonArray;
    FaultAction fault = {};
  };

  /// `clock` must outlive this.
  SeaStatement(Identity identity, std::shared_ptr<StoredResult> result, const Clock* clock);

  const std::string& id() const { return identity_.id; }
  const std::string& session_id() const { return identity_.session_id; }
  const std::string& sql() const { return identity_.sql; }
  Disposition disposition() const { return identity_.disposition; }
  RowFormat format() const { return identity_.format; }
  const FaultAction& fault() const { return identity_.fault; }

  // The runner's side.

  /// PENDING becomes RUNNING with `statement`. False when it has ended before: don't run it.
  bool Begin(std::shared_ptr<SqlStatement> statement) EXCLUDES(mutex_);
  /// The result is complete.
  void SetSucceeded() EXCLUDES(mutex_);
  /// Everything has run: the engine's statement is let go.
  void ReleaseStatement() EXCLUDES(mutex_);
  /// Ends in FAILED, CANCELED or CLOSED, interrupts what runs and fails the unfinished result. The
  /// first end stays, except that everything can still be closed, and success be turned to failure.
  /// Whoever reads the result of a closed statement keeps it until done.
  void End(StatementState state, Status reason) EXCLUDES(mutex_);

  struct Snapshot {
    StatementState state = StatementState::kPending;
    Status error;                                  ///< of FAILED
    std::shared_ptr<const StoredResult> result{};  ///< of SUCCEEDED, complete
  };
  Snapshot Now() const EXCLUDES(mutex_);
  /// Waits until the state is neither PENDING nor RUNNING, for `timeout` at most.
  Snapshot WaitUntilSettled(std::chrono::milliseconds timeout) const EXCLUDES(mutex_);
  /// Null once closed.
  std::shared_ptr<StoredResult> result() const EXCLUDES(mutex_);
  /// The next state that a fault script wants to be told, if any is left. A final one ends the
  /// statement.
  std::optional<std::string> NextScriptedState() EXCLUDES(mutex_);

  void NoteCall() EXCLUDES(mutex_);
  /// How long nobody has called.
  std::chrono::steady_clock::duration IdleTime() const EXCLUDES(mutex_);
  /// True when the link to `chunk_index` has not been given out before.
  bool NoteLinkGiven(size_t chunk_index) EXCLUDES(mutex_);

 private:
  static bool IsSettled(StatementState state);

  const Identity identity_;
  const Clock* const clock_;

  mutable Mutex mutex_;
  mutable Condition changed_;
  StatementState state_ GUARDED_BY(mutex_) = StatementState::kPending;
  Status error_ GUARDED_BY(mutex_);
  std::shared_ptr<StoredResult> result_ GUARDED_BY(mutex_);
  std::shared_ptr<SqlStatement> statement_ GUARDED_BY(mutex_);
  std::deque<std::string> script_ GUARDED_BY(mutex_);
  size_t links_given_ GUARDED_BY(mutex_) = 0;
  SteadyTime last_call_ GUARDED_BY(mutex_);
};

}  // namespace dbx::local
