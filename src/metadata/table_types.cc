// SPDX-License-Identifier: Apache-2.0
#include "metadata/table_types.h"

#include <string>
#include <utility>
#include <vector>

#include "metadata/array_building.h"

namespace dbx {

Result<std::unique_ptr<ResultStream>> MakeTableTypesStream(Session& session) {
  ASSIGN_OR_RETURN(const std::vector<std::string> types, session.TableTypes());
  nanoarrow::UniqueSchema schema;
  ArrowSchemaInit(schema.get());
  RETURN_IF_ERROR(FromArrow(ArrowSchemaSetTypeStruct(schema.get(), 1), "table types"));
  RETURN_IF_ERROR(SetField(schema->children[0], "table_type", NANOARROW_TYPE_STRING, false));
  ASSIGN_OR_RETURN(nanoarrow::UniqueArray rows, StartArray(schema.get()));
  for (const std::string& type : types) {
    const ArrowStringView view{type.data(), static_cast<int64_t>(type.size())};
    RETURN_IF_ERROR(FromArrow(ArrowArrayAppendString(rows->children[0], view), "table_type"));
    RETURN_IF_ERROR(FromArrow(ArrowArrayFinishElement(rows.get()), "table_type"));
  }
  return FinishStream(std::move(schema), std::move(rows));
}

}  // namespace dbx
