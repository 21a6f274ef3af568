// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace dbx {

/// As people see them, in GetInfo and in the user agent.
std::string_view DriverName();
std::string_view DriverVersion();
/// "v" and the version of the Arrow library within.
std::string_view DriverArrowVersion();

}  // namespace dbx
