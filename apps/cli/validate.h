// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "connection.h"
#include "failure.h"
#include "named_queries.h"

namespace dbx::cli {

struct ValidateOptions {
  ConnectionOptions connection;
  QueryChoice queries;
  std::map<std::string, int64_t> expected;  ///< name → rows
  std::string save_file;                    ///< checksums are written here
  std::string compare_file;                 ///< and compared with these
  bool quiet = false;
};

/// Reads every query's result to the end and compares the rows with the server's own count(*), with
/// stated figures and with saved checksums. kDifference when anything differs. Throws Failure.
Exit RunValidate(const ValidateOptions& options);

}  // namespace dbx::cli
