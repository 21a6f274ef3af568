// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"
#include "wire/sea_messages.h"

namespace dbx::sea {

/// Bodies of requests, as JSON text. Texts that are not UTF-8 are sent with U+FFFD where they are
/// not.
std::string WriteOpenRequest(const OpenRequest& request);
std::string WriteExecuteRequest(const ExecuteRequest& request);

// Bodies of replies. Unknown fields are passed over, absent ones keep their defaults; what is there
// must have the right type and counts must not be negative. Errors: kInvalidData, naming the field
// and never its value.

/// The id of the session that was opened.
Result<std::string> ReadOpenReply(std::string_view body);
Result<StatementReply> ReadStatementReply(std::string_view body);
Result<ResultMessage> ReadChunkReply(std::string_view body);

}  // namespace dbx::sea
