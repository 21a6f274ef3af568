// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "row_stream.h"

namespace dbx::cli {

enum class Format : uint8_t { kTable, kParquet, kArrowFile, kArrowStream, kCsv, kJsonLines };

/// The format that `name` ("csv", "arrows", …) or, when that is empty, the extension of `path`
/// stands for. Throws Failure(kUsage) when neither says.
Format ChooseFormat(const std::string& name, const std::string& path);

/// Writes all rows of `rows` to the file `path` ("/dev/stdout" for a pipe) in any format but
/// kTable. Throws Failure.
void WriteRows(RowStream& rows, Format format, const std::string& path);

/// Prints up to `max_rows` rows as a table that fits `width` cells (0: any).
void PrintRows(RowStream& rows, int64_t max_rows, int width);

}  // namespace dbx::cli
