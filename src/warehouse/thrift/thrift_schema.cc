// SPDX-License-Identifier: Apache-2.0
#include "warehouse/thrift/thrift_schema.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "result/column_values.h"
#include "result/inline_result.h"

namespace dbx::thrift {
namespace {

constexpr int32_t kMaxPrecision = 38;

std::optional<int32_t> Qualifier(const TPrimitiveTypeEntry& type, const std::string& name) {
  const auto& qualifiers = type.typeQualifiers.qualifiers;
  const auto found = qualifiers.find(name);
  if (found == qualifiers.end() || !found->second.__isset.i32Value) return std::nullopt;
  return found->second.i32Value;
}

void SetDecimal(const TPrimitiveTypeEntry& type, ColumnDescription& column) {
  const std::optional<int32_t> precision = Qualifier(type, "precision");
  const int32_t scale = Qualifier(type, "scale").value_or(0);
  if (!precision || *precision < 1 || *precision > kMaxPrecision) return;
  if (scale < 0 || scale > *precision) return;
  column.type = ColumnType::kDecimal;
  column.precision = *precision;
  column.scale = scale;
}

ColumnType PlainType(TTypeId::type type) {
  switch (type) {
    case TTypeId::BOOLEAN_TYPE:
      return ColumnType::kBool;
    case TTypeId::TINYINT_TYPE:
      return ColumnType::kInt8;
    case TTypeId::SMALLINT_TYPE:
      return ColumnType::kInt16;
    case TTypeId::INT_TYPE:
      return ColumnType::kInt32;
    case TTypeId::BIGINT_TYPE:
      return ColumnType::kInt64;
    case TTypeId::FLOAT_TYPE:
      return ColumnType::kFloat;
    case TTypeId::DOUBLE_TYPE:
      return ColumnType::kDouble;
    case TTypeId::BINARY_TYPE:
      return ColumnType::kBinary;
    case TTypeId::DATE_TYPE:
      return ColumnType::kDate;
    case TTypeId::TIMESTAMP_TYPE:
      return ColumnType::kTimestamp;
    case TTypeId::NULL_TYPE:
      return ColumnType::kNull;
    default:
      return ColumnType::kString;
  }
}

ColumnDescription Describe(const TColumnDesc& column, RowForm form, const std::string& timezone) {
  ColumnDescription description;
  description.name = column.columnName;
  if (column.typeDesc.types.empty()) return description;
  const TTypeEntry& entry = column.typeDesc.types.front();
  if (!entry.__isset.primitiveEntry) return description;
  const TPrimitiveTypeEntry& primitive = entry.primitiveEntry;
  description.type = PlainType(primitive.type);
  if (form == RowForm::kColumns) {
    if (description.type == ColumnType::kTimestamp) description.timezone = timezone;
    if (primitive.type == TTypeId::DECIMAL_TYPE) SetDecimal(primitive, description);
  }
  return description;
}

std::string UpperCase(std::string_view text) {
  std::string upper(text);
  std::transform(upper.begin(), upper.end(), upper.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return upper;
}

bool IsUtc(std::string_view zone) {
  constexpr std::string_view kNames[] = {"UTC",  "ETC/UTC", "GMT",     "ETC/GMT",
                                         "Z",    "+00:00",  "UTC+0",   "UTC+00:00",
                                         "ZULU", "ETC/UCT", "ETC/ZULU"};
  const std::string upper = UpperCase(zone);
  return std::find(std::begin(kNames), std::end(kNames), upper) != std::end(kNames);
}

}  // namespace

bool HasSchema(const TGetResultSetMetadataResp& metadata) {
  return !metadata.arrowSchema.empty() || metadata.__isset.schema;
}

Result<std::shared_ptr<const Schema>> SchemaOf(const TGetResultSetMetadataResp& metadata,
                                               RowForm form, const std::string& timezone) {
  if (!metadata.arrowSchema.empty()) return DecodeSchemaMessage(metadata.arrowSchema);
  std::vector<ColumnDescription> columns;
  columns.reserve(metadata.schema.columns.size());
  for (const TColumnDesc& column : metadata.schema.columns) {
    columns.push_back(Describe(column, form, timezone));
  }
  return MakeSchema(columns);
}

std::string ColumnTimezone(const std::map<std::string, std::string>& settings) {
  for (const auto& [name, zone] : settings) {
    const std::string upper = UpperCase(name);
    if (upper != "TIMEZONE" && upper != "SPARK.SQL.SESSION.TIMEZONE") continue;
    return IsUtc(zone) ? zone : std::string();
  }
  return "UTC";
}

}  // namespace dbx::thrift
