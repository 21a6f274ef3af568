// SPDX-License-Identifier: Apache-2.0
// The words of the dialect that mean something else to the engine.
#include <algorithm>

#include "base/str_cat.h"
#include "sql/column_naming.h"
#include "sql/interval.h"
#include "sql/sql_text.h"
#include "sql/translator.h"
#include "sql/type_parser.h"

namespace dbx::local {

const Translator::WordRule Translator::kWordRules[] = {
    {"SELECT", &Translator::Select},
    {"VALUES", &Translator::Values},
    {"DATE", &Translator::TypedLiteral},
    {"TIMESTAMP", &Translator::TypedLiteral},
    {"TIMESTAMP_LTZ", &Translator::TypedLiteral},
    {"TIMESTAMP_NTZ", &Translator::TypedLiteral},
    {"INTERVAL", &Translator::Interval},
    {"DIV", &Translator::IntegerDivision},
    {"EXCEPT", &Translator::Except},
    {"MINUS", &Translator::Minus},
    {"LEFT", &Translator::SidedJoin},
    {"SEMI", &Translator::SidedJoin},
    {"ANTI", &Translator::SidedJoin},
    {"LIKE", &Translator::Like},
    {"ILIKE", &Translator::Like},
    {"RLIKE", &Translator::RegularExpression},
    {"REGEXP", &Translator::RegularExpression},
    {"NOT", &Translator::Not},
    {"LATERAL", &Translator::LateralView},
    {"TABLESAMPLE", &Translator::SampleClause},
    {"CURRENT_CATALOG", &Translator::BareWord},
    {"CURRENT_DATABASE", &Translator::BareWord},
    {"CURRENT_SCHEMA", &Translator::BareWord},
    {"CURRENT_USER", &Translator::BareWord},
    {"SESSION_USER", &Translator::BareWord},
    {"CURRENT_TIMEZONE", &Translator::BareWord},
    {"", nullptr},
};

/// SELECT [DISTINCT | ALL] item, … : unaliased expressions get the names that the service gives
/// them.
Status Translator::Select(size_t* at, size_t end, Pieces& out) {
  if (tokens_[*at + 1].IsOperator("(") && *at + 1 >= end) return Status::Ok();
  Emit(out, tokens_[*at], "SELECT", true);
  size_t begin = *at + 1;
  while (begin < end && (tokens_[begin].Is("DISTINCT") || tokens_[begin].Is("ALL"))) {
    Emit(out, tokens_[begin], ToUpper(tokens_[begin].text), true);
    begin += 1;
  }
  const size_t list_end = SelectListEnd(tokens_, begin, end);
  if (begin == list_end) return SyntaxErrorAt(begin);
  bool first = true;
  for (const auto& [item, item_end] : SplitAtCommas(tokens_, begin, list_end)) {
    if (item == item_end) return SyntaxErrorAt(item);
    if (!first) Emit(out, tokens_[item], ",", false);
    first = false;
    RETURN_IF_ERROR(SelectItem(item, item_end, out));
  }
  *at = list_end;
  return Status::Ok();
}

Status Translator::SelectItem(size_t begin, size_t end, Pieces& out) {
  const SelectItemShape shape = ReadSelectItem(tokens_, begin, end);
  if (shape.star || shape.plain_column || !shape.alias.empty()) {
    RETURN_IF_ERROR(Append(begin, shape.expression_end, out));
    if (!shape.alias.empty()) {
      Emit(out, tokens_[shape.expression_end], StrCat("AS ", QuoteIdentifier(shape.alias)), true);
    }
    return Status::Ok();
  }
  RETURN_IF_ERROR(Append(begin, end, out));
  // An expression that ends too early is noticed here, so this stands for what comes behind it.
  Emit(out, tokens_[end], StrCat("AS ", QuoteIdentifier(ColumnNameOf(tokens_, begin, end))), true);
  return Status::Ok();
}

/// VALUES as a query of its own: its columns are called col1, col2, …
Status Translator::Values(size_t* at, size_t end, Pieces& out) {
  const bool query =
      *at == 0 || (tokens_[*at - 1].IsOperator("(") && (*at < 2 || !tokens_[*at - 2].Is("FROM")));
  if (!query || *at + 1 >= end) return Status::Ok();
  size_t columns = 1;
  if (tokens_[*at + 1].IsOperator("(")) {
    columns = SplitAtCommas(tokens_, *at + 2, FindClosing(tokens_, *at + 1)).size();
  }
  size_t stop = *at + 1;
  while (stop < end && !tokens_[stop].Is("ORDER") && !tokens_[stop].Is("LIMIT")) {
    stop = tokens_[stop].IsOperator("(") ? FindClosing(tokens_, stop) + 1 : stop + 1;
  }
  stop = std::min(stop, end);
  Emit(out, tokens_[*at], "SELECT * FROM (VALUES", true);
  RETURN_IF_ERROR(Append(*at + 1, stop, out));
  std::string names;
  for (size_t i = 1; i <= columns; ++i) names += StrCat(i == 1 ? "" : ", ", "col", i);
  Emit(out, tokens_[*at], StrCat(") AS values_of_query(", names, ")"), false);
  *at = stop;
  return Status::Ok();
}

/// DATE '…', TIMESTAMP '…' (in the session's zone), TIMESTAMP_NTZ '…'.
Status Translator::TypedLiteral(size_t* at, size_t end, Pieces& out) {
  if (*at + 1 >= end || tokens_[*at + 1].kind != TokenKind::kString) return Status::Ok();
  size_t type_at = *at;
  const std::optional<SqlType> type = ParseType(tokens_, &type_at);
  if (!type) return Status::Ok();
  operand_ = out.size();
  Emit(out, tokens_[*at],
       StrCat("CAST(", QuoteString(tokens_[*at + 1].value), " AS ", EngineType(*type), ")"), true);
  *at += 2;
  return Status::Ok();
}

Status Translator::Interval(size_t* at, size_t end, Pieces& out) {
  size_t next = *at;
  const std::optional<IntervalLiteral> literal = ParseInterval(tokens_, &next);
  if (literal) {
    operand_ = out.size();
    Emit(out, tokens_[*at], literal->EngineText(), true);
    *at = next;
    return Status::Ok();
  }
  // INTERVAL (expression) UNIT
  const size_t stop = OperandEnd(*at + 1, end);
  if (stop >= end || stop == *at + 1) return Status::Ok();
  const std::string unit = IntervalUnit(tokens_[stop].text);
  if (unit.empty()) return Status::Ok();
  Emit(out, tokens_[*at], "INTERVAL (", true);
  RETURN_IF_ERROR(Append(*at + 1, stop, out));
  Emit(out, tokens_[stop], StrCat(") ", unit), false);
  *at = stop + 1;
  return Status::Ok();
}

Status Translator::IntegerDivision(size_t* at, size_t end, Pieces& out) {
  if (*at + 1 >= end) return Status::Ok();
  const size_t stop = OperandEnd(*at + 1, end);
  Emit(out, tokens_[*at], "// nonzero(", true);
  RETURN_IF_ERROR(Append(*at + 1, stop, out));
  Emit(out, tokens_[*at], ")", false);
  *at = stop;
  return Status::Ok();
}

/// `* EXCEPT (a, b)`; between two queries EXCEPT stays.
Status Translator::Except(size_t* at, size_t end, Pieces& out) {
  const bool of_star = *at > 0 && tokens_[*at - 1].IsOperator("*") && *at + 1 < end &&
                       tokens_[*at + 1].IsOperator("(");
  if (!of_star) return Status::Ok();
  Emit(out, tokens_[*at], "EXCLUDE", true);
  *at += 1;
  return Status::Ok();
}

Status Translator::Minus(size_t* at, size_t end, Pieces& out) {
  if (*at + 1 >= end || !(tokens_[*at + 1].Is("SELECT") || tokens_[*at + 1].Is("ALL") ||
                          tokens_[*at + 1].IsOperator("("))) {
    return Status::Ok();
  }
  Emit(out, tokens_[*at], "EXCEPT", true);
  *at += 1;
  return Status::Ok();
}

/// LEFT SEMI JOIN and LEFT ANTI JOIN have no side here.
Status Translator::SidedJoin(size_t* at, size_t end, Pieces& out) {
  const size_t side = tokens_[*at].Is("LEFT") ? 1 : 0;
  if (side == 0 || *at + 2 >= end) return Status::Ok();
  const Token& kind = tokens_[*at + 1];
  if (!(kind.Is("SEMI") || kind.Is("ANTI"))) return Status::Ok();
  Emit(out, kind, ToUpper(kind.text), true);
  *at += 2;
  return Status::Ok();
}

/// A back-slash escapes in patterns unless ESCAPE says otherwise.
Status Translator::Like(size_t* at, size_t end, Pieces& out) {
  if (*at + 1 >= end || tokens_[*at + 1].kind != TokenKind::kString) return Status::Ok();
  const bool escaped = tokens_[*at + 1].value.find('\\') != std::string::npos;
  Emit(out, tokens_[*at], ToUpper(tokens_[*at].text), true);
  *at += 1;
  RETURN_IF_ERROR(String(at, out));
  if (escaped && !tokens_[*at].Is("ESCAPE")) Emit(out, tokens_[*at - 1], "ESCAPE '\\'", true);
  return Status::Ok();
}

Status Translator::RegularExpression(size_t* at, size_t end, Pieces& out) {
  if (*at == 0 || *at + 1 >= end || tokens_[*at + 1].IsOperator("(")) return Status::Ok();
  const bool negated = !out.empty() && out.back().text == "NOT";
  if (negated) out.pop_back();
  const size_t stop = OperandEnd(*at + 1, end);
  Emit(out, tokens_[*at], negated ? "!~ ('(?s).*(' ||" : "~ ('(?s).*(' ||", true);
  RETURN_IF_ERROR(Append(*at + 1, stop, out));
  Emit(out, tokens_[*at], "|| ').*')", true);
  *at = stop;
  return Status::Ok();
}

/// Written in capitals, so that RegularExpression finds it.
Status Translator::Not(size_t* at, size_t /*end*/, Pieces& out) {
  Emit(out, tokens_[*at], "NOT", true);
  *at += 1;
  return Status::Ok();
}

/// LATERAL VIEW [OUTER] explode(x) t AS c: a lateral join with the elements.
Status Translator::LateralView(size_t* at, size_t end, Pieces& out) {
  if (*at + 1 >= end || !tokens_[*at + 1].Is("VIEW")) return Status::Ok();
  size_t next = *at + 2;
  const bool outer = tokens_[next].Is("OUTER");
  if (outer) next += 1;
  const bool positions = tokens_[next].Is("POSEXPLODE");
  if (!(tokens_[next].Is("EXPLODE") || positions) || !tokens_[next + 1].IsOperator("("))
    return SyntaxErrorAt(next);
  const size_t close = FindClosing(tokens_, next + 1);
  if (close + 1 >= end || !tokens_[close + 1].IsIdentifier()) return SyntaxErrorAt(close);
  const Token& table = tokens_[close + 1];
  size_t after = close + 2;
  std::string columns[2] = {positions ? "pos" : "col", "col"};
  if (after < end && tokens_[after].Is("AS")) after += 1;
  for (std::string& column : columns) {
    if (after >= end || !tokens_[after].IsIdentifier()) break;
    column = tokens_[after].value;
    after += 1;
    if (after >= end || !tokens_[after].IsOperator(",")) break;
    after += 1;
  }
  Emit(out, tokens_[*at], outer ? "LEFT JOIN LATERAL (SELECT" : "CROSS JOIN LATERAL (SELECT", true);
  Pieces elements;
  RETURN_IF_ERROR(Append(next + 2, close, elements));
  if (positions) {
    Emit(out, tokens_[next], "CAST(generate_subscripts(", true);
    out.insert(out.end(), elements.begin(), elements.end());
    Emit(out, tokens_[next], StrCat(", 1) - 1 AS INTEGER) AS ", QuoteIdentifier(columns[0]), ","),
         false);
  }
  Emit(out, tokens_[next], "unnest(", true);
  out.insert(out.end(), elements.begin(), elements.end());
  Emit(out, tokens_[close],
       StrCat(") AS ", QuoteIdentifier(columns[positions ? 1 : 0]), ") AS ",
              QuoteIdentifier(table.value), outer ? " ON true" : ""),
       false);
  *at = after;
  return Status::Ok();
}

Status Translator::BareWord(size_t* at, size_t end, Pieces& out) {
  if (*at + 1 < end && (tokens_[*at + 1].IsOperator("(") || tokens_[*at + 1].IsOperator(".")))
    return Status::Ok();
  const FunctionRewrite* const row = FindBareWord(tokens_[*at].text);
  if (row == nullptr) return Status::Ok();
  Emit(out, tokens_[*at], SessionText(row->replacement[1]), true);
  *at += 1;
  return Status::Ok();
}

/// TABLESAMPLE (10 PERCENT) and (10 ROWS).
Status Translator::SampleClause(size_t* at, size_t end, Pieces& out) {
  const bool known = *at + 4 < end + 0 && tokens_[*at + 1].IsOperator("(") &&
                     tokens_[*at + 2].kind == TokenKind::kNumber &&
                     tokens_[*at + 4].IsOperator(")");
  if (!known) return Status::Ok();
  const std::string_view kind = tokens_[*at + 3].Is("PERCENT") ? "%" : " ROWS";
  Emit(out, tokens_[*at],
       StrCat("TABLESAMPLE ", kind == "%" ? "bernoulli" : "reservoir", "(", tokens_[*at + 2].value,
              kind, ")"),
       true);
  *at += 5;
  return Status::Ok();
}

}  // namespace dbx::local
