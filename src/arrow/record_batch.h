// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "base/status.h"
#include "nanoarrow/nanoarrow.hpp"

namespace dbx {

/// The columns of a result: names, types, nullability, field metadata. Immutable once made, so it
/// is shared freely between threads.
class Schema {
 public:
  /// Takes what `schema` holds (a struct of columns); `schema->release` is null afterwards, also on
  /// failure.
  static Result<std::shared_ptr<const Schema>> Take(ArrowSchema* schema);

  explicit Schema(nanoarrow::UniqueSchema schema) : schema_(std::move(schema)) {}

  const ArrowSchema* c_schema() const { return schema_.get(); }
  int64_t num_columns() const { return schema_->n_children; }
  /// Empty for a column without a name.
  std::string_view column_name(int64_t column) const {
    const char* const name = schema_->children[column]->name;
    return name ? std::string_view(name) : std::string_view();
  }

  /// A deep copy for the C ABI; the caller releases it.
  Status CopyTo(ArrowSchema* out) const;

 private:
  nanoarrow::UniqueSchema schema_;
};

/// Arrow rows of one schema: a struct array whose children are the columns. Move-only; owns its
/// buffers by reference count, so it may outlive the stream that it came from and be released on
/// any thread.
class RecordBatch {
 public:
  RecordBatch() = default;
  /// Takes what `array` holds; `array->release` is null afterwards.
  explicit RecordBatch(ArrowArray* array);
  RecordBatch(RecordBatch&&) noexcept = default;
  RecordBatch& operator=(RecordBatch&&) noexcept = default;

  int64_t num_rows() const { return array_->release ? array_->length : 0; }
  const ArrowArray* c_array() const { return array_.get(); }

  /// Keeps the first `num_rows` rows (no more than there are). Copies nothing: lengths change,
  /// buffers stay.
  void Truncate(int64_t num_rows);

  /// Gives the array to the C ABI; this is empty afterwards.
  void MoveTo(ArrowArray* out);

 private:
  nanoarrow::UniqueArray array_;
};

}  // namespace dbx
