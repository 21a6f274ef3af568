// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "adbc/workspace.h"
#include "base/cancellation.h"
#include "cloudfetch/cloudfetch_stream.h"
#include "options/config.h"
#include "result/result_stream.h"
#include "warehouse/session.h"

namespace dbx {

/// What the executions of one statement work with.
struct ExecutionPlace {
  std::shared_ptr<LiveSession> session;
  std::shared_ptr<const Config> config;  ///< of the statement
  Cancellation* cancellation = nullptr;  ///< outlives every result
};

/// A result that can be read.
struct OpenedResult {
  std::unique_ptr<ResultStream> stream;
  const CloudFetchStream* cloudfetch = nullptr;  ///< within `stream`, or null
  std::string statement_id;
  std::optional<int64_t> rows_affected;  ///< of a statement that changes rows
  std::optional<int64_t> num_rows;       ///< of the result, where the service has counted them
};

/// `sql` as a request with what the statement's own options add.
StatementRequest MakeRequest(const ExecutionPlace& place, std::string sql);

/// Runs a request. Errors: the session's, and the reason of a cancelled call whatever came of it.
Result<Execution> Execute(const ExecutionPlace& place, const StatementRequest& request);

/// The rows of an execution: through CloudFetch where it has links. The stream keeps session and
/// workspace alive, so it may outlive all handles.
Result<OpenedResult> OpenRows(const ExecutionPlace& place, Execution execution);

}  // namespace dbx
