// SPDX-License-Identifier: Apache-2.0
// ALTER, DROP and COMMENT ON.
#include <algorithm>

#include "base/str_cat.h"
#include "sql/column_naming.h"
#include "sql/errors.h"
#include "sql/sql_text.h"
#include "sql/statement_handlers.h"
#include "sql/table_definition.h"
#include "sql/type_parser.h"

namespace dbx::local {
namespace {

Status Execute(StatementRun& run, std::string sql) {
  const Result<int64_t> count = run.Change(StatementRun::Own(std::move(sql)));
  return count.ok() ? Status::Ok() : count.status();
}

/// A table that is being altered: the engine's statements run at once, the facts are saved at the
/// end.
class TableChange {
 public:
  TableChange(StatementRun& run, TableName name)
      : run_(run),
        name_(std::move(name)),
        facts_(run.database().facts().Find(name_).value_or(TableFacts())) {}

  Status Apply(size_t at) {
    if (run_.At(at, "ADD")) return Add(at + 1);
    if (run_.At(at, "DROP")) return Drop(at + 1);
    if (run_.At(at, "RENAME")) return Rename(at + 1);
    if (run_.At(at, "ALTER") || run_.At(at, "CHANGE")) return AlterColumn(at + 1);
    if (run_.At(at, "SET")) return Set(at + 1);
    if (run_.At(at, "UNSET")) return Unset(at + 1);
    // Layout, owners and the like leave the rows as they are.
    if (run_.At(at, "CLUSTER") || run_.At(at, "OWNER") || run_.At(at, "ENABLE") ||
        run_.At(at, "DISABLE"))
      return Status::Ok();
    return run_.SyntaxErrorAt(at);
  }

  Status Save() {
    ASSIGN_OR_RETURN(const duckdb_connection connection, run_.connection());
    return run_.database().facts().Put(connection, name_, facts_);
  }

 private:
  Status Engine(std::string_view change) {
    return Execute(run_, StrCat("ALTER TABLE ", name_.EngineText(), " ", change));
  }

  ColumnFact* Find(const std::string& column) {
    const auto found =
        std::find_if(facts_.columns.begin(), facts_.columns.end(),
                     [&](const ColumnFact& fact) { return EqualsIgnoreCase(fact.name, column); });
    return found == facts_.columns.end() ? nullptr : &*found;
  }

  Status Add(size_t at) {
    if (run_.At(at, "CONSTRAINT") || run_.At(at, "PRIMARY") || run_.At(at, "FOREIGN")) {
      TableDefinition table;
      RETURN_IF_ERROR(ReadConstraint(run_, &at, run_.end(), table));
      if (table.primary_key) facts_.primary_key = table.primary_key;
      facts_.foreign_keys.insert(facts_.foreign_keys.end(), table.foreign_keys.begin(),
                                 table.foreign_keys.end());
      return Status::Ok();
    }
    if (run_.At(at, "COLUMN") || run_.At(at, "COLUMNS")) at += 1;
    const bool bracket = at < run_.end() && run_.tokens()[at].IsOperator("(");
    const size_t end = bracket ? FindClosing(run_.tokens(), at) : run_.end();
    ASSIGN_OR_RETURN(const TableDefinition table,
                     ReadTableDefinition(run_, bracket ? at + 1 : at, end));
    for (const ColumnDefinition& column : table.columns) {
      RETURN_IF_ERROR(Engine(StrCat("ADD COLUMN ", Assemble(column.engine).sql)));
      if (!facts_.columns.empty()) facts_.columns.push_back(column.fact);
    }
    return Status::Ok();
  }

