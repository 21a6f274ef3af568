// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <string>

#include "base/clock.h"
#include "base/mutex.h"
#include "net/faults.h"
#include "net/spool.h"

namespace dbx::local {

/// Objects in memory, which the test can look at.
class FakeSpool final : public Spool {
 public:
  Result<std::string> Put(std::string_view bytes, std::optional<int64_t> chunk_index) override;
  std::shared_ptr<const SharedBytes> Get(std::string_view name) const override;
  void Remove(std::string_view name) override;

  std::string Bytes(const std::string& name) const EXCLUDES(mutex_);
  int64_t num_objects() const override EXCLUDES(mutex_);
  int64_t num_bytes() const override { return 0; }

 private:
  mutable Mutex mutex_;
  std::map<std::string, std::string> objects_ GUARDED_BY(mutex_);
  int next_ GUARDED_BY(mutex_) = 0;
};

/// Links that say what they were made of: "<base>/results/<name>?life=<seconds>&n=<count>".
class FakeSigner final : public LinkSigner {
 public:
  std::string Sign(std::string_view base, std::string_view name,
                   std::chrono::seconds lifetime) const override;
  LinkCheck Check(std::string_view, std::string_view, WallTime) const override { return {}; }

 private:
  mutable Mutex mutex_;
  mutable int64_t count_ GUARDED_BY(mutex_) = 0;
};

/// Gives each action once, at its point and method (any statement when that is empty).
class FakeFaults final : public FaultScript {
 public:
  void Add(FaultPoint point, std::string method, FaultAction action) EXCLUDES(mutex_);

  Status Load(std::string_view) override { return Status::Ok(); }
  void Clear() override {}
  std::optional<FaultAction> Next(const FaultContext& context) override;
  bool empty() const override;
  std::string Describe() const override { return "{}"; }

 private:
  struct Rule {
    FaultPoint point;
    std::string method;
    FaultAction action;
  };
  mutable Mutex mutex_;
  std::deque<Rule> rules_ GUARDED_BY(mutex_);
};

class FakeClock final : public Clock {
 public:
  SteadyTime Now() const override EXCLUDES(mutex_);
  WallTime WallNow() const override EXCLUDES(mutex_);
  void Advance(std::chrono::seconds duration) EXCLUDES(mutex_);

 private:
  mutable Mutex mutex_;
  std::chrono::seconds now_ GUARDED_BY(mutex_){1'700'000'000};
};

/// The spooled object that a fake link names.
std::string ObjectOf(const std::string& link);

}  // namespace dbx::local
