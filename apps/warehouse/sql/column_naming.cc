// SPDX-License-Identifier: Apache-2.0
#include "sql/column_naming.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "base/str_cat.h"
#include "sql/interval.h"
#include "sql/rewrite_table.h"
#include "sql/sql_text.h"
#include "sql/type_parser.h"

namespace dbx::local {
namespace {

template <size_t kSize>
bool IsOneOf(const Token& token, const std::array<std::string_view, kSize>& words) {
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return token.Is(word); });
}

constexpr std::array<std::string_view, 15> kListEnds = {
    "FROM",   "WHERE",     "GROUP", "HAVING", "ORDER",   "LIMIT", "OFFSET",    "UNION",
    "EXCEPT", "INTERSECT", "MINUS", "WINDOW", "QUALIFY", "SORT",  "DISTRIBUTE"};

/// Words that end an operand though they are key words.
constexpr std::array<std::string_view, 4> kOperandWords = {"END", "NULL", "TRUE", "FALSE"};
/// Words that cannot end an operand: what follows them is no alias.
constexpr std::array<std::string_view, 22> kOperatorWords = {
    "AND",  "OR",   "NOT",  "LIKE", "ILIKE", "RLIKE",    "REGEXP",   "IN", "IS", "BETWEEN", "DIV",
    "CASE", "WHEN", "THEN", "ELSE", "FROM",  "DISTINCT", "INTERVAL", "TO", "AS", "ESCAPE",  "OVER"};

bool EndsOperand(const Token& token) {
  switch (token.kind) {
    case TokenKind::kWord:
      return !IsOneOf(token, kOperatorWords);
    case TokenKind::kQuotedWord:
    case TokenKind::kString:
    case TokenKind::kBinary:
    case TokenKind::kNumber:
    case TokenKind::kMarker:
      return true;
    default:
      return token.IsOperator(")") || token.IsOperator("]");
  }
}

bool IsUnitOfInterval(const Tokens& tokens, size_t begin, size_t last) {
  if (last == begin || IntervalUnit(tokens[last].text).empty()) return false;
  return std::any_of(tokens.begin() + static_cast<std::ptrdiff_t>(begin),
                     tokens.begin() + static_cast<std::ptrdiff_t>(last),
                     [](const Token& token) { return token.Is("INTERVAL"); });
}

bool HasImplicitAlias(const Tokens& tokens, size_t begin, size_t end) {
  if (end < begin + 2 || !tokens[end - 1].IsIdentifier()) return false;
  if (IsOneOf(tokens[end - 1], kOperandWords) || IsOneOf(tokens[end - 1], kOperatorWords))
    return false;
  return EndsOperand(tokens[end - 2]) && !IsUnitOfInterval(tokens, begin, end - 1);
}

bool IsPlainColumn(const Tokens& tokens, size_t begin, size_t end) {
  if ((end - begin) % 2 == 0) return false;
  for (size_t i = begin; i < end; ++i) {
    const bool name = (i - begin) % 2 == 0;
    if (name ? !tokens[i].IsIdentifier() : !tokens[i].IsOperator(".")) return false;
  }
  const Token& token = tokens[begin];
  if (end == begin + 1 && token.kind == TokenKind::kWord) {
    return !IsOneOf(token, kOperandWords) && FindBareWord(token.text) == nullptr &&
           !token.Is("CURRENT_DATE") && !token.Is("CURRENT_TIMESTAMP");
  }
  return true;
}

/// Prints an expression as the service does. Follows the grammar loosely: what it does not know it
/// copies.
class Printer {
 public:
  Printer(const Tokens& tokens, size_t begin, size_t end)
      : tokens_(tokens), at_(begin), end_(end) {}

  std::string Whole() {
    const size_t begin = at_;
    std::string text = Binary(0);
    return failed_ || at_ != end_ ? Raw(begin, end_) : text;
  }

 private:
  struct Level {
    std::array<std::string_view, 7> operators;
  };
  /// From the loosest.
  static constexpr std::array<Level, 7> kLevels = {{
      {{"OR"}},
      {{"AND"}},
      {{"=", "<>", "!=", "<", ">", "<=", ">="}},
      {{"<=>", "=="}},
      {{"|", "&", "^"}},
      {{"+", "-", "||"}},
      {{"*", "/", "%", "DIV"}},
  }};
  static constexpr size_t kComparison = 2;

