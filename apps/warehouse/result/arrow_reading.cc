// SPDX-License-Identifier: Apache-2.0
#include "result/arrow_reading.h"

#include <gtest/gtest.h>
#include <lz4frame.h>

#include <nanoarrow/nanoarrow_ipc.hpp>

#include "base/str_cat.h"

namespace dbx::local {
namespace {

std::string CellText(const ArrowArrayView& view, int64_t row);

std::string ListText(const ArrowArrayView& view, int64_t row) {
  std::string text = "[";
  const int64_t end = ArrowArrayViewListChildOffset(&view, row + 1);
  for (int64_t i = ArrowArrayViewListChildOffset(&view, row); i < end; ++i) {
    text += (text.size() > 1 ? "," : "") + CellText(*view.children[0], i);
  }
  return text + "]";
}

std::string StructText(const ArrowArrayView& view, int64_t row) {
  std::string text = "{";
  for (int64_t i = 0; i < view.n_children; ++i)
    text += (i > 0 ? "," : "") + CellText(*view.children[i], row);
  return text + "}";
}

std::string CellText(const ArrowArrayView& view, int64_t row) {
  if (ArrowArrayViewIsNull(&view, row)) return "null";
  switch (view.storage_type) {
    case NANOARROW_TYPE_STRING:
    case NANOARROW_TYPE_BINARY: {
      const ArrowBufferView bytes = ArrowArrayViewGetBytesUnsafe(&view, row);
      return {bytes.data.as_char, static_cast<size_t>(bytes.size_bytes)};
    }
    case NANOARROW_TYPE_FLOAT:
    case NANOARROW_TYPE_DOUBLE:
      return StrCat(ArrowArrayViewGetDoubleUnsafe(&view, row));
    case NANOARROW_TYPE_DECIMAL128:
      return StrCat(view.buffer_views[1].data.as_int64[2 * row]);
    case NANOARROW_TYPE_INTERVAL_MONTHS:
      return StrCat(view.buffer_views[1].data.as_int32[row]);
    case NANOARROW_TYPE_LIST:
    case NANOARROW_TYPE_MAP:
      return ListText(view, row);
    case NANOARROW_TYPE_STRUCT:
      return StructText(view, row);
    default:
      return StrCat(ArrowArrayViewGetIntUnsafe(&view, row));
  }
}

void AddRows(const ArrowSchema& schema, const ArrowArray& batch, ArrowTable* table) {
  nanoarrow::UniqueArrayView view;
  ArrowError error = {};
  ASSERT_EQ(ArrowArrayViewInitFromSchema(view.get(), &schema, &error), NANOARROW_OK)
      << error.message;
  ASSERT_EQ(ArrowArrayViewSetArray(view.get(), &batch, &error), NANOARROW_OK) << error.message;
  ASSERT_EQ(ArrowArrayViewValidate(view.get(), NANOARROW_VALIDATION_LEVEL_FULL, &error),
            NANOARROW_OK)
      << error.message;
  table->batch_rows.push_back(batch.length);
  for (int64_t row = 0; row < batch.length; ++row) {
    std::vector<std::string> cells;
    cells.reserve(static_cast<size_t>(view->n_children));
    for (int64_t i = 0; i < view->n_children; ++i)
      cells.push_back(CellText(*view->children[i], row));
    table->rows.push_back(std::move(cells));
  }
}

void ReadInto(const std::string& stream, ArrowTable* table) {
  nanoarrow::UniqueBuffer bytes;
  ASSERT_EQ(ArrowBufferAppend(bytes.get(), stream.data(), static_cast<int64_t>(stream.size())),
            NANOARROW_OK);
  nanoarrow::ipc::UniqueInputStream input;
  ASSERT_EQ(ArrowIpcInputStreamInitBuffer(input.get(), bytes.get()), NANOARROW_OK);
  nanoarrow::UniqueArrayStream reader;
  ASSERT_EQ(ArrowIpcArrayStreamReaderInit(reader.get(), input.get(), nullptr), NANOARROW_OK);
  ArrowError error = {};
  ASSERT_EQ(ArrowArrayStreamGetSchema(reader.get(), table->schema.get(), &error), NANOARROW_OK)
      << error.message;
  while (true) {
    nanoarrow::UniqueArray batch;
    ASSERT_EQ(ArrowArrayStreamGetNext(reader.get(), batch.get(), &error), NANOARROW_OK)
        << error.message;
    if (batch->release == nullptr) return;
    AddRows(*table->schema.get(), *batch.get(), table);
  }
}

}  // namespace

ArrowTable ReadArrowStream(const std::string& stream) {
  ArrowTable table;
  ReadInto(stream, &table);
  return table;
}

std::string FieldMetadata(const ArrowSchema& field, const std::string& key) {
  ArrowStringView value = {nullptr, 0};
  if (ArrowMetadataGetValue(field.metadata, ArrowCharView(key.c_str()), &value) != NANOARROW_OK)
    return "";
  return value.data == nullptr ? ""
                               : std::string(value.data, static_cast<size_t>(value.size_bytes));
}

std::string DecodeLz4Frames(const std::string& bytes, int* num_frames) {
  std::string out;
  LZ4F_dctx* context = nullptr;
  EXPECT_FALSE(LZ4F_isError(LZ4F_createDecompressionContext(&context, LZ4F_VERSION)));
  std::string block(size_t{8} << 20, '\0');
  size_t used = 0;
  int frames = 0;
  while (used < bytes.size()) {
    size_t room = block.size();
    size_t taken = bytes.size() - used;
    const size_t hint =
        LZ4F_decompress(context, block.data(), &room, bytes.data() + used, &taken, nullptr);
    if (LZ4F_isError(hint)) {
      ADD_FAILURE() << LZ4F_getErrorName(hint);
      break;
    }
    out.append(block, 0, room);
    used += taken;
    if (hint == 0) ++frames;
    if (taken == 0 && room == 0) break;
  }
  LZ4F_freeDecompressionContext(context);
  if (num_frames != nullptr) *num_frames = frames;
  return out;
}

}  // namespace dbx::local
