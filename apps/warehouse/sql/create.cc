// SPDX-License-Identifier: Apache-2.0
// CREATE and REPLACE.
#include "base/str_cat.h"
#include "sql/errors.h"
#include "sql/sql_text.h"
#include "sql/statement_handlers.h"
#include "sql/table_definition.h"

namespace dbx::local {
namespace {

struct Mode {
  bool replace = false;
  bool if_not_exists = false;
  bool temporary = false;
};

Status ReadIfNotExists(StatementRun& run, size_t* at, Mode& mode) {
  if (!run.At(*at, "IF")) return Status::Ok();
  if (!run.At(*at + 1, "NOT") || !run.At(*at + 2, "EXISTS")) return run.SyntaxErrorAt(*at + 1);
  mode.if_not_exists = true;
  *at += 3;
  return Status::Ok();
}

/// False when there is nothing left to do.
Result<bool> MayCreate(StatementRun& run, const TableName& name, const Mode& mode) {
  if (!run.database().HasCatalog(name.catalog)) return CatalogNotFound(name.catalog);
  ASSIGN_OR_RETURN(const bool has_schema, run.database().HasSchema(name.catalog, name.schema));
  if (!has_schema) return SchemaNotFound(name.catalog, name.schema);
  RETURN_IF_ERROR(run.CheckWritable(name));
  ASSIGN_OR_RETURN(const Database::Relation relation, run.database().FindRelation(name));
  if (relation == Database::Relation::kNone || mode.replace) return true;
  if (mode.if_not_exists) return false;
  return TableAlreadyExists(name.ClientText());
}

Status Execute(StatementRun& run, std::string sql) {
  const Result<int64_t> count = run.Change(StatementRun::Own(std::move(sql)));
  return count.ok() ? Status::Ok() : count.status();
}

Status SaveComments(StatementRun& run, const TableName& name, const TableDefinition& table,
                    const std::string& comment) {
  if (!comment.empty()) {
    RETURN_IF_ERROR(
        Execute(run, StrCat("COMMENT ON TABLE ", name.EngineText(), " IS ", QuoteString(comment))));
  }
  for (const ColumnDefinition& column : table.columns) {
    if (column.comment.empty()) continue;
    RETURN_IF_ERROR(Execute(
        run, StrCat("COMMENT ON COLUMN ", name.EngineText(), ".", QuoteIdentifier(column.fact.name),
                    " IS ", QuoteString(column.comment))));
  }
  return Status::Ok();
}

Status SaveFacts(StatementRun& run, const TableName& name, const TableDefinition& table,
                 const TableClauses& clauses) {
  TableFacts facts;
  for (const ColumnDefinition& column : table.columns) facts.columns.push_back(column.fact);
  facts.primary_key = table.primary_key;
  facts.foreign_keys = table.foreign_keys;
  if (facts.primary_key && facts.primary_key->name == "pk")
    facts.primary_key->name = StrCat(name.table, "_pk");
  facts.properties = clauses.properties;
  ASSIGN_OR_RETURN(const duckdb_connection connection, run.connection());
  return run.database().facts().Put(connection, name, facts);
}

/// The engine does not say how many rows CREATE TABLE … AS made.
Result<int64_t> CountRows(StatementRun& run, const TableName& name) {
  ASSIGN_OR_RETURN(const std::vector<TextRow> rows,
                   run.Texts(StatementRun::Own(
                       StrCat("SELECT CAST(count(*) AS VARCHAR) FROM ", name.EngineText()))));
  return static_cast<int64_t>(std::stoll(rows.at(0).at(0).value_or("0")));
}

/// CREATE TABLE t LIKE s and … [SHALLOW | DEEP] CLONE s: the source's name, if that is what stands
/// here.
Result<std::optional<TableName>> CopiedTable(StatementRun& run, size_t at, bool* with_rows) {
  *with_rows = !run.At(at, "LIKE");
  if (run.At(at, "SHALLOW") || run.At(at, "DEEP")) at += 1;
  if (!run.At(at, "LIKE") && !run.At(at, "CLONE")) return std::optional<TableName>();
  at += 1;
  ASSIGN_OR_RETURN(const std::vector<std::string> parts, run.ReadName(&at));
  return std::optional(run.Resolve(parts));
}

Result<SqlResult> CreateTable(StatementRun& run, size_t at, Mode mode) {
  RETURN_IF_ERROR(ReadIfNotExists(run, &at, mode));
  ASSIGN_OR_RETURN(const std::vector<std::string> parts, run.ReadName(&at));
  const TableName name = run.Resolve(parts);
  TableDefinition table;
  const bool defined =
      at < run.end() && run.tokens()[at].IsOperator("(") && !run.At(at + 1, "SELECT");
  if (defined) {
    const size_t close = FindClosing(run.tokens(), at);
    if (close >= run.end()) return run.SyntaxErrorAt(close);
    ASSIGN_OR_RETURN(table, ReadTableDefinition(run, at + 1, close));
    at = close + 1;
  }
  bool with_rows = false;
  ASSIGN_OR_RETURN(const std::optional<TableName> copied, CopiedTable(run, at, &with_rows));
  TableClauses clauses;
  clauses.query = run.end();
  if (!copied) {
    ASSIGN_OR_RETURN(clauses, ReadTableClauses(run, at));
  }
  const bool from_query = clauses.query < run.end();
  Pieces pieces = {
      {StrCat(mode.replace ? "CREATE OR REPLACE TABLE " : "CREATE TABLE ", name.EngineText()), 0,
       false}};
  if (copied) {
    pieces.push_back(
        {StrCat("AS FROM ", copied->EngineText(), with_rows ? "" : " LIMIT 0"), 0, true});
  } else if (from_query) {
    ASSIGN_OR_RETURN(const Pieces query, run.Rewrite(clauses.query, run.end()));
    pieces.push_back({"AS", 0, true});
    pieces.insert(pieces.end(), query.begin(), query.end());
  } else if (table.columns.empty()) {
    return run.SyntaxErrorAt(at);
  } else {
    for (size_t i = 0; i < table.columns.size(); ++i) {
      pieces.push_back({i == 0 ? "(" : ",", 0, i == 0});
      pieces.insert(pieces.end(), table.columns[i].engine.begin(), table.columns[i].engine.end());
    }
    pieces.push_back({")", 0, false});
  }
  ASSIGN_OR_RETURN(const bool may_create, MayCreate(run, name, mode));
  if (!may_create) return DoneResult();
  RETURN_IF_ERROR(run.BeginTransaction());
  const Result<int64_t> made = run.Change(Assemble(pieces));
  if (!made.ok()) return made.status();
  RETURN_IF_ERROR(SaveComments(run, name, table, clauses.comment));
  RETURN_IF_ERROR(SaveFacts(run, name, table, clauses));
  RETURN_IF_ERROR(run.Commit());
  if (!from_query) return DoneResult();
  ASSIGN_OR_RETURN(const int64_t count, CountRows(run, name));
  return CountsResult({{"num_affected_rows", count}, {"num_inserted_rows", count}});
}

Result<SqlResult> CreateView(StatementRun& run, size_t at, Mode mode) {
  RETURN_IF_ERROR(ReadIfNotExists(run, &at, mode));
  ASSIGN_OR_RETURN(const std::vector<std::string> parts, run.ReadName(&at));
  const TableName name = run.Resolve(parts);
  std::string target = name.EngineText();
  if (mode.temporary) {
    target = StrCat("session_views.", run.session().temporary_schema(), ".",
                    QuoteIdentifier(name.table));
  }
  Pieces pieces = {{StrCat("CREATE ", mode.replace ? "OR REPLACE " : "", "VIEW ",
                           mode.if_not_exists ? "IF NOT EXISTS " : "", target),
                    0, false}};
  if (at < run.end() && run.tokens()[at].IsOperator("(")) {
    const size_t close = FindClosing(run.tokens(), at);
    std::string columns;
    for (size_t i = at + 1; i < close; ++i) {
      if (run.tokens()[i].IsIdentifier() &&
          (run.tokens()[i - 1].IsOperator("(") || run.tokens()[i - 1].IsOperator(","))) {
        columns += StrCat(columns.empty() ? "(" : ", ", QuoteIdentifier(run.tokens()[i].value));
      }
    }
    pieces.push_back({columns + ")", run.tokens()[at].offset, true});
    at = close + 1;
  }
  ASSIGN_OR_RETURN(const TableClauses clauses, ReadTableClauses(run, at));
  if (clauses.query >= run.end()) return run.SyntaxErrorAt(run.end());
  ASSIGN_OR_RETURN(const Pieces query, run.Rewrite(clauses.query, run.end()));
  pieces.push_back({"AS", 0, true});
  pieces.insert(pieces.end(), query.begin(), query.end());
  if (!mode.temporary) {
    ASSIGN_OR_RETURN(const bool may_create, MayCreate(run, name, mode));
    if (!may_create) return DoneResult();
  }
  const Result<int64_t> made = run.Change(Assemble(pieces));
  if (!made.ok()) return made.status();
  if (!clauses.comment.empty()) {
    RETURN_IF_ERROR(
        Execute(run, StrCat("COMMENT ON VIEW ", target, " IS ", QuoteString(clauses.comment))));
  }
  return DoneResult();
}

Result<SqlResult> CreateSchema(StatementRun& run, size_t at) {
  Mode mode;
  RETURN_IF_ERROR(ReadIfNotExists(run, &at, mode));
  ASSIGN_OR_RETURN(const std::vector<std::string> parts, run.ReadName(&at, 2));
  ASSIGN_OR_RETURN(const TableClauses clauses, ReadTableClauses(run, at));
  const std::string catalog = parts.size() == 2 ? ToLower(parts[0]) : run.context().catalog;
  const std::string schema = ToLower(parts.back());
  if (!run.database().HasCatalog(catalog)) return CatalogNotFound(catalog);
  ASSIGN_OR_RETURN(const bool exists, run.database().HasSchema(catalog, schema));
  if (exists && mode.if_not_exists) return DoneResult();
  if (exists || schema == "main") {
    return SqlError(
        StatusCode::kAlreadyExists, "SCHEMA_ALREADY_EXISTS", "42P06",
        StrCat("Cannot create schema ", BacktickIdentifier(schema), " because it already exists"));
  }
  const std::string name =
      StrCat(QuoteIdentifier(EngineCatalog(catalog)), ".", QuoteIdentifier(schema));
  RETURN_IF_ERROR(Execute(run, StrCat("CREATE SCHEMA ", name)));
  if (!clauses.comment.empty()) {
    ASSIGN_OR_RETURN(const duckdb_connection connection, run.connection());
    RETURN_IF_ERROR(
        SaveSchemaComment(run.database().facts(), connection, catalog, schema, clauses.comment));
  }
  return DoneResult();
}

Result<SqlResult> CreateCatalog(StatementRun& run, size_t at) {
  Mode mode;
  RETURN_IF_ERROR(ReadIfNotExists(run, &at, mode));
  ASSIGN_OR_RETURN(const std::vector<std::string> parts, run.ReadName(&at, 1));
  if (run.database().HasCatalog(parts[0])) {
    if (mode.if_not_exists) return DoneResult();
    return SqlError(StatusCode::kAlreadyExists, "CATALOG_ALREADY_EXISTS", "42710",
                    StrCat("Catalog ", BacktickIdentifier(parts[0]), " already exists"));
  }
  RETURN_IF_ERROR(run.database().CreateCatalog(parts[0]));
  return DoneResult();
}

}  // namespace

Result<SqlResult> RunCreate(StatementRun& run) {
  Mode mode;
  size_t at = 1;
  if (run.At(0, "REPLACE")) mode.replace = true;
  if (run.At(at, "OR") && run.At(at + 1, "REPLACE")) {
    mode.replace = true;
    at += 2;
  }
  while (run.At(at, "GLOBAL") || run.At(at, "TEMP") || run.At(at, "TEMPORARY") ||
         run.At(at, "EXTERNAL")) {
    mode.temporary = mode.temporary || !run.At(at, "EXTERNAL");
    at += 1;
  }
  if (run.At(at, "TABLE")) return CreateTable(run, at + 1, mode);
  if (run.At(at, "VIEW")) return CreateView(run, at + 1, mode);
  if (run.At(at, "MATERIALIZED") && run.At(at + 1, "VIEW")) return CreateView(run, at + 2, mode);
  if (run.At(at, "SCHEMA") || run.At(at, "DATABASE")) return CreateSchema(run, at + 1);
  if (run.At(at, "CATALOG")) return CreateCatalog(run, at + 1);
  // Volumes hold files; the SQL knows only that there may be some.
  if (run.At(at, "VOLUME")) return DoneResult();
  if (run.At(at, "FUNCTION")) return Unsupported("functions of users");
  return run.SyntaxErrorAt(at);
}

}  // namespace dbx::local
