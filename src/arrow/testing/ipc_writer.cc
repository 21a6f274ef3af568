// SPDX-License-Identifier: Apache-2.0
#include "arrow/testing/ipc_writer.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "base/str_cat.h"
#include "nanoarrow/nanoarrow_ipc.hpp"

namespace dbx {
namespace {

constexpr int32_t kPrecision = 18;
constexpr int32_t kScale = 2;
constexpr uint64_t kMaxMessageBytes = uint64_t{1} << 32;

void Must(ArrowErrorCode code, const char* what) {
  if (code != NANOARROW_OK) throw std::runtime_error(StrCat(what, " failed: ", code));
}

std::string TextOf(int64_t row) {
  return StrCat("row ", row, std::string(row % 50, '.'));
}
int64_t AmountOf(int64_t row) {
  return row * 100 + 25;
}
bool IsAmountNull(int64_t row) {
  return row % 7 == 3;
}

nanoarrow::UniqueSchema MakeSchema() {
  nanoarrow::UniqueSchema schema;
  ArrowSchemaInit(schema.get());
  Must(ArrowSchemaSetTypeStruct(schema.get(), 3), "schema");
  Must(ArrowSchemaSetType(schema->children[0], NANOARROW_TYPE_INT64), "row");
  Must(ArrowSchemaSetName(schema->children[0], "row"), "row");
  schema->children[0]->flags = 0;
  Must(ArrowSchemaSetType(schema->children[1], NANOARROW_TYPE_STRING), "text");
  Must(ArrowSchemaSetName(schema->children[1], "text"), "text");
  Must(
      ArrowSchemaSetTypeDecimal(schema->children[2], NANOARROW_TYPE_DECIMAL128, kPrecision, kScale),
      "amount");
  Must(ArrowSchemaSetName(schema->children[2], "amount"), "amount");
  return schema;
}

void AppendRow(ArrowArray* array, int64_t row) {
  Must(ArrowArrayAppendInt(array->children[0], row), "row");
  const std::string text = TextOf(row);
  Must(ArrowArrayAppendString(array->children[1], {text.data(), static_cast<int64_t>(text.size())}),
       "text");
  if (IsAmountNull(row)) {
    Must(ArrowArrayAppendNull(array->children[2], 1), "amount");
  } else {
    ArrowDecimal amount;
    ArrowDecimalInit(&amount, 128, kPrecision, kScale);
    ArrowDecimalSetInt(&amount, AmountOf(row));
    Must(ArrowArrayAppendDecimal(array->children[2], &amount), "amount");
  }
  Must(ArrowArrayFinishElement(array), "row");
}

std::string AsString(const nanoarrow::UniqueBuffer& buffer) {
  return {reinterpret_cast<const char*>(buffer->data), static_cast<size_t>(buffer->size_bytes)};
}

std::string ErrorInRow(int64_t row, std::string_view column) {
  return StrCat("row ", row, ": wrong ", column);
}

Status CheckRow(const ArrowArrayView& view, int64_t i, int64_t row) {
  if (ArrowArrayViewGetIntUnsafe(view.children[0], i) != row) {
    return Status::Integrity(ErrorInRow(row, "number"));
  }
  const ArrowStringView text = ArrowArrayViewGetStringUnsafe(view.children[1], i);
  if (std::string_view(text.data, static_cast<size_t>(text.size_bytes)) != TextOf(row)) {
    return Status::Integrity(ErrorInRow(row, "text"));
  }
  const bool is_null = ArrowArrayViewIsNull(view.children[2], i) != 0;
  if (is_null != IsAmountNull(row)) return Status::Integrity(ErrorInRow(row, "null"));
  ArrowDecimal amount;
  ArrowDecimalInit(&amount, 128, kPrecision, kScale);
  ArrowArrayViewGetDecimalUnsafe(view.children[2], i, &amount);
  if (!is_null && ArrowDecimalGetIntUnsafe(&amount) != AmountOf(row)) {
    return Status::Integrity(ErrorInRow(row, "amount"));
  }
  return Status::Ok();
}

}  // namespace

std::shared_ptr<const Schema> RowSchema() {
  return std::make_shared<Schema>(MakeSchema());
}

std::string IpcMessages::Stream() const {
  std::string stream = schema;
  for (const std::string& batch : batches) stream += batch;
  return stream + end;
}

std::string WriteSchemaMessage(const ArrowSchema& schema) {
  nanoarrow::ipc::UniqueEncoder encoder;
  nanoarrow::UniqueBuffer message;
  Must(ArrowIpcEncoderInit(encoder.get()), "encoder");
  Must(ArrowIpcEncoderEncodeSchema(encoder.get(), &schema, nullptr), "encode schema");
  Must(ArrowIpcEncoderFinalizeBuffer(encoder.get(), 1, message.get()), "finalize");
  return AsString(message);
}

std::string WriteBatchMessage(const ArrowSchema& schema, const ArrowArray& array) {
  nanoarrow::UniqueArrayView view;
  Must(ArrowArrayViewInitFromSchema(view.get(), &schema, nullptr), "view");
  Must(ArrowArrayViewSetArray(view.get(), &array, nullptr), "view of array");
  nanoarrow::ipc::UniqueEncoder encoder;
  nanoarrow::UniqueBuffer message;
  nanoarrow::UniqueBuffer body;
  Must(ArrowIpcEncoderInit(encoder.get()), "encoder");
  Must(ArrowIpcEncoderEncodeSimpleRecordBatch(encoder.get(), view.get(), body.get(), nullptr),
       "encode batch");
  Must(ArrowIpcEncoderFinalizeBuffer(encoder.get(), 1, message.get()), "finalize");
  return AsString(message) + AsString(body);
}

std::string EndOfStream() {
  return std::string("\xFF\xFF\xFF\xFF\0\0\0\0", 8);
}

RecordBatch MakeRowBatch(int64_t first_row, int64_t num_rows) {
  const nanoarrow::UniqueSchema schema = MakeSchema();
  nanoarrow::UniqueArray array;
  Must(ArrowArrayInitFromSchema(array.get(), schema.get(), nullptr), "array");
  Must(ArrowArrayStartAppending(array.get()), "array");
  for (int64_t row = first_row; row < first_row + num_rows; ++row) AppendRow(array.get(), row);
  Must(ArrowArrayFinishBuildingDefault(array.get(), nullptr), "array");
  return RecordBatch(array.get());
}

IpcMessages MakeIpcMessages(int64_t first_row, int64_t num_rows, int64_t rows_per_batch) {
  const nanoarrow::UniqueSchema schema = MakeSchema();
  IpcMessages messages{
      .schema = WriteSchemaMessage(*schema.get()), .batches = {}, .end = EndOfStream()};
  for (int64_t done = 0; done < num_rows; done += rows_per_batch) {
    const RecordBatch batch =
        MakeRowBatch(first_row + done, std::min(rows_per_batch, num_rows - done));
    messages.batches.push_back(WriteBatchMessage(*schema.get(), *batch.c_array()));
  }
  return messages;
}

std::string MakeIpcStream(int64_t first_row, int64_t num_rows, int64_t rows_per_batch) {
  return MakeIpcMessages(first_row, num_rows, rows_per_batch).Stream();
}

std::vector<int64_t> RowNumbers(const RecordBatch& batch) {
  if (batch.num_rows() == 0) return {};
  const ArrowArray& column = *batch.c_array()->children[0];
  const auto* const values = static_cast<const int64_t*>(column.buffers[1]) + column.offset;
  return {values, values + column.length};
}

std::vector<int64_t> RowRange(int64_t first, int64_t last) {
  std::vector<int64_t> rows;
  for (int64_t row = first; row < last; ++row) rows.push_back(row);
  return rows;
}

Status CheckRows(const RecordBatch& batch, int64_t first_row) {
  const nanoarrow::UniqueSchema schema = MakeSchema();
  nanoarrow::UniqueArrayView view;
  Must(ArrowArrayViewInitFromSchema(view.get(), schema.get(), nullptr), "view");
  ArrowError error = {};
  if (ArrowArrayViewSetArray(view.get(), batch.c_array(), &error) != NANOARROW_OK) {
    return Status::Integrity(ArrowErrorMessage(&error));
  }
  for (int64_t i = 0; i < batch.num_rows(); ++i) {
    RETURN_IF_ERROR(CheckRow(*view.get(), i, first_row + i));
  }
  return Status::Ok();
}

Result<std::vector<RecordBatch>> ReadIpcStream(std::string_view stream) {
  std::unique_ptr<IpcDecoder> decoder;
  std::vector<RecordBatch> batches;
  while (true) {
    ASSIGN_OR_RETURN(const std::optional<IpcMessage> message,
                     ReadIpcMessage(AsBytes(stream), kMaxMessageBytes));
    if (!message) return Status::InvalidData("the stream is cut off");
    stream.remove_prefix(message->whole.size());
    if (message->kind == IpcMessageKind::kEndOfStream) return batches;
    if (message->kind == IpcMessageKind::kSchema) {
      ASSIGN_OR_RETURN(std::shared_ptr<const Schema> schema, DecodeIpcSchema(*message));
      ASSIGN_OR_RETURN(decoder, IpcDecoder::Make(std::move(schema)));
      continue;
    }
    if (!decoder) return Status::InvalidData("a batch comes before the schema");
    ASSIGN_OR_RETURN(RecordBatch batch, decoder->DecodeBatch(*message, nullptr));
    batches.push_back(std::move(batch));
  }
}

}  // namespace dbx
