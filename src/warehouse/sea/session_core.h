// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/cancellation.h"
#include "base/mutex.h"
#include "base/status.h"
#include "warehouse/housekeeper.h"
#include "warehouse/sea/sea_client.h"
#include "warehouse/session.h"
#include "warehouse/session_loss.h"

namespace dbx::sea {

/// What a session and its statements share; a statement's result may outlive the session. Methods
/// from any thread.
class SessionCore {
 public:
  explicit SessionCore(const SessionContext& context) : context_(context), client_(context) {}

  const Config& config() const { return *context_.config; }
  const Log& log() const { return context_.log; }
  SeaClient& client() { return client_; }
  Housekeeper& housekeeper() { return housekeeper_; }
  /// For storage, which never sees credentials.
  Result<HttpClient*> storage() const;

  /// Set once, before anybody else knows of the core.
  void SetSessionId(std::string session_id) { session_id_ = std::move(session_id); }
  const std::string& session_id() const { return session_id_; }

  const SessionLoss& loss() const { return loss_; }
  /// Ok, or why the session is gone for good.
  Status lost() const { return loss_.status(); }
  /// Remembers a failure that tells of a lost session; gives it back.
  Status Note(Status failure) { return loss_.Note(std::move(failure)); }

  /// What results are asked for as; goes down for good when the service refuses one.
  Disposition disposition() const { return disposition_; }
  /// True: a plainer disposition is left to try.
  bool LowerDisposition(Disposition refused);

  struct Names {
    std::string catalog;
    std::string schema;
  };
  /// nullopt: not known, or a statement may have changed them.
  std::optional<Names> names() const EXCLUDES(mutex_);
  void SetNames(Names names) EXCLUDES(mutex_);

  /// The zone of timestamps in results that do not tell theirs: the last one seen, or as
  /// configured.
  std::string time_zone() const EXCLUDES(mutex_);
  void SetTimeZone(std::string time_zone) EXCLUDES(mutex_);
  /// False: a statement may have changed it since.
  bool time_zone_is_sure() const EXCLUDES(mutex_);

  /// Looks at a statement that is sent: USE and SET make what is known of the session doubtful.
  void NoteStatement(std::string_view sql) EXCLUDES(mutex_);

 private:
  const SessionContext context_;
  SeaClient client_;
  std::string session_id_;
  std::atomic<Disposition> disposition_{Disposition::kInlineOrExternalLinks};

  SessionLoss loss_;

  mutable Mutex mutex_;
  std::optional<Names> names_ GUARDED_BY(mutex_);
  std::string time_zone_ GUARDED_BY(mutex_);
  bool time_zone_is_sure_ GUARDED_BY(mutex_) = true;

  Housekeeper housekeeper_;  // last: its thread uses all the above
};

}  // namespace dbx::sea
