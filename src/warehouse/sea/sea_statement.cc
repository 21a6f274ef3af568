// SPDX-License-Identifier: Apache-2.0
#include "warehouse/sea/sea_statement.h"

#include <algorithm>
#include <utility>

#include "warehouse/sea/sea_status.h"

namespace dbx::sea {
namespace {

constexpr int32_t kMaxFailedBeats = 10;
constexpr int32_t kWidestPollInterval = 10;  // times the first

Status TimeIsUp() {
  return Status::Timeout("the statement's time was up").WithSqlstate("HYT00");
}

/// How long to wait before the next question, at most until the deadline.
Milliseconds PauseBefore(std::optional<SteadyTime> deadline, Milliseconds pause) {
  if (!deadline) return pause;
  const auto left =
      std::chrono::duration_cast<Milliseconds>(*deadline - Clock::Real().Now()) + Milliseconds(1);
  return std::clamp(pause, Milliseconds(0), std::max(left, Milliseconds(0)));
}

}  // namespace

SeaStatement::SeaStatement(std::shared_ptr<SessionCore> core, std::string statement_id,
                           std::shared_ptr<const Config> config)
    : core_(std::move(core)), statement_id_(std::move(statement_id)), config_(std::move(config)) {}

Result<StatementReply> SeaStatement::WaitUntilFinished(StatementReply reply,
                                                       std::optional<SteadyTime> deadline,
                                                       Cancellation* cancellation) {
  Cancellation never;
  const Milliseconds first_pause = config().statement.poll_interval;
  Milliseconds pause = first_pause;
  while (!IsTerminal(reply)) {
    Status status = (cancellation ? cancellation : &never)->WaitFor(PauseBefore(deadline, pause));
    if (status.ok() && deadline && Clock::Real().Now() >= *deadline) status = TimeIsUp();
    if (status.ok()) {
      Result<StatementReply> next = core_->client().Get(statement_id_, cancellation);
      status = next.status();
      if (status.ok()) reply = *std::move(next);
    }
    const bool stopped = cancellation && !cancellation->status().ok();
    if (stopped || status.code() == StatusCode::kTimeout) CancelOnServer();
    RETURN_IF_ERROR(Describe(core_->Note(status)));
    pause = std::min(pause * 2, first_pause * kWidestPollInterval);
  }
  RETURN_IF_ERROR(Describe(core_->Note(ToStatus(reply))));
  if (reply.state == State::kClosed) MarkClosed();
  return reply;
}

Result<ResultMessage> SeaStatement::Chunk(int64_t chunk_index, Cancellation* cancellation) {
  Result<ResultMessage> chunk = core_->client().Chunk(statement_id_, chunk_index, cancellation);
  if (!chunk.ok()) return Describe(core_->Note(chunk.status()));
  return chunk;
}

Result<ResultMessage> SeaStatement::Chunk(const NextChunk& next, Cancellation* cancellation) {
  if (next.chunk_index) return Chunk(*next.chunk_index, cancellation);
  Result<ResultMessage> chunk = core_->client().ChunkAt(next.internal_link, cancellation);
  if (!chunk.ok()) return Describe(core_->Note(chunk.status()));
  return chunk;
}

void SeaStatement::MarkClosed() {
  MutexLock lock(mutex_);
  closed_ = true;
}

void SeaStatement::KeepAlive() {
  const Milliseconds interval = config().statement.heartbeat_interval;
  if (interval.count() <= 0) return;
  {
    MutexLock lock(mutex_);
    if (closed_ || kept_alive_) return;
    kept_alive_ = true;
  }
  const Housekeeper::BeatId beat = core_->housekeeper().StartBeat(
      interval, [this](Cancellation* cancellation) { return Beat(cancellation); });
  bool closed = false;
  {
    MutexLock lock(mutex_);
    closed = closed_;
    if (!closed) beat_ = beat;
  }
  if (closed) core_->housekeeper().StopBeat(beat);
}

bool SeaStatement::Beat(Cancellation* cancellation) {
  const auto reply = core_->client().Heartbeat(statement_id_, cancellation);
  const Status status = reply.ok() ? ToStatus(*reply) : reply.status();
  if (status.ok()) {
    failed_beats_ = 0;
    return true;
  }
  if (!cancellation->status().ok()) return false;
  const bool bad_end = reply.ok() || status.code() == StatusCode::kNotFound;
  core_->log().Write(LogLevel::kWarn, "heartbeat.failed",
                     {{"statement_id", statement_id_}, {"error", status.ToString()}});
  return !bad_end && ++failed_beats_ < kMaxFailedBeats;
}

void SeaStatement::CancelOnServer() {
  {
    MutexLock lock(mutex_);
    if (closed_ || cancelled_) return;
    cancelled_ = true;
  }
  core_->housekeeper().RunSoon([client = &core_->client(), id = statement_id_,
                                log = core_->log()](Cancellation* cancellation) {
    const Status sent = client->CancelStatement(id, cancellation);
    log.Write(LogLevel::kInfo, "statement.cancel", {{"statement_id", id}, {"sent", sent.ok()}});
  });
}

void SeaStatement::Close() {
  Housekeeper::BeatId beat = 0;
  bool closed = false;
  {
    MutexLock lock(mutex_);
    std::swap(beat, beat_);
    std::swap(closed, closed_);
    closed_ = true;
  }
  core_->housekeeper().StopBeat(beat);
  if (closed || !core_->lost().ok()) return;
  core_->housekeeper().RunSoon([client = &core_->client(), id = statement_id_,
                                log = core_->log()](Cancellation* cancellation) {
    // Whatever comes back, the statement is gone or will go with its session.
    const Status sent = client->CloseStatement(id, cancellation);
    log.Write(LogLevel::kDebug, "statement.close", {{"statement_id", id}, {"sent", sent.ok()}});
  });
}

}  // namespace dbx::sea
