// SPDX-License-Identifier: Apache-2.0
#include "warehouse/sea/column_type.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <utility>

#include "base/str_cat.h"
#include "result/value_text.h"

namespace dbx::sea {
namespace {

using Kind = ColumnType::Kind;

constexpr int kDeepest = 64;
constexpr int32_t kMaxPrecision = 38;

bool IsBlank(char c) {
  return c == ' ' || c == '\t' || c == '\n';
}

bool IsWordLetter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

std::string Changed(std::string_view text, int (*change)(int)) {
  std::string changed(text);
  std::transform(changed.begin(), changed.end(), changed.begin(),
                 [change](unsigned char c) { return static_cast<char>(change(c)); });
  return changed;
}

struct PlainName {
  std::string_view name;
  Kind kind;
};

constexpr PlainName kPlainNames[] = {
    {"BOOLEAN", Kind::kBool},
    {"TINYINT", Kind::kInt8},
    {"BYTE", Kind::kInt8},
    {"SMALLINT", Kind::kInt16},
    {"SHORT", Kind::kInt16},
    {"INT", Kind::kInt32},
    {"INTEGER", Kind::kInt32},
    {"BIGINT", Kind::kInt64},
    {"LONG", Kind::kInt64},
    {"FLOAT", Kind::kFloat},
    {"REAL", Kind::kFloat},
    {"DOUBLE", Kind::kDouble},
    {"DECIMAL", Kind::kDecimal},
    {"DEC", Kind::kDecimal},
    {"NUMERIC", Kind::kDecimal},
    {"STRING", Kind::kString},
    {"VARCHAR", Kind::kString},
    {"CHAR", Kind::kString},
    {"BINARY", Kind::kBinary},
    {"DATE", Kind::kDate},
    {"TIMESTAMP", Kind::kTimestamp},
    {"TIMESTAMP_LTZ", Kind::kTimestamp},
    {"TIMESTAMP_NTZ", Kind::kTimestampNtz},
    {"VOID", Kind::kNull},
    {"NULL", Kind::kNull},
};

/// Reads one type from the front of a text.
class TypeReader {
 public:
  explicit TypeReader(std::string_view text) : text_(text) {}

  /// nullopt: no type stands there.
  std::optional<ColumnType> Read(int depth = 0) {
    if (depth > kDeepest) return std::nullopt;
    SkipBlanks();
    const size_t start = at_;
    const std::string word = Changed(Word(), std::toupper);
    if (word.empty()) return std::nullopt;
    std::optional<ColumnType> type = ReadNamed(word, depth);
    if (type) type->text = std::string(text_.substr(start, at_ - start));
    return type;
  }

  bool AtEnd() {
    SkipBlanks();
    return at_ == text_.size();
  }

 private:
  std::optional<ColumnType> ReadNamed(const std::string& word, int depth) {
    if (word == "INTERVAL") return ReadInterval();
    if (word == "ARRAY") return ReadChildren(Kind::kList, 1, depth);
    if (word == "MAP") return ReadChildren(Kind::kMap, 2, depth);
    if (word == "STRUCT") return ReadStruct(depth);
    const auto* const found = std::find_if(std::begin(kPlainNames), std::end(kPlainNames),
                                           [&](const PlainName& row) { return row.name == word; });
    ColumnType type;
    if (found != std::end(kPlainNames)) type.kind = found->kind;
    if (!ReadArguments(&type)) return std::nullopt;
    return type;
  }

  /// "(18,2)" of a decimal, "(255)" of a text.
  bool ReadArguments(ColumnType* type) {
    type->precision = 10;  // as the service takes a bare DECIMAL
    if (!Take('(')) return true;
    const size_t end = text_.find(')', at_);
    if (end == std::string_view::npos) return false;
    const std::string_view inside = text_.substr(at_, end - at_);
    at_ = end + 1;
    if (type->kind != Kind::kDecimal) return true;
    const size_t comma = std::min(inside.find(','), inside.size());
    const auto precision = ParseInteger(Trim(inside.substr(0, comma)));
    const auto scale = comma < inside.size() ? ParseInteger(Trim(inside.substr(comma + 1)))
                                             : std::optional<int64_t>(0);
    if (!precision || *precision < 1 || *precision > kMaxPrecision) return false;
    if (!scale || *scale < 0 || *scale > *precision) return false;
    type->precision = static_cast<int32_t>(*precision);
    type->scale = static_cast<int32_t>(*scale);
    return true;
  }

