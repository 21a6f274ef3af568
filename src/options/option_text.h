// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace dbx {

/// Letters to insert, remove or change to make one text of the other.
size_t EditDistance(std::string_view left, std::string_view right);

/// "%41" and the like decoded; a '%' without two hex digits stays.
std::string PercentDecode(std::string_view text);

}  // namespace dbx
