// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

/// The parts of Arrow's FlatBuffers schema (Message.fbs, Schema.fbs) that we read ourselves:
/// numbers of fields and of enumerators, in the order of their declaration there.
namespace dbx::ipc_format {

inline constexpr size_t kMessageVersion = 0;
inline constexpr size_t kMessageHeaderType = 1;
inline constexpr size_t kMessageHeader = 2;
inline constexpr size_t kMessageBodyLength = 3;

inline constexpr int16_t kVersion4 = 3;
inline constexpr int16_t kVersion5 = 4;

inline constexpr uint8_t kHeaderSchema = 1;
inline constexpr uint8_t kHeaderDictionaryBatch = 2;
inline constexpr uint8_t kHeaderRecordBatch = 3;

inline constexpr size_t kSchemaFields = 1;

inline constexpr size_t kFieldTypeType = 2;
inline constexpr size_t kFieldType = 3;
inline constexpr size_t kFieldDictionary = 4;
inline constexpr size_t kFieldChildren = 5;

inline constexpr size_t kBatchLength = 0;
inline constexpr size_t kBatchNodes = 1;
inline constexpr size_t kBatchBuffers = 2;
inline constexpr size_t kBatchCompression = 3;

/// Elements of the two lists of a record batch.
struct Node {
  int64_t length;
  int64_t null_count;
};
struct Place {
  int64_t offset;
  int64_t length;
};

}  // namespace dbx::ipc_format
