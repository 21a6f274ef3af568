// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "sql/statement_run.h"
#include "sql/table_facts.h"

namespace dbx::local {

/// A column as CREATE TABLE and ADD COLUMN define it.
struct ColumnDefinition {
  ColumnFact fact;
  Pieces engine;  ///< "\"a\" INTEGER NOT NULL DEFAULT 1"
  std::string comment = {};
};

/// The columns and keys between the brackets of CREATE TABLE.
struct TableDefinition {
  std::vector<ColumnDefinition> columns;
  std::optional<KeyFact> primary_key;
  std::vector<KeyFact> foreign_keys;
};

/// What may stand behind the brackets.
struct TableClauses {
  std::map<std::string, std::string> properties;
  std::string comment;
  size_t query = 0;  ///< first token of AS …; `run.end()` when there is none
};

/// Reads the definitions in the tokens [begin, end). Keys of the service are not enforced, and so
/// are not passed to the engine; a column of the primary key is NOT NULL.
Result<TableDefinition> ReadTableDefinition(StatementRun& run, size_t begin, size_t end);

/// Reads USING, PARTITIONED BY, CLUSTER BY, COMMENT, TBLPROPERTIES, OPTIONS, LOCATION, and finds
/// AS.
Result<TableClauses> ReadTableClauses(StatementRun& run, size_t at);

/// CONSTRAINT name PRIMARY KEY (a) | FOREIGN KEY (a) REFERENCES t (b) | CHECK (…), at `*at`; adds
/// it to `table`.
Status ReadConstraint(StatementRun& run, size_t* at, size_t end, TableDefinition& table);

/// ('key' = 'value', …) at `*at`, which moves behind it.
Result<std::map<std::string, std::string>> ReadProperties(StatementRun& run, size_t* at);

}  // namespace dbx::local
