// SPDX-License-Identifier: Apache-2.0
#include "warehouse/sea/inline_rows.h"

#include <algorithm>
#include <deque>
#include <optional>
#include <utility>

#include "arrow/ipc_decoder.h"
#include "arrow/lz4_frame.h"
#include "base/str_cat.h"
#include "warehouse/sea/json_rows.h"
#include "warehouse/sea/manifest_schema.h"

namespace dbx::sea {
namespace {

constexpr uint64_t kMaxMessageBytes = uint64_t{1} << 31;
// LZ4 cannot pack tighter than this, so that a short frame cannot ask for much memory.
constexpr uint64_t kMaxLz4Ratio = 256;

/// Puts the pieces of one Arrow stream together again and cuts messages off its front.
class StreamPieces {
 public:
  Status Add(const std::string& stored) {
    // What is left of the piece before goes along, so that a message lies in one place.
    auto joined = std::make_shared<std::vector<uint8_t>>(rest_.begin(), rest_.end());
    if (HasLz4Magic(AsBytes(stored))) {
      std::vector<uint8_t> unpacked;
      const uint64_t limit = std::min(kMaxMessageBytes, stored.size() * kMaxLz4Ratio);
      RETURN_IF_ERROR(DecodeLz4Frames(AsBytes(stored), limit, &unpacked));
      if (joined->empty()) {
        *joined = std::move(unpacked);
      } else {
        joined->insert(joined->end(), unpacked.begin(), unpacked.end());
      }
    } else {
      joined->insert(joined->end(), stored.begin(), stored.end());
    }
    rest_ = *joined;
    owner_ = std::move(joined);
    return Status::Ok();
  }

  /// nullopt: the next message is not all there.
  Result<std::optional<IpcMessage>> Next() {
    if (rest_.empty()) return std::optional<IpcMessage>();
    ASSIGN_OR_RETURN(std::optional<IpcMessage> message, ReadIpcMessage(rest_, kMaxMessageBytes));
    if (message) rest_ = rest_.subspan(message->whole.size());
    return message;
  }

  const std::shared_ptr<const std::vector<uint8_t>>& owner() const { return owner_; }

 private:
  std::shared_ptr<const std::vector<uint8_t>> owner_;
  Bytes rest_;
};

class InlineRows : public ResultStream {
 public:
  InlineRows(std::unique_ptr<SeaStatement> statement, const ManifestMessage& manifest)
      : statement_(std::move(statement)),
        total_rows_(manifest.total_row_count),
        total_chunks_(manifest.total_chunk_count),
        truncated_(manifest.truncated) {}

  /// Learns the schema from the first page.
  Status Begin(const std::vector<ColumnMessage>& columns, ResultMessage first) {
    if (first.attachment.empty()) {
      ASSIGN_OR_RETURN(schema_, SchemaFromManifest(columns, statement_->core().time_zone()));
      return Take(std::move(first));
    }
    RETURN_IF_ERROR(pieces_.Add(first.attachment));
    first.attachment.clear();
    ASSIGN_OR_RETURN(const std::optional<IpcMessage> message, pieces_.Next());
    if (!message || message->kind != IpcMessageKind::kSchema) {
      return Status::InvalidData("the result's rows do not begin with a schema");
    }
    ASSIGN_OR_RETURN(const std::shared_ptr<const Schema> sent, DecodeIpcSchema(*message));
    ASSIGN_OR_RETURN(schema_, SchemaOfRows(columns, *sent));
    ASSIGN_OR_RETURN(decoder_, IpcDecoder::Make(schema_));
    if (std::string zone = TimeZoneOf(*schema_); !zone.empty()) {
      statement_->core().SetTimeZone(std::move(zone));
    }
    return Take(std::move(first));
  }

  const std::shared_ptr<const Schema>& schema() const override { return schema_; }

  Result<std::optional<RecordBatch>> Next() override {
    RETURN_IF_ERROR(cancelled_.status());
    RETURN_IF_ERROR(failure_);
    Result<std::optional<RecordBatch>> batch = NextBatch();
    RETURN_IF_ERROR(cancelled_.status());
    if (!batch.ok()) failure_ = batch.status().WithStatementId(statement_->statement_id());
    return failure_.ok() ? std::move(batch) : failure_;
  }

  void Cancel(Status reason) override {
    cancelled_.Cancel(std::move(reason));
    statement_->Close();
  }

