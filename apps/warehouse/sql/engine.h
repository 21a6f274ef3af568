// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "sql/sql_type.h"

struct ArrowArray;

namespace dbx::local {

/// A value bound to a marker. `type` is the service's spelling ("INT", "DECIMAL(10,2)", "STRING",
/// …).
struct SqlParameter {
  std::optional<std::string> name;  ///< nullopt: positional, in order
  std::string type;
  std::optional<std::string> value;  ///< nullopt: NULL; else the literal's text
  std::vector<SqlParameter> arguments =
      {};  ///< ARRAY: elements; MAP: key, value, …; NAMED_STRUCT: name, value, …
};

struct SqlRequest {
  std::string sql;
  std::vector<SqlParameter> parameters = {};
  std::map<std::string, std::string> conf_overlay = {};  ///< settings for this statement alone
};

/// Rows of one result in order, pulled by one thread at a time.
class RowSource {
 public:
  virtual ~RowSource() = default;
  /// Fills `*batch` (struct array, one child a column in the fixed Arrow form of sql_type.h, 1 …
  /// 4,096 rows; the caller releases it). False after the last batch.
  virtual Result<bool> Next(ArrowArray* batch) = 0;
};

enum class StatementKind : uint8_t { kQuery, kDml, kDdl, kMetadata };

struct SqlResult {
  StatementKind kind = StatementKind::kQuery;
  std::vector<ResultColumn>
      columns;  ///< DML: num_affected_rows (and friends); DDL: as the service has it
  std::optional<int64_t> modified_rows;  ///< DML
  std::unique_ptr<RowSource> rows;       ///< never null
};

/// One statement on its way. `Run` once, on any thread; `Interrupt` from any other at any time.
class SqlStatement {
 public:
  virtual ~SqlStatement() = default;
  /// Blocks until the statement has run (DML, DDL) or its rows begin (queries). Errors have the
  /// service's form: message "[CLASS] text. SQLSTATE: xxxxx (line n, pos m)\n\n== SQL ==\n…",
  /// `error_class()`, `sqlstate()`.
  virtual Result<SqlResult> Run() = 0;
  /// Makes Run and the rows' Next return kCancelled soon.
  virtual void Interrupt() = 0;
};

struct TableInfo {
  std::string catalog, schema, name, type, comment;  ///< type: TABLE, VIEW
};
struct ColumnInfo {
  std::string catalog, schema, table;
  ResultColumn column;
  int32_t position = 0;  ///< 0-based
};
struct KeyColumn {
  std::string catalog, schema, table, column, key_name;
  int32_t position = 0;  ///< 1-based
};
struct ForeignKeyColumn {
  KeyColumn primary, foreign;
};

/// A client's session: namespace, settings, temporary views. Thread-safe; several statements at
/// once.
class SqlSession {
 public:
  virtual ~SqlSession() = default;
  virtual std::unique_ptr<SqlStatement> Prepare(SqlRequest request) = 0;

  virtual std::string catalog() const = 0;
  virtual std::string schema() const = 0;
  /// The session's zone, such as "Etc/UTC" (setting `timezone` / spark.sql.session.timeZone).
  virtual std::string time_zone() const = 0;
  virtual Status SetConf(std::string_view key, std::string_view value) = 0;

  /// Names as stored, sorted. Filters: nullopt = all; `*_pattern` are LIKE patterns (`_ % \`); an
  /// identifier is compared case-insensitively; "%" as catalog means all. Missing things give an
  /// empty answer.
  virtual Result<std::vector<std::string>> Catalogs() = 0;
  virtual Result<std::vector<std::pair<std::string, std::string>>> Schemas(
      std::optional<std::string> catalog,
      std::optional<std::string> schema_pattern) = 0;  ///< (catalog, schema)
  virtual Result<std::vector<TableInfo>> Tables(std::optional<std::string> catalog_pattern,
                                                std::optional<std::string> schema_pattern,
                                                std::optional<std::string> table_pattern,
                                                const std::vector<std::string>& types) = 0;
  virtual Result<std::vector<ColumnInfo>> Columns(std::optional<std::string> catalog,
                                                  std::optional<std::string> schema_pattern,
                                                  std::optional<std::string> table_pattern,
                                                  std::optional<std::string> column_pattern) = 0;
  virtual Result<std::vector<KeyColumn>> PrimaryKeys(const std::string& catalog,
                                                     const std::string& schema,
                                                     const std::string& table) = 0;
  virtual Result<std::vector<ForeignKeyColumn>> ForeignKeys(std::optional<TableInfo> parent,
                                                            std::optional<TableInfo> child) = 0;
};

struct EngineOptions {
  std::string data_directory;  ///< made when missing; holds tpcds_sf<N>.duckdb and user catalogs
  std::vector<int> tpcds_scales = {};  ///< each becomes main.tpcds_sf<N>_delta, generated once
  std::string tpcds_extension = {};    ///< path of the extension file to load
  std::string tpcds_program = {};      ///< tpcgen-cli, for scales from 10 on; empty: the extension
  int threads = 2;
  std::function<void(std::string_view)> progress = {};  ///< lines for a person
};

/// The SQL behind the warehouse. Thread-safe.
class Engine {
 public:
  static Result<std::unique_ptr<Engine>> Open(const EngineOptions& options);
  virtual ~Engine() = default;

  /// `catalog`, `schema`: nullopt = main / default. An unknown catalog fails; an unknown schema is
  /// found missing by the statements that need it, for clients open a session in the schema that
  /// they are about to make.
  virtual Result<std::unique_ptr<SqlSession>> NewSession(
      std::optional<std::string> catalog, std::optional<std::string> schema,
      const std::map<std::string, std::string>& confs) = 0;
};

}  // namespace dbx::local
