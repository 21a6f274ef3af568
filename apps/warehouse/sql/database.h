// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "base/status.h"
#include "sql/engine.h"
#include "sql/engine_handles.h"
#include "sql/file_lock.h"
#include "sql/table_facts.h"

namespace dbx::local {

/// The embedded database of one engine: catalogs as attached files, TPC-DS data, macros.
/// Thread-safe.
///
/// Inside, catalog `x` is the database `c_x`. Schema `main` of each is hidden: it holds the facts
/// of its tables. Database `functions` holds macros and the views of information_schema,
/// `session_views` a schema for each session's temporary views. A catalog's file is locked by one
/// process; a second process on the same data directory gets that catalog in memory, and is told so
/// through `progress`.
class Database {
 public:
  static Result<std::shared_ptr<Database>> Open(const EngineOptions& options);

  Result<ConnectionHandle> Connect() const;
  std::set<std::string> catalogs() const;  ///< lower case
  bool HasCatalog(const std::string& catalog) const;
  Result<bool> HasSchema(const std::string& catalog, const std::string& schema) const;
  enum class Relation : uint8_t { kNone, kTable, kView };
  Result<Relation> FindRelation(const TableName& name) const;
  /// Makes the catalog's file; nothing happens when the catalog is there.
  Status CreateCatalog(const std::string& catalog);

  TableFactStore& facts() { return facts_; }
  const TableFactStore& facts() const { return facts_; }

  /// True for a schema of generated data: its tables are views inside and cannot be changed.
  static bool IsGenerated(std::string_view schema);

 private:
  Database() = default;
  Status Start(const EngineOptions& options);
  Status Configure(duckdb_connection connection, const EngineOptions& options);
  Status AttachCatalog(duckdb_connection connection, const std::string& catalog);
  Status AttachTpcds(duckdb_connection connection, const EngineOptions& options, int scale);
  Status AttachExistingCatalogs(duckdb_connection connection);

  std::string catalog_directory_;
  std::optional<FileLock> lock_;  ///< of the catalogs' files; nullopt: another engine has them
  std::function<void(std::string_view)> progress_;
  DatabaseHandle database_;
  TableFactStore facts_;
  mutable Mutex mutex_;
  std::set<std::string> catalogs_ GUARDED_BY(mutex_);
};

}  // namespace dbx::local