  Status Drop(size_t at) {
    if (run_.At(at, "CONSTRAINT")) {
      const std::string name = run_.tokens()[at + (run_.At(at + 1, "IF") ? 3 : 1)].value;
      if (facts_.primary_key && EqualsIgnoreCase(facts_.primary_key->name, name))
        facts_.primary_key.reset();
      std::erase_if(facts_.foreign_keys,
                    [&](const KeyFact& key) { return EqualsIgnoreCase(key.name, name); });
      return Status::Ok();
    }
    if (run_.At(at, "PRIMARY")) {
      facts_.primary_key.reset();
      return Status::Ok();
    }
    if (!run_.At(at, "COLUMN") && !run_.At(at, "COLUMNS")) return run_.SyntaxErrorAt(at);
    at += 1;
    const bool if_exists = run_.At(at, "IF");
    if (if_exists) at += 2;
    const bool bracket = at < run_.end() && run_.tokens()[at].IsOperator("(");
    const size_t end = bracket ? FindClosing(run_.tokens(), at) : run_.end();
    for (const auto& [item, item_end] : SplitAtCommas(run_.tokens(), bracket ? at + 1 : at, end)) {
      const std::string name = run_.tokens()[item].value;
      RETURN_IF_ERROR(
          Engine(StrCat("DROP COLUMN ", if_exists ? "IF EXISTS " : "", QuoteIdentifier(name))));
      std::erase_if(facts_.columns,
                    [&](const ColumnFact& fact) { return EqualsIgnoreCase(fact.name, name); });
    }
    return Status::Ok();
  }

  Status Rename(size_t at) {
    if (run_.At(at, "TO")) {
      at += 1;
      ASSIGN_OR_RETURN(const std::vector<std::string> parts, run_.ReadName(&at));
      RETURN_IF_ERROR(Engine(StrCat("RENAME TO ", QuoteIdentifier(ToLower(parts.back())))));
      ASSIGN_OR_RETURN(const duckdb_connection connection, run_.connection());
      RETURN_IF_ERROR(run_.database().facts().Remove(connection, name_));
      name_.table = ToLower(parts.back());
      return Status::Ok();
    }
    if (!run_.At(at, "COLUMN") || !run_.At(at + 2, "TO")) return run_.SyntaxErrorAt(at);
    const std::string from = run_.tokens()[at + 1].value;
    const std::string to = run_.tokens()[at + 3].value;
    RETURN_IF_ERROR(
        Engine(StrCat("RENAME COLUMN ", QuoteIdentifier(from), " TO ", QuoteIdentifier(to))));
    if (ColumnFact* const fact = Find(from)) fact->name = to;
    return Status::Ok();
  }

  Status AlterColumn(size_t at) {
    if (run_.At(at, "COLUMN")) at += 1;
    const std::string name = run_.tokens()[at].value;
    const std::string column = StrCat("ALTER COLUMN ", QuoteIdentifier(name), " ");
    at += 1;
    ColumnFact* const fact = Find(name);
    if ((run_.At(at, "SET") || run_.At(at, "DROP")) && run_.At(at + 1, "NOT") &&
        run_.At(at + 2, "NULL")) {
      const bool required = run_.At(at, "SET");
      RETURN_IF_ERROR(Engine(StrCat(column, required ? "SET" : "DROP", " NOT NULL")));
      if (fact != nullptr) fact->nullable = !required;
      return Status::Ok();
    }
    if (run_.At(at, "SET") && run_.At(at + 1, "DEFAULT")) {
      ASSIGN_OR_RETURN(const Pieces value, run_.Rewrite(at + 2, run_.end()));
      return Engine(StrCat(column, "SET DEFAULT ", Assemble(value).sql));
    }
    if (run_.At(at, "DROP") && run_.At(at + 1, "DEFAULT"))
      return Engine(StrCat(column, "DROP DEFAULT"));
    if (run_.At(at, "COMMENT")) {
      return Execute(
          run_, StrCat("COMMENT ON COLUMN ", name_.EngineText(), ".", QuoteIdentifier(name), " IS ",
                       QuoteString(run_.tokens()[at + 1].value)));
    }
    if (run_.At(at, "TYPE")) {
      at += 1;
      const std::optional<SqlType> type = ParseType(run_.tokens(), &at);
      if (!type) return run_.SyntaxErrorAt(at);
      RETURN_IF_ERROR(Engine(StrCat(column, "TYPE ", EngineType(*type))));
      if (fact != nullptr) fact->type = *type;
      return Status::Ok();
    }
    return run_.SyntaxErrorAt(at);
  }

  Status Set(size_t at) {
    if (!run_.At(at, "TBLPROPERTIES")) return Status::Ok();
    at += 1;
    ASSIGN_OR_RETURN(const auto properties, ReadProperties(run_, &at));
    for (const auto& [key, value] : properties) facts_.properties[key] = value;
    return Status::Ok();
  }

