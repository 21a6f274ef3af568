// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/cancellation.h"
#include "base/clock.h"
#include "base/status.h"
#include "warehouse/sea/session_core.h"
#include "warehouse/statement_lifetime.h"

namespace dbx::sea {

/// A statement that lives on the server until this dies, unless the server has closed it by itself.
/// Methods from any thread; none waits for the network but those that take a Cancellation.
class SeaStatement {
 public:
  /// `config`: options of this statement; null: the session's.
  SeaStatement(std::shared_ptr<SessionCore> core, const std::string& statement_id,
               std::shared_ptr<const Config> config);
  ~SeaStatement() { Close(); }
  SeaStatement(const SeaStatement&) = delete;
  SeaStatement& operator=(const SeaStatement&) = delete;

  const std::string& statement_id() const { return lifetime_.statement_id(); }
  SessionCore& core() { return *core_; }
  const Config& config() const { return config_ ? *config_ : core_->config(); }

  /// Asks for the status, in widening intervals, from `reply` on until the statement has ended. A
  /// bad end is an error; a cancelled wait, or one past `deadline` (kTimeout), cancels the
  /// statement on the server too.
  Result<StatementReply> WaitUntilFinished(StatementReply reply, std::optional<SteadyTime> deadline,
                                           Cancellation* cancellation);
  Result<ResultMessage> Chunk(int64_t chunk_index, Cancellation* cancellation);
  /// The chunks that come next; its index is preferred to its internal link.
  Result<ResultMessage> Chunk(const NextChunk& next, Cancellation* cancellation);

  /// The server has closed it: no call on it can succeed any more.
  void MarkClosed() { lifetime_.MarkClosed(); }
  /// Keeps the server from dropping it for want of calls, until Close, a bad end, or too many
  /// failures in a row.
  void KeepAlive() { lifetime_.KeepAlive(config().statement.heartbeat_interval); }
  /// Cancels it on the server in the background, once.
  void CancelOnServer() { lifetime_.CancelOnServer(); }
  /// Ends the heartbeat and closes it on the server in the background, once.
  void Close() { lifetime_.Close(); }

 private:
  Status Describe(const Status& failure) const { return failure.WithStatementId(statement_id()); }
  static StatementLifetime::Calls CallsOf(SeaClient* client, const std::string& statement_id);

  // Set once.
  const std::shared_ptr<SessionCore> core_;
  const std::shared_ptr<const Config> config_;  // null: the session's
  StatementLifetime lifetime_;
};

}  // namespace dbx::sea
