// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <string>

#include "result/result_manifest.h"
#include "warehouse/thrift/thrift_types.h"

namespace dbx::thrift {

/// How the rows of a result come, which decides what its types are when the server sends no Arrow
/// schema.
enum class RowForm : uint8_t {
  kArrow,    ///< batches or files; decimals, intervals and nested types are text there, timestamps
             ///< have no zone
  kColumns,  ///< values in columns; decimals and timestamps are read from their text
};

/// The schema that the application sees: the server's Arrow schema, field metadata included, even
/// when it has fewer fields than the list of columns; without one, made of that list. `timezone` is
/// for timestamps of kColumns. Errors: kInvalidData.
Result<std::shared_ptr<const Schema>> SchemaOf(const TGetResultSetMetadataResp& metadata,
                                               RowForm form, const std::string& timezone);

/// The zone of timestamps whose text has none, from the session's settings: "UTC" unless they name
/// another; empty (wall clock time, no zone) when the zone is not UTC by whatever name, because its
/// offsets are not known here.
std::string ColumnTimezone(const std::map<std::string, std::string>& settings);

/// True when the metadata tells the columns, in Arrow or in the service's own form.
bool HasSchema(const TGetResultSetMetadataResp& metadata);

}  // namespace dbx::thrift
