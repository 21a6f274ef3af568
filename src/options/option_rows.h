// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "options/option_table.h"

namespace dbx {

/// Every option of the driver, in the order of the documentation. `OptionTable` keeps the one copy.
std::vector<OptionRow> MakeOptionRows();

}  // namespace dbx
