// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>

namespace dbx::cli {

/// Exit statuses of the program.
enum class Exit : int {
  kOk = 0,
  kFailed = 1,      ///< the query or the network failed
  kUsage = 2,       ///< wrong use
  kDifference = 3,  ///< validation found a difference
  kInterrupted = 130,
};

/// Why the program ends without having done its work.
class Failure : public std::runtime_error {
 public:
  Failure(Exit exit, const std::string& message) : std::runtime_error(message), exit_(exit) {}
  Exit exit() const { return exit_; }

 private:
  Exit exit_;
};

}  // namespace dbx::cli
