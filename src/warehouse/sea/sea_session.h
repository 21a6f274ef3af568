// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "base/cancellation.h"
#include "base/status.h"
#include "warehouse/session.h"

namespace dbx::sea {

/// A session over the Statement Execution API, for warehouses alone (kInvalidArgument for a
/// cluster). The service's answer that it does not speak the API there is kNotFound or has HTTP
/// status 307, 404, 405 or 501. Errors: as OpenSession.
Result<std::unique_ptr<Session>> OpenSeaSession(const SessionContext& context,
                                                Cancellation* cancellation);

}  // namespace dbx::sea
