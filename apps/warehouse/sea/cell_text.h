// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "result/time_zone.h"
#include "sql/sql_type.h"

struct ArrowArray;

namespace dbx::local {

/// Appends the value at `row` of a column (not NULL) as the API writes it in JSON_ARRAY and CSV:
/// timestamps as ISO 8601 with milliseconds (microseconds where there are any) and the offset of
/// `zone`, bytes in base64, arrays, maps and structs as JSON; all else as Thrift writes it.
void AppendCell(const SqlType& type, const ArrowArray& array, int64_t row, const TimeZone& zone,
                std::string* out);

/// Appends `text` as a JSON string, with its quotes. Bytes beyond ASCII stay as they are.
void AppendJsonString(std::string_view text, std::string* out);

/// Appends `bytes` in base64 with padding.
void AppendBase64(std::string_view bytes, std::string* out);

}  // namespace dbx::local
