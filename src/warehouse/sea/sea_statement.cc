// SPDX-License-Identifier: Apache-2.0
#include "warehouse/sea/sea_statement.h"

#include <algorithm>
#include <utility>

#include "warehouse/sea/sea_status.h"

namespace dbx::sea {
namespace {

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

SeaStatement::SeaStatement(std::shared_ptr<SessionCore> core, const std::string& statement_id,
                           std::shared_ptr<const Config> config)
    : core_(std::move(core)),
      config_(std::move(config)),
      lifetime_(core_->housekeeper(), core_->loss(), core_->log(), statement_id,
                CallsOf(&core_->client(), statement_id)) {}

StatementLifetime::Calls SeaStatement::CallsOf(SeaClient* client, const std::string& statement_id) {
  return {.beat =
              [client, statement_id](Cancellation* cancellation) {
                const auto reply = client->Heartbeat(statement_id, cancellation);
                Status status = reply.ok() ? ToStatus(*reply) : reply.status();
                const bool ended = reply.ok() || status.code() == StatusCode::kNotFound;
                return StatementLifetime::Pulse{.status = std::move(status), .ended = ended};
              },
          .cancel =
              [client, statement_id](Cancellation* cancellation) {
                return client->CancelStatement(statement_id, cancellation);
              },
          .close =
              [client, statement_id](Cancellation* cancellation) {
                return client->CloseStatement(statement_id, cancellation);
              }};
}

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
      Result<StatementReply> next = core_->client().Get(statement_id(), cancellation);
      status = next.status();
      if (status.ok()) reply = *std::move(next);
    }
    const bool stopped = cancellation && !cancellation->status().ok();
    if (stopped || status.code() == StatusCode::kTimeout) CancelOnServer();
    RETURN_IF_ERROR(Describe(core_->Note(status)));
    pause = WiderPause(pause, first_pause);
  }
  RETURN_IF_ERROR(Describe(core_->Note(ToStatus(reply))));
  if (reply.state == State::kClosed) MarkClosed();
  return reply;
}

Result<ResultMessage> SeaStatement::Chunk(int64_t chunk_index, Cancellation* cancellation) {
  Result<ResultMessage> chunk = core_->client().Chunk(statement_id(), chunk_index, cancellation);
  if (!chunk.ok()) return Describe(core_->Note(chunk.status()));
  return chunk;
}

Result<ResultMessage> SeaStatement::Chunk(const NextChunk& next, Cancellation* cancellation) {
  if (next.chunk_index) return Chunk(*next.chunk_index, cancellation);
  Result<ResultMessage> chunk = core_->client().ChunkAt(next.internal_link, cancellation);
  if (!chunk.ok()) return Describe(core_->Note(chunk.status()));
  return chunk;
}

}  // namespace dbx::sea
