// SPDX-License-Identifier: Apache-2.0
#include "thrift/operation.h"

#include <string_view>
#include <utility>

#include "base/str_cat.h"

namespace dbx::local {
namespace {

using thrift::TOperationState;

struct StateName {
  std::string_view name;
  TOperationState::type state;
};

constexpr StateName kStateNames[] = {
    {"INITIALIZED", TOperationState::INITIALIZED_STATE},
    {"PENDING", TOperationState::PENDING_STATE},
    {"RUNNING", TOperationState::RUNNING_STATE},
    {"FINISHED", TOperationState::FINISHED_STATE},
    {"CANCELED", TOperationState::CANCELED_STATE},
    {"CLOSED", TOperationState::CLOSED_STATE},
    {"ERROR", TOperationState::ERROR_STATE},
    {"TIMEDOUT", TOperationState::TIMEDOUT_STATE},
    {"UNKNOWN", TOperationState::UKNOWN_STATE},
};

TOperationState::type StateNamed(std::string_view name) {
  for (const StateName& entry : kStateNames) {
    if (entry.name == name) return entry.state;
  }
  return TOperationState::UKNOWN_STATE;
}

Status ScriptedReason(std::string_view name) {
  return Status::Internal(
             StrCat("[SCRIPTED_STATE] The fault script ended this statement as ", name, "."))
      .WithErrorClass("SCRIPTED_STATE")
      .WithSqlstate("XX000");
}

}  // namespace

Operation::Operation(Identity identity, std::shared_ptr<StoredResult> result, const Clock* clock)
    : identity_(std::move(identity)), result_(std::move(result)), clock_(clock) {
  MutexLock lock(mutex_);
  script_.assign(identity_.fault.states.begin(), identity_.fault.states.end());
  now_.started_ms = WallMilliseconds();
  last_call_ = clock_->Now();
}

thrift::TOperationHandle Operation::ToThrift() const {
  thrift::TOperationHandle handle;
  handle.__set_operationId(identity_.id.ToThrift());
  handle.__set_operationType(identity_.type);
  handle.__set_hasResultSet(true);
  return handle;
}

bool Operation::Begin(std::shared_ptr<SqlStatement> statement) {
  MutexLock lock(mutex_);
  if (now_.state != TOperationState::PENDING_STATE) return false;
  now_.state = TOperationState::RUNNING_STATE;
  statement_ = std::move(statement);
  changed_.NotifyAll();
  return true;
}

void Operation::SetFinished(std::optional<int64_t> modified_rows) {
  MutexLock lock(mutex_);
  if (IsSettled(now_.state)) return;
  now_.state = TOperationState::FINISHED_STATE;
  now_.modified_rows = modified_rows;
  now_.completed_ms = WallMilliseconds();
  changed_.NotifyAll();
}

void Operation::ReleaseStatement() {
  std::shared_ptr<SqlStatement> released;  // dies outside the lock
  MutexLock lock(mutex_);
  released.swap(statement_);
}

void Operation::End(State state, Status reason,
                    thrift::TDBSqlCloseOperationReason::type close_reason) {
  std::shared_ptr<SqlStatement> statement;
  {
    MutexLock lock(mutex_);
    if (IsSettled(now_.state) && now_.state != TOperationState::FINISHED_STATE) return;
    now_.state = state;
    now_.error = reason;
    now_.close_reason = close_reason;
    now_.completed_ms = WallMilliseconds();
    statement = statement_;
    changed_.NotifyAll();
  }
  result_->Fail(std::move(reason));
  if (statement) statement->Interrupt();
}

Operation::Snapshot Operation::Now() const {
  MutexLock lock(mutex_);
  return now_;
}

Operation::Snapshot Operation::WaitUntilSettled(
    std::optional<std::chrono::milliseconds> timeout) const {
  const auto deadline =
      std::chrono::steady_clock::now() + timeout.value_or(std::chrono::milliseconds(0));
  MutexLock lock(mutex_);
  while (!IsSettled(now_.state)) {
    if (!timeout) {
      changed_.Wait(mutex_);
    } else if (!changed_.WaitUntil(mutex_, deadline)) {
      break;
    }
  }
  return now_;
}

std::optional<Operation::State> Operation::NextScriptedState() {
  std::string name;
  {
    MutexLock lock(mutex_);
    if (script_.empty()) return std::nullopt;
    name = std::move(script_.front());
    script_.pop_front();
  }
  const State state = StateNamed(name);
  if (IsSettled(state) && state != TOperationState::FINISHED_STATE) {
    const bool closed = state == TOperationState::CLOSED_STATE;
    End(state, ScriptedReason(name),
        closed ? thrift::TDBSqlCloseOperationReason::COMMAND_INACTIVITY_TIMEOUT
               : thrift::TDBSqlCloseOperationReason::NONE);
  }
  return state;
}

std::chrono::steady_clock::duration Operation::IdleTime() const {
  MutexLock lock(mutex_);
  return clock_->Now() - last_call_;
}

void Operation::NoteCall() {
  MutexLock lock(mutex_);
  last_call_ = clock_->Now();
}

Operation::Cursor Operation::cursor() const {
  MutexLock lock(mutex_);
  return cursor_;
}

void Operation::set_cursor(const Cursor& cursor) {
  MutexLock lock(mutex_);
  cursor_ = cursor;
}

bool Operation::IsSettled(State state) {
  return state != TOperationState::PENDING_STATE && state != TOperationState::RUNNING_STATE &&
         state != TOperationState::INITIALIZED_STATE;
}

int64_t Operation::WallMilliseconds() const {
  return std::chrono::duration_cast<std::chrono::milliseconds>(clock_->WallNow().time_since_epoch())
      .count();
}

}  // namespace dbx::local
