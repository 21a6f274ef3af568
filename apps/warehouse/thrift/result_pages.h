// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "base/status.h"
#include "result/link_terms.h"
#include "thrift/operation.h"
#include "thrift_generated/TCLIService_types.h"

namespace dbx::local {

/// What a client wants of one page.
struct PageRequest {
  thrift::TFetchOrientation::type orientation = thrift::TFetchOrientation::FETCH_NEXT;
  int64_t max_rows = -1;                         ///< negative: no limit
  int64_t max_bytes = 0;                         ///< not positive: no limit
  std::optional<int64_t> start_row_offset = {};  ///< begin with the piece that holds this row
};

/// Waits for the next page of `operation`'s result and fills `rows`, `has_more`. Whole batches and
/// links only, as many as fit the request and at least one. Returns the number of links given;
/// fails with the reason for which the result ended.
Result<int64_t> FetchPage(Operation* operation, const PageRequest& request, const LinkTerms& terms,
                          thrift::TRowSet* rows, bool* has_more);

/// The metadata of a result that can be fetched. Sizes are of the whole result, and left out until
/// that is known.
thrift::TGetResultSetMetadataResp MakeResultMetadata(const Operation& operation,
                                                     int64_t inline_limit_bytes);

}  // namespace dbx::local
