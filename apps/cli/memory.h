// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace dbx::cli {

/// Peak resident size in bytes since this program began, or since the last ResetPeakMemory.
int64_t PeakMemory();

/// Gives free memory back and lets PeakMemory begin anew at what is resident now. False where the
/// system does not allow it: then the peak stays that of the whole program.
bool ResetPeakMemory();

/// Bytes in use that were asked of malloc. What is mapped past it, as the driver's large buffers
/// are, is not in it.
int64_t HeapBytes();

}  // namespace dbx::cli
