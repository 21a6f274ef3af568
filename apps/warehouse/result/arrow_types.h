// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "result/record_batch_writer.h"
#include "sql/sql_type.h"

namespace dbx::local {

/// Which types a client takes as Arrow's own; the others travel as text.
struct NativeTypes {
  bool timestamp = false;
  bool decimal = false;
  bool complex = false;
  bool interval = false;
  bool null_type = false;
};

inline constexpr NativeTypes kAllNative{
    .timestamp = true, .decimal = true, .complex = true, .interval = true, .null_type = true};

/// True when `type`, as a column, is handed out as text instead of in its fixed Arrow form.
bool TravelsAsText(const SqlType& type, const NativeTypes& native);

/// Layout of a column of `type` in a batch; texts when it travels so.
ColumnLayout LayoutOf(const SqlType& type, const NativeTypes& native);

/// How a schema message is dressed.
struct SchemaStyle {
  bool field_metadata = true;  ///< the two Spark:DataType keys on every top field
  bool stale_names = false;    ///< a fault: names that are not those of the query
};

/// One encapsulated Schema message for `columns`, without end mark. Timestamps bear `time_zone`.
Result<std::string> MakeSchemaMessage(const std::vector<ResultColumn>& columns,
                                      const NativeTypes& native, const std::string& time_zone,
                                      const SchemaStyle& style);

}  // namespace dbx::local
