// SPDX-License-Identifier: Apache-2.0
// INSERT, UPDATE, DELETE, MERGE and TRUNCATE.
#include <algorithm>
#include <atomic>

#include "base/str_cat.h"
#include "sql/column_naming.h"
#include "sql/errors.h"
#include "sql/sql_text.h"
#include "sql/statement_handlers.h"

namespace dbx::local {
namespace {

Piece Text(std::string text, size_t source = 0) {
  return {std::move(text), source, true};
}

void Append(Pieces& pieces, const Pieces& more) {
  pieces.insert(pieces.end(), more.begin(), more.end());
}

/// Reads the target's name at `*at`. It has to be one that may be changed.
Result<TableName> Target(StatementRun& run, size_t* at) {
  ASSIGN_OR_RETURN(const std::vector<std::string> parts, run.ReadName(at));
  const TableName name = run.Resolve(parts);
  if (!run.database().HasCatalog(name.catalog)) return CatalogNotFound(name.catalog);
  RETURN_IF_ERROR(run.CheckWritable(name));
  ASSIGN_OR_RETURN(const Database::Relation relation, run.database().FindRelation(name));
  if (relation == Database::Relation::kNone) return TableNotFound(name.ClientText());
  return name;
}

/// First place from `i` on, outside of brackets, with one of `words`.
size_t FindWord(const StatementRun& run, size_t i, std::initializer_list<std::string_view> words) {
  while (i < run.end()) {
    if (std::any_of(words.begin(), words.end(),
                    [&](std::string_view word) { return run.At(i, word); }))
      return i;
    i = run.tokens()[i].IsOperator("(") ? FindClosing(run.tokens(), i) + 1 : i + 1;
  }
  return run.end();
}

/// The assignments of a SET list. The engine wants the columns there without the table's name.
Status Assignments(StatementRun& run, size_t begin, size_t end, Pieces& out) {
  const Tokens& tokens = run.tokens();
  bool first = true;
  for (const auto& [item, item_end] : SplitAtCommas(tokens, begin, end)) {
    size_t equals = item;
    while (equals < item_end && !tokens[equals].IsOperator("=")) equals += 1;
    if (equals == item || equals >= item_end || !tokens[equals - 1].IsIdentifier())
      return run.SyntaxErrorAt(equals);
    const Token& column = tokens[equals - 1];
    out.push_back(
        {StrCat(first ? "" : ", ", QuoteIdentifier(column.value), " ="), column.offset, true});
    first = false;
    ASSIGN_OR_RETURN(const Pieces value, run.Rewrite(equals + 1, item_end));
    Append(out, value);
  }
  return Status::Ok();
}

/// For changes whose number of rows tells nothing.
Status Done(const Result<int64_t>& count) {
  return count.ok() ? Status::Ok() : count.status();
}

/// INSERT OVERWRITE: the new rows are made before the old ones go, since they may come from the
/// same table.
Result<int64_t> Overwrite(StatementRun& run, const TableName& name, const Pieces& rest) {
  static std::atomic<uint64_t> next_number = 1;
  const TableName staging{name.catalog, "main", StrCat("staging_", next_number++)};
  const std::string stage = staging.EngineText();
  const std::string table = name.EngineText();
  RETURN_IF_ERROR(run.BeginTransaction());
  const auto change = [&](std::string sql) {
    return run.Change(StatementRun::Own(std::move(sql)));
  };
  RETURN_IF_ERROR(
      Done(change(StrCat("CREATE OR REPLACE TABLE ", stage, " AS FROM ", table, " LIMIT 0"))));
  Pieces insert = {Text(StrCat("INSERT INTO ", stage))};
  Append(insert, rest);
  RETURN_IF_ERROR(Done(run.Change(Assemble(insert))));
  RETURN_IF_ERROR(Done(change(StrCat("DELETE FROM ", table))));
  ASSIGN_OR_RETURN(const int64_t inserted, change(StrCat("INSERT INTO ", table, " FROM ", stage)));
  RETURN_IF_ERROR(Done(change(StrCat("DROP TABLE ", stage))));
  RETURN_IF_ERROR(run.Commit());
  return inserted;
}

}  // namespace

Result<SqlResult> RunInsert(StatementRun& run) {
  size_t at = 1;
  const bool overwrite = run.At(at, "OVERWRITE");
  if (!overwrite && !run.At(at, "INTO")) return run.SyntaxErrorAt(at);
  at += 1;
  if (run.At(at, "TABLE")) at += 1;
  ASSIGN_OR_RETURN(const TableName name, Target(run, &at));
  if (run.At(at, "PARTITION")) return Unsupported("INSERT into a partition");
  ASSIGN_OR_RETURN(const Pieces rest, run.Rewrite(at, run.end()));
  if (overwrite) {
    ASSIGN_OR_RETURN(const int64_t count, Overwrite(run, name, rest));
    return CountsResult({{"num_affected_rows", count}, {"num_inserted_rows", count}});
  }
  Pieces pieces = {Text(StrCat("INSERT INTO ", name.EngineText()))};
  Append(pieces, rest);
  ASSIGN_OR_RETURN(const int64_t count, run.Change(Assemble(pieces)));
  return CountsResult({{"num_affected_rows", count}, {"num_inserted_rows", count}});
}

Result<SqlResult> RunUpdateOrDelete(StatementRun& run) {
  const bool update = run.At(0, "UPDATE");
  size_t at = 1;
  if (!update) {
    if (!run.At(at, "FROM")) return run.SyntaxErrorAt(at);
    at += 1;
  }
  ASSIGN_OR_RETURN(const TableName name, Target(run, &at));
  Pieces pieces = {Text(StrCat(update ? "UPDATE " : "DELETE FROM ", name.EngineText()))};
  if (update) {
    const size_t set = FindWord(run, at, {"SET"});
    if (set == run.end()) return run.SyntaxErrorAt(set);
    const size_t where = FindWord(run, set, {"WHERE"});
    ASSIGN_OR_RETURN(const Pieces alias, run.Rewrite(at, set));
    Append(pieces, alias);
    pieces.push_back(Text("SET", run.tokens()[set].offset));
    RETURN_IF_ERROR(Assignments(run, set + 1, where, pieces));
    at = where;
  }
  ASSIGN_OR_RETURN(const Pieces rest, run.Rewrite(at, run.end()));
  Append(pieces, rest);
  ASSIGN_OR_RETURN(const int64_t count, run.Change(Assemble(pieces)));
  return CountsResult({{"num_affected_rows", count}});
}

Result<SqlResult> RunMerge(StatementRun& run) {
  size_t at = 1;
  if (run.At(at, "WITH") && run.At(at + 1, "SCHEMA")) at += 3;
  if (!run.At(at, "INTO")) return run.SyntaxErrorAt(at);
  at += 1;
  ASSIGN_OR_RETURN(const TableName name, Target(run, &at));
  Pieces pieces = {Text(StrCat("MERGE INTO ", name.EngineText()))};
  while (at < run.end()) {
    const size_t set = FindWord(run, at, {"SET"});
    ASSIGN_OR_RETURN(const Pieces before, run.Rewrite(at, std::min(set + 1, run.end())));
    Append(pieces, before);
    if (set == run.end()) break;
    at = set + 1;
    if (at < run.end() && run.tokens()[at].IsOperator("*")) continue;
    const size_t next = FindWord(run, at, {"WHEN"});
    RETURN_IF_ERROR(Assignments(run, at, next, pieces));
    at = next;
  }
  pieces.push_back(Text("RETURNING merge_action"));
  ASSIGN_OR_RETURN(const std::vector<TextRow> actions, run.Texts(Assemble(pieces)));
  const auto count = [&](std::string_view action) {
    return static_cast<int64_t>(std::count_if(
        actions.begin(), actions.end(), [&](const TextRow& row) { return row[0] == action; }));
  };
  return CountsResult({{"num_affected_rows", static_cast<int64_t>(actions.size())},
                       {"num_updated_rows", count("UPDATE")},
                       {"num_deleted_rows", count("DELETE")},
                       {"num_inserted_rows", count("INSERT")}});
}

Result<SqlResult> RunTruncate(StatementRun& run) {
  size_t at = 1;
  if (!run.At(at, "TABLE")) return run.SyntaxErrorAt(at);
  at += 1;
  ASSIGN_OR_RETURN(const TableName name, Target(run, &at));
  RETURN_IF_ERROR(Done(run.Change(StatementRun::Own(StrCat("DELETE FROM ", name.EngineText())))));
  return DoneResult();
}

}  // namespace dbx::local
