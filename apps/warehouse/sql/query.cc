// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "base/str_cat.h"
#include "sql/sql_text.h"
#include "sql/statement_handlers.h"
#include "sql/type_parser.h"

namespace dbx::local {
namespace {

struct Plan {
  Translation translation;
  std::optional<std::vector<ColumnFact>> facts;
};

/// `TABLE t` as a query, and everything that the engine reads as one.
Result<Plan> PlanQuery(StatementRun& run, size_t begin) {
  ASSIGN_OR_RETURN(const Pieces pieces, run.Rewrite(begin, run.end()));
  return Plan{Assemble(pieces), run.FactsOfQuery(begin, run.end())};
}

/// A sum of DECIMAL(p,s) is DECIMAL(p + 10, s) there and has all 38 digits here. What p is tells
/// the same query with any_value in place of sum; it is prepared only.
void NarrowSums(StatementRun& run, Plan& plan) {
  if (!plan.facts) return;
  Tokens tokens = run.tokens();
  bool any = false;
  for (const ColumnFact& fact : *plan.facts) {
    if (!fact.sum) continue;
    tokens[*fact.sum].text = "any_value";
    any = true;
  }
  if (!any) return;
  const Result<std::vector<ResultColumn>> sums = run.Columns(plan.translation, plan.facts);
  const Result<Translation> probe = Translate(tokens, run.context());
  if (!sums.ok() || !probe.ok() || sums->size() != plan.facts->size()) return;
  const Result<std::vector<ResultColumn>> values = run.Columns(*probe, plan.facts);
  if (!values.ok()) return;
  for (size_t i = 0; i < sums->size(); ++i) {
    const SqlType& value = (*values)[i].type;
    const bool decimal =
        value.id == SqlTypeId::kDecimal && (*sums)[i].type.id == SqlTypeId::kDecimal;
    if (!(*plan.facts)[i].sum || !decimal) continue;
    (*plan.facts)[i].type = DecimalType(std::min(38, value.precision + 10), value.scale);
  }
}

}  // namespace

Result<SqlResult> RunQuery(StatementRun& run) {
  ASSIGN_OR_RETURN(Plan plan, PlanQuery(run, 0));
  NarrowSums(run, plan);
  return run.Stream(plan.translation, plan.facts);
}

/// One row with the plan, as the service has it; the plan itself is the engine's.
Result<SqlResult> RunExplain(StatementRun& run) {
  size_t begin = 1;
  for (const std::string_view word : {"EXTENDED", "FORMATTED", "COST", "CODEGEN"}) {
    if (run.At(begin, word)) begin += 1;
  }
  ASSIGN_OR_RETURN(Plan plan, PlanQuery(run, begin));
  plan.translation.sql = StrCat("EXPLAIN ", plan.translation.sql);
  Result<std::vector<TextRow>> rows = run.Texts(plan.translation);
  std::string text = "== Physical Plan ==\n";
  if (rows.ok()) {
    for (const TextRow& row : *rows) text += row.back().value_or("");
  } else {
    text += "Error occurred during query planning: " + rows.status().message();
  }
  return RowsResult(StatementKind::kMetadata, {TextColumn("plan")}, {{text}});
}

}  // namespace dbx::local
