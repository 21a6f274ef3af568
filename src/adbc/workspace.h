// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string_view>

#include "arrow/slab_pool.h"
#include "auth/auth_provider.h"
#include "base/log.h"
#include "base/mutex.h"
#include "base/status.h"
#include "http/http_client.h"
#include "options/config.h"
#include "warehouse/session.h"

namespace dbx {

/// What all connections of one database share: credentials, memory, connections to the workspace
/// and to storage. Kept alive by everything that uses it. All methods from any thread.
class Workspace {
 public:
  /// Starts no thread and asks nobody. Errors: those of SelectAuth and of the log file.
  static Result<std::shared_ptr<Workspace>> Make(const Config& config);

  /// For requests that carry credentials; made upon the first call.
  Result<HttpClient*> control_client() EXCLUDES(mutex_);
  /// For storage, which never sees credentials; made upon the first call.
  Result<HttpClient*> storage_client() EXCLUDES(mutex_);

  AuthProvider* auth() const { return auth_.get(); }
  const std::shared_ptr<SlabPool>& slab_pool() const { return slab_pool_; }
  const Log& log() const { return log_; }

 private:
  Workspace(const Config& config, std::unique_ptr<AuthProvider> auth, Log log);

  Result<HttpClient*> Client(std::unique_ptr<HttpClient>& client) REQUIRES(mutex_);

  const HttpConfig http_;
  const Log log_;
  const std::unique_ptr<AuthProvider> auth_;
  const std::shared_ptr<SlabPool> slab_pool_;
  Mutex mutex_;
  std::unique_ptr<HttpClient> control_client_ GUARDED_BY(mutex_);
  std::unique_ptr<HttpClient> storage_client_ GUARDED_BY(mutex_);
};

/// As OpenSession, so that a test can have its own service.
using SessionFactory =
    std::function<Result<std::unique_ptr<Session>>(const SessionContext&, Cancellation*)>;

/// A session and all that it works with. Connection, statements and results hold it together; the
/// last one of them closes it on the server.
struct LiveSession {
  std::shared_ptr<Workspace> workspace;
  Config config;
  std::unique_ptr<Session> session;  // last: it uses the others until it is gone
};

/// Opens a session. Errors: those of OpenSession and of making an HTTP client.
Result<std::shared_ptr<LiveSession>> OpenLiveSession(std::shared_ptr<Workspace> workspace,
                                                     Config config, const SessionFactory& factory,
                                                     Cancellation* cancellation);

}  // namespace dbx
