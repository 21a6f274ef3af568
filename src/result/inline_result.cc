// SPDX-License-Identifier: Apache-2.0
#include "result/inline_result.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "arrow/ipc_decoder.h"
#include "arrow/lz4_frame.h"
#include "base/cancellation.h"
#include "base/str_cat.h"

namespace dbx {
namespace {

// No page that a service sends comes near; beyond it 32-bit offsets would end too.
constexpr uint64_t kMaxMessageBytes = uint64_t{1} << 31;
// LZ4 cannot pack tighter than this, so that a short frame cannot ask for much memory.
constexpr uint64_t kMaxLz4Ratio = 256;

/// Bytes of one message and whatever keeps them.
struct OwnedBytes {
  Bytes bytes;
  std::shared_ptr<const void> owner;
};

Result<OwnedBytes> Unpack(std::string packed) {
  if (HasLz4Magic(AsBytes(packed))) {
    auto raw = std::make_shared<std::vector<uint8_t>>();
    const uint64_t limit = std::min(kMaxMessageBytes, packed.size() * kMaxLz4Ratio);
    RETURN_IF_ERROR(DecodeLz4Frames(AsBytes(packed), limit, raw.get()));
    const Bytes bytes(*raw);
    return OwnedBytes{bytes, std::move(raw)};
  }
  auto raw = std::make_shared<const std::string>(std::move(packed));
  const Bytes bytes = AsBytes(*raw);
  return OwnedBytes{bytes, std::move(raw)};
}

/// The one message of `kind` in `bytes`; others (a schema before a batch) are passed over.
Result<IpcMessage> FindMessage(Bytes bytes, IpcMessageKind kind) {
  while (!bytes.empty()) {
    ASSIGN_OR_RETURN(const std::optional<IpcMessage> message,
                     ReadIpcMessage(bytes, kMaxMessageBytes));
    if (!message) return Status::InvalidData("Arrow message cut short");
    if (message->kind == kind) return *message;
    if (message->kind == IpcMessageKind::kEndOfStream) break;
    bytes = bytes.subspan(message->whole.size());
  }
  return Status::InvalidData(kind == IpcMessageKind::kSchema ? "no Arrow schema message"
                                                             : "no Arrow record batch message");
}

class InlineStream : public ResultStream {
 public:
  InlineStream(std::shared_ptr<const Schema> schema, std::unique_ptr<PageSource> pages)
      : schema_(std::move(schema)), pages_(std::move(pages)) {}

  const std::shared_ptr<const Schema>& schema() const override { return schema_; }

  Result<std::optional<RecordBatch>> Next() override {
    RETURN_IF_ERROR(cancelled_.status());
    RETURN_IF_ERROR(failure_);
    Result<std::optional<RecordBatch>> batch = NextWithRows();
    if (!batch.ok()) failure_ = batch.status();
    return batch;
  }

  void Cancel(Status reason) override {
    cancelled_.Cancel(reason);
    if (pages_) pages_->Cancel(std::move(reason));
  }

 private:
  Result<std::optional<RecordBatch>> NextWithRows() {
    while (true) {
      while (next_batch_ < page_.batches.size()) {
        ASSIGN_OR_RETURN(RecordBatch batch, Decode(std::move(page_.batches[next_batch_++])));
        if (batch.num_rows() > 0) return Deliver(std::move(batch));
      }
      if (!page_.columns.empty()) {
        const std::vector<ColumnValues> columns = std::move(page_.columns);
        page_.columns.clear();
        ASSIGN_OR_RETURN(RecordBatch batch, ColumnsToBatch(*schema_, columns));
        if (batch.num_rows() > 0) return Deliver(std::move(batch));
      }
      ASSIGN_OR_RETURN(const bool more, TurnPage());
      if (!more) return std::optional<RecordBatch>();
    }
  }

  Result<bool> TurnPage() {
    page_ = InlinePage();
    next_batch_ = 0;
    if (!pages_) return false;
    ASSIGN_OR_RETURN(std::optional<InlinePage> page, pages_->Next());
    if (!page) return false;
    page_ = std::move(*page);
    if (page_.row_offset && *page_.row_offset != rows_delivered_) {
      return Status::Integrity(StrCat("a page of rows starts at row ", *page_.row_offset,
                                      " where row ", rows_delivered_, " was to come"));
    }
    return true;
  }

