// SPDX-License-Identifier: Apache-2.0
#include "cloudfetch/cloudfetch_stream.h"

#include <limits>
#include <optional>
#include <utility>

#include "base/channel.h"
#include "base/mutex.h"
#include "base/str_cat.h"
#include "cloudfetch/chunk.h"
#include "cloudfetch/download_scheduler.h"
#include "cloudfetch/stream_counters.h"

namespace dbx {
namespace {

class OrderedStream : public CloudFetchStream {
 public:
  OrderedStream(ResultManifest manifest, std::unique_ptr<LinkSource> links, HttpClient* http,
                std::shared_ptr<SlabPool> pool, const CloudFetchOptions& options, Log log,
                const Clock& clock)
      : manifest_(std::move(manifest)),
        start_(std::chrono::steady_clock::now()),
        deliveries_(std::numeric_limits<size_t>::max()),
        log_(std::move(log)),
        scheduler_(manifest_, std::move(links), http, std::move(pool), options, log_, clock,
                   &deliveries_, &counters_) {}
  ~OrderedStream() override;

  const std::shared_ptr<const Schema>& schema() const override { return manifest_.schema; }
  Result<std::optional<RecordBatch>> Next() override;
  void Cancel(Status reason) override EXCLUDES(mutex_);
  CloudFetchStatistics statistics() const override;

 private:
  Result<std::optional<RecordBatch>> NextBatch() EXCLUDES(mutex_);
  Result<bool> NextChunk() EXCLUDES(mutex_);
  Status FinishChunk() EXCLUDES(mutex_);
  Status CheckTotals() const;
  RecordBatch Deliver(DecodedBatch decoded);
  Status SetCurrent(std::shared_ptr<Chunk> chunk) EXCLUDES(mutex_);
  template <typename T>
  Result<std::optional<T>> WaitFor(Channel<T>& channel);

  // Set once.
  const ResultManifest manifest_;
  const SteadyTime start_;

  StreamCounters counters_;
  Channel<std::shared_ptr<Chunk>> deliveries_;
  const Log log_;

  // The reader's.
  std::shared_ptr<Chunk> chunk_;
  int64_t chunk_rows_ = 0;     // delivered of it
  int64_t num_chunks_ = 0;     // read to their ends
  int64_t promised_rows_ = 0;  // of those
  std::optional<Status> end_;  // Ok after the last row, else the error that stays

  mutable Mutex mutex_;
  std::shared_ptr<Chunk> current_ GUARDED_BY(mutex_);  // the reader's, for Cancel
  Status cancelled_ GUARDED_BY(mutex_);

