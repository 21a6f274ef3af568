// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/mutex.h"
#include "sea/statement.h"

namespace dbx::local {

/// How long things live without calls. Zero: for ever.
struct Lifetimes {
  std::chrono::seconds session, statement, closed_statement;
};

/// The open sessions and the statements that are still known, by their ids. Thread-safe.
class StatementTable {
 public:
  /// `clock` must outlive this.
  StatementTable(const Lifetimes& lifetimes, const Clock* clock);

  void AddSession(std::string id, std::shared_ptr<SqlSession> session) EXCLUDES(mutex_);
  /// Notes the call. Null when there is none, or when nobody has called for too long.
  std::shared_ptr<SqlSession> FindSession(const std::string& id) EXCLUDES(mutex_);
  /// Takes the session out and closes its statements. True when there was one.
  bool EndSession(const std::string& id) EXCLUDES(mutex_);

  void AddStatement(std::shared_ptr<SeaStatement> statement) EXCLUDES(mutex_);
  /// Notes the call, having closed the statement if nobody has called for too long. Null when there
  /// is none (any more).
  std::shared_ptr<SeaStatement> FindStatement(const std::string& id) EXCLUDES(mutex_);
  void ForgetStatement(const std::string& id) EXCLUDES(mutex_);

  /// Ends what has outlived its time. Looks no more than once a second.
  void Sweep() EXCLUDES(mutex_);
  /// Every statement, to be ended one by one.
  std::vector<std::shared_ptr<SeaStatement>> statements() const EXCLUDES(mutex_);
  size_t num_sessions() const EXCLUDES(mutex_);
  size_t num_open_statements() const EXCLUDES(mutex_);

 private:
  struct Entry {
    std::shared_ptr<SqlSession> session;
    SteadyTime last_call;
  };

  bool IsStale(const SeaStatement& statement) const;
  bool IsStale(const Entry& entry) const;

  const Lifetimes lifetimes_;
  const Clock* const clock_;
  mutable Mutex mutex_;
  SteadyTime last_sweep_ GUARDED_BY(mutex_);
  std::map<std::string, Entry> sessions_ GUARDED_BY(mutex_);
  std::map<std::string, std::shared_ptr<SeaStatement>> statements_ GUARDED_BY(mutex_);
};

/// A new id in the service's form: a UUID whose first groups grow with time.
std::string NewId(WallTime now);
/// True for texts in that form.
bool IsId(std::string_view text);

}  // namespace dbx::local
