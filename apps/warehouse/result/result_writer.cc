// SPDX-License-Identifier: Apache-2.0
#include "result/result_writer.h"

#include <algorithm>
#include <thread>
#include <utility>
#include <vector>

#include "base/channel.h"
#include "result/batch_encoder.h"
#include "result/file_writer.h"
#include "result/limited_rows.h"
#include "result/lz4_frame.h"

namespace dbx::local {
namespace {

constexpr size_t kBatchesInFlight =
    16;  // between the thread that pulls rows and the one that encodes them

/// Inline batches, still raw as long as the result may become files.
class InlineBatches {
 public:
  InlineBatches(const ResultForm& form, BatchEncoder* encoder, StoredResult* result)
      : form_(form),
        encoder_(encoder),
        result_(result),
        frames_({.checksums = form.fault.checksums, .content_size = form.fault.content_size}) {}

  Status Add(const WireBatch& batch, int64_t num_rows) {
    const int64_t step = encoder_->RowsPerMessage(batch);
    for (int64_t first = 0; first < num_rows; first += step) {
      const int64_t rows = std::min(step, num_rows - first);
      const int64_t extra = std::min(form_.fault.extra_rows, batch.num_rows() - first - rows);
      buffer_.Clear();
      encoder_->Append(batch, first, rows + extra, &buffer_);
      RETURN_IF_ERROR(AddMessage(rows));
    }
    return Status::Ok();
  }

  Status Finish(bool cut) {
    result_->Finish(std::move(held_), cut);
    return result_->status();
  }

 private:
  Status AddMessage(int64_t num_rows) {
    ResultPiece piece{.row_offset = row_offset_,
                      .num_rows = num_rows,
                      .raw_bytes = static_cast<int64_t>(buffer_.size())};
    std::string_view stored = buffer_.view();
    if (form_.lz4) {
      compressed_.Clear();
      RETURN_IF_ERROR(frames_.Append(stored, &compressed_));
      stored = compressed_.view();
    }
    piece.stored_bytes = static_cast<int64_t>(stored.size());
    piece.bytes = std::string(stored);
    row_offset_ += num_rows;
    if (held_) RETURN_IF_ERROR(result_->Append(*std::move(held_)));
    held_ = std::move(piece);
    return Status::Ok();
  }

