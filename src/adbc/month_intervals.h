// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "arrow/record_batch.h"
#include "base/status.h"
#include "result/result_stream.h"

namespace dbx {

/// Arrow has a type for intervals of months alone, and the service sends it, but the most common
/// reader in Python has no array of it: whoever touches such a column there fails. So these
/// columns, nested ones too, leave the driver as intervals of months, days and nanoseconds.

/// `schema` with that change; `schema` itself when nothing changes.
Result<std::shared_ptr<const Schema>> WidenMonthIntervals(std::shared_ptr<const Schema> schema);

/// `stream` with that change; `stream` itself when nothing changes. All other columns are passed on
/// untouched.
Result<std::unique_ptr<ResultStream>> WidenMonthIntervals(std::unique_ptr<ResultStream> stream);

}  // namespace dbx
