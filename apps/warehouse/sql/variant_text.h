// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace dbx::local {

/// A VARIANT's text as the service prints it: `json` without blanks between its parts and with the
/// keys of each object in order. Texts and numbers stay as they are written; so does all of it when
/// it is no JSON, or nested more than 500 deep.
std::string VariantText(std::string_view json);

}  // namespace dbx::local