  const Token& now() const { return tokens_[std::min(at_, tokens_.size() - 1)]; }
  bool more() const { return at_ < end_; }

  bool At(std::string_view word) const {
    return more() && (now().kind == TokenKind::kOperator ? now().text == word : now().Is(word));
  }
  bool Take(std::string_view word) {
    if (!At(word)) return false;
    at_ += 1;
    return true;
  }

  std::string Raw(size_t begin, size_t end) const {
    std::string text;
    for (size_t i = begin; i < end; ++i) {
      if (i > begin && tokens_[i].space_before) text += ' ';
      text += tokens_[i].kind == TokenKind::kString ? tokens_[i].value : tokens_[i].text;
    }
    return text;
  }

  std::string Binary(size_t level) {
    if (level == kLevels.size()) return Unary();
    if (level == kComparison && Take("NOT")) return StrCat("(NOT ", Binary(level), ")");
    if (level == kComparison && Take("!")) return StrCat("(NOT ", Binary(level), ")");
    std::string left = Binary(level + 1);
    while (more() && !failed_) {
      if (level == kComparison && Predicate(left)) continue;
      const auto& operators = kLevels[level].operators;
      const auto* found =
          std::find_if(operators.begin(), operators.end(),
                       [&](std::string_view symbol) { return !symbol.empty() && At(symbol); });
      if (found == operators.end()) break;
      at_ += 1;
      const std::string right = Binary(level + 1);
      if (*found == "||") {
        left = StrCat("concat(", left, ", ", right, ")");
      } else {
        left = StrCat("(", left, " ",
                      *found == "DIV"  ? "div"
                      : *found == "==" ? "="
                                       : *found,
                      " ", right, ")");
      }
    }
    return left;
  }

  /// IS NULL, IN, BETWEEN, LIKE behind `left`; false when none stands here.
  bool Predicate(std::string& left) {
    const size_t start = at_;
    if (Take("IS")) {
      const bool negated = Take("NOT");
      const std::string what = ToUpper(now().text);
      at_ += 1;
      if (what != "NULL" && what != "TRUE" && what != "FALSE") return Fail();
      left = StrCat("(", left, negated ? " IS NOT " : " IS ", what, ")");
      return true;
    }
    const bool negated = Take("NOT");
    if (Take("IN")) {
      if (!At("(")) return Fail();
      left = StrCat("(", left, " IN ", Arguments(), ")");
    } else if (Take("BETWEEN")) {
      const std::string low = Binary(kComparison + 1);
      if (!Take("AND")) return Fail();
      left = StrCat("between(", left, ", ", low, ", ", Binary(kComparison + 1), ")");
    } else if (Take("LIKE")) {
      left = StrCat(left, " LIKE ", Binary(kComparison + 1));
    } else {
      at_ = start;
      return false;
    }
    if (negated) left = StrCat("(NOT ", left, ")");
    return true;
  }

  bool Fail() {
    failed_ = true;
    return true;
  }

  std::string Unary() {
    if (Take("-")) {
      const bool literal = now().kind == TokenKind::kNumber;
      const std::string operand = Unary();
      return literal ? StrCat("-", operand) : StrCat("(- ", operand, ")");
    }
    if (Take("+")) return StrCat("(+ ", Unary(), ")");
    return Postfix();
  }

  std::string Postfix() {
    std::string text = Primary();
    while (more() && !failed_) {
      if (Take("[")) {
        text += StrCat("[", Binary(0), "]");
        if (!Take("]")) Fail();
      } else if (Take("::")) {
        const std::optional<SqlType> type = ParseType(tokens_, &at_);
        if (!type) Fail();
        text = StrCat("CAST(", text, " AS ", type ? type->Text() : "", ")");
      } else if (At(".") && at_ + 1 < end_ && tokens_[at_ + 1].IsIdentifier()) {
        text += StrCat(".", tokens_[at_ + 1].value);
        at_ += 2;
      } else {
        break;
      }
    }
    return text;
  }

