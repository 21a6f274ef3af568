// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "result/stored_result.h"
#include "sql/engine.h"

namespace dbx::local {

/// NULL, a text, a number, a truth value.
using Cell = std::variant<std::monostate, std::string, int64_t, bool>;

/// The answer of a metadata call: its columns with their comments, and rows.
class MetadataTable {
 public:
  MetadataTable& Column(std::string name, SqlTypeId type, std::string comment);
  void Row(std::vector<Cell> cells) { rows_.push_back(std::move(cells)); }

  /// Fills `result`, completely.
  Status WriteTo(StoredResult* result) const;

 private:
  std::vector<ResultColumn> columns_;
  std::vector<std::vector<Cell>> rows_;
};

}  // namespace dbx::local
