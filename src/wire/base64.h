// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace dbx {

/// The bytes behind text in the standard alphabet, with or without its padding. nullopt: no such
/// text.
std::optional<std::string> DecodeBase64(std::string_view text);

}  // namespace dbx