  std::string Primary() {
    if (!more()) {
      Fail();
      return {};
    }
    const Token& token = now();
    switch (token.kind) {
      case TokenKind::kNumber:
        at_ += 1;
        return token.value;
      case TokenKind::kString:
        at_ += 1;
        return token.value;
      case TokenKind::kBinary:
        at_ += 1;
        return StrCat("X'", ToUpper(token.value), "'");
      case TokenKind::kMarker:
        at_ += 1;
        return token.text;
      case TokenKind::kWord:
      case TokenKind::kQuotedWord:
        return Name();
      default:
        break;
    }
    if (!At("(")) {
      Fail();
      return {};
    }
    if (tokens_[at_ + 1].Is("SELECT") || tokens_[at_ + 1].Is("WITH")) {
      at_ = FindClosing(tokens_, at_) + 1;
      return "scalarsubquery()";
    }
    at_ += 1;
    std::string text = Binary(0);
    if (!Take(")")) Fail();
    return text;
  }

  std::string Name() {
    const Token& token = now();
    if (token.Is("NULL") || token.Is("TRUE") || token.Is("FALSE")) {
      at_ += 1;
      return token.Is("NULL") ? "NULL" : ToLower(token.text);
    }
    if (token.Is("CASE")) return Case();
    if (token.Is("INTERVAL")) return IntervalName();
    if (at_ + 1 < end_ && tokens_[at_ + 1].kind == TokenKind::kString) {
      at_ += 2;
      return StrCat(ToUpper(token.text), " '", tokens_[at_ - 1].value, "'");
    }
    if (at_ + 1 < end_ && tokens_[at_ + 1].IsOperator("(")) return Call();
    at_ += 1;
    if (FindBareWord(token.text) != nullptr || token.Is("CURRENT_DATE") ||
        token.Is("CURRENT_TIMESTAMP")) {
      return StrCat(ToLower(token.text), "()");
    }
    // Of t.a the service shows the column alone.
    std::string name = token.value;
    while (at_ + 1 < end_ && At(".") && tokens_[at_ + 1].IsIdentifier()) {
      name = tokens_[at_ + 1].value;
      at_ += 2;
    }
    return name;
  }

  std::string IntervalName() {
    const size_t begin = at_;
    if (!ParseInterval(tokens_, &at_)) Fail();
    std::string text;
    for (size_t i = begin; i < std::min(at_, end_); ++i) {
      const Token& token = tokens_[i];
      text += i == begin ? "" : " ";
      text += token.kind == TokenKind::kString   ? token.text
              : token.kind == TokenKind::kNumber ? StrCat("'", token.text, "'")
                                                 : ToUpper(token.text);
    }
    return text;
  }

  std::string Case() {
    const size_t begin = at_;
    std::string text = "CASE";
    at_ += 1;
    if (!At("WHEN")) text += StrCat(" ", Binary(0));
    while (Take("WHEN")) {
      text += StrCat(" WHEN ", Binary(0));
      if (!Take("THEN")) Fail();
      text += StrCat(" THEN ", Binary(0));
    }
    if (Take("ELSE")) text += StrCat(" ELSE ", Binary(0));
    if (!Take("END")) Fail();
    return failed_ ? Raw(begin, end_) : text + " END";
  }

  /// "(a, b)" for the bracket at this place.
  std::string Arguments() {
    const size_t close = FindClosing(tokens_, at_);
    if (tokens_[at_ + 1].Is("SELECT")) {
      at_ = close + 1;
      return "(listquery())";
    }
    std::string text = "(";
    bool first = true;
    for (const auto& [begin, end] : SplitAtCommas(tokens_, at_ + 1, close)) {
      text +=
          StrCat(first ? "" : ", ",
                 begin + 1 == end && tokens_[begin].IsOperator("*") ? "1" : Argument(begin, end));
      first = false;
    }
    at_ = close + 1;
    return text + ")";
  }

  std::string Argument(size_t begin, size_t end) const {
    if (tokens_[begin].Is("DISTINCT"))
      return StrCat("DISTINCT ", Printer(tokens_, begin + 1, end).Whole());
    return Printer(tokens_, begin, end).Whole();
  }

