// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "adbc/parameter_markers.h"
#include "adbc/parameter_value.h"
#include "base/status.h"
#include "nanoarrow/nanoarrow.hpp"
#include "warehouse/session.h"

namespace dbx {

/// Makes a stream of one batch of what StatementBind was given. Takes both structs (their `release`
/// is null afterwards) once they are seen to be usable; they are left alone otherwise. Errors:
/// kInvalidArgument.
Result<nanoarrow::UniqueArrayStream> TakeBatch(ArrowArray* values, ArrowSchema* schema);

/// The same for StatementBindStream.
Result<nanoarrow::UniqueArrayStream> TakeStream(ArrowArrayStream* stream);

/// The rows of bound data, one execution each. Holds one batch at a time. The application's stream
/// is only called from within Next, with no lock held: it may need a lock of the application's own.
/// One thread at a time.
class BoundRows {
 public:
  /// Errors: kInvalidArgument (not a stream of structs), those of ParameterColumn::Make, kIo when
  /// the application's stream fails.
  static Result<BoundRows> Open(nanoarrow::UniqueArrayStream stream);

  /// The next row's values in the order of the columns, or nullopt after the last row.
  Result<std::optional<std::vector<BoundValue>>> Next();

  /// Names of the columns; empty where one has none.
  std::vector<std::string> names() const;

 private:
  BoundRows() = default;

  /// False after the last batch.
  Result<bool> NextBatch();
  Result<std::vector<BoundValue>> RowAt(int64_t row) const;

  nanoarrow::UniqueArrayStream stream_;
  nanoarrow::UniqueSchema schema_;
  std::vector<ParameterColumn> columns_;
  nanoarrow::UniqueArray batch_;
  nanoarrow::UniqueArrayView view_;
  int64_t next_row_ = 0;
};

/// Puts a row's values into a request: as parameters, and literals into the text. Errors:
/// kInvalidArgument when values and markers differ in number, kNotImplemented where a literal's
/// place is uncertain.
Status BindRow(std::string_view sql, const ParameterMarkers& markers,
               std::vector<BoundValue> values, StatementRequest* request);

/// The same by name: column `names[i]` takes the place of each `:names[i]`. Errors:
/// kInvalidArgument when a marker has no column, a column no marker, or two columns one name.
Status BindRowByName(std::string_view sql, const ParameterMarkers& markers,
                     const std::vector<std::string>& names, std::vector<BoundValue> values,
                     StatementRequest* request);

}  // namespace dbx
