// SPDX-License-Identifier: Apache-2.0
// Calls of functions: templates of the table, and those that need more.
#include <algorithm>

#include "base/str_cat.h"
#include "sql/column_naming.h"
#include "sql/date_pattern.h"
#include "sql/errors.h"
#include "sql/interval.h"
#include "sql/sql_text.h"
#include "sql/translator.h"
#include "sql/type_parser.h"

namespace dbx::local {

std::string Translator::SessionText(char placeholder) const {
  switch (placeholder) {
    case 'c':
      return QuoteString(context_.catalog);
    case 's':
      return QuoteString(context_.schema);
    case 'u':
      return QuoteString(context_.user);
    case 'z':
      return QuoteString(context_.time_zone);
    default:
      return {};
  }
}

Translator::Call Translator::ReadCall(size_t name, size_t open) const {
  Call call{name, open, FindClosing(tokens_, open)};
  call.arguments = SplitAtCommas(tokens_, open + 1, call.close);
  return call;
}

Status Translator::FunctionCall(size_t* at, size_t open, Pieces& out) {
  const Call call = ReadCall(*at, open);
  if (call.close + 1 >= tokens_.size()) return SyntaxErrorAt(call.close);
  const Token& name = tokens_[*at];
  // A column list of INSERT INTO t (a) or of AS t(a) is no call.
  const bool names =
      NamesTable(*at) && !name.Is("RANGE") && !name.Is("EXPLODE") && !name.Is("SEQUENCE");
  const bool query = tokens_[open + 1].Is("SELECT") || tokens_[open + 1].Is("WITH");
  const FunctionRewrite* const row =
      names || query ? nullptr : FindFunction(name.text, call.arguments.size());
  const size_t operand = out.size();
  *at = call.close + 1;
  if (row == nullptr) {
    Emit(out, name, StrCat(name.text, names ? " (" : "("), name.space_before);
    RETURN_IF_ERROR(Append(open + 1, call.close, out));
    Emit(out, tokens_[call.close], ")", false);
  } else if (row->special == SpecialCall::kWindowInteger) {
    RETURN_IF_ERROR(WindowInteger(call, row->replacement, at, tokens_.size() - 1, out));
  } else if (row->special != SpecialCall::kNone) {
    RETURN_IF_ERROR(Special(row->special, *row, call, out));
  } else {
    RETURN_IF_ERROR(Template(call, row->replacement, out));
  }
  operand_ = operand;
  return Status::Ok();
}

/// Fills `replacement`; each argument is rewritten once and may be written several times.
Status Translator::Template(const Call& call, std::string_view replacement, Pieces& out) {
  std::vector<Pieces> arguments;
  for (const auto& [begin, end] : call.arguments) {
    if (begin == end) return SyntaxErrorAt(begin);
    arguments.emplace_back();
    RETURN_IF_ERROR(Append(begin, end, arguments.back()));
  }
  const Token& name = tokens_[call.name];
  bool space = true;
  const auto write = [&](size_t index) {
    if (index >= arguments.size()) return;
    out.insert(out.end(), arguments[index].begin(), arguments[index].end());
  };
  while (!replacement.empty()) {
    const size_t dollar = std::min(replacement.find('$'), replacement.size());
    if (dollar > 0) Emit(out, name, std::string(replacement.substr(0, dollar)), space);
    space = false;
    replacement.remove_prefix(dollar);
    if (replacement.empty()) break;
    const char kind = replacement[1];
    if (kind == '*') {
      for (size_t i = 0; i < arguments.size(); ++i) {
        if (i > 0) Emit(out, name, ",", false);
        write(i);
      }
    } else if (kind >= '1' && kind <= '9') {
      write(static_cast<size_t>(kind - '1'));
    } else {
      Emit(out, name, SessionText(kind), true);
    }
    replacement.remove_prefix(2);
  }
  return Status::Ok();
}

Status Translator::Special(SpecialCall special, const FunctionRewrite& row, const Call& call,
                           Pieces& out) {
  switch (special) {
    case SpecialCall::kCast:
      return Cast(call, "CAST", out);
    case SpecialCall::kTryCast:
      return Cast(call, "TRY_CAST", out);
    case SpecialCall::kMap:
      return MapCall(call, out);
    case SpecialCall::kNamedStruct:
      return StructCall(call, /*named=*/true, out);
    case SpecialCall::kStruct:
      return StructCall(call, /*named=*/false, out);
    case SpecialCall::kCount: {
      // count(DISTINCT a, b)
      const bool distinct = tokens_[call.open + 1].Is("DISTINCT");
      Emit(out, tokens_[call.name], distinct ? "count(DISTINCT (" : "count((", true);
      RETURN_IF_ERROR(Append(call.open + (distinct ? 2 : 1), call.close, out));
      Emit(out, tokens_[call.close], "))", false);
      return Status::Ok();
    }
    case SpecialCall::kDateFormat:
      return PatternCall(call, "", "strftime(CAST($1 AS TIMESTAMP), $p)", out);
    case SpecialCall::kToDate:
      return PatternCall(call, "CAST($1 AS DATE)", "CAST(strptime($1, $p) AS DATE)", out);
    case SpecialCall::kToTimestamp:
      return PatternCall(call, "CAST($1 AS TIMESTAMP WITH TIME ZONE)",
                         "CAST(strptime($1, $p) AS TIMESTAMP WITH TIME ZONE)", out);
    case SpecialCall::kFromUnixtime:
      return PatternCall(call, "strftime(CAST(to_timestamp($1) AS TIMESTAMP), '%Y-%m-%d %H:%M:%S')",
                         "strftime(CAST(to_timestamp($1) AS TIMESTAMP), $p)", out);
    case SpecialCall::kDateAdd:
      return DateAdd(call, out);
    case SpecialCall::kDateDiff:
      return DateDiff(call, out);
    case SpecialCall::kFromJson:
      return JsonCall(call, out);
    case SpecialCall::kVariantGet:
      return VariantGet(call, out);
    case SpecialCall::kDecode:
      return DecodeCall(call, out);
    case SpecialCall::kIdentifier:
      return IdentifierCall(call, out);
    case SpecialCall::kSequence: {
      const bool small =
          std::all_of(call.arguments.begin(), call.arguments.end(), [&](const auto& range) {
            return range.second - range.first <= 2 &&
                   tokens_[range.second - 1].kind == TokenKind::kNumber;
          });
      return Template(
          call, small ? "CAST(generate_series($*) AS INTEGER[])" : "generate_series($*)", out);
    }
    case SpecialCall::kRange:
      if (call.arguments.size() == 4)
        return Template(call, "(SELECT range AS id FROM range($1, $2, $3))", out);
      return Template(call, "(SELECT range AS id FROM range($*))", out);
    case SpecialCall::kConcat: {
      std::string text = "($1";
      for (size_t i = 2; i <= call.arguments.size() && i <= 9; ++i) text += StrCat(" || $", i);
      if (call.arguments.size() > 9) return Template(call, "concat($*)", out);
      return Template(call, text + ")", out);
    }
    default:
      return Template(call, row.replacement, out);
  }
}

/// CAST(x AS T): T is one type of the service.
Status Translator::Cast(const Call& call, std::string_view function, Pieces& out) {
  size_t as = call.close;
  size_t depth = 0;
  for (size_t i = call.open + 1; i < call.close; ++i) {
    if (tokens_[i].IsOperator("(") || tokens_[i].IsOperator("[")) depth += 1;
    if (tokens_[i].IsOperator(")") || tokens_[i].IsOperator("]")) depth -= 1;
    if (depth == 0 && tokens_[i].Is("AS")) as = i;
  }
  size_t next = as + 1;
  const std::optional<SqlType> type = as < call.close ? ParseType(tokens_, &next) : std::nullopt;
  if (!type || next != call.close) return SyntaxErrorAt(std::min(as + 1, call.close));
  const Token& value = tokens_[call.open + 1];
  const bool text = as == call.open + 2 && value.kind == TokenKind::kString;
  if (text &&
      (type->id == SqlTypeId::kIntervalDayTime || type->id == SqlTypeId::kIntervalYearMonth)) {
    const std::optional<IntervalLiteral> literal = ParseIntervalText(value.value, *type);
    if (literal) {
      Emit(out, tokens_[call.name], literal->EngineText(), true);
      return Status::Ok();
    }
  }
  if (text && type->id == SqlTypeId::kBinary) {
    Emit(out, tokens_[call.name], StrCat("encode(", QuoteString(value.value), ")"), true);
    return Status::Ok();
  }
  const bool literal = text || (as == call.open + 2 && value.kind == TokenKind::kNumber);
  std::string_view macro;
  if (!literal && type->id == SqlTypeId::kString && function == "CAST") macro = "text_of(";
  if (!literal && type->id == SqlTypeId::kTimestamp && function == "CAST" && InUtc())
    macro = "utc_timestamp_of(";
  Emit(out, tokens_[call.name], macro.empty() ? StrCat(function, "(") : std::string(macro), true);
  RETURN_IF_ERROR(Append(call.open + 1, as, out));
  Emit(out, tokens_[as], macro.empty() ? StrCat("AS ", EngineType(*type), ")") : ")",
       macro.empty());
  operand_is_timestamp_ = type->id == SqlTypeId::kTimestamp;
  return Status::Ok();
}

/// map(k1, v1, k2, v2, …) -> map([k1, k2], [v1, v2])
Status Translator::MapCall(const Call& call, Pieces& out) {
  if (call.arguments.size() % 2 != 0) {
    return SqlError(StatusCode::kInvalidArgument, "WRONG_NUM_ARGS.WITHOUT_SUGGESTION", "42605",
                    "The `map` requires an even number of arguments");
  }
  Pieces keys;
  Pieces values;
  for (size_t i = 0; i < call.arguments.size(); ++i) {
    Pieces& side = i % 2 == 0 ? keys : values;
    if (i >= 2) Emit(side, tokens_[call.name], ",", false);
    RETURN_IF_ERROR(Append(call.arguments[i].first, call.arguments[i].second, side));
  }
  Emit(out, tokens_[call.name], "map([", true);
  out.insert(out.end(), keys.begin(), keys.end());
  Emit(out, tokens_[call.name], "], [", false);
  out.insert(out.end(), values.begin(), values.end());
  Emit(out, tokens_[call.name], "])", false);
  return Status::Ok();
}

/// named_struct('a', 1, …) and struct(a, b + 1 AS c, …)
Status Translator::StructCall(const Call& call, bool named, Pieces& out) {
  Emit(out, tokens_[call.name], "struct_pack(", true);
  for (size_t i = 0; i < call.arguments.size(); ++i) {
    auto [begin, end] = call.arguments[i];
    std::string name;
    if (named) {
      name = tokens_[begin].value;
      if (tokens_[begin].kind != TokenKind::kString || ++i >= call.arguments.size())
        return SyntaxErrorAt(begin);
      std::tie(begin, end) = call.arguments[i];
    } else {
      const SelectItemShape shape = ReadSelectItem(tokens_, begin, end);
      name = !shape.alias.empty() ? shape.alias
             : shape.plain_column ? tokens_[end - 1].value
                                  : StrCat("col", i + 1);
      end = shape.expression_end;
    }
    const bool first = named ? i == 1 : i == 0;
    Emit(out, tokens_[begin], StrCat(first ? "" : ", ", QuoteIdentifier(name), " := "), false);
    RETURN_IF_ERROR(Append(begin, end, out));
  }
  Emit(out, tokens_[call.close], ")", false);
  return Status::Ok();
}

/// decode(x, search, result, …, otherwise)
Status Translator::DecodeCall(const Call& call, Pieces& out) {
  Pieces subject;
  RETURN_IF_ERROR(Append(call.arguments[0].first, call.arguments[0].second, subject));
  Emit(out, tokens_[call.name], "(CASE", true);
  size_t i = 1;
  for (; i + 1 < call.arguments.size(); i += 2) {
    Emit(out, tokens_[call.name], "WHEN", true);
    out.insert(out.end(), subject.begin(), subject.end());
    Emit(out, tokens_[call.name], "IS NOT DISTINCT FROM", true);
    RETURN_IF_ERROR(Append(call.arguments[i].first, call.arguments[i].second, out));
    Emit(out, tokens_[call.name], "THEN", true);
    RETURN_IF_ERROR(Append(call.arguments[i + 1].first, call.arguments[i + 1].second, out));
  }
  if (i < call.arguments.size()) {
    Emit(out, tokens_[call.name], "ELSE", true);
    RETURN_IF_ERROR(Append(call.arguments[i].first, call.arguments[i].second, out));
  }
  Emit(out, tokens_[call.close], "END)", true);
  return Status::Ok();
}

/// date_add(date, days), and dateadd(unit, n, moment) under its names.
Status Translator::DateAdd(const Call& call, Pieces& out) {
  if (call.arguments.size() == 2) {
    return Template(call, "CAST(CAST($1 AS DATE) + CAST($2 AS INTEGER) AS DATE)", out);
  }
  const std::string unit = IntervalUnit(tokens_[call.arguments[0].first].value);
  if (unit.empty()) return SyntaxErrorAt(call.arguments[0].first);
  Call rest = call;
  rest.arguments.erase(rest.arguments.begin());
  // A date becomes a moment in the session's zone, as there.
  return Template(rest, StrCat("(CAST($2 AS TIMESTAMP WITH TIME ZONE) + INTERVAL ($1) ", unit, ")"),
                  out);
}

Status Translator::DateDiff(const Call& call, Pieces& out) {
  if (call.arguments.size() == 2) {
    return Template(call, "CAST(CAST($1 AS DATE) - CAST($2 AS DATE) AS INTEGER)", out);
  }
  const std::string unit = IntervalUnit(tokens_[call.arguments[0].first].value);
  if (unit.empty()) return SyntaxErrorAt(call.arguments[0].first);
  Call rest = call;
  rest.arguments.erase(rest.arguments.begin());
  return Template(
      rest, StrCat("datesub('", ToLower(unit), "', CAST($1 AS TIMESTAMP), CAST($2 AS TIMESTAMP))"),
      out);
}

/// A call whose second argument, when there is one, is a pattern of date letters.
Status Translator::PatternCall(const Call& call, std::string_view without, std::string_view with,
                               Pieces& out) {
  if (call.arguments.size() == 1) return Template(call, without, out);
  const auto [begin, end] = call.arguments[1];
  if (end != begin + 1 || tokens_[begin].kind != TokenKind::kString) {
    return Unsupported("date patterns that are no literals");
  }
  Call value = call;
  value.arguments.pop_back();
  const std::string pattern = QuoteString(EngineDatePattern(tokens_[begin].value));
  std::string text(with);
  text.replace(text.find("$p"), 2, pattern);
  return Template(value, text, out);
}

/// from_json(text, 'a INT, b STRING') and from_json(text, 'ARRAY<INT>')
Status Translator::JsonCall(const Call& call, Pieces& out) {
  const Token& schema = tokens_[call.arguments[1].first];
  Result<SqlType> type = ParseTypeText(schema.value);
  if (!type.ok()) type = ParseTypeText(StrCat("STRUCT<", schema.value, ">"));
  if (schema.kind != TokenKind::kString || !type.ok())
    return Unsupported("from_json without a literal schema");
  Call value = call;
  value.arguments.pop_back();
  return Template(value, StrCat("CAST(json($1) AS ", EngineType(*type), ")"), out);
}

/// variant_get(v, '$.a', 'int')
Status Translator::VariantGet(const Call& call, Pieces& out) {
  const Token& name = tokens_[call.arguments[2].first];
  ASSIGN_OR_RETURN(const SqlType type, ParseTypeText(name.value));
  Call value = call;
  value.arguments.pop_back();
  const std::string_view cast = tokens_[call.name].Is("TRY_VARIANT_GET") ? "TRY_CAST" : "CAST";
  return Template(value, StrCat(cast, "(json_extract_string($1, $2) AS ", EngineType(type), ")"),
                  out);
}

/// Ranks are INT there and BIGINT here; the cast has to stand around the whole window.
Status Translator::WindowInteger(const Call& call, std::string_view replacement, size_t* at,
                                 size_t end, Pieces& out) {
  if (!tokens_[*at].Is("OVER")) return Template(call, replacement, out);
  const bool bracket = tokens_[*at + 1].IsOperator("(");
  const size_t stop = bracket ? FindClosing(tokens_, *at + 1) + 1 : *at + 2;
  if (stop > end) return SyntaxErrorAt(*at + 1);
  Emit(out, tokens_[call.name], "CAST(", true);
  RETURN_IF_ERROR(Template(call, replacement, out));
  RETURN_IF_ERROR(Append(*at, stop, out));
  Emit(out, tokens_[call.name], "AS INTEGER)", true);
  *at = stop;
  return Status::Ok();
}

/// IDENTIFIER('a.b.c') and IDENTIFIER(:name): the text as a name.
Status Translator::IdentifierCall(const Call& call, Pieces& out) {
  const Token& argument = tokens_[call.open + 1];
  std::string text = argument.value;
  if (argument.kind == TokenKind::kMarker) {
    ASSIGN_OR_RETURN(const SqlParameter* const parameter, parameters_.Take(argument.value));
    text = parameter->value.value_or("");
  } else if (argument.kind != TokenKind::kString || call.close != call.open + 2) {
    return Unsupported("IDENTIFIER of an expression");
  }
  ASSIGN_OR_RETURN(const Tokens name, Tokenize(text));
  TranslationContext context = context_;
  Translator translator(name, context);
  ASSIGN_OR_RETURN(const Pieces pieces, translator.Rewrite(0, name.size() - 1));
  for (Piece piece : pieces) Emit(out, argument, std::move(piece.text), piece.space);
  return Status::Ok();
}

}  // namespace dbx::local
