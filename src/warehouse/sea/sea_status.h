// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/status.h"
#include "wire/sea_messages.h"

namespace dbx::sea {

/// True when the statement has reached its end, good or bad.
bool IsTerminal(const StatementReply& reply);

/// Ok while the statement is on its way and once it has finished well (also when the server has
/// closed it already and sends the result along). kCancelled, kInvalidState (closed), or the code
/// of its SQLSTATE or, without one, of its error code. Names the statement.
Status ToStatus(const StatementReply& reply);

}  // namespace dbx::sea
