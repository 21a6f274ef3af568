// SPDX-License-Identifier: Apache-2.0
#include "warehouse/statement_lifetime.h"

#include <algorithm>
#include <utility>

namespace dbx {
namespace {

constexpr int32_t kMaxFailedBeats = 10;
constexpr int32_t kWidestPause = 10;  // times the first

}  // namespace

Milliseconds WiderPause(Milliseconds pause, Milliseconds first_pause) {
  return std::min(pause * 2, first_pause * kWidestPause);
}

StatementLifetime::StatementLifetime(Housekeeper& housekeeper, const SessionLoss& loss,
                                     const Log& log, std::string statement_id, Calls calls)
    : housekeeper_(housekeeper),
      loss_(loss),
      log_(log),
      statement_id_(std::move(statement_id)),
      calls_(std::move(calls)) {}

void StatementLifetime::MarkClosed() {
  MutexLock lock(mutex_);
  closed_ = true;
}

void StatementLifetime::KeepAlive(Milliseconds interval) {
  if (interval.count() <= 0) return;
  {
    MutexLock lock(mutex_);
    if (closed_ || kept_alive_) return;
    kept_alive_ = true;
  }
  const Housekeeper::BeatId beat = housekeeper_.StartBeat(
      interval, [this](Cancellation* cancellation) { return Beat(cancellation); });
  bool closed = false;
  {
    MutexLock lock(mutex_);
    closed = closed_;
    if (!closed) beat_ = beat;
  }
  if (closed) housekeeper_.StopBeat(beat);
}

bool StatementLifetime::Beat(Cancellation* cancellation) {
  const Pulse pulse = calls_.beat(cancellation);
  if (pulse.status.ok()) {
    failed_beats_ = 0;
    return true;
  }
  if (!cancellation->status().ok()) return false;
  log_.Write(LogLevel::kWarn, "heartbeat.failed",
             {{"statement_id", statement_id_}, {"error", pulse.status.ToString()}});
  return !pulse.ended && ++failed_beats_ < kMaxFailedBeats;
}

void StatementLifetime::CancelOnServer() {
  {
    MutexLock lock(mutex_);
    if (closed_ || cancelled_) return;
    cancelled_ = true;
  }
  Send(calls_.cancel, LogLevel::kInfo, "statement.cancel");
}

void StatementLifetime::Close() {
  Housekeeper::BeatId beat = 0;
  bool closed = false;
  {
    MutexLock lock(mutex_);
    std::swap(beat, beat_);
    closed = std::exchange(closed_, true);
  }
  housekeeper_.StopBeat(beat);
  // Whatever comes back, the statement is gone or will go with its session.
  if (!closed && loss_.status().ok()) Send(calls_.close, LogLevel::kDebug, "statement.close");
}

void StatementLifetime::Send(std::function<Status(Cancellation*)> call, LogLevel level,
                             std::string event) {
  housekeeper_.RunSoon([call = std::move(call), level, event = std::move(event), log = log_,
                        id = statement_id_](Cancellation* cancellation) {
    const Status sent = call(cancellation);
    log.Write(level, event, {{"statement_id", id}, {"sent", sent.ok()}});
  });
}

}  // namespace dbx
