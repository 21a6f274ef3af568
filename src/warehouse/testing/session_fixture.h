// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <utility>

#include "auth/auth_provider.h"
#include "base/mutex.h"
#include "warehouse/session.h"
#include "warehouse/testing/result_reading.h"

namespace dbx {

/// A session on a `Service` that speaks `kProtocol`. Intervals are a millisecond, heartbeats are
/// off, every log line is kept.
template <typename Service, Protocol kProtocol>
class SessionFixture : public testing::Test {
 protected:
  explicit SessionFixture(const std::string& host)
      : auth_(MakeTokenAuthProvider(Secret("dapi-SECRET-TOKEN"))) {
    config.protocol = kProtocol;
    config.endpoint.host = host;
    config.endpoint.http_path = "/sql/1.0/warehouses/abc";
    config.endpoint.warehouse_id = "abc";
    config.statement.poll_interval = std::chrono::milliseconds(1);
    config.statement.heartbeat_interval = std::chrono::milliseconds(0);
    config.retry.first_delay = std::chrono::milliseconds(1);
    config.retry.max_delay = std::chrono::milliseconds(2);
  }

  Result<std::unique_ptr<Session>> TryOpen(Cancellation* cancellation = nullptr) {
    const auto keep = [lines = log_lines_](LogLevel, std::string_view line) {
      MutexLock lock(lines->mutex);
      lines->text.append(line).push_back('\n');
    };
    return OpenSession({.config = &config,
                        .http = service.http(),
                        .auth = auth_.get(),
                        .log = Log(LogLevel::kTrace, keep)},
                       cancellation);
  }
  /// Runs a statement on `session`, opened first if it is not.
  Result<Execution> Execute(StatementRequest request = {.sql = "SELECT 1"},
                            Cancellation* cancellation = nullptr) {
    if (!session) {
      ASSIGN_OR_RETURN(session, TryOpen());
    }
    return session->Execute(request, cancellation);
  }
  /// Closes the session, after which the service has been told everything.
  void Close() { session.reset(); }
  /// Everything logged so far.
  std::string LogText() const {
    MutexLock lock(log_lines_->mutex);
    return log_lines_->text;
  }

  Service service;
  Config config;

 private:
  struct LogLines {
    Mutex mutex;
    std::string text GUARDED_BY(mutex);
  };
  const std::shared_ptr<LogLines> log_lines_ = std::make_shared<LogLines>();
  const std::unique_ptr<AuthProvider> auth_;

 protected:
  std::unique_ptr<Session> session;  // last: it uses all the above until it has closed
};

}  // namespace dbx
