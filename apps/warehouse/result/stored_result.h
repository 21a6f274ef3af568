// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <nanoarrow/nanoarrow.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "base/status.h"
#include "net/spool.h"
#include "result/time_zone.h"
#include "sql/engine.h"

namespace dbx::local {

/// How a result's rows are kept.
enum class ResultShape : uint8_t {
  kRows,     ///< as they came from the engine, to be written for each answer
  kBatches,  ///< pieces in memory
  kFiles,    ///< pieces in the spool, handed out as links
};

/// Why a result is not in files.
enum class NoFilesBecause : uint8_t {
  kSmall,
  kNoArrow,
  kNotAsked,
  kOldProtocol,
  kMetadataCall,
};

/// What is known of a result before its first row is handed out.
struct ResultHeader {
  StatementKind kind = StatementKind::kQuery;
  ResultShape shape = ResultShape::kRows;
  NoFilesBecause no_files_because = NoFilesBecause::kSmall;
  std::vector<ResultColumn> columns = {};
  std::string arrow_schema = {};  ///< empty: not sent
  TimeZone zone = {};             ///< of texts in column sets
  bool lz4 = false;
  bool is_metadata_call = false;
  std::optional<int64_t> modified_rows = {};
};

/// An inline Arrow batch or a stored file.
struct ResultPiece {
  int64_t row_offset = 0;
  int64_t num_rows = 0;   ///< rows to use: there may be more in it
  int64_t raw_bytes = 0;  ///< before compression
  int64_t stored_bytes = 0;
  std::string bytes = {};        ///< of an inline batch
  std::string object_name = {};  ///< of a file in the spool
};

/// A result as it is laid out, shared by the one thread that makes it and all that read it; all
/// methods from any thread. Pieces only ever grow at the end. Files leave the spool when this dies.
class StoredResult {
 public:
  /// `spool` must outlive this.
  explicit StoredResult(Spool* spool) : spool_(spool) {}
  ~StoredResult();
  StoredResult(const StoredResult&) = delete;
  StoredResult& operator=(const StoredResult&) = delete;

  // The maker's side, in this order: SetHeader; Append, each call promising that another piece
  // follows; one Finish or Fail. Rows of column sets come by AppendRows.
  void SetHeader(ResultHeader header) EXCLUDES(mutex_);
  /// Fails with the reason once somebody has ended the result.
  Status Append(ResultPiece piece) EXCLUDES(mutex_);
  Status AppendRows(nanoarrow::UniqueArray batch) EXCLUDES(mutex_);
  /// `cut`: a limit of the request ended the rows.
  void Finish(std::optional<ResultPiece> last, bool cut) EXCLUDES(mutex_);
  /// Ends an unfinished result; the first reason stays. Wakes everyone.
  void Fail(Status reason) EXCLUDES(mutex_);

  // The readers' side.

  /// Blocks until piece `index` exists or no more will come. False: there is none.
  Result<bool> WaitForPiece(size_t index) const EXCLUDES(mutex_);
  /// Blocks likewise for the piece that holds row `row`; its index, or the number of pieces.
  Result<size_t> WaitForRow(int64_t row) const EXCLUDES(mutex_);
  /// Valid from SetHeader on, and unchanging.
  const ResultHeader& header() const { return header_; }
  /// Calls `visit` for each piece from `index` on that exists, until it returns false. Under the
  /// lock: be short.
  void Visit(size_t index, const std::function<bool(const ResultPiece&)>& visit) const
      EXCLUDES(mutex_);

  struct Totals {
    size_t num_pieces = 0;
    int64_t num_rows = 0, raw_bytes = 0, stored_bytes = 0;
    bool complete = false, cut = false;
  };
  Totals totals() const EXCLUDES(mutex_);
  /// Why it ended early; Ok otherwise.
  Status status() const EXCLUDES(mutex_);
  /// The rows of a column set; only once it is complete.
  const std::vector<nanoarrow::UniqueArray>& row_batches() const { return row_batches_; }

 private:
  void Add(ResultPiece piece) REQUIRES(mutex_);

  Spool* const spool_;
  ResultHeader header_;                              // set once, before anyone reads
  std::vector<nanoarrow::UniqueArray> row_batches_;  // the maker's alone until complete

  mutable Mutex mutex_;
  mutable Condition changed_;
  std::vector<ResultPiece> pieces_ GUARDED_BY(mutex_);
  Totals totals_ GUARDED_BY(mutex_);
  Status status_ GUARDED_BY(mutex_);
};

/// Why a statement fails whose inline result is larger than what may travel in a reply.
Status InlineLimitExceeded(int64_t limit_bytes);

}  // namespace dbx::local
