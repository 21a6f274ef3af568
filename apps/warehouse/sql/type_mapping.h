// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/status.h"
#include "duckdb.h"
#include "sql/sql_type.h"

namespace dbx::local {

/// The service's type for a column of the engine's `type`. Types that the service lacks become the
/// nearest that holds all their values: HUGEINT is BIGINT (as sums are there), UUID, ENUM and TIME
/// are STRING. Fails with UNSUPPORTED_DATATYPE for those that have none.
Result<SqlType> FromEngineType(duckdb_logical_type type);

}  // namespace dbx::local
