// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/cancellation.h"
#include "base/status.h"
#include "warehouse/sea/session_core.h"
#include "warehouse/session.h"

namespace dbx::sea {

/// Session::Execute over the Statement Execution API.
Result<Execution> Execute(const std::shared_ptr<SessionCore>& core, const StatementRequest& request,
                          Cancellation* cancellation);

/// The texts of the first row of a small result of text columns; empty without rows.
Result<std::vector<std::string>> FirstRow(const std::shared_ptr<SessionCore>& core,
                                          const std::string& sql, Cancellation* cancellation);

/// What Execute sends. Without CloudFetch: rows as text within the replies. With it: Arrow, inline
/// or in storage as `with_links` says. Errors: kNotImplemented for settings of one statement.
Result<ExecuteRequest> MakeExecuteRequest(const SessionCore& core, const StatementRequest& request,
                                          Disposition with_links);

}  // namespace dbx::sea
