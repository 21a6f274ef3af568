// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/status.h"
#include "warehouse/thrift/thrift_types.h"

namespace dbx::thrift {

/// The status that a reply carries: Ok for a success, one with information, and "still executing".
Status ToStatus(const TStatus& status);

/// The statement's end as an operation status tells it: Ok while it is on its way and once it has
/// finished well. kCancelled, kTimeout (its time was up), kInvalidState (the server closed it), or
/// the code of its SQLSTATE.
Status ToStatus(const TGetOperationStatusResp& operation);

/// True when the statement has reached its end, good or bad.
bool IsTerminal(const TGetOperationStatusResp& operation);

/// The dashed form of a handle's public part, as the service's query history shows it; empty when
/// it is not 16 bytes.
std::string ToUuid(const THandleIdentifier& handle);

}  // namespace dbx::thrift
