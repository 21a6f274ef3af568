// SPDX-License-Identifier: Apache-2.0
#include "sea/statement.h"

#include <algorithm>
#include <utility>

#include "base/str_cat.h"

namespace dbx::local {
namespace {

constexpr std::string_view kStateNames[] = {"PENDING", "RUNNING",  "SUCCEEDED",
                                            "FAILED",  "CANCELED", "CLOSED"};

Status ScriptedReason(std::string_view name) {
  return Status::Internal(StrCat("[SCRIPTED_STATE] The fault script ended this statement as ", name,
                                 ". SQLSTATE: XX000"))
      .WithErrorClass("SCRIPTED_STATE")
      .WithSqlstate("XX000");
}

}  // namespace

std::string_view ToText(StatementState state) {
  return kStateNames[static_cast<size_t>(state)];
}

SeaStatement::SeaStatement(Identity identity, std::shared_ptr<StoredResult> result,
                           const Clock* clock)
    : identity_(std::move(identity)), clock_(clock) {
  MutexLock lock(mutex_);
  result_ = std::move(result);
  script_.assign(identity_.fault.states.begin(), identity_.fault.states.end());
  last_call_ = clock_->Now();
}

bool SeaStatement::Begin(std::shared_ptr<SqlStatement> statement) {
  MutexLock lock(mutex_);
  if (state_ != StatementState::kPending) return false;
  state_ = StatementState::kRunning;
  statement_ = std::move(statement);
  changed_.NotifyAll();
  return true;
}

void SeaStatement::SetSucceeded() {
  MutexLock lock(mutex_);
  if (IsSettled(state_)) return;
  state_ = StatementState::kSucceeded;
  changed_.NotifyAll();
}

void SeaStatement::ReleaseStatement() {
  std::shared_ptr<SqlStatement> released;  // dies outside the lock
  MutexLock lock(mutex_);
  released.swap(statement_);
}

void SeaStatement::End(StatementState state, Status reason) {
  std::shared_ptr<SqlStatement> statement;
  std::shared_ptr<StoredResult> result;  // when closed it may die here, outside the lock
  {
    MutexLock lock(mutex_);
    const bool closing = state == StatementState::kClosed && state_ != StatementState::kClosed;
    const bool scripted = state == StatementState::kFailed && state_ == StatementState::kSucceeded;
    if (IsSettled(state_) && !closing && !scripted) return;
    state_ = state;
    error_ = reason;
    statement = statement_;
    result = result_;
    if (closing) result_.reset();
    changed_.NotifyAll();
  }
  if (result) result->Fail(std::move(reason));
  if (statement) statement->Interrupt();
}

SeaStatement::Snapshot SeaStatement::Now() const {
  MutexLock lock(mutex_);
  return {.state = state_,
          .error = error_,
          .result = state_ == StatementState::kSucceeded ? result_ : nullptr};
}

SeaStatement::Snapshot SeaStatement::WaitUntilSettled(std::chrono::milliseconds timeout) const {
  const auto deadline = std::chrono::steady_clock::now() + timeout;
  {
    MutexLock lock(mutex_);
    while (!IsSettled(state_) && changed_.WaitUntil(mutex_, deadline)) {
    }
  }
  return Now();
}

std::shared_ptr<StoredResult> SeaStatement::result() const {
  MutexLock lock(mutex_);
  return result_;
}

std::optional<std::string> SeaStatement::NextScriptedState() {
  std::string name;
  {
    MutexLock lock(mutex_);
    if (script_.empty()) return std::nullopt;
    name = std::move(script_.front());
    script_.pop_front();
  }
  // The other protocol's words are understood as well, so that one script serves both.
  if (name == "ERROR" || name == "TIMEDOUT") name = "FAILED";
  if (name == "FINISHED") name = "SUCCEEDED";
  for (const StatementState state :
       {StatementState::kFailed, StatementState::kCanceled, StatementState::kClosed}) {
    if (name == ToText(state)) End(state, ScriptedReason(name));
  }
  return name;
}

void SeaStatement::NoteCall() {
  MutexLock lock(mutex_);
  last_call_ = clock_->Now();
}

std::chrono::steady_clock::duration SeaStatement::IdleTime() const {
  MutexLock lock(mutex_);
  return clock_->Now() - last_call_;
}

bool SeaStatement::NoteLinkGiven(size_t chunk_index) {
  MutexLock lock(mutex_);
  const bool is_first = chunk_index >= links_given_;
  links_given_ = std::max(links_given_, chunk_index + 1);
  return is_first;
}

bool SeaStatement::IsSettled(StatementState state) {
  return state != StatementState::kPending && state != StatementState::kRunning;
}

}  // namespace dbx::local
