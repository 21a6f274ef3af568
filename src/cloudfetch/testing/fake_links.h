// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "base/mutex.h"
#include "result/link_source.h"

namespace dbx {

/// What a test sets of a FakeLinkSource and asks of it, also after the source is gone. All methods
/// from any thread.
class FakeLinks {
 public:
  /// Makes the fresh link for a stale one; by default the same link.
  using Refresher = std::function<Result<ResultLink>(const ResultLink&)>;

  explicit FakeLinks(std::vector<ResultLink> links) : links_(std::move(links)) {}

  void set_refresher(Refresher refresher) EXCLUDES(mutex_);
  /// Next fails with `status` when so many links were given.
  void FailAfter(size_t num_links, Status status) EXCLUDES(mutex_);
  /// Next blocks, until Cancel, when so many links were given.
  void BlockAfter(size_t num_links) EXCLUDES(mutex_);
  void BlockRefresh() EXCLUDES(mutex_);
  /// From the first link again, for the next stream; nothing is cancelled any more.
  void Rewind() EXCLUDES(mutex_);
  void Replace(size_t position, ResultLink link) EXCLUDES(mutex_);

  int num_refreshes() const EXCLUDES(mutex_);
  size_t num_given() const EXCLUDES(mutex_);
  bool is_destroyed() const EXCLUDES(mutex_);
  /// Until a call that blocks has begun.
  void WaitUntilBlocked() EXCLUDES(mutex_);

 private:
  friend class FakeLinkSource;
  Result<std::optional<ResultLink>> Next() EXCLUDES(mutex_);
  Result<ResultLink> Refresh(const ResultLink& stale) EXCLUDES(mutex_);
  void Cancel(Status reason) EXCLUDES(mutex_);
  Status Block() REQUIRES(mutex_);

  mutable Mutex mutex_;
  Condition changed_;
  std::vector<ResultLink> links_ GUARDED_BY(mutex_);
  Refresher refresher_ GUARDED_BY(mutex_);
  size_t num_given_ GUARDED_BY(mutex_) = 0;
  int num_refreshes_ GUARDED_BY(mutex_) = 0;
  size_t fail_after_ GUARDED_BY(mutex_) = SIZE_MAX;
  Status failure_ GUARDED_BY(mutex_);
  size_t block_after_ GUARDED_BY(mutex_) = SIZE_MAX;
  bool block_refresh_ GUARDED_BY(mutex_) = false;
  bool blocked_ GUARDED_BY(mutex_) = false;
  bool destroyed_ GUARDED_BY(mutex_) = false;
  Status cancelled_ GUARDED_BY(mutex_);
};

/// A LinkSource over FakeLinks.
class FakeLinkSource : public LinkSource {
 public:
  explicit FakeLinkSource(std::shared_ptr<FakeLinks> links) : links_(std::move(links)) {}
  ~FakeLinkSource() override;
  Result<std::optional<ResultLink>> Next() override { return links_->Next(); }
  Result<ResultLink> Refresh(const ResultLink& stale) override { return links_->Refresh(stale); }
  void Cancel(Status reason) override { links_->Cancel(std::move(reason)); }

 private:
  const std::shared_ptr<FakeLinks> links_;
};

}  // namespace dbx
