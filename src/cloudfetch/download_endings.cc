// SPDX-License-Identifier: Apache-2.0
// How attempts, bodies and chunks end, and what the scheduler does then.
#include <algorithm>
#include <utility>

#include "base/str_cat.h"
#include "cloudfetch/chunk_task.h"
#include "cloudfetch/download_scheduler.h"

namespace dbx {
namespace {

// An attempt that brought so much makes earlier failures forgotten.
constexpr int64_t kProgressBytes = 64 << 10;
constexpr int32_t kMostRefreshes = 3;
constexpr int32_t kMostRestarts = 3;
constexpr int32_t kMostDecodeRestarts = 1;

}  // namespace

void DownloadScheduler::Handle(AttemptDone& event) {
  ChunkTask* const task = Find(event.chunk_index);
  if (!task || !task->download.is_running()) return;
  if (task->download.attempt_number() != event.attempt_number) return;
  --num_running_;
  const Milliseconds length = task->download.ActiveTime();
  const bool split = task->download.has_side();
  Attempt attempt = task->download.Finish();
  if (!split && Judge(attempt) == Verdict::kWhole && attempt.num_bytes == attempt.received_bytes) {
    file_times_.Add(attempt.num_bytes, length);
  }
  Judged(*task, std::move(attempt));
}

void DownloadScheduler::Judged(ChunkTask& task, Attempt attempt) {
  const Verdict verdict = Judge(attempt);
  if (attempt.num_bytes > 0) task.num_refreshes = 0;
  if (attempt.num_bytes >= kProgressBytes) task.retry.reset();
  if (verdict == Verdict::kWhole) {
    if (task.link.num_bytes > 0) {
      const double share =
          static_cast<double>(attempt.received_bytes) / static_cast<double>(task.link.num_bytes);
      stored_share_ = std::clamp(0.75 * stored_share_ + 0.25 * share, 0.01, 1.2);
    }
    EndBody(task, Status::Ok());
    return;
  }
  Status status = ToStatus(attempt, task.link.presigned_url);
  log_.Write(LogLevel::kInfo, "download.failed",
             {{"chunk_index", task.index()},
              {"received_bytes", attempt.received_bytes},
              {"status", status.ToString()}});
  switch (verdict) {
    case Verdict::kRetry:
      return Retry(task, attempt);
    case Verdict::kRefresh:
      return AskForLink(task, status, kMostRefreshes);
    case Verdict::kRefreshOnce:
      return AskForLink(task, status, 1);
    case Verdict::kRestart:
      return Restart(task, std::move(status), kMostRestarts);
    case Verdict::kWhole:
    case Verdict::kFinal:
      return FailChunk(task, std::move(status));
  }
}

void DownloadScheduler::Retry(ChunkTask& task, const Attempt& attempt) {
  const bool is_first = !task.retry;
  if (is_first) {
    const auto seed = static_cast<uint64_t>(task.index() + 1) * 0x9E3779B97F4A7C15U;
    task.retry.emplace(options_.retry, Repeatable::kAlways, clock_, seed);
  }
  const bool refused = attempt.answered && attempt.head.status >= 300;
  if (refused && (attempt.head.status == 429 || attempt.head.status == 503)) {
    download_limit_.NoteRefusal(std::chrono::steady_clock::now());
  }
  const Status status = ToStatus(attempt, task.link.presigned_url);
  RetryDecision decision =
      refused ? task.retry->OnResponse(attempt.head) : task.retry->OnFailure(status);
  if (!decision.retry) return FailChunk(task, status);
  // Storage that was just sending is there: the first resume does not wait.
  if (is_first && !refused && attempt.num_bytes > 0) decision.delay = Milliseconds{0};
  ++counters_->retries;
  task.state = ChunkTask::State::kWaiting;
  task.retry_at = std::chrono::steady_clock::now() + decision.delay;
}

void DownloadScheduler::AskForLink(ChunkTask& task, const Status& reason, int32_t most) {
  if (++task.num_refreshes > most) return FailChunk(task, reason);
  ++counters_->link_refreshes;
  task.state = ChunkTask::State::kAwaitingLink;
  feed_->Refresh(task.link);
}

void DownloadScheduler::EndBody(ChunkTask& task, Status status) {
  task.state = ChunkTask::State::kBodyEnded;
  task.body.DropTicket();
  if (task.body.End(std::move(status))) task.Decode();
}

// The status follows the bytes that came, so that the reader has every row before it.
void DownloadScheduler::FailChunk(ChunkTask& task, Status status) {
  StopAfter(task.index());
  EndBody(task, std::move(status));
}

void DownloadScheduler::Restart(ChunkTask& task, Status reason, int32_t most) {
  if (++task.num_restarts > most) return FailChunk(task, std::move(reason));
  ++counters_->retries;
  const bool decoder_is_here = !task.is_open || task.slab_missing_bytes > 0;
  if (decoder_is_here) return RestartNow(task);
  task.state = ChunkTask::State::kBodyEnded;
  task.restart_wanted = true;
  if (task.body.Abort(std::move(reason))) task.Decode();
}

void DownloadScheduler::RestartNow(ChunkTask& task) {
  if (task.download.is_running()) {
    task.download.Stop();
    --num_running_;
  }
  task.download.Restart();
  task.body.DropTicket();
  task.body.Restart();
  task.decoder.Restart();
  task.has_ticket = false;
  task.restart_wanted = false;
  task.slab_missing_bytes = 0;
  task.state = ChunkTask::State::kQueued;
}

void DownloadScheduler::Handle(DecoderYielded& event) {
  ChunkTask* const task = Find(event.chunk_index);
  if (!task) return;
  switch (event.yield) {
    case ChunkDecoder::Yield::kStarved:
    case ChunkDecoder::Yield::kTicketMissing:  // asked of the queue itself
    case ChunkDecoder::Yield::kStopped:
      return;
    case ChunkDecoder::Yield::kSlabMissing:
      task->slab_missing_bytes = task->decoder.missing_bytes();
      return;
    case ChunkDecoder::Yield::kFinished:
      task->is_done = true;
      return;
    case ChunkDecoder::Yield::kFailed:
      break;
  }
  if (task->restart_wanted) return RestartNow(*task);
  if (task->decoder.may_restart() && task->num_restarts < kMostDecodeRestarts) {
    ++task->num_restarts;
    ++counters_->retries;
    log_.Write(LogLevel::kInfo, "decode.failed",
               {{"chunk_index", task->index()}, {"status", task->decoder.failure().ToString()}});
    return RestartNow(*task);
  }
  CloseFailed(*task, task->decoder.failure());
}

void DownloadScheduler::CloseFailed(ChunkTask& task, Status status) {
  if (task.download.is_running()) {
    task.download.Stop();
    --num_running_;
  }
  StopAfter(task.index());
  task.state = ChunkTask::State::kBodyEnded;
  task.is_done = true;
  task.chunk->batches().Fail(status.WithContext(StrCat("chunk ", task.index())));
}

void DownloadScheduler::StopAfter(int64_t chunk_index) {
  failed_index_ = std::min(failed_index_.value_or(chunk_index), chunk_index);
  for (const std::unique_ptr<ChunkTask>& task : tasks_) {
    if (task->index() <= chunk_index) continue;
    if (task->download.is_running()) {
      task->download.Stop();
      --num_running_;
    }
    task->state = ChunkTask::State::kBodyEnded;
  }
}

}  // namespace dbx
