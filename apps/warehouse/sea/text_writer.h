// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "net/spool.h"
#include "result/limited_rows.h"
#include "result/result_writer.h"
#include "result/stored_result.h"
#include "sea/execute_request.h"
#include "sql/engine.h"

namespace dbx::local {

/// Lays the rows of one statement out as JSON arrays or CSV: as ResultWriter does with Arrow, by
/// the limits of the same form. Small results stay in memory, others become files; without `links`
/// a result that is too large fails. One thread.
class TextWriter {
 public:
  /// All pointers and references must outlive this.
  TextWriter(const ResultForm& form, RowFormat format, Spool* spool, StoredResult* result);
  ~TextWriter();  ///< takes files back that did not get into the result
  TextWriter(const TextWriter&) = delete;
  TextWriter& operator=(const TextWriter&) = delete;

  /// Runs to the last row (or a limit) and finishes the result. Fails with the rows' error, the
  /// spool's, or the reason for which somebody ended `result`; the caller then ends the result.
  Status Write(SqlResult rows);

 private:
  Status AddRows(const std::vector<ResultColumn>& columns, const LimitedRows::Batch& batch);
  void StartPiece(const std::vector<ResultColumn>& columns);
  Status ClosePiece();
  /// Puts what waits in memory into the spool once the result is too large to stay there.
  Status SettleShape();

  const ResultForm& form_;
  const RowFormat format_;
  Spool* const spool_;
  StoredResult* const result_;
  const TimeZone zone_;

  std::string text_;               // of the piece in hand
  int64_t piece_rows_ = 0;         // in it
  int64_t row_offset_ = 0;         // of its first row
  int64_t num_bytes_ = 0;          // of all closed pieces
  bool files_ = false;             // pieces go to the spool
  std::vector<ResultPiece> done_;  // in order, not yet in the result
};

}  // namespace dbx::local
