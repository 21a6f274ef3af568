// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace dbx::local {

enum class TokenKind : uint8_t {
  kWord,        ///< identifier or key word, unquoted
  kQuotedWord,  ///< identifier in back-ticks
  kString,      ///< '…', "…", r'…': a string literal in any of its forms
  kBinary,      ///< X'…'
  kNumber,      ///< digits with fraction, exponent and suffix (1L, 1.5BD, 2e3)
  kOperator,  ///< one operator or bracket; '>' always alone, because it also closes type arguments
  kMarker,    ///< `?`, `:name`, ``:`name` ``
  kEnd,       ///< behind the last token; offset is the length of the text
};

/// One word of a statement and where it stands in the text.
struct Token {
  TokenKind kind = TokenKind::kEnd;
  std::string text;   ///< as written
  std::string value;  ///< decoded: the identifier or string without quotes, the marker's name, the
                      ///< hex digits
  size_t offset = 0;  ///< of the first byte
  bool space_before = false;  ///< white space or a comment stands before it

  /// An unquoted word equal to `word` (given in upper case), whatever its case.
  bool Is(std::string_view word) const;
  /// The operator `symbol`.
  bool IsOperator(std::string_view symbol) const {
    return kind == TokenKind::kOperator && text == symbol;
  }
  /// Something that can name a column, table, schema or function.
  bool IsIdentifier() const { return kind == TokenKind::kWord || kind == TokenKind::kQuotedWord; }
};

using Tokens = std::vector<Token>;

/// Splits a statement of the service's dialect. Comments (`--`, nested `/* */`) vanish. The last
/// token is always kEnd. Fails with PARSE_SYNTAX_ERROR for an unclosed string, identifier or
/// comment.
Result<Tokens> Tokenize(std::string_view sql);

/// Position of the bracket that closes `tokens[open]` (one of `(`, `[`), or of kEnd when none does.
size_t FindClosing(const Tokens& tokens, size_t open);

}  // namespace dbx::local
