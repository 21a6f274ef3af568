// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"
#include "thrift/batch_encoder.h"
#include "thrift/byte_buffer.h"
#include "thrift/lz4_frame.h"
#include "thrift/result_writer.h"

namespace dbx::local {

/// Cuts a result into files: whole Arrow streams, an LZ4 frame around each when asked, put into the
/// spool and appended to the result. One thread.
class FileWriter {
 public:
  /// `schema_message` stands at the head of every file. All pointers and references must outlive
  /// this.
  FileWriter(const ResultForm& form, std::string schema_message, BatchEncoder* encoder,
             Spool* spool, StoredResult* result);

  /// Rows of `batch` up to `num_rows` come next.
  Status Add(WireBatch batch, int64_t num_rows);
  /// Stores what is left and ends the result.
  Status Finish(bool cut);

 private:
  void StartFile();
  /// Stores the file in hand.
  Result<ResultPiece> CloseFile();
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
