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
// What is left of a file is worth halving when it is so much, and takes so long.
constexpr int64_t kLeastSplitBytes = 2 << 20;
constexpr Milliseconds kLeastSplitTime{150};
// A rate says nothing before.
constexpr Milliseconds kLeastSeen{60};

}  // namespace

void DownloadScheduler::SendSecondGets() {
  next_second_.reset();
  if (!options_.range_resume || failed_index_) return;
  if (options_.hedge) HedgeLate();
  SplitLast();
}

void DownloadScheduler::LookAgainIn(Milliseconds wait) {
  const SteadyTime then = std::chrono::steady_clock::now() + wait;
  next_second_ = std::min(next_second_.value_or(then), then);
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
    if (!IsLate(task->download, *patience)) continue;
    ++num_hedges_;
    SendSecond(*task, task->download.received_bytes(), "download.hedge");
  }
}

bool DownloadScheduler::IsLate(const Download& download, Milliseconds patience) {
  const Milliseconds left = patience - download.ActiveTime();
  if (left.count() <= 0) return true;
  LookAgainIn(left);
  // One that is so slow will be late, and need not be waited for.
  const Milliseconds least_seen = std::max(kLeastSeen, patience / 4);
  if (const auto until_seen = download.UntilSeen(least_seen)) LookAgainIn(*until_seen);
  return download.TimeLeft(least_seen).value_or(Milliseconds{0}) > patience;
}

// When fewer files are left than there may be downloads.
void DownloadScheduler::SplitLast() {
  if (!links_ended_ || !links_ahead_.empty()) return;
  int32_t num_gets = 0;
  for (const std::unique_ptr<ChunkTask>& task : tasks_) {
    if (task->state == ChunkTask::State::kQueued) return;
    if (task->download.is_running()) num_gets += task->download.has_side() ? 2 : 1;
  }
  if (num_gets == 0) return;
  if (!budget_->IsReaderWaiting(/*wake_when_it_does=*/true)) return;
  for (const std::unique_ptr<ChunkTask>& task : tasks_) {
    if (num_gets >= download_limit_.value()) return;
    if (!MayHaveSecond(*task) || !IsWorthSplitting(task->download)) continue;
    const int64_t received = task->download.received_bytes();
    SendSecond(*task, received + (task->download.total_bytes() - received) / 2, "download.split");
    ++num_gets;
  }
}

bool DownloadScheduler::IsWorthSplitting(const Download& download) {
  if (download.total_bytes() - download.received_bytes() < kLeastSplitBytes) return false;
  if (const auto until_seen = download.UntilSeen(kLeastSeen)) LookAgainIn(*until_seen);
  return download.TimeLeft(kLeastSeen).value_or(Milliseconds{0}) > kLeastSplitTime;
}

void DownloadScheduler::SendSecond(ChunkTask& task, int64_t first_byte, std::string_view event) {
  task.download.StartSide(*http_, task.link, LimitsOfAttempts(), first_byte);
  log_.Write(LogLevel::kDebug, event,
             {{"chunk_index", task.index()},
              {"first_byte", first_byte},
              {"url", task.link.presigned_url}});
}

}  // namespace dbx
