// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "connection.h"
#include "failure.h"

namespace dbx::cli {

struct ValidateOptions {
  ConnectionOptions connection;
  std::string queries_file;                 ///< JSON: [{"name", "sql", "scale"?}]
  std::vector<std::string> only;            ///< names; empty: all
  std::map<std::string, int64_t> expected;  ///< name → rows
  int scale = 0;                            ///< queries of this scale only; 0: all
  std::string save_file;                    ///< checksums are written here
  std::string compare_file;                 ///< and compared with these
  bool quiet = false;
};

/// Reads every query's result to the end and compares the rows with the server's own count(*), with
/// stated figures and with saved checksums. kDifference when anything differs. Throws Failure.
Exit RunValidate(const ValidateOptions& options);

}  // namespace dbx::cli
