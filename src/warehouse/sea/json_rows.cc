// SPDX-License-Identifier: Apache-2.0
#include "warehouse/sea/json_rows.h"

#include <algorithm>
#include <cctype>
#include <limits>
#include <optional>
#include <string_view>

#include "base/str_cat.h"
#include "result/value_text.h"
#include "warehouse/sea/interval_text.h"
#include "wire/base64.h"
#include "wire/json_value.h"

namespace dbx::sea {
namespace {

enum class BinaryText : uint8_t { kBase64, kHex };

bool Done(ArrowErrorCode code) {
  return code == NANOARROW_OK;
}

std::optional<std::string> DecodeHex(std::string_view text) {
  if (text.size() % 2 != 0) return std::nullopt;
  std::string bytes;
  for (size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (std::isxdigit(c) == 0) return std::nullopt;
    const int digit = std::isdigit(c) != 0 ? c - '0' : std::tolower(c) - 'a' + 10;
    if (i % 2 == 0) bytes.push_back(0);
    bytes.back() = static_cast<char>((static_cast<unsigned char>(bytes.back()) << 4) | digit);
  }
  return bytes;
}

/// The type of one field and of all below it, with how to append to it.
class CellAppender {
 public:
  static Result<CellAppender> Make(const ArrowSchema& field) {
    CellAppender appender;
    ArrowError error = {};
    if (ArrowSchemaViewInit(&appender.view_, &field, &error) != NANOARROW_OK) {
      return Status::InvalidData(StrCat("schema: ", ArrowErrorMessage(&error)));
    }
    appender.name_ = field.name ? field.name : "";
    for (int64_t i = 0; i < field.n_children; ++i) {
      ASSIGN_OR_RETURN(CellAppender child, Make(*field.children[i]));
      appender.children_.push_back(std::move(child));
    }
    return appender;
  }

  bool is_binary() const { return view_.type == NANOARROW_TYPE_BINARY; }
  void SetBinaryText(BinaryText form) { binary_text_ = form; }

  /// A whole cell: a value in the service's spelling, or JSON of a nested one. False: it is no
  /// value of this type.
  bool AppendCell(ArrowArray* array, const std::optional<std::string>& cell) const {
    if (!cell) return Done(ArrowArrayAppendNull(array, 1));
    if (children_.empty()) return AppendText(array, *cell);
    const std::optional<JsonValue> value = ParseJson(*cell);
    return value && AppendJson(array, *value);
  }

 private:
  bool AppendJson(ArrowArray* array, const JsonValue& value) const {
    if (value.is_null()) return Done(ArrowArrayAppendNull(array, 1));
    switch (view_.type) {
      case NANOARROW_TYPE_LIST:
        return AppendList(array, value);
      case NANOARROW_TYPE_MAP:
        return AppendMap(array, value);
      case NANOARROW_TYPE_STRUCT:
        return AppendStruct(array, value);
      default:
        break;
    }
    switch (value.kind) {
      case JsonValue::Kind::kText:
      case JsonValue::Kind::kNumber:
        return AppendText(array, value.text);
      default:
        return AppendText(array, ToText(value));
    }
  }

  bool AppendList(ArrowArray* array, const JsonValue& value) const {
    if (value.kind != JsonValue::Kind::kList) return false;
    for (const JsonValue& item : value.items) {
      if (!children_[0].AppendJson(array->children[0], item)) return false;
    }
    return Done(ArrowArrayFinishElement(array));
  }

  /// An object, whose keys are texts whatever their type, or a list of {"key": …, "value": …}.
  bool AppendMap(ArrowArray* array, const JsonValue& value) const {
    const CellAppender& entries = children_[0];
    ArrowArray* const entry_array = array->children[0];
    for (const auto& [key, item] : value.members) {
      const bool appended = entries.children_[0].AppendKey(entry_array->children[0], key) &&
                            entries.children_[1].AppendJson(entry_array->children[1], item) &&
                            Done(ArrowArrayFinishElement(entry_array));
      if (!appended) return false;
    }
    for (const JsonValue& entry : value.items) {
      if (!entries.AppendStruct(entry_array, entry)) return false;
    }
    const bool right_kind =
        value.kind == JsonValue::Kind::kObject || value.kind == JsonValue::Kind::kList;
    return right_kind && Done(ArrowArrayFinishElement(array));
  }

  bool AppendKey(ArrowArray* array, const std::string& key) const {
    if (children_.empty()) return AppendText(array, key);
    const std::optional<JsonValue> value = ParseJson(key);
    return value && AppendJson(array, *value);
  }

  bool AppendStruct(ArrowArray* array, const JsonValue& value) const {
    if (value.kind != JsonValue::Kind::kObject) return false;
    for (size_t i = 0; i < children_.size(); ++i) {
      const auto member =
          std::find_if(value.members.begin(), value.members.end(),
                       [&](const auto& one) { return one.first == children_[i].name_; });
      const bool appended = member == value.members.end()
                                ? Done(ArrowArrayAppendNull(array->children[i], 1))
                                : children_[i].AppendJson(array->children[i], member->second);
      if (!appended) return false;
    }
    return Done(ArrowArrayFinishElement(array));
  }

  template <typename Integer>
  static bool AppendInteger(ArrowArray* array, const std::string& text) {
    const std::optional<int64_t> value = ParseInteger(text);
    return value && *value >= std::numeric_limits<Integer>::min() &&
           *value <= std::numeric_limits<Integer>::max() &&
           Done(ArrowArrayAppendInt(array, *value));
  }

  template <typename Value>
  static bool AppendParsed(ArrowArray* array, const std::optional<Value>& value) {
    return value && Done(ArrowArrayAppendInt(array, *value));
  }

