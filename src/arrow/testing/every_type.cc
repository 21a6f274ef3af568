// SPDX-License-Identifier: Apache-2.0
#include "arrow/testing/every_type.h"

#include <stdexcept>
#include <utility>
#include <vector>

#include "base/str_cat.h"

namespace dbx {
namespace {

struct Column {
  const char* name;
  const char* format;
  std::vector<Column> children = {};
  bool nullable = true;
};

const std::vector<Column>& Columns() {
  static const std::vector<Column> columns = {
      {"void", "n"},
      {"boolean", "b"},
      {"tinyint", "c"},
      {"smallint", "s"},
      {"int", "i"},
      {"bigint", "l"},
      {"float", "f"},
      {"double", "g"},
      {"decimal", "d:38,10"},
      {"string", "u"},
      {"large_string", "U"},
      {"binary", "z"},
      {"date", "tdD"},
      {"timestamp", "tsu:Etc/UTC"},
      {"timestamp_ntz", "tsu:"},
      {"months", "tiM"},
      {"month_day_nano", "tin"},
      {"duration", "tDu"},
      {"fixed_binary", "w:3"},
      {"array", "+l", {{"element", "i"}}},
      {"large_array", "+L", {{"element", "u"}}},
      {"pair", "+w:2", {{"element", "s"}}},
      {"map", "+m", {{"entries", "+s", {{"key", "u", {}, false}, {"value", "l"}}, false}}},
      {"struct", "+s", {{"a", "d:7,2"}, {"b", "+l", {{"element", "+s", {{"c", "b"}}}}}}},
  };
  return columns;
}

void Must(ArrowErrorCode code) {
  if (code != NANOARROW_OK) throw std::runtime_error(StrCat("every type: ", code));
}

void Fill(ArrowSchema* schema, const Column& column) {
  ArrowSchemaInit(schema);
  Must(ArrowSchemaSetFormat(schema, column.format));
  Must(ArrowSchemaSetName(schema, column.name));
  schema->flags = column.nullable ? ARROW_FLAG_NULLABLE : 0;
  Must(ArrowSchemaAllocateChildren(schema, static_cast<int64_t>(column.children.size())));
  for (size_t i = 0; i < column.children.size(); ++i) Fill(schema->children[i], column.children[i]);
}

void Append(const ArrowSchema& schema, ArrowArray* array, int64_t value);

void AppendNested(const ArrowSchema& schema, const ArrowSchemaView& view, ArrowArray* array,
                  int64_t value) {
  const bool is_struct = view.type == NANOARROW_TYPE_STRUCT;
  const int64_t num_elements = view.type == NANOARROW_TYPE_FIXED_SIZE_LIST ? view.fixed_size
                               : is_struct                                 ? 1
                                                                           : value % 4;
  for (int64_t element = 0; element < num_elements; ++element) {
    for (int64_t i = 0; i < schema.n_children; ++i) {
      Append(*schema.children[i], array->children[i], value + element + i);
    }
  }
  Must(ArrowArrayFinishElement(array));
}

void AppendDecimal(const ArrowSchemaView& view, ArrowArray* array, int64_t value) {
  ArrowDecimal decimal;
  ArrowDecimalInit(&decimal, 128, view.decimal_precision, view.decimal_scale);
  ArrowDecimalSetInt(&decimal, value % 2 == 0 ? value : -value);
  Must(ArrowArrayAppendDecimal(array, &decimal));
}

void AppendInterval(ArrowType type, ArrowArray* array, int64_t value) {
  ArrowInterval interval;
  ArrowIntervalInit(&interval, type);
  interval.months = static_cast<int32_t>(value);
  interval.days = 2;
  interval.ns = value * 1000;
  Must(ArrowArrayAppendInterval(array, &interval));
}

void Append(const ArrowSchema& schema, ArrowArray* array, int64_t value) {
  ArrowSchemaView view;
  Must(ArrowSchemaViewInit(&view, &schema, nullptr));
  const bool nullable = (schema.flags & ARROW_FLAG_NULLABLE) != 0;
  if (view.type == NANOARROW_TYPE_NA || (nullable && value % 5 == 4)) {
    return Must(ArrowArrayAppendNull(array, 1));
  }
  if (schema.n_children > 0) return AppendNested(schema, view, array, value);
  const std::string text = StrCat("value ", value);
  switch (view.type) {
    case NANOARROW_TYPE_STRING:
    case NANOARROW_TYPE_LARGE_STRING:
    case NANOARROW_TYPE_BINARY:
      return Must(ArrowArrayAppendBytes(array, {{text.data()}, static_cast<int64_t>(text.size())}));
    case NANOARROW_TYPE_FIXED_SIZE_BINARY:
      return Must(ArrowArrayAppendBytes(array, {{text.data()}, 3}));
    case NANOARROW_TYPE_DECIMAL128:
      return AppendDecimal(view, array, value);
    case NANOARROW_TYPE_INTERVAL_MONTHS:
    case NANOARROW_TYPE_INTERVAL_MONTH_DAY_NANO:
      return AppendInterval(view.type, array, value);
    case NANOARROW_TYPE_BOOL:
      return Must(ArrowArrayAppendInt(array, value % 2));
    default:
      return Must(ArrowArrayAppendInt(array, value % 100));
  }
}

}  // namespace

EveryType::EveryType(int64_t num_rows) {
  nanoarrow::UniqueSchema schema;
  Fill(schema.get(), {"", "+s", Columns()});
  schema_ = std::make_shared<Schema>(std::move(schema));
  const ArrowSchema& filled = *schema_->c_schema();
  Must(ArrowArrayInitFromSchema(array_.get(), &filled, nullptr));
  Must(ArrowArrayStartAppending(array_.get()));
  for (int64_t row = 0; row < num_rows; ++row) {
    for (int64_t i = 0; i < filled.n_children; ++i) {
      Append(*filled.children[i], array_->children[i], row + i);
    }
    Must(ArrowArrayFinishElement(array_.get()));
  }
  Must(ArrowArrayFinishBuildingDefault(array_.get(), nullptr));
}

std::string EveryType::DifferenceTo(const ArrowArray& other) const {
  nanoarrow::UniqueArrayView expected;
  nanoarrow::UniqueArrayView actual;
  Must(ArrowArrayViewInitFromSchema(expected.get(), schema_->c_schema(), nullptr));
  Must(ArrowArrayViewInitFromSchema(actual.get(), schema_->c_schema(), nullptr));
  Must(ArrowArrayViewSetArray(expected.get(), array_.get(), nullptr));
  ArrowError error = {};
  if (ArrowArrayViewSetArray(actual.get(), &other, &error) != NANOARROW_OK) return error.message;
  int is_same = 0;
  Must(ArrowArrayViewCompare(actual.get(), expected.get(), NANOARROW_COMPARE_IDENTICAL, &is_same,
                             &error));
  return is_same != 0 ? "" : error.message;
}

}  // namespace dbx
