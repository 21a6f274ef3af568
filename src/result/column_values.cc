// SPDX-License-Identifier: Apache-2.0
#include "result/column_values.h"

#include <limits>
#include <optional>
#include <type_traits>

#include "base/str_cat.h"
#include "result/value_text.h"

namespace dbx {
namespace {

Status ToStatus(ArrowErrorCode code, std::string_view what) {
  if (code == NANOARROW_OK) return Status::Ok();
  return Status::Internal(StrCat(what, ": Arrow refused (", code, ")"));
}

ArrowType PlainType(ColumnType type) {
  switch (type) {
    case ColumnType::kNull:
      return NANOARROW_TYPE_NA;
    case ColumnType::kBool:
      return NANOARROW_TYPE_BOOL;
    case ColumnType::kInt8:
      return NANOARROW_TYPE_INT8;
    case ColumnType::kInt16:
      return NANOARROW_TYPE_INT16;
    case ColumnType::kInt32:
      return NANOARROW_TYPE_INT32;
    case ColumnType::kInt64:
      return NANOARROW_TYPE_INT64;
    case ColumnType::kFloat:
      return NANOARROW_TYPE_FLOAT;
    case ColumnType::kDouble:
      return NANOARROW_TYPE_DOUBLE;
    case ColumnType::kBinary:
      return NANOARROW_TYPE_BINARY;
    case ColumnType::kDate:
      return NANOARROW_TYPE_DATE32;
    case ColumnType::kString:
    case ColumnType::kTimestamp:
    case ColumnType::kDecimal:
      break;
  }
  return NANOARROW_TYPE_STRING;
}

ArrowErrorCode SetType(const ColumnDescription& column, ArrowSchema* schema) {
  switch (column.type) {
    case ColumnType::kTimestamp:
      return ArrowSchemaSetTypeDateTime(schema, NANOARROW_TYPE_TIMESTAMP, NANOARROW_TIME_UNIT_MICRO,
                                        column.timezone.c_str());
    case ColumnType::kDecimal:
      return ArrowSchemaSetTypeDecimal(schema, NANOARROW_TYPE_DECIMAL128, column.precision,
                                       column.scale);
    default:
      return ArrowSchemaSetType(schema, PlainType(column.type));
  }
}

/// What a column of the schema wants of its values.
struct Target {
  ArrowType type = NANOARROW_TYPE_NA;
  int64_t lowest = 0;  // of integers
  int64_t highest = 0;
  int32_t precision = 0;
  int32_t scale = 0;
};

template <typename Integer>
void SetRange(Target& target) {
  target.lowest = int64_t{std::numeric_limits<Integer>::min()};
  target.highest = std::numeric_limits<Integer>::max();
}

Result<Target> TargetOf(const ArrowSchema& schema) {
  ArrowSchemaView view;
  ArrowError error = {};
  if (ArrowSchemaViewInit(&view, &schema, &error) != NANOARROW_OK) {
    return Status::InvalidData(StrCat("schema: ", ArrowErrorMessage(&error)));
  }
  Target target{
      .type = view.type, .precision = view.decimal_precision, .scale = view.decimal_scale};
  switch (view.type) {
    case NANOARROW_TYPE_INT8:
      SetRange<int8_t>(target);
      return target;
    case NANOARROW_TYPE_INT16:
      SetRange<int16_t>(target);
      return target;
    case NANOARROW_TYPE_INT32:
      SetRange<int32_t>(target);
      return target;
    case NANOARROW_TYPE_INT64:
      SetRange<int64_t>(target);
      return target;
    case NANOARROW_TYPE_TIMESTAMP:
      if (view.time_unit == NANOARROW_TIME_UNIT_MICRO) return target;
      break;
    case NANOARROW_TYPE_DECIMAL128:
      if (view.decimal_scale >= 0) return target;
      break;
    case NANOARROW_TYPE_NA:
    case NANOARROW_TYPE_BOOL:
    case NANOARROW_TYPE_FLOAT:
    case NANOARROW_TYPE_DOUBLE:
    case NANOARROW_TYPE_STRING:
    case NANOARROW_TYPE_BINARY:
    case NANOARROW_TYPE_DATE32:
      return target;
    default:
      break;
  }
  return Status::NotImplemented(StrCat("column '", schema.name ? schema.name : "",
                                       "': no values in columns for Arrow type ",
                                       ArrowTypeString(view.type)));
}

// One value as each kind of column wants it; nullopt: it is no such value.

std::optional<int64_t> AsInteger(double) {
  return std::nullopt;
}
std::optional<int64_t> AsInteger(const std::string& text) {
  return ParseInteger(text);
}
template <std::integral T>
std::optional<int64_t> AsInteger(T value) {
  return value;
}

std::optional<double> AsDouble(const std::string& text) {
  return ParseDouble(text);
}
template <typename T>
  requires std::is_arithmetic_v<T>
std::optional<double> AsDouble(T value) {
  return static_cast<double>(value);
}

std::optional<bool> AsBool(bool value) {
  return value;
}
std::optional<bool> AsBool(const std::string& text) {
  return ParseBool(text);
}
template <typename T>
std::optional<bool> AsBool(const T&) {
  return std::nullopt;
}

/// Null where the column does not hold texts.
const std::string* AsText(const std::string& text) {
  return &text;
}
template <typename T>
const std::string* AsText(const T&) {
  return nullptr;
}

bool AppendInteger(ArrowArray* array, const Target& target, std::optional<int64_t> value) {
  if (!value || *value < target.lowest || *value > target.highest) return false;
  return ArrowArrayAppendInt(array, *value) == NANOARROW_OK;
}

bool AppendTextValue(ArrowArray* array, const Target& target, const std::string& text) {
  switch (target.type) {
    case NANOARROW_TYPE_STRING:
    case NANOARROW_TYPE_BINARY: {
      ArrowBufferView bytes;
      bytes.data.data = text.data();
      bytes.size_bytes = static_cast<int64_t>(text.size());
      return ArrowArrayAppendBytes(array, bytes) == NANOARROW_OK;
    }
    case NANOARROW_TYPE_DATE32: {
      const std::optional<int32_t> days = ParseDate(text);
      return days && ArrowArrayAppendInt(array, *days) == NANOARROW_OK;
    }
    case NANOARROW_TYPE_TIMESTAMP: {
      const std::optional<int64_t> moment = ParseTimestamp(text);
      return moment && ArrowArrayAppendInt(array, *moment) == NANOARROW_OK;
    }
    case NANOARROW_TYPE_DECIMAL128: {
      const auto digits = ParseDecimal(text, target.precision, target.scale);
      if (!digits) return false;
      ArrowDecimal decimal;
      ArrowDecimalInit(&decimal, 128, target.precision, target.scale);
      return ArrowDecimalSetDigits(&decimal, ArrowCharView(digits->c_str())) == NANOARROW_OK &&
             ArrowArrayAppendDecimal(array, &decimal) == NANOARROW_OK;
    }
    default:
      return false;
  }
}

template <typename T>
bool AppendValue(ArrowArray* array, const Target& target, const T& value) {
  switch (target.type) {
    case NANOARROW_TYPE_BOOL: {
      const std::optional<bool> truth = AsBool(value);
      return truth && ArrowArrayAppendInt(array, *truth ? 1 : 0) == NANOARROW_OK;
    }
    case NANOARROW_TYPE_INT8:
    case NANOARROW_TYPE_INT16:
    case NANOARROW_TYPE_INT32:
    case NANOARROW_TYPE_INT64:
      return AppendInteger(array, target, AsInteger(value));
    case NANOARROW_TYPE_FLOAT:
    case NANOARROW_TYPE_DOUBLE: {
      const std::optional<double> number = AsDouble(value);
      return number && ArrowArrayAppendDouble(array, *number) == NANOARROW_OK;
    }
    default: {
      const std::string* const text = AsText(value);
      return text != nullptr && AppendTextValue(array, target, *text);
    }
  }
}

Status AppendColumn(ArrowArray* array, const ArrowSchema& schema, const ColumnValues& column) {
  ASSIGN_OR_RETURN(const Target target, TargetOf(schema));
  const auto append_all = [&](const auto& list) -> Status {
    using Value = typename std::decay_t<decltype(list)>::value_type;
    for (size_t row = 0; row < list.size(); ++row) {
      // A column of type NULL has nothing but NULLs, whatever its bitmap leaves out.
      const bool null = target.type == NANOARROW_TYPE_NA || column.IsNull(row);
      const bool fits = null ? ArrowArrayAppendNull(array, 1) == NANOARROW_OK
                             : AppendValue<Value>(array, target, list[row]);
      if (!fits) {
        return Status::InvalidData(StrCat("column '", schema.name ? schema.name : "", "', row ",
                                          row, " of its page: not a value of type ",
                                          ArrowTypeString(target.type)));
      }
    }
    return Status::Ok();
  };
  return std::visit(append_all, column.values);
}

Status CheckShape(const Schema& schema, const std::vector<ColumnValues>& columns) {
  if (static_cast<int64_t>(columns.size()) != schema.num_columns()) {
    return Status::InvalidData(
        StrCat("the page has ", columns.size(), " columns, the result has ", schema.num_columns()));
  }
  for (const ColumnValues& column : columns) {
    if (column.num_rows() == columns.front().num_rows()) continue;
    return Status::InvalidData(StrCat("columns of different lengths in one page: ",
                                      columns.front().num_rows(), " and ", column.num_rows()));
  }
  return Status::Ok();
}

}  // namespace

Result<std::shared_ptr<const Schema>> MakeSchema(const std::vector<ColumnDescription>& columns) {
  nanoarrow::UniqueSchema schema;
  ArrowSchemaInit(schema.get());
  RETURN_IF_ERROR(ToStatus(
      ArrowSchemaSetTypeStruct(schema.get(), static_cast<int64_t>(columns.size())), "schema"));
  for (size_t index = 0; index < columns.size(); ++index) {
    ArrowSchema* const child = schema->children[index];
    if (SetType(columns[index], child) != NANOARROW_OK) {
      return Status::InvalidData(StrCat("column '", columns[index].name, "': type cannot be"));
    }
    RETURN_IF_ERROR(ToStatus(ArrowSchemaSetName(child, columns[index].name.c_str()), "schema"));
  }
  return Schema::Take(schema.get());
}

Result<RecordBatch> ColumnsToBatch(const Schema& schema, const std::vector<ColumnValues>& columns) {
  RETURN_IF_ERROR(CheckShape(schema, columns));
  nanoarrow::UniqueArray array;
  ArrowError error = {};
  if (ArrowArrayInitFromSchema(array.get(), schema.c_schema(), &error) != NANOARROW_OK ||
      ArrowArrayStartAppending(array.get()) != NANOARROW_OK) {
    return Status::Internal(StrCat("columns: ", ArrowErrorMessage(&error)));
  }
  for (size_t index = 0; index < columns.size(); ++index) {
    RETURN_IF_ERROR(
        AppendColumn(array->children[index], *schema.c_schema()->children[index], columns[index]));
  }
  array->length = columns.empty() ? 0 : static_cast<int64_t>(columns.front().num_rows());
  if (ArrowArrayFinishBuildingDefault(array.get(), &error) != NANOARROW_OK) {
    return Status::Internal(StrCat("columns: ", ArrowErrorMessage(&error)));
  }
  return RecordBatch(array.get());
}

}  // namespace dbx
