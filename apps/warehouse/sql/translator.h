// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/status.h"
#include "sql/engine.h"
#include "sql/parameters.h"
#include "sql/rewrite_table.h"
#include "sql/tokenizer.h"

namespace dbx::local {

/// What a translation has to know of the session.
struct TranslationContext {
  std::string sql = {};  ///< the client's text, for errors
  std::string catalog = "main";
  std::string schema = "default";
  std::string user = "user@localhost";
  std::string time_zone = "Etc/UTC";
  std::set<std::string> catalogs = {"main"};  ///< known ones, lower case
  std::vector<SqlParameter> parameters = {};
};

/// A statement for the engine, and where each piece of it comes from.
struct Translation {
  std::string sql;
  std::vector<std::pair<size_t, size_t>>
      positions;  ///< (offset here, offset in the client's text), ascending

  /// Where the byte at `offset` of `sql` comes from.
  size_t SourceOffset(size_t offset) const;
};

/// A run of engine text.
struct Piece {
  std::string text;
  size_t source = 0;   ///< offset in the client's text
  bool space = false;  ///< a blank stands before it
};
using Pieces = std::vector<Piece>;

/// The name inside the engine of catalog `name`, unquoted: "c_main".
std::string EngineCatalog(std::string_view name);

Translation Assemble(const Pieces& pieces);

/// Turns tokens of the service's dialect into the engine's, by the tables of rewrite_table.h. Each
/// part of a statement is rewritten once and in order: `?` markers are counted on the way.
class Translator {
 public:
  /// Both must outlive this.
  Translator(const Tokens& tokens, const TranslationContext& context)
      : tokens_(tokens), context_(context), parameters_(context.parameters) {}

  /// The tokens [begin, end) as pieces. Errors: PARSE_SYNTAX_ERROR, UNBOUND_SQL_PARAMETER, …
  Result<Pieces> Rewrite(size_t begin, size_t end);

 private:
  using Handler = Status (Translator::*)(size_t* at, size_t end, Pieces& out);
  struct WordRule {
    std::string_view word;
    Handler handler;
  };
  static const WordRule kWordRules[];

  Status Append(size_t begin, size_t end, Pieces& out);
  Status One(size_t* at, size_t end, Pieces& out);
  Status Word(size_t* at, size_t end, Pieces& out);
  Status Operator(size_t* at, size_t end, Pieces& out);
  Status Identifier(size_t* at, size_t end, Pieces& out);
  Status String(size_t* at, Pieces& out);
  Status Plus(size_t* at, Pieces& out);
  Status Number(size_t* at, Pieces& out);
  Status Marker(size_t* at, Pieces& out);

  // Words (translator_words.cc). Each may leave `*at` as it is: then the word is copied.
  Status Select(size_t* at, size_t end, Pieces& out);
  Status SelectItem(size_t begin, size_t end, Pieces& out);
  Status Values(size_t* at, size_t end, Pieces& out);
  Status TypedLiteral(size_t* at, size_t end, Pieces& out);
  Status Interval(size_t* at, size_t end, Pieces& out);
  Status IntegerDivision(size_t* at, size_t end, Pieces& out);
  Status Except(size_t* at, size_t end, Pieces& out);
  Status Minus(size_t* at, size_t end, Pieces& out);
  Status SidedJoin(size_t* at, size_t end, Pieces& out);
  Status Like(size_t* at, size_t end, Pieces& out);
  Status RegularExpression(size_t* at, size_t end, Pieces& out);
  Status Not(size_t* at, size_t end, Pieces& out);
  Status LateralView(size_t* at, size_t end, Pieces& out);
  Status BareWord(size_t* at, size_t end, Pieces& out);
  Status SampleClause(size_t* at, size_t end, Pieces& out);

  // Calls (translator_calls.cc). `open` and `close` are the brackets of the arguments.
  struct Call {
    size_t name = 0;
    size_t open = 0;
    size_t close = 0;
    std::vector<std::pair<size_t, size_t>> arguments = {};  ///< ranges of tokens
  };
  Call ReadCall(size_t name, size_t open) const;
  Status FunctionCall(size_t* at, size_t open, Pieces& out);
  Status Template(const Call& call, std::string_view replacement, Pieces& out);
  Status Special(SpecialCall special, const FunctionRewrite& row, const Call& call, Pieces& out);
  Status Cast(const Call& call, std::string_view function, Pieces& out);
  Status MapCall(const Call& call, Pieces& out);
  Status StructCall(const Call& call, bool named, Pieces& out);
  Status DecodeCall(const Call& call, Pieces& out);
  Status DateAdd(const Call& call, Pieces& out);
  Status DateDiff(const Call& call, Pieces& out);
  Status PatternCall(const Call& call, std::string_view without, std::string_view with,
                     Pieces& out);
  Status JsonCall(const Call& call, Pieces& out);
  Status VariantGet(const Call& call, Pieces& out);
  Status WindowInteger(const Call& call, std::string_view replacement, size_t* at, size_t end,
                       Pieces& out);
  Status IdentifierCall(const Call& call, Pieces& out);

  /// True when the session's zone is UTC: there, moments and wall clocks are the same number.
  bool InUtc() const;
  std::string SessionText(char placeholder) const;
  /// One past the operand (literal, name, call, bracket) that begins at `at`.
  size_t OperandEnd(size_t at, size_t end) const;
  /// True behind FROM, JOIN, INTO, UPDATE, TABLE: a name there is a table.
  bool NamesTable(size_t at) const;
  Status SyntaxErrorAt(size_t at) const;
  static void Emit(Pieces& out, const Token& token, std::string text, bool space);

  const Tokens& tokens_;
  const TranslationContext& context_;
  ParameterList parameters_;
  size_t operand_ = 0;                 ///< index in the current pieces of the operand written last
  bool operand_is_timestamp_ = false;  ///< it surely is one with a zone
  int depth_ = 0;                      ///< of nested calls of Append
};

/// A whole statement, up to kEnd or a closing `;`.
Result<Translation> Translate(const Tokens& tokens, const TranslationContext& context);

}  // namespace dbx::local
