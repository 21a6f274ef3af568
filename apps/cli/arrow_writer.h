// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "row_stream.h"

namespace dbx::cli {

enum class ArrowLayout : uint8_t { kFile, kStream };

/// Writes all rows as Arrow IPC, batch by batch. Throws Failure.
void WriteArrow(RowStream& rows, ArrowLayout layout, const std::string& path);

}  // namespace dbx::cli
