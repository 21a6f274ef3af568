// SPDX-License-Identifier: Apache-2.0
#include "sql/sql_type.h"

#include <array>
#include <string_view>

#include "base/str_cat.h"
#include "sql/sql_text.h"

namespace dbx::local {
namespace {

struct Spelling {
  std::string_view text;
  std::string_view json;
};

/// In the order of SqlTypeId; empty where the type has arguments.
constexpr std::array<Spelling, 22> kSpellings = {{
    {"VOID", "void"},           {"BOOLEAN", "boolean"},
    {"TINYINT", "byte"},        {"SMALLINT", "short"},
    {"INT", "integer"},         {"BIGINT", "long"},
    {"FLOAT", "float"},         {"DOUBLE", "double"},
    {"DECIMAL", "decimal"},     {"STRING", "string"},
    {"VARCHAR", "varchar"},     {"CHAR", "char"},
    {"BINARY", "binary"},       {"DATE", "date"},
    {"TIMESTAMP", "timestamp"}, {"TIMESTAMP_NTZ", "timestamp_ntz"},
    {"INTERVAL", "interval"},   {"INTERVAL", "interval"},
    {"ARRAY", "array"},         {"MAP", "map"},
    {"STRUCT", "struct"},       {"VARIANT", "variant"},
}};

const Spelling& SpellingOf(SqlTypeId id) {
  return kSpellings[static_cast<size_t>(id)];
}

std::string IntervalText(const SqlType& type) {
  std::string start = type.interval_start;
  std::string end = type.interval_end;
  if (start.empty()) {
    start = type.id == SqlTypeId::kIntervalYearMonth ? "YEAR" : "DAY";
    end = type.id == SqlTypeId::kIntervalYearMonth ? "MONTH" : "SECOND";
  }
  if (end.empty() || end == start) return StrCat("INTERVAL ", start);
  return StrCat("INTERVAL ", start, " TO ", end);
}

std::string StructText(const SqlType& type) {
  std::string text = "STRUCT<";
  for (size_t i = 0; i < type.children.size(); ++i) {
    text += StrCat(i == 0 ? "" : ", ", type.field_names[i], ": ", type.children[i].Text());
    if (i < type.child_nullable.size() && !type.child_nullable[i]) text += " NOT NULL";
  }
  return text + ">";
}

std::string JsonString(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + "\"";
}

std::string JsonBool(bool value) {
  return value ? "true" : "false";
}

bool ChildNullable(const SqlType& type, size_t index) {
  return index >= type.child_nullable.size() || type.child_nullable[index];
}

std::string StructJson(const SqlType& type) {
  std::string text = R"({"type":"struct","fields":[)";
  for (size_t i = 0; i < type.children.size(); ++i) {
    text += StrCat(i == 0 ? "" : ",", R"({"name":)", JsonString(type.field_names[i]), R"(,"type":)",
                   type.children[i].Json(), R"(,"nullable":)", JsonBool(ChildNullable(type, i)),
                   R"(,"metadata":{}})");
  }
  return text + "]}";
}

}  // namespace

std::string SqlType::Text() const {
  switch (id) {
    case SqlTypeId::kDecimal:
      return StrCat("DECIMAL(", precision, ",", scale, ")");
    case SqlTypeId::kVarchar:
      return StrCat("VARCHAR(", length, ")");
    case SqlTypeId::kChar:
      return StrCat("CHAR(", length, ")");
    case SqlTypeId::kIntervalYearMonth:
    case SqlTypeId::kIntervalDayTime:
      return IntervalText(*this);
    case SqlTypeId::kArray:
      return StrCat("ARRAY<", children[0].Text(), ">");
    case SqlTypeId::kMap:
      return StrCat("MAP<", children[0].Text(), ", ", children[1].Text(), ">");
    case SqlTypeId::kStruct:
      return StructText(*this);
    default:
      return std::string(SpellingOf(id).text);
  }
}

std::string SqlType::Json() const {
  switch (id) {
    case SqlTypeId::kDecimal:
    case SqlTypeId::kIntervalYearMonth:
    case SqlTypeId::kIntervalDayTime:
      return JsonString(ToLower(Text()));
    // Results know of no length: both are strings there.
    case SqlTypeId::kVarchar:
    case SqlTypeId::kChar:
      return "\"string\"";
    case SqlTypeId::kArray:
      return StrCat(R"({"type":"array","elementType":)", children[0].Json(), R"(,"containsNull":)",
                    JsonBool(ChildNullable(*this, 0)), "}");
    case SqlTypeId::kMap:
      return StrCat(R"({"type":"map","keyType":)", children[0].Json(), R"(,"valueType":)",
                    children[1].Json(), R"(,"valueContainsNull":)",
                    JsonBool(ChildNullable(*this, 1)), "}");
    case SqlTypeId::kStruct:
      return StructJson(*this);
    default:
      return JsonString(SpellingOf(id).json);
  }
}

}  // namespace dbx::local
