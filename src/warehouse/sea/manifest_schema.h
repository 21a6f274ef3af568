// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "arrow/record_batch.h"
#include "base/status.h"
#include "wire/sea_messages.h"

namespace dbx::sea {

/// The columns of a result in the order of their positions; as listed where the positions are no
/// order.
std::vector<ColumnMessage> InOrder(std::vector<ColumnMessage> columns);

/// The Arrow schema that the service would send for `columns` (in order): all nullable, timestamps
/// in `time_zone`, the SQL type in each field's metadata under the keys that Thrift results have.
Result<std::shared_ptr<const Schema>> SchemaFromManifest(const std::vector<ColumnMessage>& columns,
                                                         const std::string& time_zone);

/// Types and nullability of `rows` (the schema that came with them), names and metadata of
/// `columns`, by position. Errors: kInvalidData when they differ in number.
Result<std::shared_ptr<const Schema>> SchemaOfRows(const std::vector<ColumnMessage>& columns,
                                                   const Schema& rows);

/// True when a timestamp with a zone is among the columns or within them.
bool HasTimestamps(const std::vector<ColumnMessage>& columns);

/// The time zone of the first timestamp among the columns; empty when there is none.
std::string TimeZoneOf(const Schema& schema);

}  // namespace dbx::sea
