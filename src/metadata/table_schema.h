// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "arrow/record_batch.h"
#include "base/cancellation.h"
#include "base/status.h"
#include "warehouse/session.h"

namespace dbx {

/// A table's place. Empty catalog or schema: the session's own.
struct TableName {
  std::string catalog;
  std::string schema;
  std::string table;
};

/// The name as SQL takes it, every part quoted. A catalog without a schema gets the session's
/// schema, or `default`.
std::string QuoteTableName(const TableName& name, const Session& session);

/// The columns of a table with the types that a result of it has: the service is asked for no rows
/// of it. Errors: kInvalidArgument without a table, kNotFound when there is none, else the
/// session's.
Result<std::shared_ptr<const Schema>> FetchTableSchema(Session& session, const TableName& name,
                                                       Cancellation* cancellation);

}  // namespace dbx
