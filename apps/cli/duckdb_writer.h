// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "row_stream.h"

namespace dbx::cli {

/// Writes all rows by DuckDB's COPY with `copy_options`. Throws Failure.
void WriteByDuckdb(RowStream& rows, const std::string& copy_options, const std::string& path);

/// The values of up to `max_rows` rows as text, NULL as "NULL".
std::vector<std::vector<std::string>> RowsAsText(RowStream& rows, int64_t max_rows);

}  // namespace dbx::cli
