// SPDX-License-Identifier: Apache-2.0
#include "warehouse/sea/manifest_schema.h"

#include <algorithm>
#include <utility>

#include "base/str_cat.h"
#include "warehouse/sea/column_type.h"

namespace dbx::sea {
namespace {

constexpr char kSqlNameKey[] = "Spark:DataType:SqlName";
constexpr char kJsonTypeKey[] = "Spark:DataType:JsonType";

ArrowStringView View(const std::string& text) {
  return {text.data(), static_cast<int64_t>(text.size())};
}

ArrowErrorCode SetMetadata(const std::string& sql_name, const std::string& json_type,
                           ArrowSchema* field) {
  nanoarrow::UniqueBuffer metadata;
  NANOARROW_RETURN_NOT_OK(ArrowMetadataBuilderInit(metadata.get(), nullptr));
  NANOARROW_RETURN_NOT_OK(
      ArrowMetadataBuilderAppend(metadata.get(), ArrowCharView(kSqlNameKey), View(sql_name)));
  NANOARROW_RETURN_NOT_OK(
      ArrowMetadataBuilderAppend(metadata.get(), ArrowCharView(kJsonTypeKey), View(json_type)));
  return ArrowSchemaSetMetadata(field, reinterpret_cast<const char*>(metadata->data));
}

Status NameField(const ColumnMessage& column, const ColumnType& type, ArrowSchema* field) {
  const bool done = ArrowSchemaSetName(field, column.name.c_str()) == NANOARROW_OK &&
                    SetMetadata(column.type_text, SparkJson(type, *field), field) == NANOARROW_OK;
  return done ? Status::Ok() : Status::Internal("schema: out of memory");
}

ColumnType TypeOf(const ColumnMessage& column) {
  return ParseColumnType(column.type_text.empty() ? column.type_name : column.type_text);
}

bool HasTimestamp(const ColumnType& type) {
  return type.kind == ColumnType::Kind::kTimestamp ||
         std::any_of(type.children.begin(), type.children.end(), HasTimestamp);
}

}  // namespace

bool HasTimestamps(const std::vector<ColumnMessage>& columns) {
  return std::any_of(columns.begin(), columns.end(),
                     [](const ColumnMessage& column) { return HasTimestamp(TypeOf(column)); });
}

std::vector<ColumnMessage> InOrder(std::vector<ColumnMessage> columns) {
  std::vector<ColumnMessage> ordered(columns.size());
  std::vector<bool> taken(columns.size());
  for (const ColumnMessage& column : columns) {
    const auto place = static_cast<size_t>(column.position.value_or(-1));
    if (place >= columns.size() || taken[place]) return columns;
    taken[place] = true;
    ordered[place] = column;
  }
  return ordered;
}

Result<std::shared_ptr<const Schema>> SchemaFromManifest(const std::vector<ColumnMessage>& columns,
                                                         const std::string& time_zone) {
  nanoarrow::UniqueSchema schema;
  ArrowSchemaInit(schema.get());
  if (ArrowSchemaSetTypeStruct(schema.get(), static_cast<int64_t>(columns.size())) !=
      NANOARROW_OK) {
    return Status::Internal("schema: out of memory");
  }
  for (size_t i = 0; i < columns.size(); ++i) {
    const ColumnType type = TypeOf(columns[i]);
    RETURN_IF_ERROR(SetArrowType(type, time_zone, schema->children[i]));
    RETURN_IF_ERROR(NameField(columns[i], type, schema->children[i]));
  }
  return Schema::Take(schema.get());
}

Result<std::shared_ptr<const Schema>> SchemaOfRows(const std::vector<ColumnMessage>& columns,
                                                   const Schema& rows) {
  if (static_cast<int64_t>(columns.size()) != rows.num_columns()) {
    return Status::InvalidData(StrCat("the rows have ", rows.num_columns(),
                                      " columns, the result's manifest has ", columns.size()));
  }
  nanoarrow::UniqueSchema schema;
  RETURN_IF_ERROR(rows.CopyTo(schema.get()));
  for (size_t i = 0; i < columns.size(); ++i) {
    RETURN_IF_ERROR(NameField(columns[i], TypeOf(columns[i]), schema->children[i]));
  }
  return Schema::Take(schema.get());
}

std::string TimeZoneOf(const Schema& schema) {
  for (int64_t i = 0; i < schema.num_columns(); ++i) {
    ArrowSchemaView view;
    if (ArrowSchemaViewInit(&view, schema.c_schema()->children[i], nullptr) != NANOARROW_OK) {
      continue;
    }
    if (view.type == NANOARROW_TYPE_TIMESTAMP && view.timezone != nullptr && *view.timezone != 0) {
      return view.timezone;
    }
  }
  return {};
}

}  // namespace dbx::sea
