// SPDX-License-Identifier: Apache-2.0
// How far ahead of the reader a stream goes: in bytes, downloads, chunks and links.
#include <algorithm>
#include <chrono>

#include "cloudfetch/chunk_task.h"
#include "cloudfetch/download_scheduler.h"

namespace dbx {
namespace {

// Of a chunk whose link states no size.
constexpr int64_t kUnknownBytes = 4 << 20;
// Links that are known ahead however slow the reader is, and chunks that tell its pace.
constexpr int64_t kLeastLinks = 8;
constexpr int64_t kLeastPaceChunks = 4;

}  // namespace

// What the reader waits for has not come from storage: it is not the decoders that are late.
bool DownloadScheduler::IsStarved() const {
  const ChunkTask* const head = Find(reader_position_);
  return head && budget_->reader_waits() && head->body.is_starving();
}

bool DownloadScheduler::IsFull() const {
  if (num_running_ < download_limit_.value()) return false;
  return !links_ahead_.empty() || !links_ended_ ||
         (!tasks_.empty() && tasks_.back()->state == ChunkTask::State::kQueued);
}

// More downloads at once than there are chunks ahead would find nothing to do.
int64_t DownloadScheduler::ChunksAhead() const {
  const int64_t wanted = options_.chunks_ahead;
  return download_limit_.is_automatic() ? std::max<int64_t>(wanted, 2 * download_limit_.value())
                                        : wanted;
}

// A link that the reader's pace would let lapse is better fetched later.
int64_t DownloadScheduler::LinkWindow() const {
  const int64_t most = std::max(options_.link_prefetch_window, 1);
  const int64_t num_read = reader_position_;
  if (!last_expiry_ || num_read < kLeastPaceChunks) return most;
  const std::chrono::duration<double> life =
      *last_expiry_ - clock_.WallNow() - std::max(expiry_margin_, Milliseconds{0});
  const std::chrono::duration<double> read_for = std::chrono::steady_clock::now() - start_;
  const double in_time = life / read_for * static_cast<double>(num_read);
  const int64_t least = std::min(most, kLeastLinks);
  if (!(in_time < static_cast<double>(most))) return most;
  return std::max(least, static_cast<int64_t>(in_time));
}

void DownloadScheduler::AdjustLimits() {
  const SteadyTime now = std::chrono::steady_clock::now();
  const bool starved = IsStarved();
  const int32_t downloads_before = download_limit_.value();
  download_limit_.Observe(starved, IsFull(), counters_->bytes_downloaded, now);
  counters_->download_limit = download_limit_.value();
  const int64_t bytes_before = read_ahead_.num_bytes();
  if (read_ahead_.Observe(starved, bytes_lacking_, counters_->bytes_downloaded, now)) {
    budget_->SetReadAheadLimit(read_ahead_.num_bytes());
  }
  counters_->read_ahead_bytes = read_ahead_.num_bytes();
  const bool grown =
      read_ahead_.num_bytes() > bytes_before || download_limit_.value() > downloads_before;
  if (!grown) return;
  QueueChunks();
  GrantAndStart();
}

int64_t DownloadScheduler::StatedBytes(const ResultLink& link) {
  return link.num_bytes > 0 ? std::min(link.num_bytes, Download::kMostBytes) : kUnknownBytes;
}

int64_t DownloadScheduler::ExpectedBytes(const ChunkTask& task) const {
  if (const int64_t total = task.download.total_bytes(); total > 0) return total;
  return static_cast<int64_t>(stored_share_ * static_cast<double>(StatedBytes(task.link)));
}

// A download that has begun is better not held up: it would rest with its bytes in many places. So
// it begins when there is room for all of it and of those that run. Once all of the limit is used
// for reading ahead, it is better to begin early and rest.
bool DownloadScheduler::HasRoomToStart(const ChunkTask& task) const {
  if (!download_limit_.is_automatic() || read_ahead_.is_at_limit()) return true;
  int64_t to_come = ExpectedBytes(task);
  for (const std::unique_ptr<ChunkTask>& other : tasks_) {
    if (other->state != ChunkTask::State::kRunning) continue;
    to_come += std::max<int64_t>(ExpectedBytes(*other) - other->download.received_bytes(), 0);
  }
  return budget_->HasRoomAhead(to_come);
}

/// Kept free by those who only want to begin, for the slabs of those whose bytes are here.
int64_t DownloadScheduler::Headroom() const {
  return std::min(2 * static_cast<int64_t>(decoder_settings_.slab_bytes),
                  options_.memory_limit_bytes / 4);
}

}  // namespace dbx