 private:
  Result<std::optional<RecordBatch>> NextBatch() {
    while (true) {
      ASSIGN_OR_RETURN(std::optional<RecordBatch> batch, NextOfPage());
      if (batch) {
        rows_delivered_ += batch->num_rows();
        return batch;
      }
      if (!MorePages()) {
        RETURN_IF_ERROR(CheckTotals());
        return std::optional<RecordBatch>();
      }
      ASSIGN_OR_RETURN(ResultMessage page, statement_->Chunk(where_, &cancelled_));
      if (!page.external_links.empty()) {
        return Status::InvalidData("the service sent links in the middle of inline rows");
      }
      RETURN_IF_ERROR(Take(std::move(page)));
    }
  }

  /// The next batch of what has been fetched; nullopt: another page is needed.
  Result<std::optional<RecordBatch>> NextOfPage() {
    if (!rows_.empty()) {
      const std::vector<JsonRow> rows = std::exchange(rows_, {});
      ASSIGN_OR_RETURN(RecordBatch batch, JsonRowsToBatch(*schema_, rows));
      return std::optional<RecordBatch>(std::move(batch));
    }
    while (decoder_) {
      ASSIGN_OR_RETURN(const std::optional<IpcMessage> message, pieces_.Next());
      if (!message) break;
      // A page may be a stream of its own after all.
      if (message->kind != IpcMessageKind::kRecordBatch) continue;
      ASSIGN_OR_RETURN(RecordBatch batch, decoder_->DecodeBatch(*message, pieces_.owner()));
      if (IsOnlyPage()) CutPadding(batch);
      if (batch.num_rows() > 0) return std::optional<RecordBatch>(std::move(batch));
    }
    return std::optional<RecordBatch>();
  }

  bool IsOnlyPage() const {
    return pages_taken_ == 1 && !where_.is_known() && total_chunks_.value_or(1) <= 1;
  }

  /// Stored files may be padded behind the rows that the result has. Where there are more pages, it
  /// is not known which of them is padded: then the totals tell.
  void CutPadding(RecordBatch& batch) const {
    if (!total_rows_) return;
    const int64_t left = std::max<int64_t>(*total_rows_ - rows_delivered_, 0);
    if (batch.num_rows() > left) batch.Truncate(left);
  }

  Status Take(ResultMessage page) {
    if (decoder_ == nullptr && !page.attachment.empty()) {
      return Status::InvalidData("the service sent Arrow in the middle of text rows");
    }
    // Pieces of a stream may be cut between the rows that they are said to have.
    const bool starts_wrong = page.row_offset && *page.row_offset != rows_delivered_;
    if (starts_wrong && decoder_ == nullptr) {
      return Status::Integrity(StrCat("a page of rows starts at row ", *page.row_offset,
                                      " where row ", rows_delivered_, " was to come"));
    }
    if (!page.attachment.empty()) RETURN_IF_ERROR(pieces_.Add(page.attachment));
    rows_ = std::move(page.data_array);
    ++pages_taken_;
    where_ = std::move(page.next);
    if (MorePages()) {
      statement_->KeepAlive();
    } else {
      statement_->Close();
    }
    return Status::Ok();
  }

  bool MorePages() {
    if (where_.is_known()) return true;
    if (!total_chunks_ || pages_taken_ >= *total_chunks_) return false;
    where_.chunk_index = pages_taken_;  // the manifest knows of more
    return true;
  }

  Status CheckTotals() const {
    if (total_rows_ && *total_rows_ != rows_delivered_) {
      return Status::Integrity(
          StrCat("the service sent ", rows_delivered_, " rows, the result has ", *total_rows_));
    }
    if (!truncated_) return Status::Ok();
    return Status::Integrity(StrCat("the service cut the result off after ", rows_delivered_,
                                    " rows, at a limit of its own"));
  }

  // Set once.
  const std::unique_ptr<SeaStatement> statement_;
  const std::optional<int64_t> total_rows_;
  const std::optional<int64_t> total_chunks_;
  const bool truncated_;
  std::shared_ptr<const Schema> schema_;
  std::unique_ptr<IpcDecoder> decoder_;  // null: rows of text
  Cancellation cancelled_;

  // Touched by the reader's thread alone.
  StreamPieces pieces_;
  std::vector<JsonRow> rows_;
  NextChunk where_;
  int64_t pages_taken_ = 0;
  int64_t rows_delivered_ = 0;
  Status failure_;
};

}  // namespace

Result<std::unique_ptr<ResultStream>> MakeInlineRows(std::unique_ptr<SeaStatement> statement,
                                                     const ManifestMessage& manifest,
                                                     const std::vector<ColumnMessage>& columns,
                                                     ResultMessage first) {
  auto rows = std::make_unique<InlineRows>(std::move(statement), manifest);
  RETURN_IF_ERROR(rows->Begin(columns, std::move(first)));
  return std::unique_ptr<ResultStream>(std::move(rows));
}

}  // namespace dbx::sea
