// SPDX-License-Identifier: Apache-2.0
#include <cerrno>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "arrow/flat_table.h"
#include "arrow/ipc_decoder.h"
#include "arrow/ipc_format.h"
#include "base/str_cat.h"
#include "nanoarrow/nanoarrow_ipc.hpp"

namespace dbx {
namespace {

constexpr uint32_t kContinuation = 0xFFFFFFFF;
constexpr uint64_t kPrefixBytes = 8;  // continuation marker and metadata length
// Deeper than any real type, and no danger to the stack.
constexpr int kDeepestType = 64;

/// nullopt, and what is needed to go on.
std::optional<IpcMessage> Incomplete(uint64_t num_bytes, uint64_t* needed) {
  if (needed) *needed = num_bytes;
  return std::nullopt;
}

Status NotAStream() {
  return Status::InvalidData("not an Arrow IPC stream: no continuation marker");
}

/// Refuses bytes that can't become a continuation marker, however many are there.
Status CheckMarker(Bytes available) {
  for (size_t i = 0; i < available.size() && i < sizeof(kContinuation); ++i) {
    if (available[i] != 0xFF) return NotAStream();
  }
  return Status::Ok();
}

Result<IpcMessageKind> KindOf(const FlatTable& message) {
  ASSIGN_OR_RETURN(const int16_t version, message.Scalar<int16_t>(ipc_format::kMessageVersion, 0));
  if (version != ipc_format::kVersion4 && version != ipc_format::kVersion5) {
    return Status::InvalidData(StrCat("IPC message: metadata version ", version + 1));
  }
  ASSIGN_OR_RETURN(const uint8_t type, message.Scalar<uint8_t>(ipc_format::kMessageHeaderType, 0));
  switch (type) {
    case ipc_format::kHeaderSchema:
      return IpcMessageKind::kSchema;
    case ipc_format::kHeaderRecordBatch:
      return IpcMessageKind::kRecordBatch;
    case ipc_format::kHeaderDictionaryBatch:
      return Status::InvalidData("IPC message: dictionaries are not supported");
    default:
      return Status::InvalidData(StrCat("IPC message: unknown kind ", type));
  }
}

Result<uint64_t> BodyBytes(const FlatTable& message) {
  ASSIGN_OR_RETURN(const int64_t num_bytes,
                   message.Scalar<int64_t>(ipc_format::kMessageBodyLength, 0));
  if (num_bytes < 0) return Status::InvalidData("IPC message: negative body length");
  return static_cast<uint64_t>(num_bytes);
}

Status TooLarge(uint64_t num_bytes, uint64_t max_bytes) {
  return Status::InvalidData(
      StrCat("IPC message: ", num_bytes, " bytes promised, at most ", max_bytes, " allowed"));
}

Status CheckField(const FlatTable& field, int depth);

Status CheckFields(const FlatTable& parent, size_t list, int depth) {
  if (depth > kDeepestType) return Status::InvalidData("IPC schema: types nest too deep");
  ASSIGN_OR_RETURN(const uint32_t num_fields, parent.NumTables(list));
  for (uint32_t i = 0; i < num_fields; ++i) {
    ASSIGN_OR_RETURN(const FlatTable field, parent.TableAt(list, i));
    RETURN_IF_ERROR(CheckField(field, depth));
  }
  return Status::Ok();
}

/// What the decoder of the schema would take for granted.
Status CheckField(const FlatTable& field, int depth) {
  if (field.Has(ipc_format::kFieldDictionary)) {
    return Status::NotImplemented("IPC schema: dictionary-encoded columns are not supported");
  }
  ASSIGN_OR_RETURN(const uint8_t type, field.Scalar<uint8_t>(ipc_format::kFieldTypeType, 0));
  if (type == 0 || !field.Has(ipc_format::kFieldType)) {
    return Status::InvalidData("IPC schema: a column has no type");
  }
  return CheckFields(field, ipc_format::kFieldChildren, depth + 1);
}

Status CheckSchemaMetadata(Bytes metadata) {
  ASSIGN_OR_RETURN(const FlatTable message, FlatTable::Root(metadata));
  ASSIGN_OR_RETURN(const FlatTable schema, message.Table(ipc_format::kMessageHeader));
  return CheckFields(schema, ipc_format::kSchemaFields, 0);
}

Status ToStatus(ArrowErrorCode code, ArrowError& error) {
  const StatusCode kind = code == ENOTSUP ? StatusCode::kNotImplemented : StatusCode::kInvalidData;
  return {kind, StrCat("IPC schema: ", ArrowErrorMessage(&error))};
}

/// `head`: marker, length and metadata, aligned to 8 bytes.
Result<std::shared_ptr<const Schema>> DecodeSchema(Bytes head) {
  nanoarrow::ipc::UniqueDecoder decoder;
  ArrowError error = {};
  ArrowBufferView view;
  view.data.as_uint8 = head.data();
  view.size_bytes = static_cast<int64_t>(head.size());
  ArrowErrorCode code = ArrowIpcDecoderInit(decoder.get());
  if (code == NANOARROW_OK) code = ArrowIpcDecoderVerifyHeader(decoder.get(), view, &error);
  if (code != NANOARROW_OK) return ToStatus(code, error);
  RETURN_IF_ERROR(CheckSchemaMetadata(head.subspan(kPrefixBytes)));
  code = ArrowIpcDecoderDecodeHeader(decoder.get(), view, &error);
  if (code != NANOARROW_OK) return ToStatus(code, error);
  if (decoder->endianness != NANOARROW_IPC_ENDIANNESS_LITTLE) {
    return Status::NotImplemented("IPC schema: big-endian data");
  }
  nanoarrow::UniqueSchema schema;
  code = ArrowIpcDecoderDecodeSchema(decoder.get(), schema.get(), &error);
  if (code != NANOARROW_OK) return ToStatus(code, error);
  return Schema::Take(schema.get());
}

}  // namespace

Result<std::optional<IpcMessage>> ReadIpcMessage(Bytes available, uint64_t max_bytes,
                                                 uint64_t* needed) {
  RETURN_IF_ERROR(CheckMarker(available));
  if (available.size() < kPrefixBytes) return Incomplete(kPrefixBytes, needed);
  int32_t metadata_length = 0;
  std::memcpy(&metadata_length, available.data() + sizeof(kContinuation), sizeof(metadata_length));
  if (metadata_length < 0) return Status::InvalidData("IPC message: negative metadata length");
  IpcMessage message;
  if (metadata_length == 0) {
    message.whole = available.first(kPrefixBytes);
    return std::optional<IpcMessage>(message);
  }
  const uint64_t head_bytes = kPrefixBytes + static_cast<uint64_t>(metadata_length);
  if (head_bytes > max_bytes) return TooLarge(head_bytes, max_bytes);
  if (available.size() < head_bytes) return Incomplete(head_bytes, needed);
  message.metadata = available.subspan(kPrefixBytes, head_bytes - kPrefixBytes);
  ASSIGN_OR_RETURN(const FlatTable table, FlatTable::Root(message.metadata));
  ASSIGN_OR_RETURN(message.kind, KindOf(table));
  ASSIGN_OR_RETURN(const uint64_t body_bytes, BodyBytes(table));
  if (body_bytes > max_bytes - head_bytes) return TooLarge(body_bytes, max_bytes - head_bytes);
  if (available.size() - head_bytes < body_bytes) {
    return Incomplete(head_bytes + body_bytes, needed);
  }
  message.body = available.subspan(head_bytes, body_bytes);
  message.whole = available.first(head_bytes + body_bytes);
  return std::optional<IpcMessage>(message);
}

Result<std::shared_ptr<const Schema>> DecodeIpcSchema(const IpcMessage& message) {
  if (message.kind != IpcMessageKind::kSchema) {
    return Status::InvalidData("IPC message: a schema was expected");
  }
  const Bytes head = message.whole.first(kPrefixBytes + message.metadata.size());
  try {
    if (reinterpret_cast<uintptr_t>(head.data()) % sizeof(uint64_t) == 0) {
      return DecodeSchema(head);
    }
    std::vector<uint64_t> aligned(head.size() / sizeof(uint64_t) + 1);
    std::memcpy(aligned.data(), head.data(), head.size());
    return DecodeSchema({reinterpret_cast<const uint8_t*>(aligned.data()), head.size()});
  } catch (const std::exception&) {
    return Status::Internal("IPC schema: out of memory");
  }
}

}  // namespace dbx
