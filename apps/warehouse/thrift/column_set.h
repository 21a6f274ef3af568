// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "result/time_zone.h"
#include "sql/sql_type.h"
#include "thrift_generated/TCLIService_types.h"

struct ArrowArray;

namespace dbx::local {

/// Rows [first, first + count) of a batch in its fixed Arrow form.
struct RowRange {
  const ArrowArray* batch = nullptr;
  int64_t first = 0;
  int64_t count = 0;
};

/// The rows of `ranges`, one after another, as a COLUMN_BASED_SET: what has no number of its own in
/// Thrift is text, timestamps in `zone`. The null bitmaps are cut behind the last NULL, as Java's
/// bit sets are, but never empty.
std::vector<thrift::TColumn> MakeColumns(const std::vector<ResultColumn>& columns,
                                         const std::vector<RowRange>& ranges, const TimeZone& zone);

/// Roughly the bytes that these rows take in a reply.
int64_t EstimateBytes(const std::vector<ResultColumn>& columns, const RowRange& range);

}  // namespace dbx::local
