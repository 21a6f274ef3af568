// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string_view>
#include <thread>
#include <variant>
#include <vector>

#include "base/channel.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/mutex.h"
#include "cloudfetch/chunk.h"
#include "cloudfetch/chunk_decoder.h"
#include "cloudfetch/cloudfetch_stream.h"
#include "cloudfetch/decode_pool.h"
#include "cloudfetch/download.h"
#include "cloudfetch/download_limit.h"
#include "cloudfetch/file_times.h"
#include "cloudfetch/link_feed.h"
#include "cloudfetch/memory_budget.h"
#include "cloudfetch/read_ahead.h"
#include "cloudfetch/signal.h"
#include "cloudfetch/stream_counters.h"
#include "http/http_client.h"

namespace dbx {

class ChunkTask;

/// The one owner of all link and chunk state of a stream: a thread that hears of everything that
/// happens to a chunk and decides what happens next. It never blocks but to wait for news.
///
/// A link becomes a ChunkTask and its place in `deliveries` in the order of the links; after that
/// downloads and decoders may finish in any order. Bytes are granted strictly in chunk order.
class DownloadScheduler : private LinkFeed::Listener,
                          private Download::Listener,
                          private DecodePool::Listener {
 public:
  using Deliveries = Channel<std::shared_ptr<Chunk>>;

  /// `http`, `deliveries`, `counters` and `clock` outlive this.
  DownloadScheduler(const ResultManifest& manifest, std::unique_ptr<LinkSource> links,
                    HttpClient* http, std::shared_ptr<SlabPool> pool,
                    const CloudFetchOptions& options, Log log, const Clock& clock,
                    Deliveries* deliveries, StreamCounters* counters);
  /// Cancels and joins.
  ~DownloadScheduler() override;
  DownloadScheduler(const DownloadScheduler&) = delete;
  DownloadScheduler& operator=(const DownloadScheduler&) = delete;

  // ---- from any thread

  /// The reader has read `num_chunks` chunks to their end.
  void SetReaderPosition(int64_t num_chunks);
  /// Ends all work. The chunks in `deliveries` are not closed: their readers are the caller's.
  void Cancel(Status reason);
  MemoryBudget& budget() const { return *budget_; }

 private:
  struct LinkCame {
    ResultLink link;
  };
  struct LinksEnded {
    Status status;
  };
  struct LinkRefreshed {
    int64_t chunk_index;
    Result<ResultLink> link;
  };
  struct AttemptDone {
    int64_t chunk_index;
    int32_t attempt_number;
  };
  struct DecoderYielded {
    int64_t chunk_index;
    ChunkDecoder::Yield yield;
  };
  using Event = std::variant<LinkCame, LinksEnded, LinkRefreshed, AttemptDone, DecoderYielded>;

  // News from other threads.
  void OnLink(ResultLink link) override;
  void OnLinksEnded(Status status) override;
  void OnRefreshed(int64_t chunk_index, Result<ResultLink> link) override;
  void OnAttemptDone(int64_t chunk_index, int32_t attempt_number) override;
  void OnDecodable(int64_t /*chunk_index*/) override {}  // the task's
  void OnTicketMissing(int64_t chunk_index) override;
  void OnYield(int64_t chunk_index, ChunkDecoder::Yield yield) override;
  void Post(Event event) EXCLUDES(mutex_);

  // All below: on thread_ alone.
  void Run();
  void StopAll();
  void HandleEvents() EXCLUDES(mutex_);
  void Handle(LinkCame& event);
  void Handle(LinksEnded& event);
  void Handle(LinkRefreshed& event);
  void Handle(AttemptDone& event);
  void Handle(DecoderYielded& event);

  void Advance();
  void QueueChunks();
  void QueueChunk(ResultLink link);
  void OpenNearChunks();
  void QueueDue();
  void GrantAndStart();
  bool Serve(ChunkTask& task);
  bool GrantSlab(ChunkTask& task);
  bool GrantTicket(ChunkTask& task);
  bool TopUpTicket(ChunkTask& task);
  bool GrantSideTicket(ChunkTask& task);
  bool StartIfPossible(ChunkTask& task);
  void Start(ChunkTask& task);
  void DropFinished();
  void AdjustLimits();
  bool IsStarved() const;
  bool IsFull() const;
  int64_t ChunksAhead() const;
  int64_t LinkWindow() const;
  std::optional<SteadyTime> NextDeadline() const;

  void SendSecondGets();
  static bool MayHaveSecond(const ChunkTask& task);
  void HedgeLate();
  void SplitLast();
  bool IsLate(const Download& download, Milliseconds patience);
  bool IsWorthSplitting(const Download& download);
  void LookAgainIn(Milliseconds wait);
  void SendSecond(ChunkTask& task, int64_t first_byte, std::string_view event);

  void Judged(ChunkTask& task, Attempt attempt);
  void Retry(ChunkTask& task, const Attempt& attempt);
  void AskForLink(ChunkTask& task, const Status& reason, int32_t most);
  void Restart(ChunkTask& task, Status reason, int32_t most);
  void RestartNow(ChunkTask& task);
  void EndBody(ChunkTask& task, Status status);
  void FailChunk(ChunkTask& task, Status status);
  void CloseFailed(ChunkTask& task, Status status);
  void StopAfter(int64_t chunk_index);

  bool IsHead(const ChunkTask& task) const;
  bool NeedsFreshLink(const ChunkTask& task) const;
  void LearnLifetime(const ResultLink& fresh);
  int64_t Headroom() const;
  bool HasRoomToStart(const ChunkTask& task) const;
  static int64_t StatedBytes(const ResultLink& link);
  int64_t ExpectedBytes(const ChunkTask& task) const;
  Download::Limits LimitsOfAttempts() const;
  MemoryBudget::Claim ClaimOf(const ChunkTask& task) const;
  ChunkTask* Find(int64_t chunk_index) const;
  void CountWaits();

  // Set once.
  const CloudFetchOptions options_;
  HttpClient* const http_;
  const std::shared_ptr<SlabPool> pool_;
  const Log log_;
  const Clock& clock_;
  Deliveries* const deliveries_;
  StreamCounters* const counters_;
  const std::shared_ptr<Signal> signal_;
  const std::shared_ptr<MemoryBudget> budget_;
  const size_t block_bytes_;
  DecoderSettings decoder_settings_;

  // From any thread.
  std::atomic<int64_t> reader_position_{0};
  std::atomic<bool> cancelled_{false};
  Mutex mutex_;
  std::vector<Event> events_ GUARDED_BY(mutex_);

  // The thread's.
  std::deque<std::unique_ptr<ChunkTask>>
      tasks_;  // in order, without gaps; the first is first_index_
  int64_t first_index_ = 0;
  int64_t next_index_ = 0;               // of the next chunk to queue
  std::deque<ResultLink> links_ahead_;   // fetched, not queued
  std::optional<WallTime> last_expiry_;  // of the links that came
  bool links_ended_ = false;
  Status links_status_;
  bool deliveries_closed_ = false;
  std::optional<int64_t> failed_index_;  // nothing after this chunk is worth having
  int32_t num_running_ = 0;
  std::chrono::milliseconds expiry_margin_;
  double stored_share_;  // stored bytes to decoded ones, as seen
  bool bytes_lacking_ = false;
  ReadAhead read_ahead_;
  DownloadLimit download_limit_;
  FileTimes file_times_;
  int64_t num_hedges_ = 0;
  std::optional<SteadyTime> next_second_;  // when the next file will be late
  const SteadyTime start_;
  SteadyTime last_look_;

  std::unique_ptr<LinkFeed> feed_;
  std::unique_ptr<DecodePool> decoders_;
  std::thread thread_;
};

}  // namespace dbx