  Status Unset(size_t at) {
    if (!run_.At(at, "TBLPROPERTIES")) return Status::Ok();
    at += run_.At(at + 1, "IF") ? 3 : 1;
    ASSIGN_OR_RETURN(const auto properties, ReadProperties(run_, &at));
    for (const auto& [key, value] : properties) facts_.properties.erase(key);
    return Status::Ok();
  }

  StatementRun& run_;
  TableName name_;
  TableFacts facts_;
};

Result<SqlResult> DropSchema(StatementRun& run, size_t at, bool if_exists) {
  ASSIGN_OR_RETURN(const std::vector<std::string> parts, run.ReadName(&at, 2));
  const std::string catalog = parts.size() == 2 ? ToLower(parts[0]) : run.context().catalog;
  const std::string schema = ToLower(parts.back());
  ASSIGN_OR_RETURN(const bool exists, run.database().HasSchema(catalog, schema));
  if (!exists && if_exists) return DoneResult();
  if (!exists) return SchemaNotFound(catalog, schema);
  RETURN_IF_ERROR(run.CheckWritable({catalog, schema, ""}));
  const std::string name =
      StrCat(QuoteIdentifier(EngineCatalog(catalog)), ".", QuoteIdentifier(schema));
  RETURN_IF_ERROR(
      Execute(run, StrCat("DROP SCHEMA ", name, run.At(at, "CASCADE") ? " CASCADE" : "")));
  ASSIGN_OR_RETURN(const duckdb_connection connection, run.connection());
  RETURN_IF_ERROR(run.database().facts().RemoveSchema(connection, catalog, schema));
  return DoneResult();
}

/// A view of the session goes before a table or view of the same name.
Result<bool> DropTemporaryView(StatementRun& run, const std::vector<std::string>& parts) {
  if (parts.size() != 1) return false;
  const std::string schema = run.session().temporary_schema();
  const std::string filter = StrCat("schema_name = ", QuoteString(schema),
                                    " AND lower(view_name) = ", QuoteString(ToLower(parts[0])));
  ASSIGN_OR_RETURN(
      const std::vector<TextRow> views,
      run.Texts(StatementRun::Own(StrCat("SELECT view_name FROM duckdb_views() WHERE ", filter))));
  if (views.empty()) return false;
  RETURN_IF_ERROR(
      Execute(run, StrCat("DROP VIEW session_views.", schema, ".", QuoteIdentifier(*views[0][0]))));
  return true;
}

Result<SqlResult> DropRelation(StatementRun& run, size_t at, bool if_exists,
                               Database::Relation wanted) {
  ASSIGN_OR_RETURN(const std::vector<std::string> parts, run.ReadName(&at));
  if (run.At(at, "PURGE")) at += 1;
  if (at != run.end()) return run.SyntaxErrorAt(at);
  if (wanted == Database::Relation::kView) {
    ASSIGN_OR_RETURN(const bool dropped, DropTemporaryView(run, parts));
    if (dropped) return DoneResult();
  }
  const TableName name = run.Resolve(parts);
  ASSIGN_OR_RETURN(const Database::Relation relation, run.database().FindRelation(name));
  if (relation == Database::Relation::kNone) {
    if (if_exists) return DoneResult();
    return TableNotFound(name.ClientText());
  }
  RETURN_IF_ERROR(run.CheckWritable(name));
  if (relation != wanted) {
    const bool table = wanted == Database::Relation::kTable;
    return SqlError(
        StatusCode::kInvalidArgument,
        table ? "WRONG_COMMAND_FOR_OBJECT_TYPE" : "EXPECT_VIEW_NOT_TABLE.NO_ALTERNATIVE", "42809",
        StrCat(name.ClientText(), table ? " is a view" : " is a table"));
  }
  RETURN_IF_ERROR(run.BeginTransaction());
  const std::string_view kind = relation == Database::Relation::kTable ? "TABLE " : "VIEW ";
  RETURN_IF_ERROR(Execute(run, StrCat("DROP ", kind, name.EngineText())));
  ASSIGN_OR_RETURN(const duckdb_connection connection, run.connection());
  RETURN_IF_ERROR(run.database().facts().Remove(connection, name));
  RETURN_IF_ERROR(run.Commit());
  return DoneResult();
}

}  // namespace

Result<SqlResult> RunAlter(StatementRun& run) {
  if (run.At(1, "SCHEMA") || run.At(1, "DATABASE") || run.At(1, "CATALOG") || run.At(1, "VOLUME"))
    return DoneResult();
  if (!run.At(1, "TABLE") && !run.At(1, "VIEW")) return run.SyntaxErrorAt(1);
  size_t at = 2;
  ASSIGN_OR_RETURN(const std::vector<std::string> parts, run.ReadName(&at));
  const TableName name = run.Resolve(parts);
  RETURN_IF_ERROR(run.CheckWritable(name));
  ASSIGN_OR_RETURN(const Database::Relation relation, run.database().FindRelation(name));
  if (relation == Database::Relation::kNone) return TableNotFound(name.ClientText());
  if (run.At(1, "VIEW") && run.At(at, "AS")) {
    ASSIGN_OR_RETURN(const Pieces query, run.Rewrite(at + 1, run.end()));
    RETURN_IF_ERROR(Execute(
        run, StrCat("CREATE OR REPLACE VIEW ", name.EngineText(), " AS ", Assemble(query).sql)));
    return DoneResult();
  }
  RETURN_IF_ERROR(run.BeginTransaction());
  TableChange change(run, name);
  RETURN_IF_ERROR(change.Apply(at));
  RETURN_IF_ERROR(change.Save());
  RETURN_IF_ERROR(run.Commit());
  return DoneResult();
}

Result<SqlResult> RunDrop(StatementRun& run) {
  size_t at = 1;
  if (run.At(at, "MATERIALIZED") || run.At(at, "TEMPORARY")) at += 1;
  const size_t kind = at;
  at += 1;
  const bool if_exists = run.At(at, "IF") && run.At(at + 1, "EXISTS");
  if (if_exists) at += 2;
  if (run.At(kind, "TABLE")) return DropRelation(run, at, if_exists, Database::Relation::kTable);
  if (run.At(kind, "VIEW")) return DropRelation(run, at, if_exists, Database::Relation::kView);
  if (run.At(kind, "SCHEMA") || run.At(kind, "DATABASE")) return DropSchema(run, at, if_exists);
  if (run.At(kind, "VOLUME") || run.At(kind, "FUNCTION")) return DoneResult();
  if (run.At(kind, "CATALOG")) return Unsupported("DROP CATALOG");
  return run.SyntaxErrorAt(kind);
}

/// COMMENT ON TABLE | VIEW | COLUMN | SCHEMA | CATALOG x IS 'text' | NULL
Result<SqlResult> RunComment(StatementRun& run) {
  if (!run.At(1, "ON")) return run.SyntaxErrorAt(1);
  size_t at = 3;
  ASSIGN_OR_RETURN(std::vector<std::string> parts, run.ReadName(&at, 4));
  if (!run.At(at, "IS") || at + 2 != run.end()) return run.SyntaxErrorAt(at);
  const std::string text =
      run.At(at + 1, "NULL") ? "NULL" : QuoteString(run.tokens()[at + 1].value);
  if (run.At(2, "CATALOG")) return DoneResult();
  if (run.At(2, "SCHEMA") || run.At(2, "DATABASE")) {
    const std::string catalog = parts.size() == 2 ? ToLower(parts[0]) : run.context().catalog;
    const std::string comment = run.At(at + 1, "NULL") ? "" : run.tokens()[at + 1].value;
    ASSIGN_OR_RETURN(const duckdb_connection connection, run.connection());
    RETURN_IF_ERROR(SaveSchemaComment(run.database().facts(), connection, catalog,
                                      ToLower(parts.back()), comment));
    return DoneResult();
  }
  const bool of_column = run.At(2, "COLUMN");
  std::string column;
  if (of_column) {
    if (parts.size() < 2) return run.SyntaxErrorAt(3);
    column = StrCat(".", QuoteIdentifier(parts.back()));
    parts.pop_back();
  }
  const TableName name = run.Resolve(parts);
  RETURN_IF_ERROR(run.CheckWritable(name));
  ASSIGN_OR_RETURN(const Database::Relation relation, run.database().FindRelation(name));
  if (relation == Database::Relation::kNone) return TableNotFound(name.ClientText());
  const std::string_view kind = of_column                               ? "COLUMN "
                                : relation == Database::Relation::kView ? "VIEW "
                                                                        : "TABLE ";
  RETURN_IF_ERROR(
      Execute(run, StrCat("COMMENT ON ", kind, name.EngineText(), column, " IS ", text)));
  return DoneResult();
}

}  // namespace dbx::local
