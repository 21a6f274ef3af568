// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace dbx::cli {

/// "1,441,548".
std::string WithThousands(int64_t number);

/// "571.2 MB" (millions of bytes) or "812 kB".
std::string ByteSize(double num_bytes);

/// "0.84 s" or "2 min 05 s".
std::string Duration(double seconds);

/// Cells that a terminal uses for UTF-8 text.
int DisplayWidth(std::string_view text);

/// The front of `text` that fits into `width` cells, ended by "…" when something was cut.
std::string Fit(std::string_view text, int width);

/// Control characters and line breaks as visible escapes, so that a value cannot steer the
/// terminal.
std::string Printable(std::string_view text);

}  // namespace dbx::cli