  static bool AppendBytes(ArrowArray* array, std::string_view bytes) {
    ArrowBufferView view;
    view.data.data = bytes.data();
    view.size_bytes = static_cast<int64_t>(bytes.size());
    return Done(ArrowArrayAppendBytes(array, view));
  }

  bool AppendBinary(ArrowArray* array, const std::string& text) const {
    const auto bytes = binary_text_ == BinaryText::kHex ? DecodeHex(text) : DecodeBase64(text);
    return bytes && AppendBytes(array, *bytes);
  }

  bool AppendDecimal(ArrowArray* array, const std::string& text) const {
    const auto digits = ParseDecimal(text, view_.decimal_precision, view_.decimal_scale);
    if (!digits) return false;
    ArrowDecimal decimal;
    ArrowDecimalInit(&decimal, 128, view_.decimal_precision, view_.decimal_scale);
    return Done(ArrowDecimalSetDigits(&decimal, ArrowCharView(digits->c_str()))) &&
           Done(ArrowArrayAppendDecimal(array, &decimal));
  }

  static bool AppendMonths(ArrowArray* array, const std::string& text) {
    const std::optional<int32_t> months = ParseYearMonth(text);
    if (!months) return false;
    ArrowInterval interval = {};
    interval.type = NANOARROW_TYPE_INTERVAL_MONTHS;
    interval.months = *months;
    return Done(ArrowArrayAppendInterval(array, &interval));
  }

  bool AppendText(ArrowArray* array, const std::string& text) const {
    switch (view_.type) {
      case NANOARROW_TYPE_BOOL:
        return AppendParsed(array, ParseBool(text));
      case NANOARROW_TYPE_INT8:
        return AppendInteger<int8_t>(array, text);
      case NANOARROW_TYPE_INT16:
        return AppendInteger<int16_t>(array, text);
      case NANOARROW_TYPE_INT32:
        return AppendInteger<int32_t>(array, text);
      case NANOARROW_TYPE_INT64:
        return AppendInteger<int64_t>(array, text);
      case NANOARROW_TYPE_FLOAT:
      case NANOARROW_TYPE_DOUBLE: {
        const std::optional<double> number = ParseDouble(text);
        return number && Done(ArrowArrayAppendDouble(array, *number));
      }
      case NANOARROW_TYPE_DECIMAL128:
        return AppendDecimal(array, text);
      case NANOARROW_TYPE_STRING:
        return AppendBytes(array, text);
      case NANOARROW_TYPE_BINARY:
        return AppendBinary(array, text);
      case NANOARROW_TYPE_DATE32:
        return AppendParsed(array, ParseDate(text));
      case NANOARROW_TYPE_TIMESTAMP:
        return AppendParsed(array, ParseTimestamp(text));
      case NANOARROW_TYPE_DURATION:
        return AppendParsed(array, ParseDayTime(text));
      case NANOARROW_TYPE_INTERVAL_MONTHS:
        return AppendMonths(array, text);
      default:
        return false;
    }
  }

  ArrowSchemaView view_ = {};
  std::string name_;
  BinaryText binary_text_ = BinaryText::kBase64;
  std::vector<CellAppender> children_;
};

/// Services differ; what cannot be base64 tells for its whole column.
BinaryText BinaryTextOf(const std::vector<JsonRow>& rows, size_t column) {
  const bool base64 = std::all_of(rows.begin(), rows.end(), [column](const JsonRow& row) {
    const std::optional<std::string>& cell = row[column];
    return !cell || (cell->size() % 4 == 0 && DecodeBase64(*cell));
  });
  return base64 ? BinaryText::kBase64 : BinaryText::kHex;
}

Status AppendColumn(const Schema& schema, const std::vector<JsonRow>& rows, size_t column,
                    ArrowArray* array) {
  ASSIGN_OR_RETURN(CellAppender appender, CellAppender::Make(*schema.c_schema()->children[column]));
  if (appender.is_binary()) appender.SetBinaryText(BinaryTextOf(rows, column));
  for (size_t row = 0; row < rows.size(); ++row) {
    if (appender.AppendCell(array, rows[row][column])) continue;
    return Status::InvalidData(StrCat("column '", schema.column_name(static_cast<int64_t>(column)),
                                      "', row ", row,
                                      " of its page: not a value of the column's type"));
  }
  return Status::Ok();
}

}  // namespace

Result<RecordBatch> JsonRowsToBatch(const Schema& schema, const std::vector<JsonRow>& rows) {
  const auto num_columns = static_cast<size_t>(schema.num_columns());
  for (const JsonRow& row : rows) {
    if (row.size() == num_columns) continue;
    return Status::InvalidData(
        StrCat("a row has ", row.size(), " cells, the result has ", num_columns, " columns"));
  }
  nanoarrow::UniqueArray array;
  ArrowError error = {};
  if (ArrowArrayInitFromSchema(array.get(), schema.c_schema(), &error) != NANOARROW_OK ||
      ArrowArrayStartAppending(array.get()) != NANOARROW_OK) {
    return Status::Internal(StrCat("rows: ", ArrowErrorMessage(&error)));
  }
  for (size_t column = 0; column < num_columns; ++column) {
    RETURN_IF_ERROR(AppendColumn(schema, rows, column, array->children[column]));
  }
  array->length = static_cast<int64_t>(rows.size());
  if (ArrowArrayFinishBuildingDefault(array.get(), &error) != NANOARROW_OK) {
    return Status::Internal(StrCat("rows: ", ArrowErrorMessage(&error)));
  }
  return RecordBatch(array.get());
}

}  // namespace dbx::sea
