// SPDX-License-Identifier: Apache-2.0
#include "arrow/ipc_decoder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "arrow/testing/every_type.h"
#include "arrow/testing/ipc_writer.h"

namespace dbx {
namespace {

constexpr uint64_t kMaxBytes = uint64_t{1} << 30;

/// Bytes at a chosen distance from a 64-byte boundary.
class PlacedBytes {
 public:
  PlacedBytes(std::string_view bytes, size_t shift)
      : memory_(bytes.size() + 128), size_(bytes.size()) {
    start_ = (64 - reinterpret_cast<uintptr_t>(memory_.data()) % 64) % 64 + shift;
    std::copy(bytes.begin(), bytes.end(), memory_.begin() + static_cast<int64_t>(start_));
  }
  Bytes bytes() const { return Bytes(memory_).subspan(start_, size_); }

 private:
  std::vector<uint8_t> memory_;
  size_t start_ = 0;
  size_t size_ = 0;
};

IpcMessage Parse(Bytes bytes) {
  const auto message = ReadIpcMessage(bytes, kMaxBytes);
  EXPECT_TRUE(message.ok()) << message.status().ToString();
  return message.ok() && *message ? **message : IpcMessage{};
}

Result<RecordBatch> Decode(const std::shared_ptr<const Schema>& schema, Bytes message) {
  ASSIGN_OR_RETURN(const std::unique_ptr<IpcDecoder> decoder, IpcDecoder::Make(schema));
  return decoder->DecodeBatch(Parse(message), nullptr);
}

/// Each 8-byte number `from` in the message becomes `to`.
std::string ReplaceNumber(std::string message, int64_t from, int64_t to) {
  int num_replaced = 0;
  for (size_t at = 0; at + sizeof(from) <= message.size(); at += sizeof(from)) {
    if (std::memcmp(message.data() + at, &from, sizeof(from)) != 0) continue;
    std::memcpy(message.data() + at, &to, sizeof(to));
    ++num_replaced;
  }
  EXPECT_GT(num_replaced, 0);
  return message;
}

void CollectBuffers(const ArrowArray& array, std::vector<const void*>* buffers) {
  for (int64_t i = 0; i < array.n_buffers; ++i) {
    if (array.buffers[i]) buffers->push_back(array.buffers[i]);
  }
  for (int64_t i = 0; i < array.n_children; ++i) CollectBuffers(*array.children[i], buffers);
}

TEST(IpcDecoder, DecodesEveryTypeOfTheService) {
  for (const int64_t num_rows : {0, 1, 8, 100}) {
    const EveryType source(num_rows);
    const std::string message = WriteBatchMessage(*source.schema()->c_schema(), *source.array());
    for (const size_t shift : {0, 1, 4, 8, 16}) {
      const PlacedBytes placed(message, shift);
      const auto batch = Decode(source.schema(), placed.bytes());
      ASSERT_TRUE(batch.ok()) << batch.status().ToString() << " shift " << shift;
      EXPECT_EQ(batch->num_rows(), num_rows);
      EXPECT_EQ(source.DifferenceTo(*batch->c_array()), "") << num_rows << " shift " << shift;
    }
  }
}

TEST(IpcDecoder, DecodesASchemaOfEveryType) {
  const EveryType source(0);
  const std::string message = WriteSchemaMessage(*source.schema()->c_schema());
  const auto schema = DecodeIpcSchema(Parse(AsBytes(message)));
  ASSERT_TRUE(schema.ok()) << schema.status().ToString();
  const auto decoder = IpcDecoder::Make(source.schema());
  ASSERT_TRUE(decoder.ok());
  const Status same = (*decoder)->CheckSchema(**schema);
  EXPECT_TRUE(same.ok()) << same.ToString();
  EXPECT_FALSE((*decoder)->CheckSchema(*RowSchema()).ok());
}

TEST(IpcDecoder, CopiesNothingThatIsAligned) {
  const std::string message = MakeIpcMessages(0, 64, 64).batches[0];
  const PlacedBytes placed(message, 0);
  auto decoder = IpcDecoder::Make(RowSchema());
  const IpcMessage parsed = Parse(placed.bytes());
  const auto batch = (*decoder)->DecodeBatch(parsed, nullptr);
  ASSERT_TRUE(batch.ok());
  std::vector<const void*> buffers;
  CollectBuffers(*batch->c_array(), &buffers);
  EXPECT_EQ(buffers.size(), 5U);
  int64_t num_outside = 0;
  for (const void* const buffer : buffers) {
    const auto* const byte = static_cast<const uint8_t*>(buffer);
    if (byte < parsed.body.data() || byte >= parsed.body.data() + parsed.body.size()) ++num_outside;
  }
  // The decimals may lie at 8, not at 16, bytes: the writer pads to 8 only.
  EXPECT_EQ(num_outside, (*decoder)->misaligned_copies());
  EXPECT_LE(num_outside, 1);
}

TEST(IpcDecoder, CopiesDecimalsThatAreMisalignedAndNothingElse) {
  const std::string message = MakeIpcMessages(0, 64, 64).batches[0];
  int64_t copies_of_both = 0;
  for (const size_t shift : {0, 8}) {
    const PlacedBytes placed(message, shift);
    auto decoder = IpcDecoder::Make(RowSchema());
    const auto batch = (*decoder)->DecodeBatch(Parse(placed.bytes()), nullptr);
    ASSERT_TRUE(batch.ok());
    EXPECT_EQ(reinterpret_cast<uintptr_t>(batch->c_array()->children[2]->buffers[1]) % 16, 0U);
    EXPECT_TRUE(CheckRows(*batch, 0).ok());
    copies_of_both += (*decoder)->misaligned_copies();
  }
  EXPECT_EQ(copies_of_both, 1);
}

TEST(IpcDecoder, LargeCopiesLieInSlabsThatTheBatchGivesBack) {
  constexpr int64_t kRows = 20'000;
  const std::string message = MakeIpcMessages(0, kRows, kRows).batches[0];
  const auto pool = SlabPool::Make(64 << 20);
  auto decoder = IpcDecoder::Make(RowSchema(), pool);
  const PlacedBytes placed(message, 1);  // whatever is wider than a byte is copied
  auto batch = (*decoder)->DecodeBatch(Parse(placed.bytes()), nullptr);
  ASSERT_TRUE(batch.ok()) << batch.status().ToString();
  EXPECT_EQ((*decoder)->misaligned_copies(), 3);
  EXPECT_GE(pool->statistics().bytes_lent, kRows * (8 + 4 + 16));
  EXPECT_EQ(reinterpret_cast<uintptr_t>(batch->c_array()->children[1]->buffers[1]) % 64, 0U);
  EXPECT_TRUE(CheckRows(*batch, 0).ok());
  *batch = RecordBatch();
  EXPECT_EQ(pool->statistics().bytes_lent, 0);
}

TEST(IpcDecoder, TheBatchKeepsItsBytesAlive) {
  auto bytes = std::make_shared<PlacedBytes>(MakeIpcMessages(5, 10, 10).batches[0], 0);
  const std::weak_ptr<PlacedBytes> watch = bytes;
  auto decoder = IpcDecoder::Make(RowSchema());
  auto batch = (*decoder)->DecodeBatch(Parse(bytes->bytes()), bytes);
  ASSERT_TRUE(batch.ok());
  bytes.reset();
  decoder = Status::Cancelled("gone");
  EXPECT_TRUE(CheckRows(*batch, 5).ok());
  EXPECT_FALSE(watch.expired());
  *batch = RecordBatch();
  EXPECT_TRUE(watch.expired());
}

TEST(IpcDecoder, AColumnMovedOutKeepsTheBytesAliveByItself) {
  auto bytes = std::make_shared<PlacedBytes>(MakeIpcMessages(5, 10, 10).batches[0], 0);
  const std::weak_ptr<PlacedBytes> watch = bytes;
  auto decoder = IpcDecoder::Make(RowSchema());
  const IpcMessage message = Parse(bytes->bytes());
  auto batch = (*decoder)->DecodeBatch(message, std::move(bytes));
  ASSERT_TRUE(batch.ok());
  nanoarrow::UniqueArray whole;
  batch->MoveTo(whole.get());
  nanoarrow::UniqueArray column;
  ArrowArrayMove(whole->children[0], column.get());
  whole.reset();
  EXPECT_FALSE(watch.expired());
  EXPECT_EQ(static_cast<const int64_t*>(column->buffers[1])[9], 14);
  std::thread other([&] { column.reset(); });
  other.join();
  EXPECT_TRUE(watch.expired());
}

TEST(IpcDecoder, RefusesMoreRowsThanItsBuffersHold) {
  const std::string message = MakeIpcMessages(0, 77, 77).batches[0];
  for (const int64_t rows :
       {int64_t{1} << 62, int64_t{1} << 31, int64_t{81}, int64_t{-1}, INT64_MIN}) {
    const std::string corrupt = ReplaceNumber(message, 77, rows);
    const auto batch = Decode(RowSchema(), AsBytes(corrupt));
    EXPECT_EQ(batch.status().code(), StatusCode::kInvalidData) << rows;
  }
}

TEST(IpcDecoder, RefusesBuffersThatLeadOutOfTheBody) {
  const std::string message = MakeIpcMessages(0, 77, 77).batches[0];
  constexpr int64_t kRowBytes = 77 * 8;
  for (const int64_t length : {int64_t{1} << 40, INT64_MAX, int64_t{-8}, INT64_MIN}) {
    const std::string corrupt = ReplaceNumber(message, kRowBytes, length);
    EXPECT_FALSE(Decode(RowSchema(), AsBytes(corrupt)).ok()) << length;
  }
}

/// A batch of one text column "a", "b" with these offsets and 8 bytes of text.
std::string TextBatch(const std::vector<int32_t>& offsets,
                      const std::shared_ptr<const Schema>& schema) {
  nanoarrow::UniqueArray array;
  EXPECT_EQ(ArrowArrayInitFromSchema(array.get(), schema->c_schema(), nullptr), NANOARROW_OK);
  ArrowArray* const column = array->children[0];
  EXPECT_EQ(ArrowBufferAppend(ArrowArrayBuffer(column, 1), offsets.data(),
                              static_cast<int64_t>(offsets.size() * sizeof(int32_t))),
            NANOARROW_OK);
  EXPECT_EQ(ArrowBufferAppend(ArrowArrayBuffer(column, 2), "01234567", 8), NANOARROW_OK);
  column->length = static_cast<int64_t>(offsets.size()) - 1;
  array->length = column->length;
  EXPECT_EQ(ArrowArrayFinishBuilding(array.get(), NANOARROW_VALIDATION_LEVEL_NONE, nullptr),
            NANOARROW_OK);
  return WriteBatchMessage(*schema->c_schema(), *array.get());
}

std::shared_ptr<const Schema> TextSchema() {
  nanoarrow::UniqueSchema schema;
  ArrowSchemaInit(schema.get());
  EXPECT_EQ(ArrowSchemaSetTypeStruct(schema.get(), 1), NANOARROW_OK);
  EXPECT_EQ(ArrowSchemaSetType(schema->children[0], NANOARROW_TYPE_STRING), NANOARROW_OK);
  return std::make_shared<Schema>(std::move(schema));
}

TEST(IpcDecoder, RefusesOffsetsThatFallOrLeadOut) {
  const auto schema = TextSchema();
  const std::string good = TextBatch({0, 3, 3, 7}, schema);
  EXPECT_TRUE(Decode(schema, AsBytes(good)).ok());
  // The offsets are the only place of these numbers, in this order, in the message.
  const int32_t written[] = {0, 3, 3, 7};
  const size_t at = good.find(std::string(reinterpret_cast<const char*>(written), sizeof(written)));
  ASSERT_NE(at, std::string::npos);
  const std::vector<std::vector<int32_t>> wrong = {{0, 4, 3, 7},         {-1, 3, 3, 7},
                                                   {0, 3, 3, 9},         {0, 3, 8, 7},
                                                   {0, 3, INT32_MAX, 7}, {INT32_MIN, 0, 0, 0}};
  for (const std::vector<int32_t>& offsets : wrong) {
    std::string corrupt = good;
    std::memcpy(corrupt.data() + at, offsets.data(), sizeof(written));
    EXPECT_EQ(Decode(schema, AsBytes(corrupt)).status().code(), StatusCode::kInvalidData)
        << offsets[1];
  }
}

TEST(IpcDecoder, RefusesABatchOfOtherColumns) {
  const std::string message = MakeIpcMessages(0, 10, 10).batches[0];
  EXPECT_EQ(Decode(TextSchema(), AsBytes(message)).status().code(), StatusCode::kInvalidData);
  const std::string text = TextBatch({0, 1}, TextSchema());
  EXPECT_EQ(Decode(RowSchema(), AsBytes(text)).status().code(), StatusCode::kInvalidData);
}

TEST(IpcDecoder, NamesTheColumnOfAnError) {
  const std::string corrupt = ReplaceNumber(MakeIpcMessages(0, 77, 77).batches[0], 77 * 8, 8);
  const Status status = Decode(RowSchema(), AsBytes(corrupt)).status();
  EXPECT_NE(status.message().find("column 0 'row'"), std::string::npos) << status.message();
}

TEST(IpcDecoder, TruncatedBatchesOfAStreamKeepTheirRows) {
  const std::string stream = MakeIpcStream(100, 1000, 300);
  auto batches = ReadIpcStream(stream);
  ASSERT_TRUE(batches.ok()) << batches.status().ToString();
  ASSERT_EQ(batches->size(), 4U);
  int64_t first_row = 100;
  for (RecordBatch& batch : *batches) {
    const Status rows = CheckRows(batch, first_row);
    EXPECT_TRUE(rows.ok()) << rows.ToString();
    first_row += batch.num_rows();
  }
  EXPECT_EQ(first_row, 1100);
  batches->back().Truncate(42);
  EXPECT_EQ(RowNumbers(batches->back()), RowRange(1000, 1042));
}

TEST(IpcDecoder, ASchemaOrAnEndIsNoBatch) {
  const IpcMessages messages = MakeIpcMessages(0, 1, 1);
  EXPECT_FALSE(Decode(RowSchema(), AsBytes(messages.schema)).ok());
  EXPECT_FALSE(Decode(RowSchema(), AsBytes(messages.end)).ok());
  EXPECT_EQ(IpcDecoder::Make(nullptr).status().code(), StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace dbx
