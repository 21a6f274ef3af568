// SPDX-License-Identifier: Apache-2.0
#include "sql/metadata.h"

#include <algorithm>
#include <tuple>

#include "base/str_cat.h"
#include "sql/sql_text.h"
#include "sql/translator.h"
#include "sql/type_mapping.h"

namespace dbx::local {
namespace {

/// Comments of the columns of one catalog by schema, table and column.
using Comments = std::map<std::tuple<std::string, std::string, std::string>, std::string>;

Result<Comments> ColumnComments(duckdb_connection connection, const std::string& catalog) {
  ASSIGN_OR_RETURN(
      const std::vector<TextRow> rows,
      QueryTexts(
          connection,
          StrCat("SELECT schema_name, table_name, column_name, comment FROM duckdb_columns() "
                 "WHERE comment IS NOT NULL AND database_name = ",
                 QuoteString(EngineCatalog(catalog)))));
  Comments comments;
  for (const TextRow& row : rows) comments[{*row[0], *row[1], *row[2]}] = *row[3];
  return comments;
}

/// Names and types as the engine has them; empty for a view that does not work any more.
Result<std::vector<ResultColumn>> EngineColumns(duckdb_connection connection,
                                                const TableInfo& table) {
  const TableName name{table.catalog, table.schema, table.name};
  const std::string sql = StrCat("FROM ", name.EngineText());
  PreparedHandle prepared;
  std::vector<ResultColumn> columns;
  if (duckdb_prepare(connection, sql.c_str(), prepared.out()) != DuckDBSuccess) return columns;
  const idx_t count = duckdb_prepared_statement_column_count(prepared.get());
  for (idx_t i = 0; i < count; ++i) {
    const LogicalType type(duckdb_prepared_statement_column_logical_type(prepared.get(), i));
    const EngineString column(
        const_cast<char*>(duckdb_prepared_statement_column_name(prepared.get(), i)));
    ASSIGN_OR_RETURN(SqlType sql_type, FromEngineType(type.get()));
    columns.push_back({std::string(column.view()), std::move(sql_type), true});
  }
  return columns;
}

void ApplyFacts(const std::optional<TableFacts>& facts, std::vector<ResultColumn>& columns) {
  if (!facts || facts->columns.size() != columns.size()) return;
  for (size_t i = 0; i < columns.size(); ++i) {
    columns[i].nullable = facts->columns[i].nullable;
    if (facts->columns[i].type) columns[i].type = *facts->columns[i].type;
  }
}

}  // namespace

NameFilter AnyName() {
  return [](std::string_view) { return true; };
}

NameFilter ExactName(std::string name) {
  return [name = std::move(name)](std::string_view candidate) {
    return EqualsIgnoreCase(candidate, name);
  };
}

NameFilter LikePattern(std::string pattern) {
  return [pattern = std::move(pattern)](std::string_view candidate) {
    return MatchesLike(candidate, pattern);
  };
}

NameFilter ShowPattern(std::string pattern) {
  return [pattern = std::move(pattern)](std::string_view candidate) {
    return MatchesShowPattern(candidate, pattern);
  };
}

std::vector<std::string> FindCatalogs(const Database& database, const NameFilter& catalog) {
  std::vector<std::string> names;
  for (const std::string& name : database.catalogs()) {
    if (catalog(name)) names.push_back(name);
  }
  return names;
}

Result<std::vector<std::pair<std::string, std::string>>> FindSchemas(const Database& database,
                                                                     const NameFilter& catalog,
                                                                     const NameFilter& schema) {
  ASSIGN_OR_RETURN(const ConnectionHandle connection, database.Connect());
  ASSIGN_OR_RETURN(
      const std::vector<TextRow> rows,
      QueryTexts(connection.get(),
                 "SELECT substr(database_name, 3), schema_name FROM duckdb_schemas() WHERE "
                 "starts_with(database_name, 'c_') AND schema_name NOT IN "
                 "('main', 'pg_catalog', 'information_schema')"));
  std::vector<std::pair<std::string, std::string>> schemas;
  schemas.reserve(rows.size());
  for (const TextRow& row : rows) schemas.emplace_back(*row[0], *row[1]);
  for (const std::string& name : database.catalogs()) {
    if (name != "hive_metastore") schemas.emplace_back(name, "information_schema");
  }
  std::erase_if(schemas,
                [&](const auto& entry) { return !catalog(entry.first) || !schema(entry.second); });
  std::sort(schemas.begin(), schemas.end());
  return schemas;
}

Result<std::vector<TableInfo>> FindTables(const Database& database, const NameFilter& catalog,
                                          const NameFilter& schema, const NameFilter& table) {
  ASSIGN_OR_RETURN(const ConnectionHandle connection, database.Connect());
  const std::string where =
      " WHERE starts_with(database_name, 'c_') AND schema_name <> 'main' AND NOT internal";
  ASSIGN_OR_RETURN(
      const std::vector<TextRow> rows,
      QueryTexts(connection.get(), StrCat("SELECT substr(database_name, 3), schema_name, "
                                          "table_name, 'TABLE', coalesce(comment, '') FROM "
                                          "duckdb_tables()",
                                          where,
                                          " UNION ALL SELECT substr(database_name, 3), "
                                          "schema_name, view_name, 'VIEW', coalesce(comment, '') "
                                          "FROM duckdb_views()",
                                          where)));
  std::vector<TableInfo> tables;
  for (const TextRow& row : rows) {
    TableInfo info{*row[0], *row[1], *row[2], *row[3], *row[4]};
    if (Database::IsGenerated(info.schema)) info.type = "TABLE";
    if (catalog(info.catalog) && schema(info.schema) && table(info.name))
      tables.push_back(std::move(info));
  }
  std::sort(tables.begin(), tables.end(), [](const TableInfo& left, const TableInfo& right) {
    return std::tie(left.catalog, left.schema, left.name) <
           std::tie(right.catalog, right.schema, right.name);
  });
  return tables;
}

Result<std::vector<ColumnInfo>> FindColumns(const Database& database, const NameFilter& catalog,
                                            const NameFilter& schema, const NameFilter& table,
                                            const NameFilter& column) {
  ASSIGN_OR_RETURN(const std::vector<TableInfo> tables,
                   FindTables(database, catalog, schema, table));
  ASSIGN_OR_RETURN(const ConnectionHandle connection, database.Connect());
  RETURN_IF_ERROR(Execute(connection.get(), "SET search_path = 'functions.main'"));
  std::map<std::string, Comments> comments;
  std::vector<ColumnInfo> columns;
  for (const TableInfo& info : tables) {
    if (!comments.contains(info.catalog)) {
      ASSIGN_OR_RETURN(comments[info.catalog], ColumnComments(connection.get(), info.catalog));
    }
    ASSIGN_OR_RETURN(std::vector<ResultColumn> found, EngineColumns(connection.get(), info));
    ApplyFacts(database.facts().Find({info.catalog, info.schema, ToLower(info.name)}), found);
    for (size_t i = 0; i < found.size(); ++i) {
      if (!column(found[i].name)) continue;
      const auto comment = comments[info.catalog].find({info.schema, info.name, found[i].name});
      if (comment != comments[info.catalog].end()) found[i].comment = comment->second;
      columns.push_back(
          {info.catalog, info.schema, info.name, std::move(found[i]), static_cast<int32_t>(i)});
    }
  }
  return columns;
}

std::vector<KeyColumn> FindPrimaryKey(const Database& database, const TableName& name) {
  std::vector<KeyColumn> columns;
  const std::optional<TableFacts> facts = database.facts().Find(name);
  if (!facts || !facts->primary_key) return columns;
  const KeyFact& key = *facts->primary_key;
  for (size_t i = 0; i < key.columns.size(); ++i) {
    columns.push_back({name.catalog, name.schema, name.table, key.columns[i], key.name,
                       static_cast<int32_t>(i + 1)});
  }
  return columns;
}

std::vector<ForeignKeyColumn> FindForeignKeys(const Database& database,
                                              const std::optional<TableName>& parent,
                                              const std::optional<TableName>& child) {
  const auto same = [](const std::optional<TableName>& wanted, const TableName& name) {
    return !wanted || (!(*wanted < name) && !(name < *wanted));
  };
  std::vector<ForeignKeyColumn> columns;
  for (const auto& [name, facts] : database.facts().All()) {
    if (!same(child, name)) continue;
    for (const KeyFact& key : facts.foreign_keys) {
      const TableName to{key.parent_catalog, key.parent_schema, key.parent_table};
      if (!same(parent, to)) continue;
      const std::optional<TableFacts> parent_facts = database.facts().Find(to);
      const std::string parent_key = parent_facts && parent_facts->primary_key
                                         ? parent_facts->primary_key->name
                                         : std::string();
      for (size_t i = 0; i < key.columns.size(); ++i) {
        const auto position = static_cast<int32_t>(i + 1);
        columns.push_back(
            {{to.catalog, to.schema, to.table, key.parent_columns[i], parent_key, position},
             {name.catalog, name.schema, name.table, key.columns[i], key.name, position}});
      }
    }
  }
  return columns;
}

}  // namespace dbx::local
