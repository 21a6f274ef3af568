// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/mutex.h"
#include "base/status.h"
#include "sql/database.h"
#include "sql/translator.h"

namespace dbx::local {

class SessionState;

/// A connection of the engine set up for a session; goes back to it. Keeps the session alive.
class ConnectionLease {
 public:
  ConnectionLease(std::shared_ptr<SessionState> session, ConnectionHandle connection,
                  uint64_t version)
      : session_(std::move(session)), connection_(std::move(connection)), version_(version) {}
  ~ConnectionLease();
  ConnectionLease(const ConnectionLease&) = delete;
  ConnectionLease& operator=(const ConnectionLease&) = delete;
  duckdb_connection get() const { return connection_.get(); }
  /// The connection was set to something else than the session; it is set up again before its next
  /// use.
  /// The connection is closed rather than given back.
  void MarkBroken() { broken_ = true; }
  void MarkChanged() { version_ = UINT64_MAX; }

 private:
  std::shared_ptr<SessionState> session_;
  ConnectionHandle connection_;
  uint64_t version_;
  bool broken_ = false;
};

/// Namespace, settings and temporary views of a session, shared with its statements and their rows.
/// Thread-safe.
///
/// The engine's connection runs one statement at a time, so each statement leases one; it is set to
/// the session's search path and time zone when it is not already.
class SessionState : public std::enable_shared_from_this<SessionState> {
 public:
  /// Fails for an unknown catalog. The schema need not be there yet: who opens a session may be
  /// about to make it. Until then the names of tables must be whole.
  static Result<std::shared_ptr<SessionState>> Make(std::shared_ptr<Database> database,
                                                    const std::string& catalog,
                                                    const std::string& schema);
  ~SessionState();

  Result<std::unique_ptr<ConnectionLease>> Lease();
  /// `overlay`: settings of one statement alone.
  TranslationContext Context(const std::map<std::string, std::string>& overlay) const;

  Database& database() { return *database_; }
  std::string catalog() const;
  std::string schema() const;
  std::string time_zone() const;
  std::string temporary_schema() const { return temporary_schema_; }
  std::map<std::string, std::string> confs() const;

  /// Fails for an unknown catalog or schema, and then changes nothing.
  Status Use(const std::string& catalog, const std::string& schema);
  /// Also reads `timezone` and spark.sql.session.timeZone. INVALID_CONF_VALUE.TIME_ZONE (22022) for
  /// an unknown zone.
  Status SetConf(std::string_view key, std::string_view value);
  void ResetConf(std::string_view key);  ///< "": all
  std::optional<std::string> FindConf(std::string_view key) const;

 private:
  friend class ConnectionLease;
  SessionState(std::shared_ptr<Database> database, std::string temporary_schema)
      : database_(std::move(database)), temporary_schema_(std::move(temporary_schema)) {}
  void GiveBack(ConnectionHandle connection, uint64_t version);
  /// False if the schema is not there: it was dropped since it was chosen, or is yet to be made.
  Result<bool> SetUp(duckdb_connection connection) const;

  const std::shared_ptr<Database> database_;
  const std::string temporary_schema_;
  mutable Mutex mutex_;
  std::string catalog_ GUARDED_BY(mutex_);
  std::string schema_ GUARDED_BY(mutex_);
  std::map<std::string, std::string> confs_ GUARDED_BY(mutex_);
  uint64_t version_ GUARDED_BY(mutex_) = 0;  ///< changes with what connections are set to
  std::vector<std::pair<ConnectionHandle, uint64_t>> idle_ GUARDED_BY(mutex_);
};

}  // namespace dbx::local
