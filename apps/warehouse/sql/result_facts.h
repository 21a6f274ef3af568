// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sql/table_facts.h"
#include "sql/tokenizer.h"

namespace dbx::local {

/// What is known of a table's columns; nullopt for one that is unknown. `parts` is its name as
/// written.
using FactsOfTable =
    std::function<std::optional<std::vector<ColumnFact>>(const std::vector<std::string>& parts)>;

/// What the text of the query [begin, end) tells of its columns beyond the engine's types: which
/// cannot be null (literals, counts, NOT NULL columns that no outer join reaches), which are VOID,
/// and which kind an interval is of. One fact a column, in order; nullopt when the text does not
/// tell how many there are.
std::optional<std::vector<ColumnFact>> QueryFacts(const Tokens& tokens, size_t begin, size_t end,
                                                  const FactsOfTable& tables);

}  // namespace dbx::local
