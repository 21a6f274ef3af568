// SPDX-License-Identifier: Apache-2.0
#include "sql/translator.h"

#include <algorithm>

#include "base/str_cat.h"
#include "sql/errors.h"
#include "sql/interval.h"
#include "sql/sql_text.h"
#include "sql/type_parser.h"

namespace dbx::local {
namespace {

/// Deeper brackets than this are refused, so that no statement can overrun the stack.
constexpr int kMaxDepth = 200;

bool IsWordCharacter(char c) {
  return c == '_' || c == '$' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
         (c >= 'A' && c <= 'Z') || (static_cast<unsigned char>(c) & 0x80) != 0;
}

/// `text` as a literal; a NUL cannot stand in the engine's text.
std::string StringLiteral(const std::string& text) {
  const size_t nul = text.find('\0');
  if (nul == std::string::npos) return QuoteString(text);
  return StrCat("(", QuoteString(text.substr(0, nul)), " || chr(0) || ",
                StringLiteral(text.substr(nul + 1)), ")");
}

/// "-> '$.a.b[0]'" for the path `a.b[0]` behind a colon; moves `*at` behind it.
std::string VariantPath(const Tokens& tokens, size_t* at) {
  std::string path = "$";
  bool field = true;
  while (tokens[*at].kind != TokenKind::kEnd) {
    const Token& token = tokens[*at];
    if (field && (token.IsIdentifier() || token.kind == TokenKind::kNumber)) {
      path += StrCat(".\"", token.value, "\"");
      field = false;
      *at += 1;
    } else if (!field && token.IsOperator(".")) {
      field = true;
      *at += 1;
    } else if (token.IsOperator("[") && tokens[*at + 1].kind == TokenKind::kNumber) {
      path += StrCat("[", tokens[*at + 1].value, "]");
      field = false;
      *at += 3;
    } else if (token.IsOperator("[") && tokens[*at + 1].kind == TokenKind::kString) {
      path += StrCat(".\"", tokens[*at + 1].value, "\"");
      field = false;
      *at += 3;
    } else {
      break;
    }
  }
  *at = std::min(*at, tokens.size() - 1);
  return QuoteString(path);
}

// True for the digits of an integer type's smallest value, which without their sign are no value of
// it.
bool IsSmallest(std::string_view digits, std::string_view suffix) {
  return (suffix == "Y" && digits == "128") || (suffix == "S" && digits == "32768") ||
         (suffix == "L" && digits == "9223372036854775808");
}

}  // namespace

size_t Translation::SourceOffset(size_t offset) const {
  const auto next =
      std::upper_bound(positions.begin(), positions.end(), std::make_pair(offset, SIZE_MAX));
  if (next == positions.begin()) return 0;
  return (next - 1)->second;
}

std::string EngineCatalog(std::string_view name) {
  return StrCat("c_", ToLower(name));
}

Translation Assemble(const Pieces& pieces) {
  Translation result;
  for (const Piece& piece : pieces) {
    if (piece.text.empty()) continue;
    const bool words_touch = !result.sql.empty() && IsWordCharacter(result.sql.back()) &&
                             IsWordCharacter(piece.text.front());
    if (!result.sql.empty() && (piece.space || words_touch)) result.sql += ' ';
    result.positions.emplace_back(result.sql.size(), piece.source);
    result.sql += piece.text;
  }
  return result;
}

void Translator::Emit(Pieces& out, const Token& token, std::string text, bool space) {
  out.push_back({std::move(text), token.offset, space});
}

Status Translator::SyntaxErrorAt(size_t at) const {
  const Token& token = tokens_[std::min(at, tokens_.size() - 1)];
  return SyntaxError(context_.sql, token.offset, token.text);
}

Result<Pieces> Translator::Rewrite(size_t begin, size_t end) {
  Pieces pieces;
  RETURN_IF_ERROR(Append(begin, end, pieces));
  return pieces;
}

Status Translator::Append(size_t begin, size_t end, Pieces& out) {
  if (++depth_ > kMaxDepth) return SyntaxErrorAt(begin);
  size_t at = begin;
  operand_is_timestamp_ = false;
  while (at < end) {
    if (!tokens_[at].IsOperator("+")) operand_is_timestamp_ = false;
    RETURN_IF_ERROR(One(&at, end, out));
  }
  operand_is_timestamp_ = false;
  depth_ -= 1;
  return Status::Ok();
}

Status Translator::One(size_t* at, size_t end, Pieces& out) {
  const Token& token = tokens_[*at];
  switch (token.kind) {
    case TokenKind::kWord:
      return Word(at, end, out);
    case TokenKind::kQuotedWord:
      return Identifier(at, end, out);
    case TokenKind::kOperator:
      return Operator(at, end, out);
    case TokenKind::kString:
      return String(at, out);
    case TokenKind::kNumber:
      return Number(at, out);
    case TokenKind::kMarker:
      return Marker(at, out);
    case TokenKind::kBinary:
      operand_ = out.size();
      Emit(out, token, StrCat("unhex('", token.value, "')"), token.space_before);
      *at += 1;
      return Status::Ok();
    case TokenKind::kEnd:
      break;
  }
  return SyntaxErrorAt(*at);
}

Status Translator::String(size_t* at, Pieces& out) {
  const Token& token = tokens_[*at];
  // The engine would look for a file of that name.
  if (NamesTable(*at)) return SyntaxErrorAt(*at);
  std::string value = token.value;
  // Neighbours are one literal.
  for (*at += 1; tokens_[*at].kind == TokenKind::kString; *at += 1) value += tokens_[*at].value;
  operand_ = out.size();
  Emit(out, token, StringLiteral(value), token.space_before);
  return Status::Ok();
}

Status Translator::Number(size_t* at, Pieces& out) {
  const Token& token = tokens_[*at];
  const std::string suffix = ToUpper(std::string_view(token.text).substr(token.value.size()));
  struct Suffix {
    std::string_view text, before, after;
  };
  static constexpr Suffix kSuffixes[] = {
      {"", "", ""},
      {"L", "CAST(", " AS BIGINT)"},
      {"S", "CAST(", " AS SMALLINT)"},
      {"Y", "CAST(", " AS TINYINT)"},
      {"D", "CAST(", " AS DOUBLE)"},
      {"F", "CAST(", " AS FLOAT)"},
      {"BD", "", ""},
  };
  const auto* row = std::find_if(std::begin(kSuffixes), std::end(kSuffixes),
                                 [&](const Suffix& candidate) { return candidate.text == suffix; });
  if (row == std::end(kSuffixes)) return SyntaxErrorAt(*at);
  if (IsSmallest(token.value, suffix) && !out.empty() && out.back().text == "-") {
    // Its positive is out of the type's range: the sign is part of the literal.
    operand_ = out.size() - 1;
    out.back().text = StrCat(row->before, "-", token.value, row->after);
    *at += 1;
    return Status::Ok();
  }
  operand_ = out.size();
  Emit(out, token, StrCat(row->before, token.value, row->after), token.space_before);
  *at += 1;
  return Status::Ok();
}

Status Translator::Marker(size_t* at, Pieces& out) {
  const Token& token = tokens_[*at];
  ASSIGN_OR_RETURN(const SqlParameter* const parameter, parameters_.Take(token.value));
  ASSIGN_OR_RETURN(std::string literal, ParameterLiteral(*parameter));
  operand_ = out.size();
  Emit(out, token, std::move(literal), true);
  *at += 1;
  return Status::Ok();
}

Status Translator::Word(size_t* at, size_t end, Pieces& out) {
  const bool qualified = *at > 0 && tokens_[*at - 1].IsOperator(".");
  if (!qualified) {
    for (const WordRule* rule = kWordRules; rule->handler != nullptr; ++rule) {
      if (!tokens_[*at].Is(rule->word)) continue;
      const size_t before = *at;
      RETURN_IF_ERROR((this->*rule->handler)(at, end, out));
      if (*at != before) return Status::Ok();
    }
  }
  return Identifier(at, end, out);
}

bool Translator::NamesTable(size_t at) const {
  static constexpr std::string_view kBefore[] = {"FROM",  "JOIN",  "INTO",     "UPDATE",
                                                 "TABLE", "USING", "OVERWRITE"};
  if (at == 0) return false;
  return std::any_of(std::begin(kBefore), std::end(kBefore),
                     [&](std::string_view word) { return tokens_[at - 1].Is(word); });
}

/// A name of one or more parts, or a call.
Status Translator::Identifier(size_t* at, size_t end, Pieces& out) {
  const Token& first = tokens_[*at];
  std::vector<size_t> parts = {*at};
  size_t next = *at + 1;
  while (next + 1 < end && tokens_[next].IsOperator(".") && tokens_[next + 1].IsIdentifier()) {
    parts.push_back(next + 1);
    next += 2;
  }
  if (next < end && tokens_[next].IsOperator("(") && parts.size() == 1 &&
      first.kind == TokenKind::kWord) {
    operand_ = out.size();
    return FunctionCall(at, next, out);
  }
  operand_ = out.size();
  if (parts.size() == 1) {
    Emit(out, first,
         first.kind == TokenKind::kQuotedWord ? QuoteIdentifier(first.value) : first.text,
         first.space_before);
    *at = next;
    return Status::Ok();
  }
  const std::string catalog = ToLower(first.value);
  const bool known = context_.catalogs.contains(catalog);
  if (parts.size() == 3 && !known && NamesTable(*at)) return CatalogNotFound(first.value);
  if (known && parts.size() == 3 &&
      EqualsIgnoreCase(tokens_[parts[1]].value, "information_schema")) {
    const std::string filter =
        catalog == "system" ? "" : StrCat(" WHERE catalog_name_of_row = ", QuoteString(catalog));
    Emit(out, first,
         StrCat("(SELECT * EXCLUDE (catalog_name_of_row) FROM functions.info.",
                QuoteIdentifier(ToLower(tokens_[parts[2]].value)), filter, ")"),
         true);
    const bool has_alias =
        next < end &&
        (tokens_[next].Is("AS") || (tokens_[next].IsIdentifier() && !tokens_[next].Is("WHERE")));
    if (!has_alias)
      Emit(out, first, StrCat("AS ", QuoteIdentifier(ToLower(tokens_[parts[2]].value))), true);
    *at = next;
    return Status::Ok();
  }
  const bool maps_catalog = known && parts.size() >= 3;
  for (size_t i = 0; i < parts.size(); ++i) {
    const Token& part = tokens_[parts[i]];
    const std::string name = i == 0 && maps_catalog ? EngineCatalog(part.value) : part.value;
    Emit(out, part, StrCat(i == 0 ? "" : ".", QuoteIdentifier(name)), i == 0 && first.space_before);
  }
  *at = next;
  return Status::Ok();
}

Status Translator::Operator(size_t* at, size_t end, Pieces& out) {
  const Token& token = tokens_[*at];
  const auto copy = [&](std::string_view text, bool space) {
    Emit(out, token, std::string(text), space);
    *at += 1;
    return Status::Ok();
  };
  if (token.text == "(") {
    const size_t close = FindClosing(tokens_, *at);
    if (close >= end) return SyntaxErrorAt(close);
    const size_t operand = out.size();
    RETURN_IF_ERROR(copy("(", token.space_before));
    RETURN_IF_ERROR(Append(*at, close, out));
    Emit(out, tokens_[close], ")", false);
    operand_ = operand;
    *at = close + 1;
    return Status::Ok();
  }
  if (token.text == "[") {
    // Arrays count from 0 there, from 1 here; a text is the key of a map.
    const size_t close = FindClosing(tokens_, *at);
    if (close >= end) return SyntaxErrorAt(close);
    const bool key = close == *at + 2 && tokens_[*at + 1].kind == TokenKind::kString;
    const size_t operand = operand_;
    Emit(out, token, key ? "[" : "[(", false);
    RETURN_IF_ERROR(Append(*at + 1, close, out));
    Emit(out, tokens_[close], key ? "]" : ") + 1]", false);
    operand_ = operand;
    *at = close + 1;
    return Status::Ok();
  }
  if (token.text == "==") return copy("=", true);
  if (token.text == "<=>") return copy("IS NOT DISTINCT FROM", true);
  if (token.text == "!") return copy("NOT", true);
  if (token.text == "/" || token.text == "%") {
    const bool literal = tokens_[*at + 1].kind == TokenKind::kNumber &&
                         tokens_[*at + 1].value.find_first_not_of("0.") != std::string::npos;
    RETURN_IF_ERROR(copy(token.text, true));
    if (literal) return Status::Ok();
    const size_t stop = OperandEnd(*at, end);
    Emit(out, token, "nonzero(", true);
    RETURN_IF_ERROR(Append(*at, stop, out));
    Emit(out, token, ")", false);
    *at = stop;
    return Status::Ok();
  }
  if (token.text == "::") {
    size_t next = *at + 1;
    const std::optional<SqlType> type = ParseType(tokens_, &next);
    if (!type) return SyntaxErrorAt(*at + 1);
    Emit(out, token, StrCat("::", EngineType(*type)), false);
    *at = next;
    return Status::Ok();
  }
  if (token.text == ":" && *at > 0 && operand_ < out.size()) {
    size_t next = *at + 1;
    const std::string path = VariantPath(tokens_, &next);
    out.insert(out.begin() + static_cast<std::ptrdiff_t>(operand_), Piece{"(", token.offset, true});
    Emit(out, token, StrCat("-> ", path, ")"), true);
    *at = next;
    return Status::Ok();
  }
  if (token.text == "+" && operand_is_timestamp_ && InUtc()) return Plus(at, out);
  // Neighbours without a blank between them stay together: `> >` would be no shift.
  return copy(token.text, token.space_before);
}

bool Translator::InUtc() const {
  return context_.time_zone == "Etc/UTC" || context_.time_zone == "UTC" ||
         context_.time_zone == "Z";
}

/// A timestamp + days or less. The engine asks its calendar for each row, which takes a
/// microsecond; in UTC the sum of the numbers is the same.
Status Translator::Plus(size_t* at, Pieces& out) {
  size_t next = *at + 1;
  std::optional<IntervalLiteral> literal;
  if (tokens_[next].Is("INTERVAL")) literal = ParseInterval(tokens_, &next);
  const bool binds_looser =
      operand_ == 0 || out[operand_ - 1].text.find_first_of("-*/%") == std::string::npos;
  const bool known = literal && literal->type.id == SqlTypeId::kIntervalDayTime && binds_looser &&
                     operand_ < out.size();
  const Token& token = tokens_[*at];
  if (!known) {
    Emit(out, token, "+", token.space_before);
    *at += 1;
    operand_is_timestamp_ = false;
    return Status::Ok();
  }
  const int64_t microseconds = literal->days * 86'400'000'000 + literal->microseconds;
  out.insert(out.begin() + static_cast<std::ptrdiff_t>(operand_),
             Piece{"make_timestamptz(epoch_us(", token.offset, true});
  Emit(out, token, StrCat(") + ", microseconds, ")"), false);
  *at = next;
  return Status::Ok();
}

size_t Translator::OperandEnd(size_t at, size_t end) const {
  while (at < end && (tokens_[at].IsOperator("-") || tokens_[at].IsOperator("+") ||
                      tokens_[at].IsOperator("~")))
    at += 1;
  if (at >= end) return end;
  if (tokens_[at].Is("CASE")) {
    int depth = 0;
    for (; at < end; ++at) {
      if (tokens_[at].Is("CASE")) depth += 1;
      if (tokens_[at].Is("END") && --depth == 0) return at + 1;
    }
    return end;
  }
  const bool bracket = tokens_[at].IsOperator("(");
  at = bracket ? std::min(FindClosing(tokens_, at) + 1, end) : at + 1;
  while (at < end) {
    const Token& token = tokens_[at];
    if (token.IsOperator("(") || token.IsOperator("[")) {
      at = std::min(FindClosing(tokens_, at) + 1, end);
    } else if (token.IsOperator(".") || token.IsOperator("::") || token.IsOperator(":")) {
      at = std::min(at + 2, end);
    } else {
      break;
    }
  }
  return at;
}

Result<Translation> Translate(const Tokens& tokens, const TranslationContext& context) {
  size_t end = tokens.size() - 1;
  while (end > 0 && tokens[end - 1].IsOperator(";")) end -= 1;
  for (size_t i = 0; i < end; ++i) {
    if (tokens[i].IsOperator(";"))
      return SyntaxError(context.sql, tokens[i + 1].offset, tokens[i + 1].text);
  }
  Translator translator(tokens, context);
  ASSIGN_OR_RETURN(const Pieces pieces, translator.Rewrite(0, end));
  return Assemble(pieces);
}

}  // namespace dbx::local
