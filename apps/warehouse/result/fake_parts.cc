// SPDX-License-Identifier: Apache-2.0
#include "result/fake_parts.h"

#include <cstring>
#include <utility>

#include "base/str_cat.h"

namespace dbx::local {

Result<std::string> FakeSpool::Put(std::string_view bytes, std::optional<int64_t> chunk_index) {
  MutexLock lock(mutex_);
  const std::string name = StrCat("object-", next_++, "-", chunk_index.value_or(-1));
  objects_.emplace(name, bytes);
  return name;
}

std::shared_ptr<const SharedBytes> FakeSpool::Get(std::string_view) const {
  return nullptr;
}

void FakeSpool::Remove(std::string_view name) {
  MutexLock lock(mutex_);
  objects_.erase(std::string(name));
}

std::string FakeSpool::Bytes(const std::string& name) const {
  MutexLock lock(mutex_);
  const auto found = objects_.find(name);
  return found == objects_.end() ? "" : found->second;
}

int64_t FakeSpool::num_objects() const {
  MutexLock lock(mutex_);
  return static_cast<int64_t>(objects_.size());
}

std::string FakeSigner::Sign(std::string_view base, std::string_view name,
                             std::chrono::seconds lifetime) const {
  MutexLock lock(mutex_);
  return StrCat(base, "/results/", name, "?life=", lifetime.count(), "&n=", ++count_);
}

void FakeFaults::Add(FaultPoint point, std::string method, FaultAction action) {
  MutexLock lock(mutex_);
  rules_.push_back({point, std::move(method), std::move(action)});
}

std::optional<FaultAction> FakeFaults::Next(const FaultContext& context) {
  MutexLock lock(mutex_);
  for (auto rule = rules_.begin(); rule != rules_.end(); ++rule) {
    if (rule->point != context.point) continue;
    if (!rule->method.empty() && rule->method != context.thrift_method) continue;
    FaultAction action = std::move(rule->action);
    rules_.erase(rule);
    return action;
  }
  return std::nullopt;
}

bool FakeFaults::empty() const {
  MutexLock lock(mutex_);
  return rules_.empty();
}

SteadyTime FakeClock::Now() const {
  MutexLock lock(mutex_);
  return SteadyTime(now_);
}

WallTime FakeClock::WallNow() const {
  MutexLock lock(mutex_);
  return WallTime(now_);
}

void FakeClock::Advance(std::chrono::seconds duration) {
  MutexLock lock(mutex_);
  now_ += duration;
}

std::string ObjectOf(const std::string& link) {
  const size_t start = link.find("/results/") + std::strlen("/results/");
  return link.substr(start, link.find('?') - start);
}

}  // namespace dbx::local
