// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "result/column_values.h"

namespace dbx {

/// One Arrow record batch message without its schema, perhaps in LZ4 frames.
struct InlineBatch {
  std::string bytes;
  int64_t num_rows = 0;  ///< rows that count; 0 or less: as many as there are
};

/// Rows that came within one reply: batches or columns, or neither (a page without rows).
struct InlinePage {
  /// Of the first row in the whole result; nullopt: the service does not say.
  std::optional<int64_t> row_offset;
  std::vector<InlineBatch> batches;
  std::vector<ColumnValues> columns;
};

/// The pages of one inline result in row order. `Next` is called by one thread, `Cancel` by any.
class PageSource {
 public:
  virtual ~PageSource() = default;

  /// The next page, or nullopt after the last one. May call the service. After an error, the same
  /// again.
  virtual Result<std::optional<InlinePage>> Next() = 0;

  /// Makes running and later calls return `reason`.
  virtual void Cancel(Status reason) = 0;
};

/// Fetches up to `depth` pages of `pages` ahead on a thread of its own, so that the reader finds
/// the next page there when it has read one. Starts to work at once; an error comes after the pages
/// before it. Destroying it cancels.
std::unique_ptr<PageSource> MakePrefetchingPageSource(std::unique_ptr<PageSource> pages,
                                                      size_t depth);

}  // namespace dbx