  DownloadScheduler scheduler_;
};

OrderedStream::~OrderedStream() {
  Cancel(Status::Cancelled("result stream released"));
  const CloudFetchStatistics now = statistics();
  log_.Write(LogLevel::kInfo, "stream.closed",
             {{"chunks", now.chunks},
              {"rows", now.rows},
              {"bytes_downloaded", now.bytes_downloaded},
              {"bytes_decoded", now.bytes_decoded},
              {"retries", now.retries},
              {"link_refreshes", now.link_refreshes},
              {"resumed_bytes", now.resumed_bytes},
              {"second_gets", now.second_gets},
              {"second_gets_joined", now.second_gets_joined},
              {"misaligned_copies", now.misaligned_copies},
              {"peak_downloads", now.peak_downloads},
              {"download_limit", now.download_limit},
              {"read_ahead_bytes", now.read_ahead_bytes},
              {"peak_charged_bytes", now.peak_charged_bytes},
              {"reader_waited_ms", now.reader_waited.count() / 1'000'000},
              {"budget_waited_ms", now.budget_waited.count() / 1'000'000},
              {"links_waited_ms", now.links_waited.count() / 1'000'000},
              {"decode_ms", now.decode_time.count() / 1'000'000},
              {"first_batch_ms", now.time_to_first_batch.count() / 1'000'000}});
}

void OrderedStream::Cancel(Status reason) {
  std::shared_ptr<Chunk> current;
  {
    MutexLock lock(mutex_);
    if (!cancelled_.ok()) return;
    cancelled_ = reason;
    current = current_;
  }
  deliveries_.Cancel(reason);
  if (current) current->batches().Cancel(reason);
  scheduler_.Cancel(std::move(reason));
}

Status OrderedStream::SetCurrent(std::shared_ptr<Chunk> chunk) {
  MutexLock lock(mutex_);
  if (!cancelled_.ok()) return cancelled_;
  current_ = std::move(chunk);
  return Status::Ok();
}

Result<std::optional<RecordBatch>> OrderedStream::Next() {
  if (!end_) {
    Result<std::optional<RecordBatch>> batch = NextBatch();
    if (batch.ok() && batch->has_value()) return batch;
    end_ = batch.status();
  }
  if (end_->ok()) return std::optional<RecordBatch>();
  return *end_;
}

/// Pops; says so while there is nothing to pop, because the budget lends its reserve to a reader
/// that waits.
template <typename T>
Result<std::optional<T>> OrderedStream::WaitFor(Channel<T>& channel) {
  if (channel.size() > 0) return channel.Pop();
  const SteadyTime start = std::chrono::steady_clock::now();
  scheduler_.budget().SetReaderWaits(true);
  Result<std::optional<T>> item = channel.Pop();
  scheduler_.budget().SetReaderWaits(false);
  counters_.reader_waited += (std::chrono::steady_clock::now() - start).count();
  return item;
}

Result<std::optional<RecordBatch>> OrderedStream::NextBatch() {
  while (true) {
    if (!chunk_) {
      ASSIGN_OR_RETURN(const bool found, NextChunk());
      if (!found) {
        RETURN_IF_ERROR(CheckTotals());
        return std::optional<RecordBatch>();
      }
    }
    ASSIGN_OR_RETURN(std::optional<DecodedBatch> decoded, WaitFor(chunk_->batches()));
    if (decoded) return std::optional<RecordBatch>(Deliver(std::move(*decoded)));
    RETURN_IF_ERROR(FinishChunk());
  }
}

Result<bool> OrderedStream::NextChunk() {
  ASSIGN_OR_RETURN(std::optional<std::shared_ptr<Chunk>> chunk, WaitFor(deliveries_));
  if (!chunk) return false;
  RETURN_IF_ERROR(SetCurrent(*chunk));
  chunk_ = std::move(*chunk);
  chunk_rows_ = 0;
  return true;
}

Status OrderedStream::FinishChunk() {
  if (chunk_rows_ != chunk_->num_rows()) {
    return Status::Integrity(StrCat("chunk ", chunk_->index(), ": ", chunk_rows_, " of ",
                                    chunk_->num_rows(), " rows came"));
  }
  promised_rows_ += chunk_->num_rows();
  ++num_chunks_;
  ++counters_.chunks;
  chunk_.reset();
  RETURN_IF_ERROR(SetCurrent(nullptr));
  scheduler_.SetReaderPosition(num_chunks_);
  return Status::Ok();
}

RecordBatch OrderedStream::Deliver(DecodedBatch decoded) {
  if (decoded.memory) {
    if (decoded.memory->slab) decoded.memory->slab->lease.MarkDelivered();
    decoded.memory->outside.MarkDelivered();
  }
  chunk_rows_ += decoded.batch.num_rows();
  counters_.rows += decoded.batch.num_rows();
  if (counters_.batches++ == 0) {
    counters_.time_to_first_batch = (std::chrono::steady_clock::now() - start_).count();
  }
  return std::move(decoded.batch);
}

Status OrderedStream::CheckTotals() const {
  if (manifest_.num_rows && *manifest_.num_rows != promised_rows_) {
    return Status::Integrity(StrCat("the result has ", *manifest_.num_rows, " rows, but only ",
                                    promised_rows_, " came"));
  }
  if (manifest_.num_chunks && *manifest_.num_chunks != num_chunks_) {
    return Status::Integrity(StrCat("the result has ", *manifest_.num_chunks, " chunks, but only ",
                                    num_chunks_, " came"));
  }
  return Status::Ok();
}

CloudFetchStatistics OrderedStream::statistics() const {
  CloudFetchStatistics now;
  now.bytes_downloaded = counters_.bytes_downloaded;
  now.bytes_decoded = counters_.bytes_decoded;
  now.chunks = counters_.chunks;
  now.chunks_total =
      manifest_.num_chunks.value_or(counters_.all_links_known ? counters_.links_known.load() : -1);
  now.batches = counters_.batches;
  now.rows = counters_.rows;
  now.retries = counters_.retries;
  now.link_refreshes = counters_.link_refreshes;
  now.resumed_bytes = counters_.resumed_bytes;
  now.misaligned_copies = counters_.misaligned_copies;
  now.second_gets = counters_.sides_asked;
  now.second_gets_joined = counters_.sides_joined;
  now.peak_charged_bytes = scheduler_.budget().peak_bytes();
  now.peak_downloads = counters_.peak_downloads;
  now.download_limit = counters_.download_limit;
  now.read_ahead_bytes = counters_.read_ahead_bytes;
  now.reader_waited = std::chrono::nanoseconds(counters_.reader_waited);
  now.budget_waited = std::chrono::nanoseconds(counters_.budget_waited);
  now.links_waited = std::chrono::nanoseconds(counters_.links_waited);
  now.decode_time = std::chrono::nanoseconds(counters_.decode_time);
  now.time_to_first_batch = std::chrono::nanoseconds(counters_.time_to_first_batch);
  return now;
}

}  // namespace

std::unique_ptr<CloudFetchStream> MakeCloudFetchStream(
    ResultManifest manifest, std::unique_ptr<LinkSource> links, HttpClient* http,
    std::shared_ptr<SlabPool> pool, const CloudFetchOptions& options, Log log, const Clock& clock) {
  return std::make_unique<OrderedStream>(std::move(manifest), std::move(links), http,
                                         std::move(pool), options, std::move(log), clock);
}

}  // namespace dbx
