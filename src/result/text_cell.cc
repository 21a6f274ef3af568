// SPDX-License-Identifier: Apache-2.0
#include "result/text_cell.h"

#include "base/str_cat.h"

namespace dbx {

Result<std::vector<std::string>> TextsOfRow(const Schema& schema, const RecordBatch& batch,
                                            int64_t row) {
  nanoarrow::UniqueArrayView view;
  ArrowError error = {};
  if (ArrowArrayViewInitFromSchema(view.get(), schema.c_schema(), &error) != NANOARROW_OK ||
      ArrowArrayViewSetArray(view.get(), batch.c_array(), &error) != NANOARROW_OK) {
    return Status::InvalidData(StrCat("row: ", ArrowErrorMessage(&error)));
  }
  std::vector<std::string> texts;
  for (int64_t column = 0; column < schema.num_columns(); ++column) {
    const ArrowArrayView* const cells = view->children[column];
    if (cells->storage_type != NANOARROW_TYPE_STRING) {
      return Status::InvalidData(StrCat("column '", schema.column_name(column), "' is no text"));
    }
    std::string& text = texts.emplace_back();
    if (ArrowArrayViewIsNull(cells, row)) continue;
    const ArrowStringView value = ArrowArrayViewGetStringUnsafe(cells, row);
    text.assign(value.data, static_cast<size_t>(value.size_bytes));
  }
  return texts;
}

}  // namespace dbx