  std::optional<ColumnType> ReadInterval() {
    ColumnType type;
    SkipBlanks();
    const std::string unit = Changed(Word(), std::toupper);
    type.kind = unit == "YEAR" || unit == "MONTH" ? Kind::kYearMonth : Kind::kDayTime;
    const size_t before = at_;
    SkipBlanks();
    if (Changed(Word(), std::toupper) != "TO") {
      at_ = before;
      return type;
    }
    SkipBlanks();
    Word();
    return type;
  }

  std::optional<ColumnType> ReadChildren(Kind kind, size_t count, int depth) {
    ColumnType type{.kind = kind};
    if (!Take('<')) return std::nullopt;
    for (size_t index = 0; index < count; ++index) {
      if (index > 0 && !Take(',')) return std::nullopt;
      std::optional<ColumnType> child = Read(depth + 1);
      if (!child) return std::nullopt;
      type.children.push_back(*std::move(child));
    }
    if (!Take('>')) return std::nullopt;
    return type;
  }

  std::optional<ColumnType> ReadStruct(int depth) {
    ColumnType type{.kind = Kind::kStruct};
    if (!Take('<')) return std::nullopt;
    if (Take('>')) return type;
    do {
      std::string name = FieldName();
      Take(':');
      std::optional<ColumnType> child = Read(depth + 1);
      if (!child) return std::nullopt;
      type.names.push_back(std::move(name));
      type.children.push_back(*std::move(child));
      SkipQualifiers();
    } while (Take(','));
    if (!Take('>')) return std::nullopt;
    return type;
  }

  std::string FieldName() {
    SkipBlanks();
    if (at_ < text_.size() && text_[at_] == '`') return QuotedName();
    const size_t start = at_;
    while (at_ < text_.size() && text_[at_] != ':' && !IsBlank(text_[at_])) ++at_;
    return std::string(text_.substr(start, at_ - start));
  }

  std::string QuotedName() {
    std::string name;
    for (++at_; at_ < text_.size(); ++at_) {
      if (text_[at_] == '`') {
        const bool doubled = at_ + 1 < text_.size() && text_[at_ + 1] == '`';
        if (!doubled) {
          ++at_;
          break;
        }
        ++at_;
      }
      name.push_back(text_[at_]);
    }
    return name;
  }

  /// NOT NULL, COMMENT 'text', COLLATE name.
  void SkipQualifiers() {
    SkipBlanks();
    while (at_ < text_.size() && text_[at_] != ',' && text_[at_] != '>') {
      if (text_[at_] == '\'') {
        const size_t end = text_.find('\'', at_ + 1);
        at_ = end == std::string_view::npos ? text_.size() - 1 : end;
      }
      ++at_;
    }
  }

  static std::string_view Trim(std::string_view text) {
    while (!text.empty() && IsBlank(text.front())) text.remove_prefix(1);
    while (!text.empty() && IsBlank(text.back())) text.remove_suffix(1);
    return text;
  }

  void SkipBlanks() {
    while (at_ < text_.size() && IsBlank(text_[at_])) ++at_;
  }

  std::string_view Word() {
    const size_t start = at_;
    while (at_ < text_.size() && IsWordLetter(text_[at_])) ++at_;
    return text_.substr(start, at_ - start);
  }

  bool Take(char wanted) {
    SkipBlanks();
    if (at_ >= text_.size() || text_[at_] != wanted) return false;
    ++at_;
    return true;
  }

