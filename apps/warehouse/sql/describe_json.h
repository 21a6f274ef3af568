// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sql/engine.h"
#include "sql/table_facts.h"

namespace dbx::local {

/// The text of DESCRIBE TABLE EXTENDED … AS JSON.
std::string DescribeJson(const TableInfo& table, const std::vector<ColumnInfo>& columns,
                         const TableFacts& facts);

}  // namespace dbx::local
