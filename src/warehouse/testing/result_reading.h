// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "base/mutex.h"
#include "base/status.h"
#include "result/link_source.h"
#include "result/result_stream.h"

namespace dbx {

/// Every row number of a result with the columns of RowSchema() in arrow/testing, or the first
/// failure.
Result<std::vector<int64_t>> ReadRows(ResultStream& rows);

/// The result of reading all links.
Result<std::vector<ResultLink>> ReadLinks(LinkSource& links);

/// A door that a handler waits at until the test opens it.
class Gate {
 public:
  void Open() EXCLUDES(mutex_);
  void Wait() EXCLUDES(mutex_);

 private:
  Mutex mutex_;
  Condition changed_;
  bool open_ GUARDED_BY(mutex_) = false;
};

}  // namespace dbx