  const std::string_view text_;
  size_t at_ = 0;
};

ArrowType PlainArrowType(Kind kind) {
  switch (kind) {
    case Kind::kNull:
      return NANOARROW_TYPE_NA;
    case Kind::kBool:
      return NANOARROW_TYPE_BOOL;
    case Kind::kInt8:
      return NANOARROW_TYPE_INT8;
    case Kind::kInt16:
      return NANOARROW_TYPE_INT16;
    case Kind::kInt32:
      return NANOARROW_TYPE_INT32;
    case Kind::kInt64:
      return NANOARROW_TYPE_INT64;
    case Kind::kFloat:
      return NANOARROW_TYPE_FLOAT;
    case Kind::kDouble:
      return NANOARROW_TYPE_DOUBLE;
    case Kind::kBinary:
      return NANOARROW_TYPE_BINARY;
    case Kind::kDate:
      return NANOARROW_TYPE_DATE32;
    case Kind::kYearMonth:
      return NANOARROW_TYPE_INTERVAL_MONTHS;
    default:
      return NANOARROW_TYPE_STRING;
  }
}

ArrowErrorCode SetType(const ColumnType& type, const std::string& time_zone, ArrowSchema* schema);

/// A field of a nested type in place of what `field` held.
ArrowErrorCode SetField(const ColumnType& type, const std::string& time_zone, const char* name,
                        bool nullable, ArrowSchema* field) {
  if (field->release != nullptr) ArrowSchemaRelease(field);
  ArrowSchemaInit(field);
  NANOARROW_RETURN_NOT_OK(SetType(type, time_zone, field));
  NANOARROW_RETURN_NOT_OK(ArrowSchemaSetName(field, name));
  if (!nullable) field->flags &= ~ARROW_FLAG_NULLABLE;
  return NANOARROW_OK;
}

ArrowErrorCode SetMapType(const ColumnType& type, const std::string& time_zone,
                          ArrowSchema* schema) {
  NANOARROW_RETURN_NOT_OK(ArrowSchemaSetType(schema, NANOARROW_TYPE_MAP));
  ArrowSchema* const entries = schema->children[0];
  NANOARROW_RETURN_NOT_OK(ArrowSchemaSetName(entries, "entries"));
  entries->flags &= ~ARROW_FLAG_NULLABLE;
  NANOARROW_RETURN_NOT_OK(
      SetField(type.children[0], time_zone, "key", false, entries->children[0]));
  return SetField(type.children[1], time_zone, "value", true, entries->children[1]);
}

ArrowErrorCode SetStructType(const ColumnType& type, const std::string& time_zone,
                             ArrowSchema* schema) {
  NANOARROW_RETURN_NOT_OK(
      ArrowSchemaSetTypeStruct(schema, static_cast<int64_t>(type.children.size())));
  for (size_t i = 0; i < type.children.size(); ++i) {
    NANOARROW_RETURN_NOT_OK(
        SetField(type.children[i], time_zone, type.names[i].c_str(), true, schema->children[i]));
  }
  return NANOARROW_OK;
}

ArrowErrorCode SetType(const ColumnType& type, const std::string& time_zone, ArrowSchema* schema) {
  switch (type.kind) {
    case Kind::kDecimal:
      return ArrowSchemaSetTypeDecimal(schema, NANOARROW_TYPE_DECIMAL128, type.precision,
                                       type.scale);
    case Kind::kTimestamp:
      return ArrowSchemaSetTypeDateTime(schema, NANOARROW_TYPE_TIMESTAMP, NANOARROW_TIME_UNIT_MICRO,
                                        time_zone.c_str());
    case Kind::kTimestampNtz:
      return ArrowSchemaSetTypeDateTime(schema, NANOARROW_TYPE_TIMESTAMP, NANOARROW_TIME_UNIT_MICRO,
                                        nullptr);
    case Kind::kDayTime:
      return ArrowSchemaSetTypeDateTime(schema, NANOARROW_TYPE_DURATION, NANOARROW_TIME_UNIT_MICRO,
                                        nullptr);
    case Kind::kList:
      NANOARROW_RETURN_NOT_OK(ArrowSchemaSetType(schema, NANOARROW_TYPE_LIST));
      return SetField(type.children[0], time_zone, "element", true, schema->children[0]);
    case Kind::kMap:
      return SetMapType(type, time_zone, schema);
    case Kind::kStruct:
      return SetStructType(type, time_zone, schema);
    default:
      return ArrowSchemaSetType(schema, PlainArrowType(type.kind));
  }
}

std::string Quoted(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted.push_back('\\');
    quoted.push_back(c);
  }
  return quoted + "\"";
}

std::string_view SparkName(Kind kind) {
  switch (kind) {
    case Kind::kNull:
      return "void";
    case Kind::kBool:
      return "boolean";
    case Kind::kInt8:
      return "byte";
    case Kind::kInt16:
      return "short";
    case Kind::kInt32:
      return "integer";
    case Kind::kInt64:
      return "long";
    case Kind::kFloat:
      return "float";
    case Kind::kDouble:
      return "double";
    case Kind::kString:
      return "string";
    case Kind::kBinary:
      return "binary";
    case Kind::kDate:
      return "date";
    case Kind::kTimestamp:
      return "timestamp";
    case Kind::kTimestampNtz:
      return "timestamp_ntz";
    default:
      return {};
  }
}

/// Child `index` of `schema`, or an empty schema where it has none.
const ArrowSchema& ChildOf(const ArrowSchema& schema, size_t index) {
  static const ArrowSchema kNone{};
  return static_cast<int64_t>(index) < schema.n_children ? *schema.children[index] : kNone;
}

bool IsNullable(const ArrowSchema& schema) {
  return schema.release == nullptr || (schema.flags & ARROW_FLAG_NULLABLE) != 0;
}

std::string StructJson(const ColumnType& type, const ArrowSchema& schema) {
  std::string fields;
  for (size_t i = 0; i < type.children.size(); ++i) {
    const ArrowSchema& field = ChildOf(schema, i);
    fields += StrCat(i == 0 ? "" : ",", R"({"name":)", Quoted(type.names[i]), R"(,"type":)",
                     SparkJson(type.children[i], field), R"(,"nullable":)", IsNullable(field),
                     R"(,"metadata":{}})");
  }
  return StrCat(R"({"type":"struct","fields":[)", fields, "]}");
}

}  // namespace

