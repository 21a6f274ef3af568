// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "base/status.h"

namespace dbx {

/// The names and values of section `[profile]` in the text of a profile file (the INI form of
/// ~/.databrickscfg: `name = value`,
/// `#` and `;` begin comments). Errors: kNotFound without that section.
Result<std::map<std::string, std::string>> ReadProfile(std::string_view text,
                                                       std::string_view profile);

}  // namespace dbx
