// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sql/sql_type.h"
#include "thrift/metadata_table.h"

namespace dbx::local {

/// What GetColumns says of a type. Sizes of fixed types are in bytes, as the service has them.
struct TypeFacts {
  int64_t jdbc_type = 0;
  int64_t column_size = 0;
  int64_t decimal_digits = 0;
  std::optional<int64_t> radix;
};

TypeFacts FactsOf(const SqlType& type);

/// The answer of GetTypeInfo.
MetadataTable TypeInfoTable();

}  // namespace dbx::local
