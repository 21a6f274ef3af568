// SPDX-License-Identifier: Apache-2.0
#include "warehouse/thrift/operation.h"

#include <algorithm>
#include <utility>

namespace dbx::thrift {
namespace {

constexpr int32_t kMaxFailedBeats = 10;
constexpr int32_t kWidestPollInterval = 10;  // times the first

}  // namespace

Operation::Operation(std::shared_ptr<SessionCore> core, TOperationHandle handle,
                     std::shared_ptr<const Config> config)
    : core_(std::move(core)),
      handle_(std::move(handle)),
      config_(std::move(config)),
      statement_id_(ToUuid(handle_.operationId)) {}

Result<TGetOperationStatusResp> Operation::WaitUntilFinished(Cancellation* cancellation) {
  TGetOperationStatusReq request;
  request.operationHandle = handle_;
  Cancellation never;
  const Milliseconds first_pause = config().statement.poll_interval;
  Milliseconds pause = first_pause;
  while (true) {
    auto operation = core_->Call(kGetOperationStatus, request, cancellation);
    if (operation.ok() && IsTerminal(*operation)) {
      RETURN_IF_ERROR(Describe(core_->Note(ToStatus(*operation))));
      return operation;
    }
    // The server holds the call while nothing changes, so that the pause costs little time and few
    // calls.
    Status status = operation.status();
    if (status.ok()) status = (cancellation ? cancellation : &never)->WaitFor(pause);
    if (cancellation && !cancellation->status().ok()) CancelOnServer();
    RETURN_IF_ERROR(Describe(status));
    pause = std::min(pause * 2, first_pause * kWidestPollInterval);
  }
}

Result<TGetResultSetMetadataResp> Operation::Metadata(Cancellation* cancellation) {
  TGetResultSetMetadataReq request;
  request.operationHandle = handle_;
  auto metadata = core_->Call(kGetResultSetMetadata, request, cancellation);
  if (!metadata.ok()) return Describe(metadata.status());
  return metadata;
}

Result<TFetchResultsResp> Operation::Fetch(const FetchRange& range, Cancellation* cancellation) {
  TFetchResultsReq request;
  request.operationHandle = handle_;
  request.orientation = TFetchOrientation::FETCH_NEXT;
  request.maxRows = range.max_rows;
  request.__set_maxBytes(range.max_bytes);
  if (range.start_row) request.__set_startRowOffset(*range.start_row);
  if (range.with_metadata) request.__set_includeResultSetMetadata(true);
  ++fetches_running_;
  auto page = core_->Call(range.start_row ? kFetchLinks : kFetchNext, request, cancellation);
  --fetches_running_;
  if (!page.ok()) return Describe(page.status());
  return page;
}

void Operation::MarkClosed() {
  MutexLock lock(mutex_);
  closed_ = true;
}

void Operation::KeepAlive() {
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

bool Operation::Beat(Cancellation* cancellation) {
  TGetOperationStatusReq request;
  request.operationHandle = handle_;
  const auto operation = core_->Call(kHeartbeat, request, cancellation);
  const Status status = operation.ok() ? ToStatus(*operation) : operation.status();
  if (status.ok()) {
    failed_beats_ = 0;
    return true;
  }
  if (!cancellation->status().ok()) return false;
  const bool bad_end = operation.ok() || status.session_lost();
  core_->log().Write(LogLevel::kWarn, "heartbeat.failed",
                     {{"statement_id", statement_id_}, {"error", status.ToString()}});
  return !bad_end && ++failed_beats_ < kMaxFailedBeats;
}

void Operation::CancelOnServer() {
  {
    MutexLock lock(mutex_);
    if (closed_ || cancelled_) return;
    cancelled_ = true;
  }
  core_->housekeeper().RunSoon([client = &core_->client(), handle = handle_,
                                log = core_->log()](Cancellation* cancellation) {
    TCancelOperationReq request;
    request.operationHandle = handle;
    const auto reply = client->Call(kCancelOperation, request, cancellation);
    log.Write(LogLevel::kInfo, "statement.cancel",
              {{"statement_id", ToUuid(handle.operationId)}, {"sent", reply.ok()}});
  });
}

void Operation::Close() {
  if (fetches_running_ > 0) CancelOnServer();
  Housekeeper::BeatId beat = 0;
  bool closed = false;
  {
    MutexLock lock(mutex_);
    std::swap(beat, beat_);
    std::swap(closed, closed_);
    closed_ = true;
  }
  core_->housekeeper().StopBeat(beat);
  if (!closed && core_->lost().ok()) SendClose();
}

void Operation::SendClose() {
  core_->housekeeper().RunSoon([client = &core_->client(), handle = handle_,
                                log = core_->log()](Cancellation* cancellation) {
    TCloseOperationReq request;
    request.operationHandle = handle;
    // Whatever comes back, the operation is gone or will go with its session.
    const auto reply = client->Call(kCloseOperation, request, cancellation);
    log.Write(LogLevel::kDebug, "statement.close",
              {{"statement_id", ToUuid(handle.operationId)}, {"sent", reply.ok()}});
  });
}

}  // namespace dbx::thrift
