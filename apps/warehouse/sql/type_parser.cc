// SPDX-License-Identifier: Apache-2.0
#include "sql/type_parser.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "base/str_cat.h"
#include "sql/errors.h"
#include "sql/sql_text.h"

namespace dbx::local {
namespace {

struct TypeName {
  std::string_view word;
  SqlTypeId id;
  std::string_view engine;
};

/// The first row of an id holds the engine's spelling.
constexpr std::array<TypeName, 32> kTypeNames = {{
    {"VOID", SqlTypeId::kVoid, "\"NULL\""},
    {"NULL", SqlTypeId::kVoid, ""},
    {"BOOLEAN", SqlTypeId::kBoolean, "BOOLEAN"},
    {"TINYINT", SqlTypeId::kTinyint, "TINYINT"},
    {"BYTE", SqlTypeId::kTinyint, ""},
    {"SMALLINT", SqlTypeId::kSmallint, "SMALLINT"},
    {"SHORT", SqlTypeId::kSmallint, ""},
    {"INT", SqlTypeId::kInt, "INTEGER"},
    {"INTEGER", SqlTypeId::kInt, ""},
    {"BIGINT", SqlTypeId::kBigint, "BIGINT"},
    {"LONG", SqlTypeId::kBigint, ""},
    {"FLOAT", SqlTypeId::kFloat, "FLOAT"},
    {"REAL", SqlTypeId::kFloat, ""},
    {"DOUBLE", SqlTypeId::kDouble, "DOUBLE"},
    {"DECIMAL", SqlTypeId::kDecimal, "DECIMAL"},
    {"DEC", SqlTypeId::kDecimal, ""},
    {"NUMERIC", SqlTypeId::kDecimal, ""},
    {"STRING", SqlTypeId::kString, "VARCHAR"},
    {"VARCHAR", SqlTypeId::kVarchar, "VARCHAR"},
    {"CHAR", SqlTypeId::kChar, "VARCHAR"},
    {"CHARACTER", SqlTypeId::kChar, ""},
    {"BINARY", SqlTypeId::kBinary, "BLOB"},
    {"DATE", SqlTypeId::kDate, "DATE"},
    {"TIMESTAMP", SqlTypeId::kTimestamp, "TIMESTAMP WITH TIME ZONE"},
    {"TIMESTAMP_LTZ", SqlTypeId::kTimestamp, ""},
    {"TIMESTAMP_NTZ", SqlTypeId::kTimestampNtz, "TIMESTAMP"},
    {"INTERVAL", SqlTypeId::kIntervalDayTime, "INTERVAL"},
    {"INTERVAL", SqlTypeId::kIntervalYearMonth, "INTERVAL"},
    {"ARRAY", SqlTypeId::kArray, ""},
    {"MAP", SqlTypeId::kMap, ""},
    {"STRUCT", SqlTypeId::kStruct, ""},
    {"VARIANT", SqlTypeId::kVariant, "JSON"},
}};

/// Units of intervals, from the largest; the first two are of the one kind, the rest of the other.
constexpr std::array<std::string_view, 6> kUnits = {"YEAR", "MONTH",  "DAY",
                                                    "HOUR", "MINUTE", "SECOND"};

class Parser {
 public:
  Parser(const Tokens& tokens, size_t* at) : tokens_(tokens), at_(*at) {}

  std::optional<SqlType> Type() {
    if (now().kind != TokenKind::kWord) return std::nullopt;
    const auto name = std::find_if(kTypeNames.begin(), kTypeNames.end(),
                                   [&](const TypeName& row) { return now().Is(row.word); });
    if (name == kTypeNames.end()) return std::nullopt;
    at_ += 1;
    switch (name->id) {
      case SqlTypeId::kDecimal:
        return Decimal();
      case SqlTypeId::kVarchar:
      case SqlTypeId::kChar:
        return Text(name->id);
      case SqlTypeId::kString:
        return String();
      case SqlTypeId::kIntervalDayTime:
        return Interval();
      case SqlTypeId::kArray:
        return Array();
      case SqlTypeId::kMap:
        return Map();
      case SqlTypeId::kStruct:
        return Struct();
      default:
        return SimpleType(name->id);
    }
  }

