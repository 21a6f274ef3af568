// SPDX-License-Identifier: Apache-2.0
#include "cloudfetch/download_scheduler.h"

#include <algorithm>
#include <utility>

#include "arrow/ipc_decoder.h"
#include "base/str_cat.h"
#include "cloudfetch/chunk_task.h"

namespace dbx {
namespace {

constexpr int64_t kBlockBytes = 512 << 10;
constexpr int64_t kLargestSlab = 8 << 20;
constexpr int64_t kLeastSlab = 1 << 20;
// A slab or a first ticket takes no more than this part of the limit.
constexpr int64_t kLimitShare = 8;
constexpr int64_t kTicketStep = 2 << 20;
// The decoders work on the head and so many bytes after it, but at least on two chunks.
constexpr int64_t kNearBytes = 64 << 20;
constexpr int64_t kLeastNearChunks = 2;
// Longer than any clock is wrong.
constexpr std::chrono::hours kAnyAge{24 * 365 * 50};

size_t BlockBytes(const SlabPool& pool, int64_t limit_bytes) {
  const int64_t wanted = std::clamp<int64_t>(limit_bytes / 16, 1, kBlockBytes);
  return pool.CapacityFor(static_cast<size_t>(wanted));
}

size_t SlabBytes(int64_t limit_bytes) {
  const int64_t share = std::max(limit_bytes / kLimitShare, kLeastSlab);
  return static_cast<size_t>(std::min(share, kLargestSlab));
}

}  // namespace

DownloadScheduler::DownloadScheduler(const ResultManifest& manifest,
                                     std::unique_ptr<LinkSource> links, HttpClient* http,
                                     std::shared_ptr<SlabPool> pool,
                                     const CloudFetchOptions& options, Log log, const Clock& clock,
                                     Deliveries* deliveries, StreamCounters* counters)
    : options_(options),
      http_(http),
      pool_(std::move(pool)),
      log_(std::move(log)),
      clock_(clock),
      deliveries_(deliveries),
      counters_(counters),
      signal_(std::make_shared<Signal>()),
      budget_(MemoryBudget::Make(options.memory_limit_bytes, signal_)),
      block_bytes_(BlockBytes(*pool_, options.memory_limit_bytes)),
      expiry_margin_(options.expiry_margin),
      stored_share_(manifest.compression == Compression::kLz4Frame ? 0.5 : 1.0),
      read_ahead_(options.memory_limit_bytes, std::chrono::steady_clock::now()),
      download_limit_(options.parallel_downloads > 0
                          ? DownloadLimit::Fixed(options.parallel_downloads)
                          : DownloadLimit::Automatic()),
      start_(std::chrono::steady_clock::now()),
      last_look_(start_) {
  budget_->SetReadAheadLimit(read_ahead_.num_bytes());
  decoder_settings_.pool = pool_;
  decoder_settings_.slab_bytes = SlabBytes(options.memory_limit_bytes);
  decoder_settings_.schema = manifest.schema;
  decoder_settings_.batch_rows = options.batch_rows;
  decoder_settings_.counters = counters_;
  std::vector<std::unique_ptr<IpcDecoder>> ipc_decoders;
  for (int32_t i = 0; i < std::max(options.decode_threads, 1); ++i) {
    Result<std::unique_ptr<IpcDecoder>> ipc = IpcDecoder::Make(manifest.schema, pool_);
    if (!ipc.ok()) {
      links_ended_ = true;
      links_status_ = ipc.status();
      break;
    }
    ipc_decoders.push_back(std::move(ipc).value());
  }
  decoders_ = std::make_unique<DecodePool>(std::move(ipc_decoders),
                                           static_cast<DecodePool::Listener*>(this), counters_);
  feed_ = std::make_unique<LinkFeed>(std::move(links), static_cast<LinkFeed::Listener*>(this));
  thread_ = std::thread([this] { Run(); });
}

DownloadScheduler::~DownloadScheduler() {
  Cancel(Status::Cancelled("result stream released"));
  thread_.join();
}

void DownloadScheduler::Cancel(Status reason) {
  if (cancelled_.exchange(true)) return;
  decoder_settings_.stopping = true;
  signal_->Raise();
  feed_->Cancel(std::move(reason));
}

void DownloadScheduler::SetReaderPosition(int64_t num_chunks) {
  reader_position_ = num_chunks;
  signal_->Raise();
}

// ---- news from other threads

void DownloadScheduler::Post(Event event) {
  {
    MutexLock lock(mutex_);
    events_.push_back(std::move(event));
  }
  signal_->Raise();
}

void DownloadScheduler::OnLink(ResultLink link) {
  Post(LinkCame{std::move(link)});
}
void DownloadScheduler::OnLinksEnded(Status status) {
  Post(LinksEnded{std::move(status)});
}
void DownloadScheduler::OnRefreshed(int64_t chunk_index, Result<ResultLink> link) {
  Post(LinkRefreshed{chunk_index, std::move(link)});
}
void DownloadScheduler::OnAttemptDone(int64_t chunk_index, int32_t attempt_number) {
  Post(AttemptDone{chunk_index, attempt_number});
}
// What is missing is asked of the queue itself.
void DownloadScheduler::OnTicketMissing(int64_t /*chunk_index*/) {
  signal_->Raise();
}
void DownloadScheduler::OnYield(int64_t chunk_index, ChunkDecoder::Yield yield) {
  Post(DecoderYielded{chunk_index, yield});
}

// ---- the thread

void DownloadScheduler::Run() {
  while (!cancelled_) {
    HandleEvents();
    Advance();
    signal_->Wait(NextDeadline());
    CountWaits();
  }
  StopAll();
}

void DownloadScheduler::StopAll() {
  for (const std::unique_ptr<ChunkTask>& task : tasks_) task->download.Cancel();
  decoders_->Stop();
  for (const std::unique_ptr<ChunkTask>& task : tasks_) task->download.Stop();
}

void DownloadScheduler::CountWaits() {
  const SteadyTime now = std::chrono::steady_clock::now();
  const int64_t elapsed = (now - std::exchange(last_look_, now)).count();
  if (bytes_lacking_) counters_->budget_waited += elapsed;
  const bool links_lacking =
      links_ahead_.empty() && !links_ended_ && next_index_ < reader_position_ + ChunksAhead();
  if (links_lacking) counters_->links_waited += elapsed;
}

void DownloadScheduler::HandleEvents() {
  std::vector<Event> events;
  {
    MutexLock lock(mutex_);
    events.swap(events_);
  }
  for (Event& event : events) {
    std::visit([this](auto& news) { Handle(news); }, event);
  }
}

std::optional<SteadyTime> DownloadScheduler::NextDeadline() const {
  std::optional<SteadyTime> next = read_ahead_.next_look();
  if (const std::optional<SteadyTime> look = download_limit_.next_look()) {
    next = std::min(next.value_or(*look), *look);
  }
  if (next_second_) next = std::min(next.value_or(*next_second_), *next_second_);
  for (const std::unique_ptr<ChunkTask>& task : tasks_) {
    if (task->state != ChunkTask::State::kWaiting) continue;
    if (!next || task->retry_at < *next) next = task->retry_at;
  }
  return next;
}

ChunkTask* DownloadScheduler::Find(int64_t chunk_index) const {
  const int64_t position = chunk_index - first_index_;
  if (position < 0 || position >= static_cast<int64_t>(tasks_.size())) return nullptr;
  return tasks_[static_cast<size_t>(position)].get();
}

bool DownloadScheduler::IsHead(const ChunkTask& task) const {
  return task.index() == reader_position_;
}

// ---- links and the order

void DownloadScheduler::Handle(LinkCame& event) {
  if (links_ended_) return;
  const int64_t expected = next_index_ + static_cast<int64_t>(links_ahead_.size());
  if (event.link.chunk_index != expected || event.link.num_rows < 0) {
    links_ended_ = true;
    links_status_ =
        Status::Integrity(StrCat("chunk ", expected, " was due, but the link is for chunk ",
                                 event.link.chunk_index, " of ", event.link.num_rows, " rows"));
    return;
  }
  ++counters_->links_known;
  if (event.link.expires_at) last_expiry_ = event.link.expires_at;
  links_ahead_.push_back(std::move(event.link));
}

void DownloadScheduler::Handle(LinksEnded& event) {
  if (links_ended_) return;
  links_ended_ = true;
  links_status_ = std::move(event.status);
  if (links_status_.ok()) counters_->all_links_known = true;
}

void DownloadScheduler::Handle(LinkRefreshed& event) {
  ChunkTask* const task = Find(event.chunk_index);
  if (!task || task->state != ChunkTask::State::kAwaitingLink) return;
  if (!event.link.ok()) {
    FailChunk(*task, event.link.status().WithContext("fresh link"));
    return;
  }
  ResultLink& fresh = *event.link;
  if (fresh.chunk_index != task->index() || fresh.num_rows != task->link.num_rows ||
      fresh.row_offset != task->link.row_offset) {
    FailChunk(*task, Status::Integrity("the fresh link is for other rows"));
    return;
  }
  LearnLifetime(fresh);
  task->link = std::move(fresh);
  task->state = ChunkTask::State::kQueued;
}

// A service whose links live shorter than the margin, or a clock that is wrong, must not make each
// chunk ask for a fresh link: then storage's own answer has to do.
void DownloadScheduler::LearnLifetime(const ResultLink& fresh) {
  if (!fresh.expires_at) return;
  const auto left =
      std::chrono::duration_cast<std::chrono::milliseconds>(*fresh.expires_at - clock_.WallNow());
  if (left >= expiry_margin_) return;
  expiry_margin_ = left.count() > 0 ? left / 2 : -kAnyAge;
}

bool DownloadScheduler::NeedsFreshLink(const ChunkTask& task) const {
  return task.link.expires_at && *task.link.expires_at - clock_.WallNow() < expiry_margin_;
}

void DownloadScheduler::Advance() {
  QueueChunks();
  OpenNearChunks();
  GrantAndStart();
  AdjustLimits();
  SendSecondGets();
  DropFinished();
  if (!links_ended_ && !failed_index_) {
    feed_->WantUpTo(reader_position_ + LinkWindow());
  }
}

void DownloadScheduler::QueueChunks() {
  while (!links_ahead_.empty() && next_index_ < reader_position_ + ChunksAhead()) {
    QueueChunk(std::move(links_ahead_.front()));
    links_ahead_.pop_front();
  }
  if (links_ended_ && links_ahead_.empty() && !std::exchange(deliveries_closed_, true)) {
    deliveries_->Close(links_status_);
  }
}

void DownloadScheduler::QueueChunk(ResultLink link) {
  tasks_.push_back(std::make_unique<ChunkTask>(std::move(link), pool_.get(), block_bytes_,
                                               &decoder_settings_, decoders_.get(),
                                               static_cast<Download::Listener*>(this)));
  ChunkTask& task = *tasks_.back();
  ++next_index_;
  if (task.link.num_rows == 0) {  // nothing in the file could matter
    task.state = ChunkTask::State::kBodyEnded;
    task.is_done = true;
    task.chunk->batches().Finish();
  }
  // Order is settled here, before a byte arrives. A cancelled stream takes no more, which Run will
  // see.
  static_cast<void>(deliveries_->Push(task.chunk).ok());
}

void DownloadScheduler::OpenNearChunks() {
  const int64_t reader = reader_position_;
  const int64_t near_bytes = std::min(kNearBytes, options_.memory_limit_bytes / 4);
  int64_t bytes = 0;
  for (const std::unique_ptr<ChunkTask>& task : tasks_) {
    if (task->index() < reader) continue;
    bytes += StatedBytes(task->link);
    if (bytes > near_bytes && task->index() >= reader + kLeastNearChunks) break;
    if (std::exchange(task->is_open, true)) continue;
    if (task->body.Open()) task->Decode();
  }
}

void DownloadScheduler::DropFinished() {
  while (!tasks_.empty() && tasks_.front()->is_done && !tasks_.front()->download.is_running()) {
    tasks_.pop_front();
    ++first_index_;
  }
}

// ---- bytes and slots

// One that is due waits for a slot or bytes, of which there is news: a moment that has passed would
// wake the thread without end.
void DownloadScheduler::QueueDue() {
  const SteadyTime now = std::chrono::steady_clock::now();
  for (const std::unique_ptr<ChunkTask>& task : tasks_) {
    const bool due = task->state == ChunkTask::State::kWaiting && task->retry_at <= now;
    if (due) task->state = ChunkTask::State::kQueued;
  }
}

void DownloadScheduler::GrantAndStart() {
  QueueDue();
  bytes_lacking_ = false;
  for (const std::unique_ptr<ChunkTask>& task : tasks_) {
    if (failed_index_ && task->index() > *failed_index_) return;
    if (task->is_done || Serve(*task)) continue;
    bytes_lacking_ = true;  // and no chunk after this one is given any before it
    return;
  }
}

bool DownloadScheduler::Serve(ChunkTask& task) {
  if (!GrantSlab(task) || !GrantTicket(task) || !GrantSideTicket(task)) return false;
  return task.state != ChunkTask::State::kQueued || StartIfPossible(task);
}

MemoryBudget::Claim DownloadScheduler::ClaimOf(const ChunkTask& task) const {
  return IsHead(task) ? MemoryBudget::Claim::kHead : MemoryBudget::Claim::kAhead;
}

bool DownloadScheduler::GrantSlab(ChunkTask& task) {
  if (task.slab_missing_bytes == 0) return true;
  std::optional<MemoryBudget::Lease> lease =
      budget_->TryReserve(task.slab_missing_bytes, 0, ClaimOf(task));
  if (!lease) return false;
  task.slab_missing_bytes = 0;
  task.decoder.Give(std::move(*lease));
  task.Decode();
  return true;
}

bool DownloadScheduler::TopUpTicket(ChunkTask& task) {
  std::optional<MemoryBudget::Lease> lease =
      budget_->TryReserve(kTicketStep, 0, MemoryBudget::Claim::kAhead);
  if (!lease) return false;
  // Meanwhile the transfer may have come to rest.
  if (task.body.AddTicket(std::move(*lease))) task.download.Resume();
  return true;
}

bool DownloadScheduler::GrantSideTicket(ChunkTask& task) {
  const int64_t missing = task.side_body.missing_bytes();
  if (missing == 0) return true;
  std::optional<MemoryBudget::Lease> lease =
      budget_->TryReserve(std::max(missing, kTicketStep), 0, MemoryBudget::Claim::kAhead);
  if (!lease) return false;
  if (task.side_body.AddTicket(std::move(*lease))) task.download.Resume();
  return true;
}

bool DownloadScheduler::GrantTicket(ChunkTask& task) {
  const int64_t missing = task.body.missing_bytes();
  if (missing == 0) return !task.body.is_ticket_low() || TopUpTicket(task);
  // The reserve is for a decoder that starves, not for bytes that would only wait for it.
  const bool starving = task.body.unread_bytes() < static_cast<int64_t>(block_bytes_);
  const auto claim = starving ? ClaimOf(task) : MemoryBudget::Claim::kAhead;
  std::optional<MemoryBudget::Lease> lease =
      budget_->TryReserve(std::max(missing, kTicketStep), 0, MemoryBudget::Claim::kAhead);
  if (!lease) lease = budget_->TryReserve(missing, 0, claim);
  if (!lease) return false;
  task.body.AddTicket(std::move(*lease));
  task.download.Resume();
  return true;
}

bool DownloadScheduler::StartIfPossible(ChunkTask& task) {
  // The head does not wait for slots: those who have them may wait for memory, and that for the
  // head.
  if (num_running_ >= download_limit_.value() && !IsHead(task)) return true;
  if (NeedsFreshLink(task)) {
    task.state = ChunkTask::State::kAwaitingLink;
    ++counters_->link_refreshes;
    feed_->Refresh(task.link);
    return true;
  }
  if (!IsHead(task) && !HasRoomToStart(task)) return false;
  if (!task.has_ticket) {
    const auto block_bytes = static_cast<int64_t>(block_bytes_);
    std::optional<MemoryBudget::Lease> ticket =
        IsHead(task) ? budget_->TryReserve(block_bytes, 0, MemoryBudget::Claim::kHead)
                     : budget_->TryReserve(block_bytes, Headroom(), MemoryBudget::Claim::kStart);
    if (!ticket) return false;
    task.body.AddTicket(std::move(*ticket));
    task.has_ticket = true;
  }
  Start(task);
  return true;
}

Download::Limits DownloadScheduler::LimitsOfAttempts() const {
  return {.timeout = options_.file_timeout,
          .stall_timeout = options_.stall_timeout,
          .use_ranges = options_.range_resume};
}

void DownloadScheduler::Start(ChunkTask& task) {
  if (!task.download.Start(*http_, task.link, LimitsOfAttempts())) {
    FailChunk(task,
              Status::Timeout(StrCat(task.link.presigned_url.Host(), ": the file took longer than ",
                                     options_.file_timeout.count(), " ms")));
    return;
  }
  task.state = ChunkTask::State::kRunning;
  ++num_running_;
  counters_->peak_downloads = std::max<int64_t>(counters_->peak_downloads, num_running_);
  log_.Write(LogLevel::kDebug, "download.start",
             {{"chunk_index", task.index()},
              {"attempt", task.download.attempt_number()},
              {"url", task.link.presigned_url}});
}

}  // namespace dbx
