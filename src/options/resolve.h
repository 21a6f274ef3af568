// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>

#include "base/status.h"
#include "options/config.h"
#include "options/option_set.h"

namespace dbx {

/// What lies outside the options themselves, so that a test can have its own.
struct OptionSources {
  std::function<std::optional<std::string>(const std::string& name)> environment;
  std::function<Result<std::string>(const std::string& path)> read_file;

  /// The process's environment and the machine's files.
  static OptionSources Real();
};

/// All options of a handle after precedence: `explicit_sets` from the outermost (database) to the
/// innermost (statement), of which the innermost counts; then the URI, the environment, the profile
/// file, the defaults.
///
/// Checks what only the whole can show: host and path are there and fit each other, plain http goes
/// to the loopback only. Errors: kInvalidArgument that names the option and the mend.
Result<Config> ResolveConfig(std::span<const OptionSet* const> explicit_sets,
                             const OptionSources& sources);

}  // namespace dbx
