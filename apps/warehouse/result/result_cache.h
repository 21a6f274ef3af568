// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <string>

#include "base/mutex.h"
#include "result/stored_result.h"

namespace dbx::local {

/// Complete results of queries by all that decides their bytes, so that the same question is
/// answered from the spool. Thread-safe. Anything that changes data must call Clear.
class ResultCache {
 public:
  /// Null when there is none.
  std::shared_ptr<StoredResult> Find(const std::string& key) const EXCLUDES(mutex_);
  /// Keeps `result`; the oldest go when there are too many.
  void Insert(std::string key, std::shared_ptr<StoredResult> result) EXCLUDES(mutex_);
  void Clear() EXCLUDES(mutex_);

 private:
  mutable Mutex mutex_;
  std::map<std::string, std::shared_ptr<StoredResult>> results_ GUARDED_BY(mutex_);
  std::deque<std::string> order_ GUARDED_BY(mutex_);
};

}  // namespace dbx::local
