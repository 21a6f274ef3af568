// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace dbx {

/// Where the markers of a statement stand.
struct ParameterMarkers {
  struct Named {
    size_t offset = 0;  ///< of the colon
    std::string name;   ///< without it
  };
  std::vector<size_t> offsets;  ///< of each `?`, in bytes
  std::vector<Named> named;     ///< each `:name`, in order; a name may come again
  /// The text has `?::`, which is a marker with a cast or the operator that tries a cast: the
  /// service alone can tell.
  bool uncertain = false;
};

/// Finds the markers outside of literals, quoted names and comments.
ParameterMarkers FindParameterMarkers(std::string_view sql);

/// `sql` without white space and semicolons at its end.
std::string_view TrimStatementEnd(std::string_view sql);

/// True when the statement's first word asks for rows and changes nothing, as far as a word can
/// tell.
bool LooksLikeQuery(std::string_view sql);

}  // namespace dbx