  Result<RecordBatch> Decode(InlineBatch packed) {
    if (!decoder_) {
      ASSIGN_OR_RETURN(decoder_, IpcDecoder::Make(schema_));
    }
    ASSIGN_OR_RETURN(OwnedBytes raw, Unpack(std::move(packed.bytes)));
    ASSIGN_OR_RETURN(const IpcMessage message,
                     FindMessage(raw.bytes, IpcMessageKind::kRecordBatch));
    ASSIGN_OR_RETURN(RecordBatch batch, decoder_->DecodeBatch(message, std::move(raw.owner)));
    if (batch.num_rows() < packed.num_rows) {
      return Status::Integrity(
          StrCat("a batch of ", packed.num_rows, " rows holds only ", batch.num_rows()));
    }
    if (packed.num_rows > 0) batch.Truncate(packed.num_rows);
    return batch;
  }

  std::optional<RecordBatch> Deliver(RecordBatch batch) {
    rows_delivered_ += batch.num_rows();
    return batch;
  }

  // Set once.
  const std::shared_ptr<const Schema> schema_;
  const std::unique_ptr<PageSource> pages_;  // null: no rows at all
  Cancellation cancelled_;

  // Touched by the reader's thread alone.
  std::unique_ptr<IpcDecoder> decoder_;
  InlinePage page_;
  size_t next_batch_ = 0;
  int64_t rows_delivered_ = 0;
  Status failure_;
};

/// A stream whose first batch has been taken out and is given back first.
class PeekedStream : public ResultStream {
 public:
  PeekedStream(std::unique_ptr<ResultStream> stream, std::optional<RecordBatch> first)
      : stream_(std::move(stream)), first_(std::move(first)) {}

  const std::shared_ptr<const Schema>& schema() const override { return stream_->schema(); }

  Result<std::optional<RecordBatch>> Next() override {
    RETURN_IF_ERROR(cancelled_.status());
    if (!first_) return stream_->Next();
    return std::exchange(first_, std::nullopt);
  }

  void Cancel(Status reason) override {
    cancelled_.Cancel(reason);
    stream_->Cancel(std::move(reason));
  }

 private:
  const std::unique_ptr<ResultStream> stream_;
  Cancellation cancelled_;
  std::optional<RecordBatch> first_;  // touched by the reader's thread alone
};

std::optional<int64_t> FirstInteger(const Schema& schema, const RecordBatch& batch,
                                    int64_t column) {
  nanoarrow::UniqueArrayView view;
  const ArrowSchema* const type = schema.c_schema()->children[column];
  const ArrowArray* const array = batch.c_array()->children[column];
  if (ArrowArrayViewInitFromSchema(view.get(), type, nullptr) != NANOARROW_OK) return std::nullopt;
  switch (view->storage_type) {
    case NANOARROW_TYPE_INT8:
    case NANOARROW_TYPE_INT16:
    case NANOARROW_TYPE_INT32:
    case NANOARROW_TYPE_INT64:
      break;
    default:
      return std::nullopt;
  }
  if (ArrowArrayViewSetArray(view.get(), array, nullptr) != NANOARROW_OK) return std::nullopt;
  if (ArrowArrayViewIsNull(view.get(), 0)) return std::nullopt;
  return ArrowArrayViewGetIntUnsafe(view.get(), 0);
}

}  // namespace

Result<std::shared_ptr<const Schema>> DecodeSchemaMessage(std::string_view message) {
  ASSIGN_OR_RETURN(const IpcMessage found, FindMessage(AsBytes(message), IpcMessageKind::kSchema));
  return DecodeIpcSchema(found);
}

std::unique_ptr<ResultStream> MakeInlineStream(std::shared_ptr<const Schema> schema,
                                               std::unique_ptr<PageSource> pages) {
  return std::make_unique<InlineStream>(std::move(schema), std::move(pages));
}

std::unique_ptr<ResultStream> MakeEmptyStream(std::shared_ptr<const Schema> schema) {
  return std::make_unique<InlineStream>(std::move(schema), nullptr);
}

Result<std::optional<int64_t>> PeekInteger(std::unique_ptr<ResultStream>* stream,
                                           std::string_view name) {
  const Schema& schema = *(*stream)->schema();
  int64_t column = 0;
  while (column < schema.num_columns() && schema.column_name(column) != name) ++column;
  if (column == schema.num_columns()) return std::optional<int64_t>();
  ASSIGN_OR_RETURN(std::optional<RecordBatch> first, (*stream)->Next());
  if (!first) return std::optional<int64_t>();
  const std::optional<int64_t> value = FirstInteger(schema, *first, column);
  *stream = std::make_unique<PeekedStream>(std::move(*stream), std::move(first));
  return value;
}

}  // namespace dbx
