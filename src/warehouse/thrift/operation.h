// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/cancellation.h"
#include "base/status.h"
#include "warehouse/statement_lifetime.h"
#include "warehouse/thrift/session_core.h"
#include "warehouse/thrift/thrift_types.h"

namespace dbx::thrift {

/// What one FetchResults call asks for.
struct FetchRange {
  int64_t max_rows = 0;
  int64_t max_bytes = 0;
  /// Links from this row of the result on; nullopt: the next rows at the server's cursor.
  std::optional<int64_t> start_row;
  bool with_metadata = false;
};

/// A statement or listing that lives on the server until this dies, unless the server has closed it
/// by itself. Methods from any thread; none waits for the network but those that take a
/// Cancellation.
class Operation {
 public:
  /// `config`: options of this statement; null: the session's.
  Operation(std::shared_ptr<SessionCore> core, TOperationHandle handle,
            std::shared_ptr<const Config> config = nullptr);
  ~Operation() { Close(); }
  Operation(const Operation&) = delete;
  Operation& operator=(const Operation&) = delete;

  const std::string& statement_id() const { return lifetime_.statement_id(); }
  SessionCore& core() { return *core_; }
  const Config& config() const { return config_ ? *config_ : core_->config(); }

  /// Asks for the status, in widening intervals, until the statement has ended. A bad end is an
  /// error; a cancelled wait cancels the statement on the server too.
  Result<TGetOperationStatusResp> WaitUntilFinished(Cancellation* cancellation);
  Result<TGetResultSetMetadataResp> Metadata(Cancellation* cancellation);
  Result<TFetchResultsResp> Fetch(const FetchRange& range, Cancellation* cancellation);

  /// The server has closed it: no call on it can succeed any more.
  void MarkClosed() { lifetime_.MarkClosed(); }
  /// Keeps the server from closing it for want of calls, until Close, a bad end, or too many
  /// failures in a row.
  void KeepAlive() { lifetime_.KeepAlive(config().statement.heartbeat_interval); }
  /// Sends CancelOperation in the background, once.
  void CancelOnServer() { lifetime_.CancelOnServer(); }
  /// Ends the heartbeat and sends CloseOperation in the background, once; after a CancelOperation
  /// when the server is at work on a fetch of ours.
  void Close();

 private:
  Status Describe(const Status& failure) const { return failure.WithStatementId(statement_id()); }
  static StatementLifetime::Calls CallsOf(SessionCore* core, const TOperationHandle& handle);

  // Set once.
  const std::shared_ptr<SessionCore> core_;
  const TOperationHandle handle_;
  const std::shared_ptr<const Config> config_;  // null: the session's
  StatementLifetime lifetime_;

  std::atomic<int32_t> fetches_running_{0};
};

}  // namespace dbx::thrift
