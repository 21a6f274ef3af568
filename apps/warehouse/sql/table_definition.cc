// SPDX-License-Identifier: Apache-2.0
#include "sql/table_definition.h"

#include <algorithm>

#include "base/str_cat.h"
#include "sql/column_naming.h"
#include "sql/errors.h"
#include "sql/sql_text.h"
#include "sql/type_parser.h"

namespace dbx::local {
namespace {

/// "(a, b)" at `*at`, which moves behind it.
Result<std::vector<std::string>> ReadNames(StatementRun& run, size_t* at) {
  const Tokens& tokens = run.tokens();
  if (*at >= run.end() || !tokens[*at].IsOperator("(")) return run.SyntaxErrorAt(*at);
  const size_t close = FindClosing(tokens, *at);
  std::vector<std::string> names;
  for (const auto& [begin, end] : SplitAtCommas(tokens, *at + 1, close)) {
    if (begin == end || !tokens[begin].IsIdentifier()) return run.SyntaxErrorAt(begin);
    names.push_back(tokens[begin].value);
  }
  *at = close + 1;
  return names;
}

/// REFERENCES parent [(columns)] and what may follow; `*at` is behind REFERENCES.
Status ReadParent(StatementRun& run, size_t* at, KeyFact& key) {
  ASSIGN_OR_RETURN(const std::vector<std::string> parts, run.ReadName(at));
  const TableName parent = run.Resolve(parts);
  key.parent_catalog = parent.catalog;
  key.parent_schema = parent.schema;
  key.parent_table = parent.table;
  if (*at < run.end() && run.tokens()[*at].IsOperator("(")) {
    ASSIGN_OR_RETURN(key.parent_columns, ReadNames(run, at));
  } else if (const auto facts = run.database().facts().Find(parent); facts && facts->primary_key) {
    key.parent_columns = facts->primary_key->columns;
  }
  if (key.parent_columns.size() != key.columns.size()) return run.SyntaxErrorAt(*at);
  return Status::Ok();
}

bool IsOptionWord(const StatementRun& run, size_t at) {
  static constexpr std::string_view kWords[] = {
      "NOT",     "NULL", "DEFAULT", "COMMENT", "PRIMARY", "CONSTRAINT", "GENERATED", "REFERENCES",
      "FOREIGN", "RELY", "NORELY",  "CHECK",   "FIRST",   "AFTER",      "MASK"};
  return std::any_of(std::begin(kWords), std::end(kWords),
                     [&](std::string_view word) { return run.At(at, word); });
}

struct Options {
  bool required = false;
  std::string constraint;
};

Status ReadDefault(StatementRun& run, size_t* at, size_t end, ColumnDefinition& column) {
  const size_t begin = *at + 1;
  size_t stop = begin;
  while (stop < end && (stop == begin || !IsOptionWord(run, stop))) {
    stop = run.tokens()[stop].IsOperator("(") ? FindClosing(run.tokens(), stop) + 1 : stop + 1;
  }
  ASSIGN_OR_RETURN(const Pieces value, run.Rewrite(begin, std::min(stop, end)));
  column.engine.push_back({"DEFAULT (", run.tokens()[begin].offset, true});
  column.engine.insert(column.engine.end(), value.begin(), value.end());
  column.engine.push_back({")", run.tokens()[begin].offset, false});
  *at = stop;
  return Status::Ok();
}

/// One option behind a column's type.
Status ReadOption(StatementRun& run, size_t* at, size_t end, ColumnDefinition& column,
                  TableDefinition& table, Options& options) {
  const size_t i = *at;
  if (run.At(i, "NOT") && run.At(i + 1, "NULL")) {
    options.required = true;
    *at += 2;
  } else if (run.At(i, "NULL") || run.At(i, "RELY") || run.At(i, "NORELY")) {
    *at += 1;
  } else if (run.At(i, "DEFAULT")) {
    return ReadDefault(run, at, end, column);
  } else if (run.At(i, "COMMENT")) {
    column.comment = run.tokens()[i + 1].value;
    *at += 2;
  } else if (run.At(i, "CONSTRAINT")) {
    options.constraint = run.tokens()[i + 1].value;
    *at += 2;
  } else if (run.At(i, "PRIMARY") && run.At(i + 1, "KEY")) {
    table.primary_key = KeyFact{options.constraint, {column.fact.name}};
    *at += 2;
  } else if (run.At(i, "FOREIGN") && run.At(i + 1, "KEY")) {
    *at += 2;
  } else if (run.At(i, "REFERENCES")) {
    KeyFact key{options.constraint, {column.fact.name}};
    *at += 1;
    RETURN_IF_ERROR(ReadParent(run, at, key));
    table.foreign_keys.push_back(std::move(key));
  } else if (run.At(i, "FIRST")) {
    *at += 1;
  } else if (run.At(i, "AFTER")) {
    *at += 2;
  } else if (run.At(i, "GENERATED")) {
    return Unsupported("generated columns");
  } else {
    return run.SyntaxErrorAt(i);
  }
  return Status::Ok();
}

Status ReadColumn(StatementRun& run, size_t begin, size_t end, TableDefinition& table) {
  const Tokens& tokens = run.tokens();
  if (begin >= end || !tokens[begin].IsIdentifier()) return run.SyntaxErrorAt(begin);
  ColumnDefinition column;
  column.fact.name = tokens[begin].value;
  size_t at = begin + 1;
  if (at < end && tokens[at].IsOperator(":")) at += 1;
  const size_t type_at = at;
  std::optional<SqlType> type = ParseType(tokens, &at);
  if (!type || at > end) {
    return SqlErrorAt(StatusCode::kInvalidArgument, "UNSUPPORTED_DATATYPE", "0A000",
                      StrCat("Unsupported data type \"", ToUpper(tokens[type_at].text), "\""),
                      run.context().sql, tokens[type_at].offset);
  }
  column.engine.push_back({StrCat(QuoteIdentifier(column.fact.name), " ", EngineType(*type)),
                           tokens[begin].offset, true});
  Options options;
  while (at < end) RETURN_IF_ERROR(ReadOption(run, &at, end, column, table, options));
  column.fact.nullable = !options.required;
  column.fact.type = std::move(type);
  table.columns.push_back(std::move(column));
  return Status::Ok();
}

/// The ranges between commas that stand neither in brackets nor between the `<` and `>` of a type.
std::vector<std::pair<size_t, size_t>> SplitDefinitions(const Tokens& tokens, size_t begin,
                                                        size_t end) {
  std::vector<std::pair<size_t, size_t>> parts;
  size_t start = begin;
  int depth = 0;
  for (size_t i = begin; i < end; ++i) {
    if (tokens[i].IsOperator("(")) i = std::min(FindClosing(tokens, i), end);
    if (tokens[i].IsOperator("<")) depth += 1;
    if (tokens[i].IsOperator(">")) depth -= 1;
    if (depth > 0 || !tokens[i].IsOperator(",")) continue;
    parts.emplace_back(start, i);
    start = i + 1;
  }
  parts.emplace_back(start, end);
  return parts;
}

bool BeginsConstraint(const StatementRun& run, size_t i) {
  return run.At(i, "CONSTRAINT") ||
         ((run.At(i, "PRIMARY") || run.At(i, "FOREIGN")) && run.At(i + 1, "KEY")) ||
         (run.At(i, "CHECK") && run.tokens()[i + 1].IsOperator("("));
}

/// Members of the primary key hold no NULL; names that the statement left out are made up.
void Finish(TableDefinition& table) {
  if (table.primary_key && table.primary_key->name.empty()) table.primary_key->name = "pk";
  for (size_t i = 0; i < table.foreign_keys.size(); ++i) {
    if (table.foreign_keys[i].name.empty()) table.foreign_keys[i].name = StrCat("fk_", i + 1);
  }
  for (ColumnDefinition& column : table.columns) {
    const bool in_key = table.primary_key &&
                        std::any_of(table.primary_key->columns.begin(),
                                    table.primary_key->columns.end(), [&](const std::string& name) {
                                      return EqualsIgnoreCase(name, column.fact.name);
                                    });
    if (in_key) column.fact.nullable = false;
    if (!column.fact.nullable) column.engine.push_back({"NOT NULL", 0, true});
  }
}

}  // namespace

Status ReadConstraint(StatementRun& run, size_t* at, size_t end, TableDefinition& table) {
  KeyFact key;
  if (run.At(*at, "CONSTRAINT")) {
    key.name = run.tokens()[*at + 1].value;
    *at += 2;
  }
  if (run.At(*at, "PRIMARY") && run.At(*at + 1, "KEY")) {
    *at += 2;
    ASSIGN_OR_RETURN(key.columns, ReadNames(run, at));
    table.primary_key = std::move(key);
  } else if (run.At(*at, "FOREIGN") && run.At(*at + 1, "KEY")) {
    *at += 2;
    ASSIGN_OR_RETURN(key.columns, ReadNames(run, at));
    if (!run.At(*at, "REFERENCES")) return run.SyntaxErrorAt(*at);
    *at += 1;
    RETURN_IF_ERROR(ReadParent(run, at, key));
    table.foreign_keys.push_back(std::move(key));
  } else if (run.At(*at, "CHECK")) {
    return Unsupported("CHECK constraints");
  } else {
    return run.SyntaxErrorAt(*at);
  }
  // NOT ENFORCED, RELY and the like say what holds here anyway.
  *at = end;
  return Status::Ok();
}

Result<TableDefinition> ReadTableDefinition(StatementRun& run, size_t begin, size_t end) {
  TableDefinition table;
  for (const auto& [item, item_end] : SplitDefinitions(run.tokens(), begin, end)) {
    size_t at = item;
    RETURN_IF_ERROR(BeginsConstraint(run, item) ? ReadConstraint(run, &at, item_end, table)
                                                : ReadColumn(run, item, item_end, table));
  }
  Finish(table);
  return table;
}

Result<std::map<std::string, std::string>> ReadProperties(StatementRun& run, size_t* at) {
  const Tokens& tokens = run.tokens();
  if (*at >= run.end() || !tokens[*at].IsOperator("(")) return run.SyntaxErrorAt(*at);
  const size_t close = FindClosing(tokens, *at);
  std::map<std::string, std::string> properties;
  for (const auto& [begin, end] : SplitAtCommas(tokens, *at + 1, close)) {
    std::string key;
    size_t i = begin;
    for (; i < end && !tokens[i].IsOperator("=") && tokens[i].kind != TokenKind::kEnd; ++i) {
      if (i > begin && tokens[i].kind == TokenKind::kString) break;
      key += tokens[i].value.empty() ? tokens[i].text : tokens[i].value;
    }
    if (i < end && tokens[i].IsOperator("=")) i += 1;
    std::string value;
    for (; i < end; ++i) value += tokens[i].value.empty() ? tokens[i].text : tokens[i].value;
    properties[key] = value;
  }
  *at = close + 1;
  return properties;
}

Result<TableClauses> ReadTableClauses(StatementRun& run, size_t at) {
  TableClauses clauses;
  clauses.query = run.end();
  const Tokens& tokens = run.tokens();
  while (at < run.end()) {
    if (run.At(at, "USING")) {
      clauses.properties["provider"] = ToLower(tokens[at + 1].value);
      at += 2;
    } else if (run.At(at, "PARTITIONED") || run.At(at, "CLUSTER") || run.At(at, "CLUSTERED")) {
      if (!run.At(at + 1, "BY")) return run.SyntaxErrorAt(at + 1);
      const bool bracket = tokens[at + 2].IsOperator("(");
      const size_t close = bracket ? FindClosing(tokens, at + 2) : at + 2;
      std::string columns;
      for (size_t i = at + 3; i < close; ++i) columns += tokens[i].text;
      clauses.properties[run.At(at, "PARTITIONED") ? "partitioned_by" : "clustered_by"] = columns;
      at = close + 1;
    } else if (run.At(at, "COMMENT") && tokens[at + 1].kind == TokenKind::kString) {
      clauses.comment = tokens[at + 1].value;
      at += 2;
    } else if (run.At(at, "TBLPROPERTIES") || run.At(at, "OPTIONS") || run.At(at, "DBPROPERTIES")) {
      at += 1;
      ASSIGN_OR_RETURN(const auto properties, ReadProperties(run, &at));
      clauses.properties.insert(properties.begin(), properties.end());
    } else if (run.At(at, "LOCATION") && tokens[at + 1].kind == TokenKind::kString) {
      at += 2;
    } else if (run.At(at, "WITH") && run.At(at + 1, "SCHEMA")) {
      at += 3;
      if (run.At(at, "EVOLUTION")) at += 1;
    } else if (run.At(at, "DEFAULT") && run.At(at + 1, "COLLATION")) {
      at += 3;
    } else if (run.At(at, "AS") || run.At(at, "SELECT") || run.At(at, "WITH") ||
               tokens[at].IsOperator("(")) {
      clauses.query = run.At(at, "AS") ? at + 1 : at;
      if (clauses.query >= run.end()) return run.SyntaxErrorAt(run.end());
      return clauses;
    } else {
      return run.SyntaxErrorAt(at);
    }
  }
  return clauses;
}

}  // namespace dbx::local
