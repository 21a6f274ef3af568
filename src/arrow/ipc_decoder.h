// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "arrow/record_batch.h"
#include "arrow/slab_pool.h"
#include "base/bytes.h"
#include "base/status.h"

namespace dbx {

enum class IpcMessageKind : uint8_t { kSchema, kRecordBatch, kEndOfStream };

/// One encapsulated message of an Arrow IPC stream, within bytes that someone else owns.
struct IpcMessage {
  IpcMessageKind kind = IpcMessageKind::kEndOfStream;
  Bytes whole;     ///< from the continuation marker to the end of the body
  Bytes metadata;  ///< flatbuffer
  Bytes body;
};

/// Cuts the first message off `available`, believing no length before it is compared with what is
/// there.
///
/// nullopt: the message is not all there yet (`*needed`, if given, becomes the least size that
/// would let it go on). Errors: kInvalidData for what cannot be an IPC stream, for dictionaries,
/// and for messages above `max_bytes`.
Result<std::optional<IpcMessage>> ReadIpcMessage(Bytes available, uint64_t max_bytes,
                                                 uint64_t* needed = nullptr);

/// The schema of a schema message. Errors: kInvalidData, kNotImplemented for types that the service
/// never sends (dictionaries, string views, run-end encoding).
Result<std::shared_ptr<const Schema>> DecodeIpcSchema(const IpcMessage& message);

/// Makes batches of the messages of one stream. One thread at a time.
class IpcDecoder {
 public:
  /// `schema` names the result's columns and is what callers see; the stream's own schema
  /// (`DecodeIpcSchema`) may carry other names and metadata, but its types must be the same, column
  /// by column (kInvalidData otherwise). Large copies of misaligned buffers lie in slabs of
  /// `copies`; without it, of a pool of the decoder's own.
  static Result<std::unique_ptr<IpcDecoder>> Make(std::shared_ptr<const Schema> schema,
                                                  std::shared_ptr<SlabPool> copies = nullptr);
  virtual ~IpcDecoder() = default;

  /// Fails when `stream_schema` (found in a file) has other column types than the result's.
  virtual Status CheckSchema(const Schema& stream_schema) const = 0;

  /// The rows of a record batch message. Buffers are slices of the message's body, which `owner`
  /// keeps alive and unchanged; a buffer that is not aligned to its elements' width (IPC promises 8
  /// bytes, decimals have 16) is copied and counted. Every buffer's length is compared with the row
  /// count and the offsets with the data before a batch is handed out. Errors: kInvalidData.
  virtual Result<RecordBatch> DecodeBatch(const IpcMessage& message,
                                          std::shared_ptr<const void> owner) = 0;

  virtual int64_t misaligned_copies() const = 0;
  /// In all those copies.
  virtual int64_t copied_bytes() const = 0;
};

}  // namespace dbx
