// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/status.h"
#include "sql/statement_run.h"

namespace dbx::local {

/// The CREATE statement that would make the table or view `name` again.
Result<std::string> CreateStatement(StatementRun& run, const TableName& name);

}  // namespace dbx::local
