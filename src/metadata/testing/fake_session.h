// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "warehouse/session.h"

namespace dbx {

/// A schema of int64 columns.
std::shared_ptr<const Schema> Int64Schema(const std::vector<std::string>& columns);

/// A batch of one int64 column.
RecordBatch Int64Batch(const std::vector<int64_t>& values);

/// The rows of an inline result: one int64 column called `column`, one batch a list.
Execution Int64Result(const std::string& column, const std::vector<std::vector<int64_t>>& batches);

/// What was asked of the fakes, also after they are gone.
struct FakeSessionRecord {
  mutable Mutex mutex;
  std::vector<StatementRequest> requests GUARDED_BY(mutex);
  int num_closed GUARDED_BY(mutex) = 0;
  std::string catalog GUARDED_BY(mutex) = "main";
  std::string schema GUARDED_BY(mutex) = "default";
};

/// A session without a service. Answers statements by `on_execute`; each of the methods may be
/// called on any thread.
class FakeSession : public Session {
 public:
  using Handler = std::function<Result<Execution>(const StatementRequest&, Cancellation*)>;

  FakeSession(Handler on_execute, std::shared_ptr<FakeSessionRecord> record)
      : on_execute_(std::move(on_execute)), record_(std::move(record)) {}
  ~FakeSession() override;

  Result<Execution> Execute(const StatementRequest& request, Cancellation* cancellation) override;
  std::string catalog() const override;
  std::string schema() const override;
  /// Names beginning with "missing" are not found.
  Status SetCatalog(const std::string& catalog) override;
  Status SetSchema(const std::string& schema) override;
  Result<std::vector<std::string>> TableTypes() override;
  Result<std::string> ServerVersion() override;

 private:
  const Handler on_execute_;
  const std::shared_ptr<FakeSessionRecord> record_;
};

}  // namespace dbx
