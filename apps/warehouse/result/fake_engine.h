// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <nanoarrow/nanoarrow.hpp>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "sql/engine.h"

namespace dbx::local {

/// A door that a fake statement waits behind until the test opens it or somebody interrupts the
/// statement.
class Gate {
 public:
  void Open() EXCLUDES(mutex_);
  void Interrupt() EXCLUDES(mutex_);
  /// kCancelled when interrupted.
  Status Wait() EXCLUDES(mutex_);
  /// Blocks until somebody waits.
  void WaitForArrival() EXCLUDES(mutex_);

 private:
  Mutex mutex_;
  Condition changed_;
  bool open_ GUARDED_BY(mutex_) = false;
  bool interrupted_ GUARDED_BY(mutex_) = false;
  int arrived_ GUARDED_BY(mutex_) = 0;
};

/// A result of given batches. With a gate, every batch from `gated_from` on waits behind it.
struct FakeResult {
  StatementKind kind = StatementKind::kQuery;
  std::vector<ResultColumn> columns = {};
  std::function<std::vector<nanoarrow::UniqueArray>()> batches = {};
  std::optional<int64_t> modified_rows = {};
  std::shared_ptr<Gate> run_gate = {};
  std::shared_ptr<Gate> rows_gate = {};
  size_t gated_from = 0;
  Status error = {};       ///< of Run
  Status rows_error = {};  ///< after the last batch
};

/// Answers statements by their text; listings are small and fixed. Thread-safe once the results are
/// set.
class FakeEngine final : public Engine {
 public:
  Result<std::unique_ptr<SqlSession>> NewSession(
      std::optional<std::string> catalog, std::optional<std::string> schema,
      const std::map<std::string, std::string>& confs) override;

  std::map<std::string, FakeResult> results;
  std::string time_zone = "Etc/UTC";

  /// What the statements were asked, in order.
  std::vector<SqlRequest> requests() EXCLUDES(mutex_);
  std::map<std::string, std::string> last_confs() EXCLUDES(mutex_);

 private:
  friend class FakeSession;
  Mutex mutex_;
  std::vector<SqlRequest> requests_ GUARDED_BY(mutex_);
  std::map<std::string, std::string> last_confs_ GUARDED_BY(mutex_);
};

/// Columns `id` BIGINT and `name` STRING, rows numbered from `first`; every seventh name is NULL.
std::vector<ResultColumn> NumberedColumns();
nanoarrow::UniqueArray NumberedRows(int64_t first, int64_t num_rows);
/// `num_rows` numbered rows in batches of 4,096 at most.
FakeResult NumberedResult(int64_t num_rows);

/// A batch of one column of `type`, filled by `fill` on an array that is being appended to.
nanoarrow::UniqueArray OneColumn(const std::string& arrow_format,
                                 const std::function<void(ArrowArray*)>& fill);

}  // namespace dbx::local
