// SPDX-License-Identifier: Apache-2.0
#include "result/arrow_types.h"

#include <nanoarrow/nanoarrow.hpp>
#include <nanoarrow/nanoarrow_ipc.hpp>

#include <utility>

#include "base/str_cat.h"

namespace dbx::local {
namespace {

ColumnLayout Fixed(int32_t width) {
  return {.kind = ColumnLayout::Kind::kFixed, .width = width};
}

ColumnLayout NativeLayout(const SqlType& type);

ColumnLayout StructLayout(const std::vector<SqlType>& fields) {
  ColumnLayout layout{.kind = ColumnLayout::Kind::kStruct};
  for (const SqlType& field : fields) layout.children.push_back(NativeLayout(field));
  return layout;
}

ColumnLayout NativeLayout(const SqlType& type) {
  switch (type.id) {
    case SqlTypeId::kVoid:
      return {.kind = ColumnLayout::Kind::kNull};
    case SqlTypeId::kBoolean:
      return {.kind = ColumnLayout::Kind::kBits};
    case SqlTypeId::kTinyint:
      return Fixed(1);
    case SqlTypeId::kSmallint:
      return Fixed(2);
    case SqlTypeId::kInt:
    case SqlTypeId::kFloat:
    case SqlTypeId::kDate:
    case SqlTypeId::kIntervalYearMonth:
      return Fixed(4);
    case SqlTypeId::kBigint:
    case SqlTypeId::kDouble:
    case SqlTypeId::kTimestamp:
    case SqlTypeId::kTimestampNtz:
    case SqlTypeId::kIntervalDayTime:
      return Fixed(8);
    case SqlTypeId::kDecimal:
      return Fixed(16);
    case SqlTypeId::kString:
    case SqlTypeId::kVarchar:
    case SqlTypeId::kChar:
    case SqlTypeId::kBinary:
    case SqlTypeId::kVariant:
      return {.kind = ColumnLayout::Kind::kBytes};
    case SqlTypeId::kArray:
      return {.kind = ColumnLayout::Kind::kList, .children = {NativeLayout(type.children[0])}};
    case SqlTypeId::kMap:
      return {.kind = ColumnLayout::Kind::kList, .children = {StructLayout(type.children)}};
    case SqlTypeId::kStruct:
      return StructLayout(type.children);
  }
  return {};
}

bool ChildNullable(const SqlType& type, size_t child) {
  return child >= type.child_nullable.size() || type.child_nullable[child];
}

ArrowErrorCode SetFields(ArrowSchema* schema, const SqlType& type, const std::string& time_zone);

/// Type, children and name of one field.
ArrowErrorCode SetField(ArrowSchema* schema, const std::string& name, const SqlType& type,
                        bool nullable, const std::string& time_zone) {
  NANOARROW_RETURN_NOT_OK(SetFields(schema, type, time_zone));
  NANOARROW_RETURN_NOT_OK(ArrowSchemaSetName(schema, name.c_str()));
  if (!nullable) schema->flags &= ~ARROW_FLAG_NULLABLE;
  return NANOARROW_OK;
}

ArrowErrorCode SetMap(ArrowSchema* schema, const SqlType& type, const std::string& time_zone) {
  NANOARROW_RETURN_NOT_OK(ArrowSchemaSetType(schema, NANOARROW_TYPE_MAP));
  ArrowSchema* const entries = schema->children[0];
  NANOARROW_RETURN_NOT_OK(ArrowSchemaSetName(entries, "entries"));
  entries->flags &= ~ARROW_FLAG_NULLABLE;
  for (int64_t i = 0; i < 2; ++i) ArrowSchemaRelease(entries->children[i]);
  ArrowSchemaInit(entries->children[0]);
  ArrowSchemaInit(entries->children[1]);
  NANOARROW_RETURN_NOT_OK(
      SetField(entries->children[0], "key", type.children[0], false, time_zone));
  return SetField(entries->children[1], "value", type.children[1], ChildNullable(type, 1),
                  time_zone);
}

ArrowErrorCode SetStruct(ArrowSchema* schema, const SqlType& type, const std::string& time_zone) {
  NANOARROW_RETURN_NOT_OK(
      ArrowSchemaSetTypeStruct(schema, static_cast<int64_t>(type.children.size())));
  for (size_t i = 0; i < type.children.size(); ++i) {
    NANOARROW_RETURN_NOT_OK(SetField(schema->children[i], type.field_names[i], type.children[i],
                                     ChildNullable(type, i), time_zone));
  }
  return NANOARROW_OK;
}

ArrowErrorCode SetFields(ArrowSchema* schema, const SqlType& type, const std::string& time_zone) {
  switch (type.id) {
    case SqlTypeId::kVoid:
      return ArrowSchemaSetType(schema, NANOARROW_TYPE_NA);
    case SqlTypeId::kBoolean:
      return ArrowSchemaSetType(schema, NANOARROW_TYPE_BOOL);
    case SqlTypeId::kTinyint:
      return ArrowSchemaSetType(schema, NANOARROW_TYPE_INT8);
    case SqlTypeId::kSmallint:
      return ArrowSchemaSetType(schema, NANOARROW_TYPE_INT16);
    case SqlTypeId::kInt:
      return ArrowSchemaSetType(schema, NANOARROW_TYPE_INT32);
    case SqlTypeId::kBigint:
      return ArrowSchemaSetType(schema, NANOARROW_TYPE_INT64);
    case SqlTypeId::kFloat:
      return ArrowSchemaSetType(schema, NANOARROW_TYPE_FLOAT);
    case SqlTypeId::kDouble:
      return ArrowSchemaSetType(schema, NANOARROW_TYPE_DOUBLE);
    case SqlTypeId::kDecimal:
      return ArrowSchemaSetTypeDecimal(schema, NANOARROW_TYPE_DECIMAL128, type.precision,
                                       type.scale);
    case SqlTypeId::kString:
    case SqlTypeId::kVarchar:
    case SqlTypeId::kChar:
    case SqlTypeId::kVariant:
      return ArrowSchemaSetType(schema, NANOARROW_TYPE_STRING);
    case SqlTypeId::kBinary:
      return ArrowSchemaSetType(schema, NANOARROW_TYPE_BINARY);
    case SqlTypeId::kDate:
      return ArrowSchemaSetType(schema, NANOARROW_TYPE_DATE32);
    case SqlTypeId::kTimestamp:
      return ArrowSchemaSetTypeDateTime(schema, NANOARROW_TYPE_TIMESTAMP, NANOARROW_TIME_UNIT_MICRO,
                                        time_zone.c_str());
    case SqlTypeId::kTimestampNtz:
      return ArrowSchemaSetTypeDateTime(schema, NANOARROW_TYPE_TIMESTAMP, NANOARROW_TIME_UNIT_MICRO,
                                        nullptr);
    case SqlTypeId::kIntervalYearMonth:
      return ArrowSchemaSetType(schema, NANOARROW_TYPE_INTERVAL_MONTHS);
    case SqlTypeId::kIntervalDayTime:
      return ArrowSchemaSetTypeDateTime(schema, NANOARROW_TYPE_DURATION, NANOARROW_TIME_UNIT_MICRO,
                                        nullptr);
    case SqlTypeId::kArray:
      NANOARROW_RETURN_NOT_OK(ArrowSchemaSetType(schema, NANOARROW_TYPE_LIST));
      ArrowSchemaRelease(schema->children[0]);
      ArrowSchemaInit(schema->children[0]);
      return SetField(schema->children[0], "element", type.children[0], ChildNullable(type, 0),
                      time_zone);
    case SqlTypeId::kMap:
      return SetMap(schema, type, time_zone);
    case SqlTypeId::kStruct:
      return SetStruct(schema, type, time_zone);
  }
  return EINVAL;
}

ArrowErrorCode SetSparkMetadata(ArrowSchema* schema, const SqlType& type) {
  nanoarrow::UniqueBuffer metadata;
  NANOARROW_RETURN_NOT_OK(ArrowMetadataBuilderInit(metadata.get(), nullptr));
  const std::string name = type.Text();
  const std::string json = type.Json();
  NANOARROW_RETURN_NOT_OK(
      ArrowMetadataBuilderAppend(metadata.get(), ArrowCharView("Spark:DataType:SqlName"),
                                 {name.data(), static_cast<int64_t>(name.size())}));
  NANOARROW_RETURN_NOT_OK(
      ArrowMetadataBuilderAppend(metadata.get(), ArrowCharView("Spark:DataType:JsonType"),
                                 {json.data(), static_cast<int64_t>(json.size())}));
  return ArrowSchemaSetMetadata(schema, reinterpret_cast<const char*>(metadata->data));
}

ArrowErrorCode SetColumns(ArrowSchema* schema, const std::vector<ResultColumn>& columns,
                          const NativeTypes& native, const std::string& time_zone,
                          const SchemaStyle& style) {
  static const SqlType kText{.id = SqlTypeId::kString};
  ArrowSchemaInit(schema);
  NANOARROW_RETURN_NOT_OK(ArrowSchemaSetTypeStruct(schema, static_cast<int64_t>(columns.size())));
  for (size_t i = 0; i < columns.size(); ++i) {
    const SqlType& type = TravelsAsText(columns[i].type, native) ? kText : columns[i].type;
    const std::string name = style.stale_names ? StrCat("stale_", i) : columns[i].name;
    NANOARROW_RETURN_NOT_OK(
        SetField(schema->children[i], name, type, columns[i].nullable, time_zone));
    if (style.field_metadata)
      NANOARROW_RETURN_NOT_OK(SetSparkMetadata(schema->children[i], columns[i].type));
  }
  return NANOARROW_OK;
}

}  // namespace

bool TravelsAsText(const SqlType& type, const NativeTypes& native) {
  switch (type.id) {
    case SqlTypeId::kVoid:
      return !native.null_type;
    case SqlTypeId::kDecimal:
      return !native.decimal;
    case SqlTypeId::kTimestamp:
    case SqlTypeId::kTimestampNtz:
      return !native.timestamp;
    case SqlTypeId::kIntervalYearMonth:
    case SqlTypeId::kIntervalDayTime:
      return !native.interval;
    case SqlTypeId::kArray:
    case SqlTypeId::kMap:
    case SqlTypeId::kStruct:
      return !native.complex;
    default:
      return false;
  }
}

ColumnLayout LayoutOf(const SqlType& type, const NativeTypes& native) {
  if (TravelsAsText(type, native)) return {.kind = ColumnLayout::Kind::kBytes};
  return NativeLayout(type);
}

Result<std::string> MakeSchemaMessage(const std::vector<ResultColumn>& columns,
                                      const NativeTypes& native, const std::string& time_zone,
                                      const SchemaStyle& style) {
  nanoarrow::UniqueSchema schema;
  nanoarrow::ipc::UniqueEncoder encoder;
  nanoarrow::UniqueBuffer message;
  ArrowError error = {};
  ArrowErrorCode code = SetColumns(schema.get(), columns, native, time_zone, style);
  if (code == NANOARROW_OK) code = ArrowIpcEncoderInit(encoder.get());
  if (code == NANOARROW_OK) code = ArrowIpcEncoderEncodeSchema(encoder.get(), schema.get(), &error);
  if (code == NANOARROW_OK)
    code = ArrowIpcEncoderFinalizeBuffer(encoder.get(), /*encapsulate=*/1, message.get());
  if (code != NANOARROW_OK)
    return Status::Internal(StrCat("Arrow schema: error ", code, " ", error.message));
  return std::string(reinterpret_cast<const char*>(message->data),
                     static_cast<size_t>(message->size_bytes));
}

}  // namespace dbx::local
