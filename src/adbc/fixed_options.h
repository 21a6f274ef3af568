// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "adbc/option_access.h"
#include "base/status.h"
#include "options/option_table.h"

namespace dbx {

/// Options of ADBC itself that have one possible value in this driver, such as autocommit "true".
/// nullopt: `name` is none of them on a handle of `scope`.
///
/// Setting that one value, or nothing, is a success. Errors: kNotImplemented for other values that
/// the standard knows, kInvalidArgument for the rest.
std::optional<Status> SetFixedOption(OptionScope scope, std::string_view name,
                                     const TypedValue& value);
std::optional<std::string> GetFixedOption(OptionScope scope, std::string_view name);

}  // namespace dbx
