// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "sql/sql_type.h"
#include "thrift_generated/TCLIService_types.h"

namespace dbx::local {

/// The columns as Thrift describes them: one primitive entry each, positions from 1.
thrift::TTableSchema MakeTableSchema(const std::vector<ResultColumn>& columns);

}  // namespace dbx::local
