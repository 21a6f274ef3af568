// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/status.h"
#include "sql/engine.h"
#include "sql/statement_run.h"

namespace dbx::local {

/// Each runs the statement whose first word led to it.

// query.cc
Result<SqlResult> RunQuery(StatementRun& run);
Result<SqlResult> RunExplain(StatementRun& run);
// change_rows.cc
Result<SqlResult> RunInsert(StatementRun& run);
Result<SqlResult> RunUpdateOrDelete(StatementRun& run);
Result<SqlResult> RunMerge(StatementRun& run);
Result<SqlResult> RunTruncate(StatementRun& run);
// create.cc
Result<SqlResult> RunCreate(StatementRun& run);
// alter.cc
Result<SqlResult> RunAlter(StatementRun& run);
Result<SqlResult> RunDrop(StatementRun& run);
Result<SqlResult> RunComment(StatementRun& run);
// maintenance.cc
Result<SqlResult> RunOptimize(StatementRun& run);
Result<SqlResult> RunVacuum(StatementRun& run);
Result<SqlResult> RunNothing(StatementRun& run);
// session_commands.cc
Result<SqlResult> RunUse(StatementRun& run);
Result<SqlResult> RunSet(StatementRun& run);
Result<SqlResult> RunReset(StatementRun& run);
// show_commands.cc
Result<SqlResult> RunShow(StatementRun& run);
Result<SqlResult> RunList(StatementRun& run);
// describe.cc
Result<SqlResult> RunDescribe(StatementRun& run);

/// Chooses by the first word; PARSE_SYNTAX_ERROR for one that begins no statement.
Result<SqlResult> RunStatement(StatementRun& run);

}  // namespace dbx::local
