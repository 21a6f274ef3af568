// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/cancellation.h"
#include "base/clock.h"
#include "base/mutex.h"
#include "base/status.h"
#include "warehouse/sea/session_core.h"

namespace dbx::sea {

/// A statement that lives on the server until this dies, unless the server has closed it by itself.
/// Methods from any thread; none waits for the network but those that take a Cancellation.
class SeaStatement {
 public:
  /// `config`: options of this statement; null: the session's.
  SeaStatement(std::shared_ptr<SessionCore> core, std::string statement_id,
               std::shared_ptr<const Config> config);
  ~SeaStatement() { Close(); }
  SeaStatement(const SeaStatement&) = delete;
  SeaStatement& operator=(const SeaStatement&) = delete;

  const std::string& statement_id() const { return statement_id_; }
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
  void MarkClosed() EXCLUDES(mutex_);
  /// Keeps the server from dropping it for want of calls, until Close, a bad end, or too many
  /// failures in a row.
  void KeepAlive() EXCLUDES(mutex_);
  /// Cancels it on the server in the background, once.
  void CancelOnServer() EXCLUDES(mutex_);
  /// Ends the heartbeat and closes it on the server in the background, once.
  void Close() EXCLUDES(mutex_);

 private:
  Status Describe(const Status& failure) const { return failure.WithStatementId(statement_id_); }
  bool Beat(Cancellation* cancellation);

  // Set once.
  const std::shared_ptr<SessionCore> core_;
  const std::string statement_id_;
  const std::shared_ptr<const Config> config_;  // null: the session's

  int32_t failed_beats_ = 0;  // touched by the housekeeper's thread alone

  Mutex mutex_;
  bool cancelled_ GUARDED_BY(mutex_) = false;
  bool closed_ GUARDED_BY(mutex_) = false;
  bool kept_alive_ GUARDED_BY(mutex_) = false;
  Housekeeper::BeatId beat_ GUARDED_BY(mutex_) = 0;
};

}  // namespace dbx::sea
