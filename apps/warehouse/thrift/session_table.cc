// SPDX-License-Identifier: Apache-2.0
#include "thrift/session_table.h"

#include <algorithm>
#include <utility>

namespace dbx::local {
namespace {

constexpr size_t kClosedRemembered = 1024;

template <typename T>
std::shared_ptr<T> FindIn(const std::map<HandleId, std::shared_ptr<T>>& table,
                          const thrift::THandleIdentifier& identifier) {
  const auto id = HandleId::Parse(identifier);
  const auto found = id ? table.find(*id) : table.end();
  return found == table.end() ? nullptr : found->second;
}

}  // namespace

void SessionTable::Add(std::shared_ptr<Session> session) {
  MutexLock lock(mutex_);
  const HandleId id = session->id;
  sessions_.emplace(id, std::move(session));
}

std::shared_ptr<Session> SessionTable::Find(const thrift::TSessionHandle& handle) const {
  MutexLock lock(mutex_);
  return FindIn(sessions_, handle.sessionId);
}

bool SessionTable::WasClosed(const thrift::TSessionHandle& handle) const {
  const auto id = HandleId::Parse(handle.sessionId);
  if (!id) return false;
  MutexLock lock(mutex_);
  return std::find(closed_.begin(), closed_.end(), id->guid) != closed_.end();
}

SessionTable::Removed SessionTable::Remove(const thrift::TSessionHandle& handle) {
  MutexLock lock(mutex_);
  Removed removed{.session = FindIn(sessions_, handle.sessionId), .operations = {}};
  if (!removed.session) return removed;
  sessions_.erase(removed.session->id);
  closed_.push_back(removed.session->id.guid);
  if (closed_.size() > kClosedRemembered) closed_.pop_front();
  std::erase_if(operations_, [&](const auto& entry) {
    if (&entry.second->session() != removed.session.get()) return false;
    removed.operations.push_back(entry.second);
    return true;
  });
  return removed;
}

void SessionTable::AddOperation(std::shared_ptr<Operation> operation) {
  MutexLock lock(mutex_);
  const HandleId id = operation->id();
  operations_.emplace(id, std::move(operation));
}

std::shared_ptr<Operation> SessionTable::FindOperation(
    const thrift::TOperationHandle& handle) const {
  MutexLock lock(mutex_);
  return FindIn(operations_, handle.operationId);
}

std::shared_ptr<Operation> SessionTable::RemoveOperation(const HandleId& id) {
  MutexLock lock(mutex_);
  const auto found = operations_.find(id);
  if (found == operations_.end()) return nullptr;
  std::shared_ptr<Operation> operation = std::move(found->second);
  operations_.erase(found);
  return operation;
}

std::vector<std::shared_ptr<Operation>> SessionTable::operations() const {
  MutexLock lock(mutex_);
  std::vector<std::shared_ptr<Operation>> all;
  all.reserve(operations_.size());
  for (const auto& [id, operation] : operations_) all.push_back(operation);
  return all;
}

size_t SessionTable::num_sessions() const {
  MutexLock lock(mutex_);
  return sessions_.size();
}

size_t SessionTable::num_operations() const {
  MutexLock lock(mutex_);
  return operations_.size();
}

}  // namespace dbx::local
