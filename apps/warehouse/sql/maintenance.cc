// SPDX-License-Identifier: Apache-2.0
// Statements that look after stored files: there is nothing to do here, but the answers have the
// service's shape.
#include "base/str_cat.h"
#include "sql/errors.h"
#include "sql/sql_text.h"
#include "sql/statement_handlers.h"

namespace dbx::local {
namespace {

/// The table of a maintenance statement must be there.
Result<TableName> ExistingTable(StatementRun& run, size_t at) {
  ASSIGN_OR_RETURN(const std::vector<std::string> parts, run.ReadName(&at));
  const TableName name = run.Resolve(parts);
  ASSIGN_OR_RETURN(const Database::Relation relation, run.database().FindRelation(name));
  if (relation == Database::Relation::kNone) return TableNotFound(name.ClientText());
  return name;
}

}  // namespace

Result<SqlResult> RunOptimize(StatementRun& run) {
  ASSIGN_OR_RETURN(const TableName name, ExistingTable(run, 1));
  const std::string metrics =
      "struct_pack(numFilesAdded := CAST(0 AS BIGINT), numFilesRemoved := CAST(0 AS BIGINT), "
      "filesAdded := struct_pack(min := CAST(NULL AS BIGINT), max := CAST(NULL AS BIGINT), avg := "
      "0.0::DOUBLE, "
      "totalFiles := CAST(0 AS BIGINT), totalSize := CAST(0 AS BIGINT)), "
      "partitionsOptimized := CAST(0 AS BIGINT), totalConsideredFiles := CAST(0 AS BIGINT))";
  return run.Stream(
      StatementRun::Own(StrCat("SELECT ", QuoteString(StrCat(name.schema, "/", name.table)),
                               " AS path, ", metrics, " AS metrics")),
      std::nullopt);
}

Result<SqlResult> RunVacuum(StatementRun& run) {
  ASSIGN_OR_RETURN(const TableName name, ExistingTable(run, 1));
  return RowsResult(StatementKind::kDdl, {TextColumn("path", true)},
                    {{StrCat(name.schema, "/", name.table)}});
}

Result<SqlResult> RunNothing(StatementRun& /*run*/) {
  return DoneResult();
}

}  // namespace dbx::local