  std::string Call() {
    const Token& name = now();
    const size_t begin = at_;
    at_ += 1;
    if (name.Is("CAST") || name.Is("TRY_CAST")) return CastCall(ToUpper(name.text));
    std::string text = StrCat(ToLower(name.text), Arguments());
    if (name.Is("IF")) text = StrCat("(IF", text.substr(2), ")");
    // Windows and filters are copied as they are written.
    if (At("OVER") || At("FILTER")) {
      const size_t rest = at_;
      while (more() && (At("OVER") || At("FILTER") || At("(")))
        at_ = At("(") ? FindClosing(tokens_, at_) + 1 : at_ + 1;
      text += StrCat(" ", Raw(rest, at_));
    }
    if (at_ > end_) return Raw(begin, end_);
    return text;
  }

  std::string CastCall(const std::string& function) {
    const size_t close = FindClosing(tokens_, at_);
    size_t as = close;
    while (as > at_ && !tokens_[as].Is("AS")) as -= 1;
    size_t type_at = as + 1;
    const std::optional<SqlType> type = ParseType(tokens_, &type_at);
    if (as == at_ || !type) Fail();
    std::string text = StrCat(function, "(", Printer(tokens_, at_ + 1, as).Whole(), " AS ",
                              type ? type->Text() : "", ")");
    at_ = close + 1;
    return text;
  }

  const Tokens& tokens_;
  size_t at_;
  size_t end_;
  bool failed_ = false;
};

}  // namespace

std::string ColumnNameOf(const Tokens& tokens, size_t begin, size_t end) {
  if (tokens[begin].Is("EXPLODE") && FindClosing(tokens, begin + 1) + 1 == end) return "col";
  return Printer(tokens, begin, end).Whole();
}

SelectItemShape ReadSelectItem(const Tokens& tokens, size_t begin, size_t end) {
  SelectItemShape shape;
  shape.expression_end = end;
  size_t first = begin;
  while (first + 2 < end && tokens[first].IsIdentifier() && tokens[first + 1].IsOperator("."))
    first += 2;
  if (tokens[first].IsOperator("*")) {
    shape.star = true;
    return shape;
  }
  if (end >= begin + 3 && tokens[end - 2].Is("AS") && tokens[end - 1].IsIdentifier()) {
    shape.alias = tokens[end - 1].value;
    shape.expression_end = end - 2;
  } else if (HasImplicitAlias(tokens, begin, end)) {
    shape.alias = tokens[end - 1].value;
    shape.expression_end = end - 1;
  }
  shape.plain_column = IsPlainColumn(tokens, begin, shape.expression_end);
  return shape;
}

size_t SelectListEnd(const Tokens& tokens, size_t begin, size_t end) {
  size_t item = begin;
  for (size_t i = begin; i < end; ++i) {
    const Token& token = tokens[i];
    if (token.IsOperator("(") || token.IsOperator("[")) {
      i = FindClosing(tokens, i);
      continue;
    }
    if (token.IsOperator(")") || token.IsOperator(";")) return i;
    if (token.IsOperator(",")) item = i + 1;
    if (!IsOneOf(token, kListEnds)) continue;
    if (i == item && !token.Is("FROM")) continue;
    if (token.Is("FROM") && i > begin && tokens[i - 1].Is("DISTINCT") && i > item + 1) continue;
    if (token.Is("EXCEPT") && tokens[i - 1].IsOperator("*")) continue;
    return i;
  }
  return end;
}

std::vector<std::pair<size_t, size_t>> SplitAtCommas(const Tokens& tokens, size_t begin,
                                                     size_t end) {
  std::vector<std::pair<size_t, size_t>> parts;
  if (begin >= end) return parts;
  size_t start = begin;
  for (size_t i = begin; i < end; ++i) {
    if (tokens[i].IsOperator("(") || tokens[i].IsOperator("[")) {
      i = FindClosing(tokens, i);
    } else if (tokens[i].IsOperator(",")) {
      parts.emplace_back(start, i);
      start = i + 1;
    }
  }
  parts.emplace_back(start, end);
  return parts;
}

}  // namespace dbx::local
