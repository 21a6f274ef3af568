// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/log.h"
#include "base/status.h"

namespace dbx {

/// A log that adds one line an event, with the time (UTC) and the level, to `file` (standard error
/// when empty). Each line is one write, so that lines of several threads and processes do not mix.
/// Nothing is opened when the level is off. Errors: kInvalidArgument when the file cannot be
/// opened.
Result<Log> MakeFileLog(LogLevel level, const std::string& file);

}  // namespace dbx
