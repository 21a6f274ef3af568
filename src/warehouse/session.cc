// SPDX-License-Identifier: Apache-2.0
#include "warehouse/session.h"

#include "warehouse/thrift/thrift_session.h"

namespace dbx {

Result<std::unique_ptr<Session>> OpenSession(const SessionContext& context,
                                             Cancellation* cancellation) {
  if (context.config->protocol == Protocol::kSea) {
    return Status::NotImplemented(
        "databricks.protocol=sea: the Statement Execution API comes with a later release; use "
        "'thrift' or 'auto'");
  }
  return thrift::OpenThriftSession(context, cancellation);
}

std::string QuoteIdentifier(std::string_view name) {
  std::string quoted = "`";
  for (const char c : name) {
    if (c == '`') quoted.push_back('`');
    quoted.push_back(c);
  }
  quoted.push_back('`');
  return quoted;
}

}  // namespace dbx
