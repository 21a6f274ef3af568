// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "sql/tokenizer.h"

namespace dbx::local {

/// The name that the service gives the column of the unaliased expression [begin, end): "count(1)"
/// for count(*), "(a + b)" for a + b, "CAST(x AS INT)", the text of a literal.
std::string ColumnNameOf(const Tokens& tokens, size_t begin, size_t end);

/// What one item of a select list is.
struct SelectItemShape {
  size_t expression_end = 0;  ///< the expression is [begin, expression_end)
  std::string alias = {};     ///< empty: none given
  bool star = false;          ///< `*` or `t.*`, perhaps with EXCEPT
  bool plain_column = false;  ///< `a` or `t.a`
};
SelectItemShape ReadSelectItem(const Tokens& tokens, size_t begin, size_t end);

/// One past the last token of the select list that begins at `begin` (behind SELECT and DISTINCT).
size_t SelectListEnd(const Tokens& tokens, size_t begin, size_t end);

/// The ranges between the commas of [begin, end) that stand in no bracket; none for an empty range.
std::vector<std::pair<size_t, size_t>> SplitAtCommas(const Tokens& tokens, size_t begin,
                                                     size_t end);

}  // namespace dbx::local
