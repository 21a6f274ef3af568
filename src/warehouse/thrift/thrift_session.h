// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "base/cancellation.h"
#include "base/status.h"
#include "warehouse/session.h"

namespace dbx::thrift {

/// A session over Thrift. A server that refuses Thrift says so with SQLSTATE KP001, which the error
/// keeps.
Result<std::unique_ptr<Session>> OpenThriftSession(const SessionContext& context,
                                                   Cancellation* cancellation);

}  // namespace dbx::thrift
