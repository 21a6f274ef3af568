// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "sql/column_builder.h"
#include "sql/engine.h"
#include "sql/engine_handles.h"
#include "sql/interruption.h"

namespace dbx::local {

/// Most rows of one batch.
inline constexpr idx_t kMaxBatchRows = 4096;

/// What a streaming result needs to stay alive: its connection and statement.
class StreamOwner {
 public:
  virtual ~StreamOwner() = default;
  /// The result is dropped before its end: the engine shall stop working for it.
  virtual void Abandon() = 0;
};

/// Rows of a streaming result of the engine, joined and cut to batches of kMaxBatchRows. Whatever
/// keeps the result alive (its connection, the statement) is given as `owner`, and let go after the
/// result.
class StreamingRows : public RowSource {
 public:
  /// What an error text of the engine means to the client.
  using ErrorOf = std::function<Status(std::string_view)>;

  static Result<std::unique_ptr<StreamingRows>> Make(
      std::unique_ptr<EngineResult> result, const std::vector<ResultColumn>& columns,
      std::shared_ptr<const Interruption> interruption, std::unique_ptr<StreamOwner> owner,
      ErrorOf error_of);
  ~StreamingRows() override;
  StreamingRows(const StreamingRows&) = delete;
  StreamingRows& operator=(const StreamingRows&) = delete;
  Result<bool> Next(ArrowArray* batch) override;

 private:
  StreamingRows() = default;
  Status Fetch();
  Status Append(idx_t count);
  idx_t FittingRows(idx_t wanted) const;

  std::unique_ptr<StreamOwner> owner_;  // before result_: outlives it
  std::shared_ptr<const Interruption> interruption_;
  ErrorOf error_of_;
  std::unique_ptr<EngineResult> result_;
  std::vector<std::unique_ptr<ColumnBuilder>> builders_;
  DataChunk chunk_;
  idx_t chunk_rows_ = 0;
  idx_t chunk_offset_ = 0;
  bool ended_ = false;
  Status failure_;
};

/// A value of a row that we make ourselves.
using Cell = std::variant<std::monostate, std::string, int64_t, bool>;
using Row = std::vector<Cell>;

/// Rows in memory. Columns may be STRING, INT, BIGINT or BOOLEAN.
std::unique_ptr<RowSource> MakeRows(const std::vector<ResultColumn>& columns,
                                    std::vector<Row> rows);

}  // namespace dbx::local
