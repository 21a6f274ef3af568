// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "base/mutex.h"
#include "thrift/handle_id.h"
#include "thrift/operation.h"

namespace dbx::local {

/// The open sessions and their operations, looked up by both parts of their handles. Thread-safe.
class SessionTable {
 public:
  void Add(std::shared_ptr<Session> session) EXCLUDES(mutex_);
  /// Null when there is none.
  std::shared_ptr<Session> Find(const thrift::TSessionHandle& handle) const EXCLUDES(mutex_);
  /// True for a session that was open once and is not any more (as far back as is remembered).
  bool WasClosed(const thrift::TSessionHandle& handle) const EXCLUDES(mutex_);
  /// Takes the session out, and its operations, for the caller to end; null session: there was
  /// none.
  struct Removed {
    std::shared_ptr<Session> session;
    std::vector<std::shared_ptr<Operation>> operations;
  };
  Removed Remove(const thrift::TSessionHandle& handle) EXCLUDES(mutex_);

  void AddOperation(std::shared_ptr<Operation> operation) EXCLUDES(mutex_);
  std::shared_ptr<Operation> FindOperation(const thrift::TOperationHandle& handle) const
      EXCLUDES(mutex_);
  std::shared_ptr<Operation> RemoveOperation(const HandleId& id) EXCLUDES(mutex_);

  /// Every operation, to be ended one by one.
  std::vector<std::shared_ptr<Operation>> operations() const EXCLUDES(mutex_);
  size_t num_sessions() const EXCLUDES(mutex_);
  size_t num_operations() const EXCLUDES(mutex_);

 private:
  mutable Mutex mutex_;
  std::map<HandleId, std::shared_ptr<Session>> sessions_ GUARDED_BY(mutex_);
  std::map<HandleId, std::shared_ptr<Operation>> operations_ GUARDED_BY(mutex_);
  std::deque<HandleId::Part> closed_ GUARDED_BY(mutex_);
};

}  // namespace dbx::local