ColumnType ParseColumnType(std::string_view text) {
  TypeReader reader(text);
  std::optional<ColumnType> type = reader.Read();
  if (type && reader.AtEnd()) return *std::move(type);
  return {.kind = Kind::kOther, .text = std::string(text)};
}

Status SetArrowType(const ColumnType& type, const std::string& time_zone, ArrowSchema* schema) {
  if (SetType(type, time_zone, schema) == NANOARROW_OK) return Status::Ok();
  return Status::InvalidData(StrCat("no Arrow type for ", type.text));
}

std::string SparkJson(const ColumnType& type, const ArrowSchema& schema) {
  switch (type.kind) {
    case Kind::kList: {
      const ArrowSchema& element = ChildOf(schema, 0);
      return StrCat(R"({"type":"array","elementType":)", SparkJson(type.children[0], element),
                    R"(,"containsNull":)", IsNullable(element), "}");
    }
    case Kind::kMap: {
      const ArrowSchema& entries = ChildOf(schema, 0);
      const ArrowSchema& value = ChildOf(entries, 1);
      return StrCat(R"({"type":"map","keyType":)", SparkJson(type.children[0], ChildOf(entries, 0)),
                    R"(,"valueType":)", SparkJson(type.children[1], value),
                    R"(,"valueContainsNull":)", IsNullable(value), "}");
    }
    case Kind::kStruct:
      return StructJson(type, schema);
    case Kind::kDecimal:
      return StrCat("\"decimal(", type.precision, ",", type.scale, ")\"");
    default:
      break;
  }
  const std::string_view name = SparkName(type.kind);
  return name.empty() ? Quoted(Changed(type.text, std::tolower)) : Quoted(name);
}

}  // namespace dbx::sea
