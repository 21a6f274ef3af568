// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/status.h"
#include "sql/database.h"
#include "sql/engine.h"

namespace dbx::local {

/// True for the names that are wanted.
using NameFilter = std::function<bool(std::string_view name)>;

NameFilter AnyName();
NameFilter ExactName(std::string name);       ///< without regard to case
NameFilter LikePattern(std::string pattern);  ///< of the metadata calls
NameFilter ShowPattern(std::string pattern);  ///< of SHOW … LIKE

/// What the database holds, sorted by name. A catalog, schema or table that is missing gives an
/// empty answer.
std::vector<std::string> FindCatalogs(const Database& database, const NameFilter& catalog);
Result<std::vector<std::pair<std::string, std::string>>> FindSchemas(const Database& database,
                                                                     const NameFilter& catalog,
                                                                     const NameFilter& schema);
Result<std::vector<TableInfo>> FindTables(const Database& database, const NameFilter& catalog,
                                          const NameFilter& schema, const NameFilter& table);
/// In the order of tables and positions. The type is as declared.
Result<std::vector<ColumnInfo>> FindColumns(const Database& database, const NameFilter& catalog,
                                            const NameFilter& schema, const NameFilter& table,
                                            const NameFilter& column);
std::vector<KeyColumn> FindPrimaryKey(const Database& database, const TableName& name);
/// `parent`, `child`: nullopt = any.
std::vector<ForeignKeyColumn> FindForeignKeys(const Database& database,
                                              const std::optional<TableName>& parent,
                                              const std::optional<TableName>& child);

}  // namespace dbx::local
