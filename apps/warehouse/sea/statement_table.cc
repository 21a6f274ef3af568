// SPDX-License-Identifier: Apache-2.0
#include "sea/statement_table.h"

#include <cstdio>
#include <utility>

#include "base/str_cat.h"
#include "net/http_text.h"

namespace dbx::local {
namespace {

Status Outlived() {
  return Status::Cancelled("closed after a time without calls");
}

}  // namespace

StatementTable::StatementTable(const Lifetimes& lifetimes, const Clock* clock)
    : lifetimes_(lifetimes), clock_(clock) {
  MutexLock lock(mutex_);
  last_sweep_ = clock_->Now();
}

void StatementTable::AddSession(std::string id, std::shared_ptr<SqlSession> session) {
  MutexLock lock(mutex_);
  sessions_.emplace(std::move(id), Entry{std::move(session), clock_->Now()});
}

std::shared_ptr<SqlSession> StatementTable::FindSession(const std::string& id) {
  MutexLock lock(mutex_);
  const auto found = sessions_.find(id);
  if (found == sessions_.end() || IsStale(found->second)) return nullptr;
  found->second.last_call = clock_->Now();
  return found->second.session;
}

bool StatementTable::EndSession(const std::string& id) {
  std::shared_ptr<SqlSession> session;  // dies outside the lock
  std::vector<std::shared_ptr<SeaStatement>> orphans;
  {
    MutexLock lock(mutex_);
    const auto found = sessions_.find(id);
    if (found == sessions_.end()) return false;
    session = std::move(found->second.session);
    sessions_.erase(found);
    for (const auto& [name, statement] : statements_) {
      if (statement->session_id() == id) orphans.push_back(statement);
    }
  }
  for (const auto& statement : orphans)
    statement->End(StatementState::kClosed, Status::Cancelled("the session was closed"));
  return true;
}

void StatementTable::AddStatement(std::shared_ptr<SeaStatement> statement) {
  MutexLock lock(mutex_);
  std::string id = statement->id();
  statements_.emplace(std::move(id), std::move(statement));
}

std::shared_ptr<SeaStatement> StatementTable::FindStatement(const std::string& id) {
  std::shared_ptr<SeaStatement> statement;
  {
    MutexLock lock(mutex_);
    const auto found = statements_.find(id);
    if (found == statements_.end()) return nullptr;
    statement = found->second;
    // Whoever asks for a statement still has its session.
    const auto session = sessions_.find(statement->session_id());
    if (session != sessions_.end() && !IsStale(session->second))
      session->second.last_call = clock_->Now();
  }
  if (statement->Now().state == StatementState::kClosed)  // known for a while, calls or not
    return statement->IdleTime() > lifetimes_.closed_statement ? nullptr : statement;
  if (IsStale(*statement)) statement->End(StatementState::kClosed, Outlived());
  statement->NoteCall();
  return statement;
}

void StatementTable::ForgetStatement(const std::string& id) {
  std::shared_ptr<SeaStatement> statement;
  {
    MutexLock lock(mutex_);
    const auto found = statements_.find(id);
    if (found == statements_.end()) return;
    statement = std::move(found->second);
    statements_.erase(found);
  }
  statement->End(StatementState::kClosed, Status::Cancelled("the statement was closed"));
}

void StatementTable::Sweep() {
  {
    MutexLock lock(mutex_);
    if (clock_->Now() - last_sweep_ < std::chrono::seconds(1)) return;
    last_sweep_ = clock_->Now();
  }
  for (const std::shared_ptr<SeaStatement>& statement : statements()) {
    const bool closed = statement->Now().state == StatementState::kClosed;
    if (closed && statement->IdleTime() > lifetimes_.closed_statement) {
      ForgetStatement(statement->id());
    } else if (!closed && IsStale(*statement)) {
      statement->End(StatementState::kClosed, Outlived());
      statement->NoteCall();
    }
  }
  std::vector<std::string> stale;
  {
    MutexLock lock(mutex_);
    for (const auto& [id, entry] : sessions_) {
      if (IsStale(entry)) stale.push_back(id);
    }
  }
  for (const std::string& id : stale) EndSession(id);
}

std::vector<std::shared_ptr<SeaStatement>> StatementTable::statements() const {
  MutexLock lock(mutex_);
  std::vector<std::shared_ptr<SeaStatement>> all;
  all.reserve(statements_.size());
  for (const auto& [id, statement] : statements_) all.push_back(statement);
  return all;
}

size_t StatementTable::num_sessions() const {
  MutexLock lock(mutex_);
  return sessions_.size();
}

size_t StatementTable::num_open_statements() const {
  size_t num_open = 0;
  for (const auto& statement : statements())
    num_open += statement->Now().state != StatementState::kClosed ? 1 : 0;
  return num_open;
}

bool StatementTable::IsStale(const SeaStatement& statement) const {
  return lifetimes_.statement.count() > 0 && statement.IdleTime() > lifetimes_.statement;
}

bool StatementTable::IsStale(const Entry& entry) const {
  return lifetimes_.session.count() > 0 && clock_->Now() - entry.last_call > lifetimes_.session;
}

std::string NewId(WallTime now) {
  // A UUID counts tenths of microseconds since the calendar's reform. The highest bits come first
  // here, the last four are left out, and the version stands where version 1 has it.
  constexpr uint64_t kReformToEpoch = 0x01B21DD213814000;
  using Ticks = std::chrono::duration<uint64_t, std::ratio<1, 10'000'000>>;
  const uint64_t ticks =
      (kReformToEpoch + std::chrono::duration_cast<Ticks>(now.time_since_epoch()).count()) >> 4;
  char text[20];
  std::snprintf(text, sizeof(text), "%08x-%04x-1%03x", static_cast<unsigned>(ticks >> 28),
                static_cast<unsigned>(ticks >> 12 & 0xFFFF), static_cast<unsigned>(ticks & 0xFFF));
  return StrCat(text, std::string_view(RandomUuid()).substr(18));
}

bool IsId(std::string_view text) {
  if (text.size() != 36) return false;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool dash = i == 8 || i == 13 || i == 18 || i == 23;
    const auto c = static_cast<unsigned char>(text[i]);
    const bool hex = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
    if (dash ? c != '-' : !hex) return false;
  }
  return true;
}

}  // namespace dbx::local
