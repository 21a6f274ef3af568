// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "connection.h"
#include "failure.h"
#include "progress.h"
#include "row_stream.h"

namespace dbx::cli {

struct QueryOptions {
  ConnectionOptions connection;
  std::string sql;
  std::vector<std::string> parameters;
  std::string output;  ///< empty: the terminal, or CSV into a pipe; "-": standard output
  std::string format;  ///< empty: by the ending of `output`
  int64_t limit = -1;
  int64_t max_rows = 40;  ///< rows that a terminal gets to see
  bool stats = false;
  bool quiet = false;
};

/// Runs one statement and writes its rows. Throws Failure.
Exit RunQuery(const QueryOptions& options);

/// What reading one result took.
struct ReadFigures {
  RowCounts counts = {};
  double seconds = 0;
  double first_batch_seconds = 0;
  std::string driver_statistics = {};  ///< JSON, or empty
};

/// Executes `statement` and lets `consume` pull its rows, with a progress line when
/// `show_progress`. Ctrl-C cancels the statement on the server. `*rows_affected` (may be null)
/// becomes -1 when unknown.
ReadFigures ReadResult(Statement& statement, int64_t limit, bool show_progress,
                       int64_t* rows_affected, const std::function<void(RowStream&)>& consume,
                       const std::function<void(const ArrowSchema&, const ArrowArray&)>& look = {});

}  // namespace dbx::cli