  size_t at() const { return at_; }

 private:
  const Token& now() const { return tokens_[std::min(at_, tokens_.size() - 1)]; }

  bool Take(std::string_view symbol) {
    if (!now().IsOperator(symbol)) return false;
    at_ += 1;
    return true;
  }

  std::optional<int32_t> Number() {
    if (now().kind != TokenKind::kNumber) return std::nullopt;
    const std::string& digits = now().text;
    int32_t value = 0;
    const char* const last = digits.data() + digits.size();
    const auto [stop, failure] = std::from_chars(digits.data(), last, value);
    if (failure != std::errc() || stop != last) return std::nullopt;
    at_ += 1;
    return value;
  }

  std::optional<SqlType> Decimal() {
    SqlType type = DecimalType(10, 0);
    if (!Take("(")) return type;
    const std::optional<int32_t> precision = Number();
    if (!precision) return std::nullopt;
    type.precision = *precision;
    if (Take(",")) {
      const std::optional<int32_t> scale = Number();
      if (!scale) return std::nullopt;
      type.scale = *scale;
    }
    const bool sound = type.precision >= 1 && type.precision <= 38 && type.scale >= 0 &&
                       type.scale <= type.precision;
    if (!sound || !Take(")")) return std::nullopt;
    return type;
  }

  std::optional<SqlType> Text(SqlTypeId id) {
    if (!Take("(")) return SimpleType(SqlTypeId::kString);
    const std::optional<int32_t> length = Number();
    if (!length || !Take(")")) return std::nullopt;
    SqlType type = SimpleType(id);
    type.length = *length;
    return type;
  }

  std::optional<SqlType> String() {
    if (now().Is("COLLATE")) at_ += 2;
    return SimpleType(SqlTypeId::kString);
  }

  std::optional<SqlType> Interval() {
    const std::string start = ToUpper(now().text);
    if (std::find(kUnits.begin(), kUnits.end(), start) == kUnits.end()) {
      return IntervalType("DAY", "SECOND");
    }
    at_ += 1;
    if (!now().Is("TO")) return IntervalType(start, {});
    at_ += 1;
    const std::string end = ToUpper(now().text);
    at_ += 1;
    return IntervalType(start, end);
  }

  std::optional<SqlType> Array() {
    if (!Take("<")) return std::nullopt;
    SqlType type = SimpleType(SqlTypeId::kArray);
    std::optional<SqlType> element = Type();
    if (!element || !Take(">")) return std::nullopt;
    type.children.push_back(std::move(*element));
    type.child_nullable = {true};
    return type;
  }

  std::optional<SqlType> Map() {
    if (!Take("<")) return std::nullopt;
    SqlType type = SimpleType(SqlTypeId::kMap);
    std::optional<SqlType> key = Type();
    if (!key || !Take(",")) return std::nullopt;
    std::optional<SqlType> value = Type();
    if (!value || !Take(">")) return std::nullopt;
    type.children.push_back(std::move(*key));
    type.children.push_back(std::move(*value));
    type.child_nullable = {false, true};
    return type;
  }

  std::optional<SqlType> Struct() {
    SqlType type = SimpleType(SqlTypeId::kStruct);
    if (!Take("<")) return std::nullopt;
    do {
      if (!Field(type)) return std::nullopt;
    } while (Take(","));
    if (!Take(">")) return std::nullopt;
    return type;
  }

