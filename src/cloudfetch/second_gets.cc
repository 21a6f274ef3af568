// SPDX-License-Identifier: Apache-2.0
// When a chunk is worth a second GET.
#include <algorithm>

#include "cloudfetch/chunk_task.h"
#include "cloudfetch/download_scheduler.h"

namespace dbx {
namespace {

// The reader's chunk and those that it needs next are worth a hedge.
constexpr int64_t kHedgedChunks = 4;
// Of all files, beyond the first few, no more than one in so many is asked for twice.
constexpr int64_t kFilesPerHedge = 20;
constexpr int64_t kFreeHedges = 4;
// Less is here before a second GET has its first byte.
constexpr int64_t kLeastSplitBytes = 2 << 20;
constexpr Milliseconds kLeastSplitTime{150};
constexpr Milliseconds kLeastSeen{10};

}  // namespace

void DownloadScheduler::SendSecondGets() {
  next_second_.reset();
  if (!options_.range_resume || failed_index_) return;
  if (options_.hedge && budget_->reader_waits()) HedgeLate();
  if (IsStarved()) SplitLast();
}

bool DownloadScheduler::MayHaveSecond(const ChunkTask& task) {
  return task.state == ChunkTask::State::kRunning && !task.download.has_side() &&
         task.body.missing_bytes() == 0;
}

void DownloadScheduler::HedgeLate() {
  const int64_t end = reader_position_ + kHedgedChunks;
  for (const std::unique_ptr<ChunkTask>& task : tasks_) {
    if (task->index() >= end) return;
    if (!MayHaveSecond(*task)) continue;
    const std::optional<Milliseconds> patience = file_times_.Patience(task->download.total_bytes());
    if (!patience || num_hedges_ >= kFreeHedges + counters_->chunks / kFilesPerHedge) return;
    const Milliseconds left = *patience - task->download.ActiveTime();
    if (left.count() > 0) {
      const SteadyTime late_at = std::chrono::steady_clock::now() + left;
      next_second_ = std::min(next_second_.value_or(late_at), late_at);
      continue;
    }
    ++num_hedges_;
    SendSecond(*task, task->download.received_bytes(), "download.hedge");
  }
}

// Fewer files are left than there may be downloads.
void DownloadScheduler::SplitLast() {
  if (!links_ended_ || !links_ahead_.empty()) return;
  int32_t num_gets = 0;
  for (const std::unique_ptr<ChunkTask>& task : tasks_) {
    if (task->state == ChunkTask::State::kQueued) return;
    if (task->download.is_running()) num_gets += task->download.has_side() ? 2 : 1;
  }
  for (const std::unique_ptr<ChunkTask>& task : tasks_) {
    if (num_gets >= download_limit_.value()) return;
    if (!MayHaveSecond(*task) || !IsWorthSplitting(task->download)) continue;
    const int64_t received = task->download.received_bytes();
    SendSecond(*task, received + (task->download.total_bytes() - received) / 2, "download.split");
    ++num_gets;
  }
}

bool DownloadScheduler::IsWorthSplitting(const Download& download) {
  const int64_t received = download.received_bytes();
  const int64_t rest = download.total_bytes() - received;
  const Milliseconds seen = download.ActiveTime();
  if (received == 0 || rest < kLeastSplitBytes || seen < kLeastSeen) return false;
  const double bytes_per_ms = static_cast<double>(received) / static_cast<double>(seen.count());
  return static_cast<double>(rest) / bytes_per_ms > static_cast<double>(kLeastSplitTime.count());
}

void DownloadScheduler::SendSecond(ChunkTask& task, int64_t first_byte, std::string_view event) {
  task.download.StartSide(*http_, task.link, LimitsOfAttempts(), first_byte);
  log_.Write(LogLevel::kDebug, event,
             {{"chunk_index", task.index()},
              {"first_byte", first_byte},
              {"url", task.link.presigned_url}});
}

}  // namespace dbx
