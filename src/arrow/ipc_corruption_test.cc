// SPDX-License-Identifier: Apache-2.0
// Whatever happens to the bytes of a stream, reading them gives an error or batches that are safe
// to walk through.
#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "arrow/ipc_decoder.h"
#include "arrow/testing/every_type.h"
#include "arrow/testing/ipc_writer.h"

namespace dbx {
namespace {

/// Fails the test unless Arrow's own checks pass; they read every offset. Then reads each value's
/// bytes.
void WalkThrough(const RecordBatch& batch, const ArrowSchema& schema) {
  nanoarrow::UniqueArrayView view;
  ArrowError error = {};
  ASSERT_EQ(ArrowArrayViewInitFromSchema(view.get(), &schema, &error), NANOARROW_OK)
      << error.message;
  ASSERT_EQ(ArrowArrayViewSetArray(view.get(), batch.c_array(), &error), NANOARROW_OK)
      << error.message;
  EXPECT_EQ(ArrowArrayViewValidate(view.get(), NANOARROW_VALIDATION_LEVEL_FULL, &error),
            NANOARROW_OK)
      << error.message;
}

/// Reads a stream as ReadIpcStream does, walking through what comes. True when nothing was refused.
bool ReadAll(std::string_view stream) {
  std::shared_ptr<const Schema> schema;
  std::unique_ptr<IpcDecoder> decoder;
  while (true) {
    const auto message = ReadIpcMessage(AsBytes(stream), 1 << 20);
    if (!message.ok() || !*message) return false;
    stream.remove_prefix((*message)->whole.size());
    if ((*message)->kind == IpcMessageKind::kEndOfStream) return true;
    if ((*message)->kind == IpcMessageKind::kSchema) {
      auto decoded = DecodeIpcSchema(**message);
      if (!decoded.ok()) return false;
      schema = *decoded;
      auto made = IpcDecoder::Make(schema);
      if (!made.ok()) return false;
      decoder = std::move(*made);
      continue;
    }
    if (!decoder) return false;
    const auto batch = decoder->DecodeBatch(**message, nullptr);
    if (!batch.ok()) return false;
    WalkThrough(*batch, *schema->c_schema());
  }
}

std::string EveryTypeStream(int64_t num_rows) {
  const EveryType source(num_rows);
  return WriteSchemaMessage(*source.schema()->c_schema()) +
         WriteBatchMessage(*source.schema()->c_schema(), *source.array()) + EndOfStream();
}

TEST(IpcCorruption, EveryPrefixOfAStreamIsRefused) {
  for (const std::string& stream : {MakeIpcStream(0, 10, 4), EveryTypeStream(6)}) {
    ASSERT_TRUE(ReadAll(stream));
    for (size_t size = 0; size < stream.size(); ++size) {
      // A copy of exactly that size, so that a sanitizer sees any byte read behind it.
      const std::vector<char> prefix(stream.begin(), stream.begin() + static_cast<int64_t>(size));
      EXPECT_FALSE(ReadAll({prefix.data(), prefix.size()})) << size;
    }
  }
}

TEST(IpcCorruption, EveryChangedByteIsRefusedOrSafe) {
  for (const std::string& stream : {MakeIpcStream(0, 10, 4), EveryTypeStream(6)}) {
    int num_refused = 0;
    for (size_t at = 0; at < stream.size(); ++at) {
      for (const char change : {'\x01', '\x10', '\x80', '\xFF'}) {
        std::string corrupt = stream;
        corrupt[at] = static_cast<char>(corrupt[at] ^ change);
        if (!ReadAll(corrupt)) ++num_refused;
      }
    }
    EXPECT_GT(num_refused, 100);
  }
}

TEST(IpcCorruption, ManyChangedBytesAreRefusedOrSafe) {
  const std::string stream = EveryTypeStream(6);
  std::mt19937 random(7);
  for (int round = 0; round < 20'000; ++round) {
    std::string corrupt = stream;
    const unsigned num_changes = 1 + random() % 8;
    for (unsigned i = 0; i < num_changes; ++i) {
      corrupt[random() % corrupt.size()] =
          static_cast<char>(random() % 4 == 0 ? 0xFF : random() % 256);
    }
    ReadAll(corrupt);
  }
}

TEST(IpcCorruption, EveryNumberOfTheMetadataMayBeAbsurd) {
  const std::string stream = EveryTypeStream(6);
  for (size_t at = 0; at + sizeof(int64_t) <= stream.size(); at += 4) {
    for (const int64_t absurd :
         {INT64_MIN, INT64_MAX, int64_t{-1}, int64_t{1} << 62, int64_t{1} << 33}) {
      std::string corrupt = stream;
      std::memcpy(corrupt.data() + at, &absurd, sizeof(absurd));
      ReadAll(corrupt);
    }
  }
}

}  // namespace
}  // namespace dbx
