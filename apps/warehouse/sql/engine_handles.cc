// SPDX-License-Identifier: Apache-2.0
#include "sql/engine_handles.h"

namespace dbx::local {
namespace {

std::optional<std::string> TextAt(duckdb_vector vector, idx_t row) {
  uint64_t* const validity = duckdb_vector_get_validity(vector);
  if (validity != nullptr && !duckdb_validity_row_is_valid(validity, row)) return std::nullopt;
  auto* const texts = static_cast<duckdb_string_t*>(duckdb_vector_get_data(vector));
  return std::string(duckdb_string_t_data(&texts[row]), duckdb_string_t_length(texts[row]));
}

}  // namespace

Status Execute(duckdb_connection connection, const std::string& sql) {
  EngineResult result;
  if (duckdb_query(connection, sql.c_str(), result.get()) == DuckDBSuccess) return Status::Ok();
  return Status::Internal(std::string(result.error()));
}

Result<std::vector<TextRow>> QueryTexts(duckdb_connection connection, const std::string& sql) {
  EngineResult result;
  if (duckdb_query(connection, sql.c_str(), result.get()) != DuckDBSuccess) {
    return Status::Internal(std::string(result.error()));
  }
  return ReadTexts(result);
}

Result<std::vector<TextRow>> ReadTexts(EngineResult& result) {
  const idx_t columns = duckdb_column_count(result.get());
  for (idx_t i = 0; i < columns; ++i) {
    if (duckdb_column_type(result.get(), i) != DUCKDB_TYPE_VARCHAR) {
      return Status::Internal("a statement of our own gave a column that is no text");
    }
  }
  std::vector<TextRow> rows;
  while (true) {
    const DataChunk chunk(duckdb_fetch_chunk(*result.get()));
    if (!chunk) return rows;
    const idx_t count = duckdb_data_chunk_get_size(chunk.get());
    for (idx_t row = 0; row < count; ++row) {
      TextRow& texts = rows.emplace_back();
      for (idx_t i = 0; i < columns; ++i) {
        texts.push_back(TextAt(duckdb_data_chunk_get_vector(chunk.get(), i), row));
      }
    }
  }
}

}  // namespace dbx::local
