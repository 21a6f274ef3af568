// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>

#include "base/status.h"
#include "duckdb.h"
#include "sql/arrow_array.h"
#include "sql/sql_type.h"

namespace dbx::local {

/// Turns vectors of the engine into one Arrow column of the form that sql_type.h fixes. One thread.
class ColumnBuilder {
 public:
  virtual ~ColumnBuilder() = default;
  /// Appends `count` values from `offset` on. Errors: a number that the service's type cannot hold,
  /// texts of more than 2^31 - 1 bytes in one column.
  virtual Status Append(duckdb_vector vector, idx_t offset, idx_t count) = 0;
  /// Hands the column out, owned by `*array`, and begins anew.
  virtual void Finish(ArrowArray* array) = 0;
  /// Bytes that Append would add to a column of 32-bit offsets; 0 for other types.
  virtual size_t TextBytes(duckdb_vector /*vector*/, idx_t /*offset*/, idx_t /*count*/) const {
    return 0;
  }
  /// Bytes of text so far.
  virtual size_t text_bytes() const { return 0; }
};

/// For values of the engine's `source`, handed out as `target` (what FromEngineType or a hint made
/// of it).
Result<std::unique_ptr<ColumnBuilder>> MakeColumnBuilder(const SqlType& target,
                                                         duckdb_logical_type source);

}  // namespace dbx::local
