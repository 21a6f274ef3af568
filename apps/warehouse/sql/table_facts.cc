// SPDX-License-Identifier: Apache-2.0
#include "sql/table_facts.h"

#include <charconv>

#include "base/str_cat.h"
#include "sql/engine_handles.h"
#include "sql/sql_text.h"
#include "sql/translator.h"
#include "sql/type_parser.h"

namespace dbx::local {
namespace {

/// Between the parts of a value; in no name.
constexpr char kSeparator = '\x1f';

std::string HiddenTable(const std::string& catalog) {
  return StrCat(QuoteIdentifier(EngineCatalog(catalog)), ".main.table_facts");
}

struct FactRow {
  std::string kind;
  std::string name;
  size_t position = 0;
  std::string value;
};

std::vector<std::string> Split(const std::string& text) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == kSeparator) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

std::vector<FactRow> ToRows(const TableFacts& facts) {
  std::vector<FactRow> rows;
  for (size_t i = 0; i < facts.columns.size(); ++i) {
    const ColumnFact& column = facts.columns[i];
    rows.push_back({"column", column.name, i,
                    StrCat(column.nullable ? "null" : "not null", kSeparator,
                           column.type ? column.type->Text() : "")});
  }
  if (facts.primary_key) {
    for (size_t i = 0; i < facts.primary_key->columns.size(); ++i) {
      rows.push_back({"primary_key", facts.primary_key->name, i, facts.primary_key->columns[i]});
    }
  }
  for (const KeyFact& key : facts.foreign_keys) {
    for (size_t i = 0; i < key.columns.size(); ++i) {
      rows.push_back(
          {"foreign_key", key.name, i,
           StrCat(key.columns[i], kSeparator, key.parent_catalog, kSeparator, key.parent_schema,
                  kSeparator, key.parent_table, kSeparator, key.parent_columns[i])});
    }
  }
  for (const auto& [name, value] : facts.properties) rows.push_back({"property", name, 0, value});
  return rows;
}

void AddForeignKey(TableFacts& facts, const FactRow& row, const std::vector<std::string>& parts) {
  if (parts.size() != 5) return;
  if (facts.foreign_keys.empty() || facts.foreign_keys.back().name != row.name) {
    facts.foreign_keys.push_back({row.name, {}, parts[1], parts[2], parts[3], {}});
  }
  facts.foreign_keys.back().columns.push_back(parts[0]);
  facts.foreign_keys.back().parent_columns.push_back(parts[4]);
}

/// Rows come ordered by kind, name and position.
void AddRow(TableFacts& facts, const FactRow& row) {
  const std::vector<std::string> parts = Split(row.value);
  if (row.kind == "column" && parts.size() == 2) {
    ColumnFact column{row.name, parts[0] == "null"};
    if (Result<SqlType> type = ParseTypeText(parts[1]); type.ok()) column.type = *type;
    facts.columns.push_back(std::move(column));
  } else if (row.kind == "primary_key") {
    if (!facts.primary_key) facts.primary_key = KeyFact{row.name, {}};
    facts.primary_key->columns.push_back(row.value);
  } else if (row.kind == "foreign_key") {
    AddForeignKey(facts, row, parts);
  } else if (row.kind == "property") {
    facts.properties[row.name] = row.value;
  }
}

}  // namespace

std::string TableName::EngineText() const {
  return StrCat(QuoteIdentifier(EngineCatalog(catalog)), ".", QuoteIdentifier(schema), ".",
                QuoteIdentifier(table));
}

std::string TableName::ClientText() const {
  return StrCat(BacktickIdentifier(catalog), ".", BacktickIdentifier(schema), ".",
                BacktickIdentifier(table));
}

Status TableFactStore::Load(duckdb_connection connection, const std::string& catalog) {
  RETURN_IF_ERROR(Execute(
      connection, StrCat("CREATE TABLE IF NOT EXISTS ", HiddenTable(catalog),
                         " (schema_name VARCHAR, table_name VARCHAR, kind VARCHAR, name VARCHAR, "
                         "position INTEGER, value VARCHAR)")));
  ASSIGN_OR_RETURN(
      const std::vector<TextRow> rows,
      QueryTexts(connection, StrCat("SELECT schema_name, table_name, kind, name, value FROM ",
                                    HiddenTable(catalog),
                                    " ORDER BY schema_name, table_name, kind, "
                                    "CASE kind WHEN 'column' THEN '' ELSE name END, position")));
  MutexLock lock(mutex_);
  for (const TextRow& row : rows) {
    const TableName name{catalog, row[0].value_or(""), row[1].value_or("")};
    AddRow(facts_[name], {row[2].value_or(""), row[3].value_or(""), 0, row[4].value_or("")});
  }
  return Status::Ok();
}

std::optional<TableFacts> TableFactStore::Find(const TableName& name) const {
  MutexLock lock(mutex_);
  const auto found = facts_.find(name);
  return found == facts_.end() ? std::nullopt : std::optional(found->second);
}

std::vector<std::pair<TableName, TableFacts>> TableFactStore::All() const {
  MutexLock lock(mutex_);
  return {facts_.begin(), facts_.end()};
}

Status TableFactStore::Put(duckdb_connection connection, const TableName& name,
                           const TableFacts& facts) {
  RETURN_IF_ERROR(Remove(connection, name));
  std::string values;
  for (const FactRow& row : ToRows(facts)) {
    values += StrCat(values.empty() ? "" : ", ", "(", QuoteString(name.schema), ", ",
                     QuoteString(name.table), ", ", QuoteString(row.kind), ", ",
                     QuoteString(row.name), ", ", row.position, ", ", QuoteString(row.value), ")");
  }
  if (!values.empty()) {
    RETURN_IF_ERROR(
        Execute(connection, StrCat("INSERT INTO ", HiddenTable(name.catalog), " VALUES ", values)));
  }
  MutexLock lock(mutex_);
  facts_[name] = facts;
  return Status::Ok();
}

Status TableFactStore::Remove(duckdb_connection connection, const TableName& name) {
  {
    MutexLock lock(mutex_);
    if (facts_.erase(name) == 0) return Status::Ok();
  }
  return Execute(connection, StrCat("DELETE FROM ", HiddenTable(name.catalog),
                                    " WHERE schema_name = ", QuoteString(name.schema),
                                    " AND table_name = ", QuoteString(name.table)));
}

Status TableFactStore::RemoveSchema(duckdb_connection connection, const std::string& catalog,
                                    const std::string& schema) {
  {
    MutexLock lock(mutex_);
    std::erase_if(facts_, [&](const auto& entry) {
      return entry.first.catalog == catalog && entry.first.schema == schema;
    });
  }
  return Execute(connection, StrCat("DELETE FROM ", HiddenTable(catalog),
                                    " WHERE schema_name = ", QuoteString(schema)));
}

Status SaveSchemaComment(TableFactStore& store, duckdb_connection connection,
                         const std::string& catalog, const std::string& schema,
                         const std::string& comment) {
  TableFacts facts;
  facts.properties["comment"] = comment;
  return store.Put(connection, {catalog, schema, ""}, facts);
}

std::string SchemaComment(const TableFactStore& store, const std::string& catalog,
                          const std::string& schema) {
  const std::optional<TableFacts> facts = store.Find({catalog, schema, ""});
  return facts ? facts->properties.at("comment") : std::string();
}

}  // namespace dbx::local
