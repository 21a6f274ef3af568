// SPDX-License-Identifier: Apache-2.0
#include "metadata/table_schema.h"

#include "base/str_cat.h"

namespace dbx {

std::string QuoteTableName(const TableName& name, const Session& session) {
  std::string schema = name.schema;
  if (schema.empty() && !name.catalog.empty()) {
    schema = session.schema();
    if (schema.empty()) schema = "default";
  }
  std::string text;
  if (!name.catalog.empty()) text = StrCat(QuoteIdentifier(name.catalog), ".");
  if (!schema.empty()) text = StrCat(text, QuoteIdentifier(schema), ".");
  return StrCat(text, QuoteIdentifier(name.table));
}

Result<std::shared_ptr<const Schema>> FetchTableSchema(Session& session, const TableName& name,
                                                       Cancellation* cancellation) {
  if (name.table.empty()) return Status::InvalidArgument("table schema: no table is named");
  const std::string quoted = QuoteTableName(name, session);
  StatementRequest request;
  request.sql = StrCat("SELECT * FROM ", quoted, " LIMIT 0");
  Result<Execution> execution = session.Execute(request, cancellation);
  if (!execution.ok()) return execution.status().WithContext(StrCat("schema of ", quoted));
  if (execution->manifest.schema) return execution->manifest.schema;
  if (execution->rows) return execution->rows->schema();
  return Status::InvalidData(StrCat("schema of ", quoted, ": the service sent none"));
}

}  // namespace dbx
