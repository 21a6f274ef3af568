// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "net/faults.h"
#include "net/spool.h"
#include "result/arrow_types.h"
#include "result/limited_rows.h"
#include "result/stored_result.h"
#include "sql/engine.h"

namespace dbx::local {

/// In which form a client wants its rows.
struct ResultForm {
  bool arrow = false;  ///< else a column set
  bool links = false;  ///< large results may become files
  bool lz4 = false;
  bool arrow_schema = false;  ///< the client's protocol version knows it
  NativeTypes native;
  NoFilesBecause no_files_because = NoFilesBecause::kSmall;
  int64_t inline_limit_bytes = 0;  ///< raw; larger results become files
  int64_t chunk_bytes = 0;         ///< raw size from which a file is closed
  int64_t batch_bytes = 1 << 20;   ///< about the largest body of one batch
  RowLimits limits;
  /// Inline results are one piece: a whole stream, with a frame a message. Else a piece a batch.
  bool whole_streams = false;
  /// Raw bytes at which an inline stream fails; not positive: never.
  int64_t inline_max_bytes = 0;
  std::string time_zone = "Etc/UTC";
  FaultAction fault;
};

/// Lays the rows of one statement out in `result`: columns, inline batches, or files in the spool.
///
/// Small results stay inline. Once a result outgrows the limit its rows are pulled on the calling
/// thread while a second one encodes, compresses and stores them, so that links to the first files
/// exist long before the last.
class ResultWriter {
 public:
  /// All pointers must outlive this. `on_ready` is called once, as soon as a client may begin to
  /// fetch.
  ResultWriter(const ResultForm& form, Spool* spool, StoredResult* result,
               std::function<void()> on_ready);

  /// Runs to the last row (or the row limit). Fails with the rows' error, the spool's, or the
  /// reason for which somebody ended `result`; the caller then ends the result.
  Status Write(SqlResult rows);

 private:
  ResultHeader MakeHeader(const SqlResult& rows, ResultShape shape) const;
  Result<std::string> ArrowSchema(const SqlResult& rows) const;
  Result<std::string> FileSchema(const std::vector<ResultColumn>& columns) const;
  Status WriteColumns(SqlResult rows);
  Status WriteArrow(SqlResult rows);

  const ResultForm& form_;
  Spool* const spool_;
  StoredResult* const result_;
  const std::function<void()> on_ready_;
};

}  // namespace dbx::local
