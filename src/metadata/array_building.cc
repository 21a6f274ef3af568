// SPDX-License-Identifier: Apache-2.0
#include "metadata/array_building.h"

#include <string>
#include <utility>
#include <vector>

#include "base/str_cat.h"
#include "metadata/ready_stream.h"

namespace dbx {

Status FromArrow(ArrowErrorCode code, std::string_view what) {
  if (code == NANOARROW_OK) return Status::Ok();
  return Status::Internal(StrCat(what, ": building the answer failed with error ", code));
}

Status SetField(ArrowSchema* field, std::string_view name, ArrowType type, bool nullable) {
  const std::string text(name);
  RETURN_IF_ERROR(FromArrow(ArrowSchemaSetType(field, type), name));
  RETURN_IF_ERROR(FromArrow(ArrowSchemaSetName(field, text.c_str()), name));
  field->flags = nullable ? ARROW_FLAG_NULLABLE : 0;
  return Status::Ok();
}

Result<nanoarrow::UniqueArray> StartArray(const ArrowSchema* schema) {
  nanoarrow::UniqueArray array;
  RETURN_IF_ERROR(FromArrow(ArrowArrayInitFromSchema(array.get(), schema, nullptr), "array"));
  RETURN_IF_ERROR(FromArrow(ArrowArrayStartAppending(array.get()), "array"));
  return array;
}

Result<std::unique_ptr<ResultStream>> FinishStream(nanoarrow::UniqueSchema schema,
                                                   nanoarrow::UniqueArray rows) {
  RETURN_IF_ERROR(FromArrow(ArrowArrayFinishBuildingDefault(rows.get(), nullptr), "array"));
  ASSIGN_OR_RETURN(std::shared_ptr<const Schema> taken, Schema::Take(schema.get()));
  std::vector<RecordBatch> batches;
  batches.emplace_back(rows.get());
  return MakeReadyStream(std::move(taken), std::move(batches));
}

}  // namespace dbx
