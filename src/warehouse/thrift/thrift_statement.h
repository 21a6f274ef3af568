// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <string>

#include "base/cancellation.h"
#include "base/status.h"
#include "warehouse/session.h"
#include "warehouse/thrift/session_core.h"

namespace dbx::thrift {

/// Session::Execute over Thrift.
Result<Execution> Execute(const std::shared_ptr<SessionCore>& core, const StatementRequest& request,
                          Cancellation* cancellation);

/// What Execute sends, with the features that the server's version has.
Result<TExecuteStatementReq> MakeExecuteRequest(const SessionCore& core,
                                                const StatementRequest& request);

/// "key:value,key" with backslashes before backslash, colon and comma.
std::string FormatQueryTags(const std::map<std::string, std::string>& tags);

/// Direct results of the size that the configuration asks for; `max_rows` at most.
TSparkGetDirectResults WantDirectResults(const StatementConfig& config, int64_t max_rows);

}  // namespace dbx::thrift
