// SPDX-License-Identifier: Apache-2.0
#include "result/result_cache.h"

#include <utility>

namespace dbx::local {
namespace {

constexpr size_t kMaxResults = 64;

}  // namespace

std::shared_ptr<StoredResult> ResultCache::Find(const std::string& key) const {
  MutexLock lock(mutex_);
  const auto found = results_.find(key);
  return found == results_.end() ? nullptr : found->second;
}

void ResultCache::Insert(std::string key, std::shared_ptr<StoredResult> result) {
  std::shared_ptr<StoredResult> dropped;  // dies, and deletes its files, outside the lock
  MutexLock lock(mutex_);
  if (!results_.emplace(key, std::move(result)).second) return;
  order_.push_back(std::move(key));
  if (order_.size() <= kMaxResults) return;
  const auto oldest = results_.find(order_.front());
  dropped = std::move(oldest->second);
  results_.erase(oldest);
  order_.pop_front();
}

void ResultCache::Clear() {
  std::map<std::string, std::shared_ptr<StoredResult>> dropped;  // likewise
  MutexLock lock(mutex_);
  dropped.swap(results_);
  order_.clear();
}

}  // namespace dbx::local
