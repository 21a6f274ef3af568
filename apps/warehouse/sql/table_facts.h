// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "base/status.h"
#include "duckdb.h"
#include "sql/sql_type.h"

namespace dbx::local {

/// What is known of a column beyond the engine's own type.
struct ColumnFact {
  std::string name;
  bool nullable = true;
  std::optional<SqlType> type =
      {};  ///< as declared, such as VARCHAR(255) or INTERVAL YEAR; nullopt: the engine's
  std::optional<size_t> sum = {};  ///< column of a query: the token `sum` of the call that it is
};

struct KeyFact {
  std::string name;
  std::vector<std::string> columns;
  std::string parent_catalog = {}, parent_schema = {}, parent_table = {};  ///< foreign keys
  std::vector<std::string> parent_columns = {};
};

/// A name with all its parts, in lower case.
struct TableName {
  std::string catalog, schema, table;
  bool operator<(const TableName& other) const {
    return std::tie(catalog, schema, table) < std::tie(other.catalog, other.schema, other.table);
  }
  /// "c_main"."default"."t" for the engine.
  std::string EngineText() const;
  /// `main`.`default`.`t` for messages.
  std::string ClientText() const;
};

struct TableFacts {
  std::vector<ColumnFact> columns;  ///< all of the table, in order
  std::optional<KeyFact> primary_key;
  std::vector<KeyFact> foreign_keys;
  std::map<std::string, std::string>
      properties;  ///< TBLPROPERTIES, and "provider", "partitioned_by"
};

/// The facts of all tables, in memory and in a hidden table of each catalog. Thread-safe.
class TableFactStore {
 public:
  /// Reads the hidden table of `catalog`, made when missing.
  Status Load(duckdb_connection connection, const std::string& catalog);

  std::optional<TableFacts> Find(const TableName& name) const;
  std::vector<std::pair<TableName, TableFacts>> All() const;
  /// Also writes them, in the transaction of `connection`.
  Status Put(duckdb_connection connection, const TableName& name, const TableFacts& facts);
  Status Remove(duckdb_connection connection, const TableName& name);
  /// Of a schema that is dropped.
  Status RemoveSchema(duckdb_connection connection, const std::string& catalog,
                      const std::string& schema);

 private:
  mutable Mutex mutex_;
  std::map<TableName, TableFacts> facts_ GUARDED_BY(mutex_);
};

/// The engine has no comments of schemas: they are kept as a fact of a table without name.
Status SaveSchemaComment(TableFactStore& store, duckdb_connection connection,
                         const std::string& catalog, const std::string& schema,
                         const std::string& comment);
std::string SchemaComment(const TableFactStore& store, const std::string& catalog,
                          const std::string& schema);

}  // namespace dbx::local
