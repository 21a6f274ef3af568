// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "adbc/bound_rows.h"
#include "adbc/result_opening.h"
#include "base/status.h"

namespace dbx {

/// Runs `sql` once for each row of `rows` and makes one result of them all, in row order and of one
/// schema.
///
/// A query runs for the first row now and for each further row when the reader gets there, so that
/// no more than one result is open. Anything else runs for all rows before this returns: what it
/// changes must not depend on whether somebody reads the result. `rows_affected` is then the sum,
/// or absent when one of them is. Without rows nothing runs and the result is empty. Errors: those
/// of an execution; kInvalidData when two results differ in their columns.
Result<OpenedResult> OpenBoundRows(const ExecutionPlace& place, const std::string& sql,
                                   BoundRows rows);

/// Runs `sql` once for each row and throws the results away. Gives the sum of rows affected;
/// nullopt: unknown.
Result<std::optional<int64_t>> ExecuteBoundRows(const ExecutionPlace& place, const std::string& sql,
                                                BoundRows rows);

}  // namespace dbx
