// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace dbx::cli {

/// Rows of texts under headings.
struct Table {
  std::vector<std::string> headings;
  std::vector<bool> right_aligned;  ///< one a column; shorter: left
  std::vector<std::vector<std::string>> rows;
};

/// The table in lines of at most `width` cells (0: as wide as it is). Wide columns are narrowed
/// first; columns that do not fit at all are left out and counted under the table.
std::string RenderTable(const Table& table, int width);

}  // namespace dbx::cli
