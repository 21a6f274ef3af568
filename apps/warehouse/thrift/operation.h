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
#include "sql/engine.h"
#include "thrift/handle_id.h"
#include "thrift_generated/TCLIService_types.h"

namespace dbx::local {

/// A client's session.
struct Session {
  HandleId id;
  int64_t version = 0;             ///< the protocol version in force
  bool native_timestamps = false;  ///< the old setting that asks for them
  std::unique_ptr<SqlSession> sql;
};

/// A statement, or a metadata call, from its start until it is closed. All methods from any thread.
class Operation {
 public:
  using State = thrift::TOperationState::type;

  struct Identity {
    HandleId id;
    thrift::TOperationType::type type = thrift::TOperationType::EXECUTE_STATEMENT;
    std::shared_ptr<Session> session;
    std::string sql;
    FaultAction fault;
    thrift::TCacheLookupResult::type cache = thrift::TCacheLookupResult::CACHE_INELIGIBLE;
  };

  /// `clock` must outlive this.
  Operation(Identity identity, std::shared_ptr<StoredResult> result, const Clock* clock);

  const HandleId& id() const { return identity_.id; }
  const Session& session() const { return *identity_.session; }
  const std::string& sql() const { return identity_.sql; }
  const FaultAction& fault() const { return identity_.fault; }
  thrift::TCacheLookupResult::type cache() const { return identity_.cache; }
  thrift::TOperationType::type type() const { return identity_.type; }
  StoredResult& result() const { return *result_; }
  const std::shared_ptr<StoredResult>& shared_result() const { return result_; }
  thrift::TOperationHandle ToThrift() const;

  // The runner's side.

  /// PENDING becomes RUNNING with `statement`. False when the operation has ended before: don't run
  /// it.
  bool Begin(std::shared_ptr<SqlStatement> statement) EXCLUDES(mutex_);
  /// The result can be fetched.
  void SetFinished(std::optional<int64_t> modified_rows) EXCLUDES(mutex_);
  /// Everything has run: the statement is let go.
  void ReleaseStatement() EXCLUDES(mutex_);

  /// Ends the operation in a final state, interrupts what runs and fails the unfinished result. The
  /// first end stays, except that a finished one may still be ended.
  void End(State state, Status reason,
           thrift::TDBSqlCloseOperationReason::type close_reason =
               thrift::TDBSqlCloseOperationReason::NONE) EXCLUDES(mutex_);

  struct Snapshot {
    State state = thrift::TOperationState::PENDING_STATE;
    Status error;  ///< of ERROR, CANCELED, TIMEDOUT, CLOSED
    int64_t started_ms = 0, completed_ms = 0;
    std::optional<int64_t> modified_rows;
    thrift::TDBSqlCloseOperationReason::type close_reason =
        thrift::TDBSqlCloseOperationReason::NONE;
  };
  Snapshot Now() const EXCLUDES(mutex_);
  /// Waits until the state is neither PENDING nor RUNNING, for `timeout` at most; nullopt: without
  /// end.
  Snapshot WaitUntilSettled(std::optional<std::chrono::milliseconds> timeout) const
      EXCLUDES(mutex_);

  /// The next state that a fault script wants to be told, if any is left. A final one ends the
  /// operation.
  std::optional<State> NextScriptedState() EXCLUDES(mutex_);

  /// How long nobody has called.
  std::chrono::steady_clock::duration IdleTime() const EXCLUDES(mutex_);
  void NoteCall() EXCLUDES(mutex_);

  /// Where FETCH_NEXT goes on. Rows of a column set; else pieces.
  struct Cursor {
    int64_t row = 0;
    size_t piece = 0;
    bool exhausted = false;  ///< the last page said that there is no more
    size_t links_given = 0;  ///< pieces below were handed out once
    int64_t pages = 0;       ///< fetched so far
  };
  Cursor cursor() const EXCLUDES(mutex_);
  void set_cursor(const Cursor& cursor) EXCLUDES(mutex_);

 private:
  static bool IsSettled(State state);
  int64_t WallMilliseconds() const;

  const Identity identity_;
  const std::shared_ptr<StoredResult> result_;
  const Clock* const clock_;

  mutable Mutex mutex_;
  mutable Condition changed_;
  Snapshot now_ GUARDED_BY(mutex_);
  std::shared_ptr<SqlStatement> statement_ GUARDED_BY(mutex_);
  std::deque<std::string> script_ GUARDED_BY(mutex_);
  Cursor cursor_ GUARDED_BY(mutex_);
  SteadyTime last_call_ GUARDED_BY(mutex_);
};

}  // namespace dbx::local
