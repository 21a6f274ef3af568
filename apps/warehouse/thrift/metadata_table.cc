// SPDX-License-Identifier: Apache-2.0
#include "thrift/metadata_table.h"

#include <nanoarrow/nanoarrow.hpp>

#include <utility>

#include "base/str_cat.h"

namespace dbx::local {
namespace {

ArrowType ArrowTypeOf(SqlTypeId type) {
  switch (type) {
    case SqlTypeId::kBoolean:
      return NANOARROW_TYPE_BOOL;
    case SqlTypeId::kTinyint:
      return NANOARROW_TYPE_INT8;
    case SqlTypeId::kSmallint:
      return NANOARROW_TYPE_INT16;
    case SqlTypeId::kInt:
      return NANOARROW_TYPE_INT32;
    default:
      return NANOARROW_TYPE_STRING;
  }
}

ArrowErrorCode Append(ArrowArray* column, const Cell& cell) {
  if (const auto* text = std::get_if<std::string>(&cell)) {
    return ArrowArrayAppendString(column, {text->data(), static_cast<int64_t>(text->size())});
  }
  if (const auto* number = std::get_if<int64_t>(&cell)) return ArrowArrayAppendInt(column, *number);
  if (const auto* truth = std::get_if<bool>(&cell))
    return ArrowArrayAppendInt(column, *truth ? 1 : 0);
  return ArrowArrayAppendNull(column, 1);
}

ArrowErrorCode Fill(ArrowArray* batch, const std::vector<ResultColumn>& columns,
                    const std::vector<std::vector<Cell>>& rows) {
  NANOARROW_RETURN_NOT_OK(ArrowArrayInitFromType(batch, NANOARROW_TYPE_STRUCT));
  NANOARROW_RETURN_NOT_OK(ArrowArrayAllocateChildren(batch, static_cast<int64_t>(columns.size())));
  for (size_t i = 0; i < columns.size(); ++i) {
    NANOARROW_RETURN_NOT_OK(
        ArrowArrayInitFromType(batch->children[i], ArrowTypeOf(columns[i].type.id)));
  }
  NANOARROW_RETURN_NOT_OK(ArrowArrayStartAppending(batch));
  for (const std::vector<Cell>& row : rows) {
    for (size_t i = 0; i < columns.size(); ++i)
      NANOARROW_RETURN_NOT_OK(Append(batch->children[i], row[i]));
    NANOARROW_RETURN_NOT_OK(ArrowArrayFinishElement(batch));
  }
  return ArrowArrayFinishBuildingDefault(batch, nullptr);
}

}  // namespace

MetadataTable& MetadataTable::Column(std::string name, SqlTypeId type, std::string comment) {
  columns_.push_back(
      {.name = std::move(name), .type = {.id = type}, .comment = std::move(comment)});
  return *this;
}

Status MetadataTable::WriteTo(StoredResult* result) const {
  nanoarrow::UniqueArray batch;
  const ArrowErrorCode code = Fill(batch.get(), columns_, rows_);
  if (code != NANOARROW_OK) return Status::Internal(StrCat("metadata rows: error ", code));
  result->SetHeader({.kind = StatementKind::kMetadata,
                     .shape = ResultShape::kRows,
                     .no_files_because = NoFilesBecause::kMetadataCall,
                     .columns = columns_,
                     .is_metadata_call = true});
  RETURN_IF_ERROR(result->AppendRows(std::move(batch)));
  result->Finish(std::nullopt, false);
  return Status::Ok();
}

}  // namespace dbx::local
