// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

#include "base/cancellation.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/mutex.h"
#include "base/status.h"
#include "warehouse/housekeeper.h"
#include "warehouse/session_loss.h"

namespace dbx {

/// The pause before the next question for a statement's status: twice the last one, up to ten times
/// the first.
Milliseconds WiderPause(Milliseconds pause, Milliseconds first_pause);

/// A statement's life on the server, whatever the protocol: kept by heartbeats, cancelled once,
/// closed once; its calls are the session's housekeeper's, so that nothing here waits for the
/// network. Methods from any thread.
class StatementLifetime {
 public:
  struct Pulse {
    Status status;       ///< of the call, or what it says of the statement
    bool ended = false;  ///< the server has the statement no more: no further beat is wanted
  };
  /// `beat` may use what owns this object, which calls Close in its destructor. `cancel` and
  /// `close` may run later: they hold what they need, and use nothing that dies before the
  /// housekeeper.
  struct Calls {
    std::function<Pulse(Cancellation* cancellation)> beat;
    std::function<Status(Cancellation* cancellation)> cancel;
    std::function<Status(Cancellation* cancellation)> close;
  };

  /// `housekeeper`, `loss` and `log` are the session's and outlive this.
  StatementLifetime(Housekeeper& housekeeper, const SessionLoss& loss, const Log& log,
                    std::string statement_id, Calls calls);
  StatementLifetime(const StatementLifetime&) = delete;
  StatementLifetime& operator=(const StatementLifetime&) = delete;

  const std::string& statement_id() const { return statement_id_; }

  /// The server has closed it: no call on it can succeed any more.
  void MarkClosed() EXCLUDES(mutex_);
  /// Beats every `interval` (0: never) until Close, a bad end, or too many failures in a row.
  void KeepAlive(Milliseconds interval) EXCLUDES(mutex_);
  /// Cancels it on the server, once.
  void CancelOnServer() EXCLUDES(mutex_);
  /// Ends the heartbeat and closes it on the server, once; not when the session is gone.
  void Close() EXCLUDES(mutex_);

 private:
  bool Beat(Cancellation* cancellation);
  /// Runs `call` soon and logs `event` with how it went.
  void Send(std::function<Status(Cancellation*)> call, LogLevel level, std::string event);

  // Set once.
  Housekeeper& housekeeper_;
  const SessionLoss& loss_;
  const Log& log_;
  const std::string statement_id_;
  const Calls calls_;

  int32_t failed_beats_ = 0;  // touched by the housekeeper's thread alone

  Mutex mutex_;
  bool cancelled_ GUARDED_BY(mutex_) = false;
  bool closed_ GUARDED_BY(mutex_) = false;
  bool kept_alive_ GUARDED_BY(mutex_) = false;
  Housekeeper::BeatId beat_ GUARDED_BY(mutex_) = 0;
};

}  // namespace dbx
