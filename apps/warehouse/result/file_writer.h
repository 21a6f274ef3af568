// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"
#include "result/batch_encoder.h"
#include "result/byte_buffer.h"
#include "result/lz4_frame.h"
#include "result/result_writer.h"

namespace dbx::local {

/// Cuts a result into files: whole Arrow streams, an LZ4 frame around each when asked, put into the
/// spool and appended to the result. Without a spool it is one stream, in memory, with an LZ4 frame
/// around each message. One thread.
class FileWriter {
 public:
  /// `schema_message` stands at the head of every file. `spool` may be null. All pointers
  /// and references must outlive this.
  FileWriter(const ResultForm& form, std::string schema_message, BatchEncoder* encoder,
             Spool* spool, StoredResult* result);

  /// Rows of `batch` up to `num_rows` come next.
  Status Add(WireBatch batch, int64_t num_rows);
  /// Stores what is left and ends the result.
  Status Finish(bool cut);

 private:
  void StartFile();
  /// The file in hand is closed before more rows come.
  bool IsFull() const;
  /// A stream in memory has outgrown what may travel inline.
  Status CheckInlineSize() const;
  /// Stores the file in hand.
  Result<ResultPiece> CloseFile(bool is_last);
  /// A fault: rows behind those that the link speaks of.
  void AddExtraRows();
  Status Compress();
  /// Remembers that a message ends here.
  void EndMessage() { message_ends_.push_back(raw_.size()); }

  const ResultForm& form_;
  const std::string schema_message_;
  BatchEncoder* const encoder_;
  Spool* const spool_;
  StoredResult* const result_;
  /// A fault: the stream in memory is cut after each batch, into pieces of one stream.
  const bool cut_stream_;
  Lz4FrameWriter frames_;

  ByteBuffer raw_;
  ByteBuffer compressed_;
  std::vector<size_t> message_ends_;
  WireBatch last_batch_;
  int64_t file_rows_ = 0;
  int64_t chunk_index_ = 0;
  int64_t row_offset_ = 0;  ///< of the file in hand
};

}  // namespace dbx::local
