// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <duckdb.h>

#include <string>

#include "base/status.h"

namespace dbx::local {

/// Fills the TPC-DS tables, which exist and are empty, with what `program` (tpcgen-cli) writes: one
/// table after the other as a Parquet file in `directory` (made, and removed at the end), so that
/// the peak of memory and disk is that of one table. Blocks until all tables are full.
/// Errors: kIo when the program cannot be started or fails, with its exit status; kInternal with
/// the engine's text.
Status FillFromProgram(duckdb_connection connection, const std::string& program, double scale,
                       int threads, const std::string& directory);

}  // namespace dbx::local
