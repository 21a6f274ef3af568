// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "arrow/record_batch.h"

namespace dbx {

/// A batch with a column of each type that results may have, nested ones too, with nulls in most of
/// them.
class EveryType {
 public:
  explicit EveryType(int64_t num_rows);

  const std::shared_ptr<const Schema>& schema() const { return schema_; }
  const ArrowArray* array() const { return array_.get(); }

  /// Empty when `other` has the same values, else what differs first.
  std::string DifferenceTo(const ArrowArray& other) const;

 private:
  std::shared_ptr<const Schema> schema_;
  nanoarrow::UniqueArray array_;
};

}  // namespace dbx
