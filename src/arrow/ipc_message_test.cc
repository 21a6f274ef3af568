// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "arrow/ipc_decoder.h"
#include "arrow/testing/ipc_writer.h"

namespace dbx {
namespace {

constexpr uint64_t kMaxBytes = 1 << 20;

Status ReadError(std::string_view bytes, uint64_t max_bytes = kMaxBytes) {
  return ReadIpcMessage(AsBytes(bytes), max_bytes).status();
}

TEST(IpcMessage, CutsMessagesOffAStream) {
  const IpcMessages messages = MakeIpcMessages(0, 30, 20);
  const std::string stream = messages.Stream();
  std::string_view rest = stream;
  std::vector<IpcMessageKind> kinds;
  while (!rest.empty()) {
    const auto message = ReadIpcMessage(AsBytes(rest), kMaxBytes);
    ASSERT_TRUE(message.ok()) << message.status().ToString();
    ASSERT_TRUE(message->has_value());
    kinds.push_back((*message)->kind);
    rest.remove_prefix((*message)->whole.size());
  }
  EXPECT_EQ(kinds, (std::vector{IpcMessageKind::kSchema, IpcMessageKind::kRecordBatch,
                                IpcMessageKind::kRecordBatch, IpcMessageKind::kEndOfStream}));
}

TEST(IpcMessage, SaysHowMuchItNeedsOfEveryPrefix) {
  const std::string batch = MakeIpcMessages(0, 10, 10).batches[0];
  uint64_t last_needed = 0;
  for (size_t size = 0; size < batch.size(); ++size) {
    uint64_t needed = 0;
    const auto message = ReadIpcMessage(AsBytes(batch).first(size), kMaxBytes, &needed);
    ASSERT_TRUE(message.ok()) << message.status().ToString();
    EXPECT_FALSE(message->has_value());
    EXPECT_GT(needed, size);
    EXPECT_LE(needed, batch.size());
    EXPECT_GE(needed, last_needed);
    last_needed = needed;
  }
  EXPECT_EQ(last_needed, batch.size());
}

TEST(IpcMessage, RefusesWhatHasNoContinuationMarker) {
  EXPECT_EQ(ReadError("P").code(), StatusCode::kInvalidData);
  EXPECT_EQ(ReadError("<?xml version=\"1.0\"?>").code(), StatusCode::kInvalidData);
  // As before Arrow 0.15: a length without a marker.
  EXPECT_EQ(ReadError(std::string("\x10\0\0\0\0\0\0\0", 8)).code(), StatusCode::kInvalidData);
}

TEST(IpcMessage, RefusesLengthsThatCannotBe) {
  EXPECT_EQ(ReadError(std::string("\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF", 8)).code(),
            StatusCode::kInvalidData);
  EXPECT_EQ(ReadError(std::string("\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x7F", 8)).code(),
            StatusCode::kInvalidData);
}

TEST(IpcMessage, RefusesAMessageAboveTheLimitBeforeItIsThere) {
  const std::string batch = MakeIpcMessages(0, 1000, 1000).batches[0];
  EXPECT_TRUE(ReadError(batch, batch.size()).ok());
  EXPECT_EQ(ReadError(batch.substr(0, 2000), batch.size() - 1).code(), StatusCode::kInvalidData);
}

TEST(IpcMessage, RefusesDictionaries) {
  nanoarrow::UniqueSchema schema;
  ArrowSchemaInit(schema.get());
  ASSERT_EQ(ArrowSchemaSetTypeStruct(schema.get(), 1), NANOARROW_OK);
  ASSERT_EQ(ArrowSchemaSetType(schema->children[0], NANOARROW_TYPE_INT32), NANOARROW_OK);
  ASSERT_EQ(ArrowSchemaAllocateDictionary(schema->children[0]), NANOARROW_OK);
  ArrowSchemaInit(schema->children[0]->dictionary);
  ASSERT_EQ(ArrowSchemaSetType(schema->children[0]->dictionary, NANOARROW_TYPE_STRING),
            NANOARROW_OK);
  EXPECT_EQ(IpcDecoder::Make(std::make_shared<Schema>(std::move(schema))).status().code(),
            StatusCode::kNotImplemented);
}

TEST(IpcMessage, RefusesOtherKindsOfMessages) {
  // The kind's byte is the only one in the metadata that differs between these two in this way:
  // found by trying.
  const std::string batch = MakeIpcMessages(0, 1, 1).batches[0];
  int num_dictionaries = 0;
  for (size_t at = 8; at < batch.size(); ++at) {
    if (batch[at] != 3) continue;
    std::string changed = batch;
    changed[at] = 2;
    if (ReadError(changed).message().find("dictionaries") != std::string::npos) ++num_dictionaries;
  }
  EXPECT_EQ(num_dictionaries, 1);
}

TEST(IpcMessage, DecodesASchemaAtAnyAlignment) {
  const std::string message = MakeIpcMessages(0, 0, 1).schema;
  for (size_t shift = 0; shift < 9; ++shift) {
    const std::string shifted = std::string(shift, 'x') + message;
    const auto read = ReadIpcMessage(AsBytes(shifted).subspan(shift), kMaxBytes);
    ASSERT_TRUE(read.ok());
    const auto schema = DecodeIpcSchema(**read);
    ASSERT_TRUE(schema.ok()) << schema.status().ToString();
    EXPECT_EQ((*schema)->num_columns(), 3);
    EXPECT_EQ((*schema)->column_name(1), "text");
  }
}

TEST(IpcMessage, ABatchIsNoSchema) {
  const IpcMessages messages = MakeIpcMessages(0, 1, 1);
  const auto batch = ReadIpcMessage(AsBytes(messages.batches[0]), kMaxBytes);
  EXPECT_EQ(DecodeIpcSchema(**batch).status().code(), StatusCode::kInvalidData);
}

}  // namespace
}  // namespace dbx
