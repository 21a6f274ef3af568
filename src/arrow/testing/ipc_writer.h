// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "arrow/ipc_decoder.h"
#include "arrow/record_batch.h"
#include "base/status.h"

/// Results for tests: every value follows from the row's number, so that a lost, doubled or swapped
/// row shows. Whatever cannot happen in a sound test throws std::runtime_error.
namespace dbx {

/// The columns of all that is made here:
///   row     int64, not null     the row's number n in the whole result
///   text    utf8                "row <n>" with n % 50 dots after it
///   amount  decimal128(18, 2)   n * 100 + 25 hundredths; null when n % 7 == 3
std::shared_ptr<const Schema> RowSchema();

/// The messages of a stream, each complete: as an inline result carries them, or for a stream when
/// put together.
struct IpcMessages {
  std::string schema;
  std::vector<std::string> batches;
  std::string end;

  /// All of them, one after another.
  std::string Stream() const;
};

/// Rows first_row .. first_row + num_rows - 1, in batches of `rows_per_batch` (the last may have
/// less).
IpcMessages MakeIpcMessages(int64_t first_row, int64_t num_rows, int64_t rows_per_batch);
std::string MakeIpcStream(int64_t first_row, int64_t num_rows, int64_t rows_per_batch);

/// The schema message / record batch message for any schema and array (a struct of its columns) of
/// the caller.
std::string WriteSchemaMessage(const ArrowSchema& schema);
std::string WriteBatchMessage(const ArrowSchema& schema, const ArrowArray& array);
/// The end-of-stream marker.
std::string EndOfStream();

/// One batch of those rows, without IPC.
RecordBatch MakeRowBatch(int64_t first_row, int64_t num_rows);

/// The values of the first column (int64).
std::vector<int64_t> RowNumbers(const RecordBatch& batch);
/// first, first + 1, ... last - 1: what RowNumbers should give.
std::vector<int64_t> RowRange(int64_t first, int64_t last);

/// Fails, naming the row, unless each column of `batch` has what RowSchema() says for the rows from
/// `first_row` on.
Status CheckRows(const RecordBatch& batch, int64_t first_row);

/// All batches of a whole stream, decoded with its own schema; `stream` must outlive them.
Result<std::vector<RecordBatch>> ReadIpcStream(std::string_view stream);

}  // namespace dbx
