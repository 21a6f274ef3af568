// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/status.h"

namespace dbx::local {

struct TpcdsOptions {
  std::string directory;  ///< where the file is to be; exists
  double scale = 1;
  std::string extension = {};  ///< file of the tpcds extension; empty: the engine's own
  std::string program = {};  ///< tpcgen-cli, to make the rows in less memory; empty: the extension
  int threads = 2;
  std::function<void(std::string_view)> progress = {};
};

/// Columns and types are the extension's, whoever makes the rows. The values differ between the
/// two, the numbers of rows do not.

/// "<directory>/tpcds_sf<scale>.duckdb".
std::string TpcdsPath(const TpcdsOptions& options);

/// Makes the file unless it is there. It is written under another name and renamed when whole, so
/// that a file of the right name is always complete, whenever a process was killed; leftovers are
/// made anew. Processes that want the same file at once wait for one another by a lock on
/// "<path>.lock". Errors: kIo with the path; kInternal with the engine's text.
Status EnsureTpcds(const TpcdsOptions& options);

}  // namespace dbx::local
