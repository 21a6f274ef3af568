// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace dbx::local {

/// A pattern of letters such as "yyyy-MM-dd HH:mm:ss.SSS" as the engine's "%Y-%m-%d %H:%M:%S.%g".
/// Letters that have no counterpart stay as they are.
std::string EngineDatePattern(std::string_view pattern);

}  // namespace dbx::local
