// SPDX-License-Identifier: Apache-2.0
#include "arrow/column_layout.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/str_cat.h"

namespace dbx {
namespace {

bool IsSupported(const ArrowSchema& schema, ArrowType type) {
  if (schema.dictionary) return false;
  switch (type) {
    case NANOARROW_TYPE_DENSE_UNION:
    case NANOARROW_TYPE_SPARSE_UNION:
    case NANOARROW_TYPE_STRING_VIEW:
    case NANOARROW_TYPE_BINARY_VIEW:
    case NANOARROW_TYPE_LIST_VIEW:
    case NANOARROW_TYPE_LARGE_LIST_VIEW:
    case NANOARROW_TYPE_RUN_END_ENCODED:
      return false;
    default:
      return true;
  }
}

std::string TypeText(const ArrowSchema& schema) {
  char text[256];
  ArrowSchemaToString(&schema, text, sizeof(text), /*recursive=*/1);
  return text;
}

size_t AlignmentOf(ArrowType type, int64_t element_bits) {
  constexpr int64_t kLargestAlignment = 16;
  if (type == NANOARROW_TYPE_FIXED_SIZE_BINARY || element_bits < 8) return 1;
  return static_cast<size_t>(std::min(element_bits / 8, kLargestAlignment));
}

ColumnLayout::Buffer BufferOf(const ArrowArrayView& view, int i) {
  ColumnLayout::Buffer buffer;
  buffer.kind = view.layout.buffer_type[i];
  buffer.element_bits = view.layout.element_size_bits[i];
  if (buffer.kind != NANOARROW_BUFFER_TYPE_VALIDITY) {
    buffer.alignment = AlignmentOf(view.storage_type, buffer.element_bits);
  }
  return buffer;
}

Result<ColumnLayout> LayoutOf(const ArrowSchema& schema, const ArrowArrayView& view) {
  if (!IsSupported(schema, view.storage_type)) {
    return Status::NotImplemented(StrCat("column type ", TypeText(schema), " is not supported"));
  }
  ColumnLayout layout;
  layout.name = schema.name ? schema.name : "";
  layout.type = view.storage_type;
  layout.fixed_list_size = view.layout.child_size_elements;
  for (int i = 0; i < NANOARROW_MAX_FIXED_BUFFERS; ++i) {
    if (view.layout.buffer_type[i] == NANOARROW_BUFFER_TYPE_NONE) break;
    layout.buffers.push_back(BufferOf(view, i));
  }
  for (int64_t i = 0; i < schema.n_children; ++i) {
    Result<ColumnLayout> child = LayoutOf(*schema.children[i], *view.children[i]);
    if (!child.ok()) {
      const char* const name = schema.children[i]->name;
      return child.status().WithContext(name ? name : "");
    }
    layout.children.push_back(std::move(*child));
  }
  return layout;
}

bool HasZone(const ArrowSchemaView& view) {
  return view.timezone && *view.timezone != '\0';
}

bool SameParameters(const ArrowSchemaView& a, const ArrowSchemaView& b) {
  switch (a.type) {
    case NANOARROW_TYPE_DECIMAL32:
    case NANOARROW_TYPE_DECIMAL64:
    case NANOARROW_TYPE_DECIMAL128:
    case NANOARROW_TYPE_DECIMAL256:
      return a.decimal_precision == b.decimal_precision && a.decimal_scale == b.decimal_scale;
    case NANOARROW_TYPE_TIMESTAMP:
      return a.time_unit == b.time_unit && HasZone(a) == HasZone(b);
    case NANOARROW_TYPE_TIME32:
    case NANOARROW_TYPE_TIME64:
    case NANOARROW_TYPE_DURATION:
      return a.time_unit == b.time_unit;
    case NANOARROW_TYPE_FIXED_SIZE_BINARY:
    case NANOARROW_TYPE_FIXED_SIZE_LIST:
      return a.fixed_size == b.fixed_size;
    default:
      return true;
  }
}

bool SameType(const ArrowSchema& a, const ArrowSchema& b) {
  ArrowSchemaView view_a;
  ArrowSchemaView view_b;
  if (ArrowSchemaViewInit(&view_a, &a, nullptr) != NANOARROW_OK) return false;
  if (ArrowSchemaViewInit(&view_b, &b, nullptr) != NANOARROW_OK) return false;
  if (view_a.type != view_b.type || !SameParameters(view_a, view_b)) return false;
  if ((a.dictionary == nullptr) != (b.dictionary == nullptr)) return false;
  if (a.n_children != b.n_children) return false;
  for (int64_t i = 0; i < a.n_children; ++i) {
    if (!SameType(*a.children[i], *b.children[i])) return false;
  }
  return true;
}

}  // namespace

Result<ColumnLayout> LayoutOf(const Schema& schema) {
  nanoarrow::UniqueArrayView view;
  ArrowError error = {};
  if (ArrowArrayViewInitFromSchema(view.get(), schema.c_schema(), &error) != NANOARROW_OK) {
    return Status::InvalidData(StrCat("schema: ", ArrowErrorMessage(&error)));
  }
  return LayoutOf(*schema.c_schema(), *view.get());
}

int64_t CountNodes(const ColumnLayout& layout) {
  int64_t count = 1;
  for (const ColumnLayout& child : layout.children) count += CountNodes(child);
  return count;
}

int64_t CountBuffers(const ColumnLayout& layout) {
  auto count = static_cast<int64_t>(layout.buffers.size());
  for (const ColumnLayout& child : layout.children) count += CountBuffers(child);
  return count;
}

Status CheckSameTypes(const Schema& result, const Schema& file) {
  if (result.num_columns() != file.num_columns()) {
    return Status::InvalidData(StrCat("the file has ", file.num_columns(),
                                      " columns, the result has ", result.num_columns()));
  }
  for (int64_t i = 0; i < result.num_columns(); ++i) {
    const ArrowSchema& expected = *result.c_schema()->children[i];
    const ArrowSchema& found = *file.c_schema()->children[i];
    if (SameType(expected, found)) continue;
    return Status::InvalidData(StrCat("column ", i, " '", result.column_name(i), "': the file has ",
                                      TypeText(found), ", the result has ", TypeText(expected)));
  }
  return Status::Ok();
}

}  // namespace dbx
