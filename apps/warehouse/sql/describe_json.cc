// SPDX-License-Identifier: Apache-2.0
#include "sql/describe_json.h"

#include "base/str_cat.h"
#include "sql/sql_text.h"

namespace dbx::local {
namespace {

std::string Text(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      result += {'\\', c};
    } else if (static_cast<unsigned char>(c) < 0x20) {
      result += StrCat("\\u00", kDigits[static_cast<size_t>(c) >> 4],
                       kDigits[static_cast<size_t>(c) & 0xF]);
    } else {
      result += c;
    }
  }
  return result + "\"";
}

std::string TypeJson(const SqlType& type) {
  const auto named = [](std::string_view name, const std::string& more) {
    return StrCat(R"({"name":)", Text(name), more, "}");
  };
  switch (type.id) {
    case SqlTypeId::kDecimal:
      return named("decimal",
                   StrCat(R"(,"precision":)", type.precision, R"(,"scale":)", type.scale));
    case SqlTypeId::kVarchar:
      return named("varchar", StrCat(R"(,"length":)", type.length));
    case SqlTypeId::kChar:
      return named("char", StrCat(R"(,"length":)", type.length));
    case SqlTypeId::kTimestamp:
      return named("timestamp_ltz", "");
    case SqlTypeId::kIntervalYearMonth:
    case SqlTypeId::kIntervalDayTime:
      return named("interval", StrCat(R"(,"start_unit":)", Text(ToLower(type.interval_start)),
                                      R"(,"end_unit":)", Text(ToLower(type.interval_end))));
    case SqlTypeId::kArray:
      return named("array", StrCat(R"(,"element_type":)", TypeJson(type.children[0]),
                                   R"(,"element_nullable":true)"));
    case SqlTypeId::kMap:
      return named("map", StrCat(R"(,"key_type":)", TypeJson(type.children[0]), R"(,"value_type":)",
                                 TypeJson(type.children[1]), R"(,"value_nullable":true)"));
    case SqlTypeId::kStruct: {
      std::string fields;
      for (size_t i = 0; i < type.children.size(); ++i) {
        fields += StrCat(i == 0 ? "" : ",", R"({"name":)", Text(type.field_names[i]), R"(,"type":)",
                         TypeJson(type.children[i]), R"(,"nullable":true})");
      }
      return named("struct", StrCat(R"(,"fields":[)", fields, "]"));
    }
    default:
      return named(ToLower(type.Text()), "");
  }
}

std::string Names(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names)
    text += StrCat(text.empty() ? "" : ", ", BacktickIdentifier(name));
  return text;
}

/// "[ (pk, PRIMARY KEY (`a`)), (fk, FOREIGN KEY (`x`) REFERENCES `c`.`s`.`t` (`y`)) ]"
std::string Constraints(const TableFacts& facts) {
  std::string text;
  if (facts.primary_key)
    text += StrCat("(", facts.primary_key->name, ", PRIMARY KEY (",
                   Names(facts.primary_key->columns), "))");
  for (const KeyFact& key : facts.foreign_keys) {
    const TableName parent{key.parent_catalog, key.parent_schema, key.parent_table};
    text += StrCat(text.empty() ? "" : ", ", "(", key.name, ", FOREIGN KEY (", Names(key.columns),
                   ") REFERENCES ", parent.ClientText(), " (", Names(key.parent_columns), "))");
  }
  return StrCat("[ ", text, " ]");
}

}  // namespace

std::string DescribeJson(const TableInfo& table, const std::vector<ColumnInfo>& columns,
                         const TableFacts& facts) {
  std::string list;
  for (const ColumnInfo& info : columns) {
    list += StrCat(
        list.empty() ? "" : ",", R"({"name":)", Text(info.column.name), R"(,"type":)",
        TypeJson(info.column.type),
        info.column.comment.empty() ? "" : StrCat(R"(,"comment":)", Text(info.column.comment)),
        R"(,"nullable":)", info.column.nullable, "}");
  }
  std::string properties;
  for (const auto& [key, value] : facts.properties)
    properties += StrCat(properties.empty() ? "" : ",", Text(key), ":", Text(value));
  std::string place;
  if (!table.schema.empty())
    place = StrCat(R"(,"catalog_name":)", Text(table.catalog), R"(,"namespace":[)",
                   Text(table.schema), R"(],"schema_name":)", Text(table.schema));
  std::string text = StrCat(R"({"table_name":)", Text(table.name), place, R"(,"columns":[)", list,
                            R"(],"type":)", Text(table.type == "VIEW" ? "VIEW" : "MANAGED"),
                            R"(,"table_properties":{)", properties, "}");
  if (facts.primary_key || !facts.foreign_keys.empty())
    text += StrCat(R"(,"table_constraints":)", Text(Constraints(facts)));
  if (!table.comment.empty()) text += StrCat(R"(,"comment":)", Text(table.comment));
  return text + "}";
}

}  // namespace dbx::local