  const ResultForm& form_;
  BatchEncoder* const encoder_;
  StoredResult* const result_;
  Lz4FrameWriter frames_;
  ByteBuffer buffer_, compressed_;
  std::optional<ResultPiece> held_;
  int64_t row_offset_ = 0;
};

struct PendingBatch {
  WireBatch batch;
  int64_t num_rows = 0;
};

/// Encodes what comes through `batches` to its end.
Status EncodeFiles(std::vector<PendingBatch> first, Channel<LimitedRows::Batch>* batches,
                   BatchEncoder* encoder, FileWriter* files) {
  for (PendingBatch& pending : first)
    RETURN_IF_ERROR(files->Add(std::move(pending.batch), pending.num_rows));
  first.clear();
  while (true) {
    ASSIGN_OR_RETURN(std::optional<LimitedRows::Batch> batch, batches->Pop());
    if (!batch) return Status::Ok();
    ASSIGN_OR_RETURN(WireBatch wire, encoder->Convert(std::move(batch->array)));
    RETURN_IF_ERROR(files->Add(std::move(wire), batch->num_rows));
  }
}

/// Pushes all rows; the channel ends as the rows do.
void PullRows(LimitedRows* rows, Channel<LimitedRows::Batch>* batches) {
  while (true) {
    Result<std::optional<LimitedRows::Batch>> batch = rows->Next();
    if (!batch.ok()) return batches->Fail(batch.status());
    if (!*batch) return batches->Finish();
    if (!batches->Push(std::move(**batch)).ok()) return;  // the encoder ended it and tells why
  }
}

/// Stores `pending` and all that follows it as files.
Status WriteFiles(std::vector<PendingBatch> pending, LimitedRows* rows, BatchEncoder* encoder,
                  FileWriter* files) {
  Channel<LimitedRows::Batch> batches(kBatchesInFlight);
  Status encoded;
  std::thread encoding([&] {
    encoded = EncodeFiles(std::move(pending), &batches, encoder, files);
    if (!encoded.ok()) batches.Cancel(encoded);
  });
  PullRows(rows, &batches);
  encoding.join();
  RETURN_IF_ERROR(encoded);
  return files->Finish(rows->cut());
}

/// Encodes `pending` and all that follows it as inline batches.
Status WriteInline(const ResultForm& form, const std::vector<PendingBatch>& pending,
                   LimitedRows* rows, BatchEncoder* encoder, StoredResult* result) {
  InlineBatches batches(form, encoder, result);
  for (const PendingBatch& batch : pending)
    RETURN_IF_ERROR(batches.Add(batch.batch, batch.num_rows));
  while (!rows->ended()) {
    ASSIGN_OR_RETURN(std::optional<LimitedRows::Batch> batch, rows->Next());
    if (!batch) break;
    ASSIGN_OR_RETURN(WireBatch wire, encoder->Convert(std::move(batch->array)));
    RETURN_IF_ERROR(batches.Add(wire, batch->num_rows));
  }
  return batches.Finish(rows->cut());
}

/// Encodes `pending` and all that follows it as one stream in memory.
Status WriteStream(const ResultForm& form, std::string schema, std::vector<PendingBatch> pending,
                   LimitedRows* rows, BatchEncoder* encoder, StoredResult* result) {
  FileWriter stream(form, std::move(schema), encoder, /*spool=*/nullptr, result);
  for (PendingBatch& batch : pending)
    RETURN_IF_ERROR(stream.Add(std::move(batch.batch), batch.num_rows));
  while (!rows->ended()) {
    ASSIGN_OR_RETURN(std::optional<LimitedRows::Batch> batch, rows->Next());
    if (!batch) break;
    ASSIGN_OR_RETURN(WireBatch wire, encoder->Convert(std::move(batch->array)));
    RETURN_IF_ERROR(stream.Add(std::move(wire), batch->num_rows));
  }
  return stream.Finish(rows->cut());
}

}  // namespace

ResultWriter::ResultWriter(const ResultForm& form, Spool* spool, StoredResult* result,
                           std::function<void()> on_ready)
    : form_(form), spool_(spool), result_(result), on_ready_(std::move(on_ready)) {}

Status ResultWriter::Write(SqlResult rows) {
  return form_.arrow ? WriteArrow(std::move(rows)) : WriteColumns(std::move(rows));
}

ResultHeader ResultWriter::MakeHeader(const SqlResult& rows, ResultShape shape) const {
  return {.kind = rows.kind,
          .shape = shape,
          .no_files_because = form_.arrow ? form_.no_files_because : NoFilesBecause::kNoArrow,
          .columns = rows.columns,
          .zone = TimeZone::Find(form_.time_zone).value_or(TimeZone()),
          .lz4 = form_.arrow && form_.lz4,
          .modified_rows = rows.modified_rows};
}

Result<std::string> ResultWriter::ArrowSchema(const SqlResult& rows) const {
  if (!form_.arrow_schema || form_.fault.no_arrow_schema) return std::string();
  // The service's DDL says one column to Thrift and none to Arrow.
  const std::vector<ResultColumn> none;
  return MakeSchemaMessage(rows.kind == StatementKind::kDdl ? none : rows.columns, form_.native,
                           form_.time_zone, {});
}

Status ResultWriter::WriteColumns(SqlResult rows) {
  result_->SetHeader(MakeHeader(rows, ResultShape::kRows));
  LimitedRows limited(rows.rows.get(), rows.columns, form_.limits);
  while (true) {
    ASSIGN_OR_RETURN(std::optional<LimitedRows::Batch> batch, limited.Next());
    if (!batch) break;
    batch->array->length = batch->num_rows;
    RETURN_IF_ERROR(result_->AppendRows(std::move(batch->array)));
  }
  result_->Finish(std::nullopt, limited.cut());
  on_ready_();
  return result_->status();
}

Status ResultWriter::WriteArrow(SqlResult rows) {
  ResultHeader header = MakeHeader(rows, ResultShape::kBatches);
  ASSIGN_OR_RETURN(header.arrow_schema, ArrowSchema(rows));
  BatchEncoder encoder(rows.columns, form_.native, header.zone, form_.batch_bytes);
  LimitedRows limited(rows.rows.get(), rows.columns, form_.limits);

  // While the result may still become files its batches wait, unencoded: that is little more than
  // the inline limit.
  std::vector<PendingBatch> pending;
  int64_t pending_bytes = 0;
  while (form_.links && !limited.ended() && pending_bytes <= form_.inline_limit_bytes) {
    ASSIGN_OR_RETURN(std::optional<LimitedRows::Batch> batch, limited.Next());
    if (!batch) break;
    ASSIGN_OR_RETURN(WireBatch wire, encoder.Convert(std::move(batch->array)));
    pending_bytes += encoder.NumBytes(wire, batch->num_rows);
    pending.push_back({std::move(wire), batch->num_rows});
  }
  if (form_.links && !limited.ended()) {
    header.shape = ResultShape::kFiles;
    ASSIGN_OR_RETURN(std::string file_schema, FileSchema(rows.columns));
    result_->SetHeader(std::move(header));
    on_ready_();
    FileWriter files(form_, std::move(file_schema), &encoder, spool_, result_);
    return WriteFiles(std::move(pending), &limited, &encoder, &files);
  }
  if (form_.whole_streams) {
    ASSIGN_OR_RETURN(std::string schema, FileSchema(rows.columns));
    result_->SetHeader(std::move(header));
    RETURN_IF_ERROR(
        WriteStream(form_, std::move(schema), std::move(pending), &limited, &encoder, result_));
    on_ready_();
    return Status::Ok();
  }
  result_->SetHeader(std::move(header));
  RETURN_IF_ERROR(WriteInline(form_, pending, &limited, &encoder, result_));
  on_ready_();
  return Status::Ok();
}

Result<std::string> ResultWriter::FileSchema(const std::vector<ResultColumn>& columns) const {
  return MakeSchemaMessage(
      columns, form_.native, form_.time_zone,
      {.field_metadata = false, .stale_names = form_.fault.more.contains("stale_names")});
}

}  // namespace dbx::local
