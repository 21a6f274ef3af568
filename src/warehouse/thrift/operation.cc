// SPDX-License-Identifier: Apache-2.0
#include "warehouse/thrift/operation.h"

#include <utility>

namespace dbx::thrift {
Operation::Operation(std::shared_ptr<SessionCore> core, TOperationHandle handle,
                     std::shared_ptr<const Config> config)
    : core_(std::move(core)),
      handle_(std::move(handle)),
      config_(std::move(config)),
      lifetime_(core_->housekeeper(), core_->loss(), core_->log(), ToUuid(handle_.operationId),
                CallsOf(core_.get(), handle_)) {}

StatementLifetime::Calls Operation::CallsOf(SessionCore* core, const TOperationHandle& handle) {
  return {.beat =
              [core, handle](Cancellation* cancellation) {
                TGetOperationStatusReq request;
                request.operationHandle = handle;
                const auto operation = core->Call(kHeartbeat, request, cancellation);
                Status status = operation.ok() ? ToStatus(*operation) : operation.status();
                const bool ended = operation.ok() || status.session_lost();
                return StatementLifetime::Pulse{.status = std::move(status), .ended = ended};
              },
          .cancel =
              [client = &core->client(), handle](Cancellation* cancellation) {
                TCancelOperationReq request;
                request.operationHandle = handle;
                return client->Call(kCancelOperation, request, cancellation).status();
              },
          .close =
              [client = &core->client(), handle](Cancellation* cancellation) {
                TCloseOperationReq request;
                request.operationHandle = handle;
                return client->Call(kCloseOperation, request, cancellation).status();
              }};
}

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
    pause = WiderPause(pause, first_pause);
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

void Operation::Close() {
  if (fetches_running_ > 0) CancelOnServer();
  lifetime_.Close();
}

}  // namespace dbx::thrift
