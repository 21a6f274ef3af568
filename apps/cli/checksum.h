// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "nanoarrow/nanoarrow.hpp"

namespace dbx::cli {

/// Checksums of the columns of a result that do not depend on the order of its rows or the cut of
/// its batches: for each column the sum (modulo 2^64) of a 64-bit hash of each value, NULL
/// included. Equal results have equal sums.
class ColumnChecksums {
 public:
  explicit ColumnChecksums(const ArrowSchema* schema);

  void Add(const ArrowArray& batch);

  struct Column {
    std::string name;
    uint64_t sum = 0;
    int64_t nulls = 0;
  };
  const std::vector<Column>& columns() const { return columns_; }

  /// One number for the whole result: the columns' sums, mixed in column order.
  uint64_t Total() const;

 private:
  nanoarrow::UniqueArrayView view_;
  std::vector<Column> columns_;
};

}  // namespace dbx::cli
