// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "base/status.h"
#include "result/result_stream.h"
#include "warehouse/session.h"

namespace dbx {

/// The answer to GetTableTypes: one column `table_type` (utf8, never null). Errors: the session's.
Result<std::unique_ptr<ResultStream>> MakeTableTypesStream(Session& session);

}  // namespace dbx
