// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace dbx::cli {

/// A statement of a file of queries.
struct NamedQuery {
  std::string name;
  std::string sql;
};

/// Which queries of a file are wanted.
struct QueryChoice {
  std::string file;                    ///< JSON: [{"name", "sql", "scale"?}]
  std::vector<std::string> only = {};  ///< names; empty: all
  int scale = 0;                       ///< queries of this scale only; 0: all
};

/// The chosen queries in the order of the file. Throws Failure(kUsage) when the file cannot be
/// read, is no such list, lacks a name of `only`, or when nothing is left.
std::vector<NamedQuery> ReadNamedQueries(const QueryChoice& choice);

}  // namespace dbx::cli
