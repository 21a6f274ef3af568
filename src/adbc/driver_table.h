// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "arrow-adbc/adbc.h"

namespace dbx {

/// What both entry points do: fills `driver` (an AdbcDriver) for ADBC 1.0.0 or 1.1.0, every slot of
/// that version and not a byte beyond. Touches nothing for other versions (NOT_IMPLEMENTED), so
/// that a manager may ask again for less. Any number of tables may be in use at once; they share
/// nothing.
AdbcStatusCode FillDriverTable(int version, void* driver, AdbcError* error);

}  // namespace dbx
