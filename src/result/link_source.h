// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "base/status.h"
#include "result/result_manifest.h"

namespace dbx {

/// The links of one result in row order. `Next` and `Refresh` are called by one thread, `Cancel` by
/// any.
///
/// An implementation checks that offsets are contiguous (row_offset = sum of earlier num_rows,
/// chunk_index = count of earlier links) and keeps the statement alive on the server while it
/// lives.
class LinkSource {
 public:
  virtual ~LinkSource() = default;

  /// The next link, or nullopt after the last one: only when the service has said that there are no
  /// more and, where totals are known, rows and chunks add up to them (kIntegrity otherwise). May
  /// call the service.
  virtual Result<std::optional<ResultLink>> Next() = 0;

  /// A fresh URL for the chunk of `stale`: same chunk_index, row_offset and num_rows, or
  /// kIntegrity.
  virtual Result<ResultLink> Refresh(const ResultLink& stale) = 0;

  /// Makes running and later calls return `reason`.
  virtual void Cancel(Status reason) = 0;
};

}  // namespace dbx
