// SPDX-License-Identifier: Apache-2.0
#include "warehouse/session_names.h"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace dbx {

std::string CatalogAsked(const SessionConfig& config) {
  constexpr std::string_view kAlias = "SPARK";
  const bool alias =
      std::equal(config.catalog.begin(), config.catalog.end(), kAlias.begin(), kAlias.end(),
                 [](unsigned char a, char b) { return std::toupper(a) == b; });
  return alias ? std::string() : config.catalog;
}

}  // namespace dbx
