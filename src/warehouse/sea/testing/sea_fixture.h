// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "base/mutex.h"
#include "warehouse/sea/testing/fake_sea.h"
#include "warehouse/session.h"
#include "warehouse/testing/result_reading.h"

namespace dbx::sea {

/// A session on a FakeSea. Intervals are a millisecond, heartbeats are off, every log line is kept.
class SeaFixture : public testing::Test {
 protected:
  SeaFixture();

  Result<std::unique_ptr<Session>> TryOpen(Cancellation* cancellation = nullptr);
  /// Runs a statement on `session`, opened first if it is not.
  Result<Execution> Execute(StatementRequest request = {.sql = "SELECT 1"},
                            Cancellation* cancellation = nullptr);
  /// The rows of a statement whose result comes inline, or the first failure.
  Result<std::vector<int64_t>> ExecuteAndRead();
  /// The links of a statement, or the first failure.
  Result<std::vector<ResultLink>> ExecuteAndReadLinks();
  /// Serves the file behind Link(0, 0, num_rows), plain.
  void ServeFirstFile(int64_t num_rows);
  /// Closes the session, after which the service has been told everything.
  void Close() { session.reset(); }
  /// Everything logged so far.
  std::string LogText() const;

  FakeSea service;
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

}  // namespace dbx::sea
