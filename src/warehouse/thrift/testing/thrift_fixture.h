// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "arrow/testing/ipc_writer.h"
#include "base/mutex.h"
#include "warehouse/session.h"
#include "warehouse/testing/result_reading.h"
#include "warehouse/thrift/testing/fake_replies.h"
#include "warehouse/thrift/testing/fake_service.h"

namespace dbx::thrift {

/// A session on a FakeService. Intervals are a millisecond, heartbeats are off, every log line is
/// kept.
class ThriftFixture : public testing::Test {
 protected:
  ThriftFixture();

  Result<std::unique_ptr<Session>> TryOpen(Cancellation* cancellation = nullptr);
  /// Opens `session`, or fails the test.
  void Open();
  /// Runs a statement on `session`, opened first if it is not.
  Result<Execution> Execute(StatementRequest request = {.sql = "SELECT 1"},
                            Cancellation* cancellation = nullptr);
  /// Closes the session, after which the service has been told everything.
  void Close() { session.reset(); }
  /// Everything logged so far.
  std::string LogText() const;

  FakeService service;
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

}  // namespace dbx::thrift