  bool Field(SqlType& type) {
    if (!now().IsIdentifier()) return false;
    std::string name = now().value;
    at_ += 1;
    Take(":");
    std::optional<SqlType> field = Type();
    if (!field) return false;
    const bool required = now().Is("NOT");
    if (required) at_ += 2;
    if (now().Is("COMMENT")) at_ += 2;
    type.children.push_back(std::move(*field));
    type.field_names.push_back(std::move(name));
    type.child_nullable.push_back(!required);
    return true;
  }

  const Tokens& tokens_;
  size_t at_;
};

}  // namespace

std::optional<SqlType> ParseType(const Tokens& tokens, size_t* at) {
  Parser parser(tokens, at);
  std::optional<SqlType> type = parser.Type();
  *at = parser.at();
  return type;
}

Result<SqlType> ParseTypeText(std::string_view text) {
  const Status unknown = SqlError(StatusCode::kInvalidArgument, "UNSUPPORTED_DATATYPE", "0A000",
                                  StrCat("Unsupported data type \"", text, "\""));
  Result<Tokens> tokens = Tokenize(text);
  if (!tokens.ok()) return unknown;
  size_t at = 0;
  std::optional<SqlType> type = ParseType(*tokens, &at);
  if (!type || (*tokens)[std::min(at, tokens->size() - 1)].kind != TokenKind::kEnd) return unknown;
  return *std::move(type);
}

std::string EngineType(const SqlType& type) {
  switch (type.id) {
    case SqlTypeId::kDecimal:
      return StrCat("DECIMAL(", type.precision, ",", type.scale, ")");
    case SqlTypeId::kArray:
      return StrCat(EngineType(type.children[0]), "[]");
    case SqlTypeId::kMap:
      return StrCat("MAP(", EngineType(type.children[0]), ", ", EngineType(type.children[1]), ")");
    case SqlTypeId::kStruct: {
      std::string text = "STRUCT(";
      for (size_t i = 0; i < type.children.size(); ++i) {
        text += StrCat(i == 0 ? "" : ", ", QuoteIdentifier(type.field_names[i]), " ",
                       EngineType(type.children[i]));
      }
      return text + ")";
    }
    default:
      break;
  }
  const auto row = std::find_if(kTypeNames.begin(), kTypeNames.end(),
                                [&](const TypeName& name) { return name.id == type.id; });
  return std::string(row->engine);
}

std::string DescribeType(const SqlType& type) {
  switch (type.id) {
    case SqlTypeId::kArray:
      return StrCat("array<", DescribeType(type.children[0]), ">");
    case SqlTypeId::kMap:
      return StrCat("map<", DescribeType(type.children[0]), ",", DescribeType(type.children[1]),
                    ">");
    case SqlTypeId::kStruct: {
      std::string text = "struct<";
      for (size_t i = 0; i < type.children.size(); ++i) {
        text += StrCat(i == 0 ? "" : ",", type.field_names[i], ":", DescribeType(type.children[i]));
      }
      return text + ">";
    }
    default:
      return ToLower(type.Text());
  }
}

SqlType SimpleType(SqlTypeId id) {
  SqlType type;
  type.id = id;
  return type;
}

SqlType DecimalType(int32_t precision, int32_t scale) {
  SqlType type;
  type.id = SqlTypeId::kDecimal;
  type.precision = precision;
  type.scale = scale;
  return type;
}

std::optional<SqlType> IntervalType(std::string_view start, std::string_view end) {
  if (end.empty()) end = start;
  const auto first = std::find(kUnits.begin(), kUnits.end(), start);
  const auto last = std::find(kUnits.begin(), kUnits.end(), end);
  if (first == kUnits.end() || last == kUnits.end() || last < first) return std::nullopt;
  const bool year_month = first - kUnits.begin() < 2;
  if (year_month != (last - kUnits.begin() < 2)) return std::nullopt;
  SqlType type =
      SimpleType(year_month ? SqlTypeId::kIntervalYearMonth : SqlTypeId::kIntervalDayTime);
  type.interval_start = std::string(start);
  type.interval_end = std::string(end);
  return type;
}

}  // namespace dbx::local
