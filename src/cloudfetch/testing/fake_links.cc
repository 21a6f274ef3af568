// SPDX-License-Identifier: Apache-2.0
#include "cloudfetch/testing/fake_links.h"

#include <utility>

namespace dbx {

void FakeLinks::set_refresher(Refresher refresher) {
  MutexLock lock(mutex_);
  refresher_ = std::move(refresher);
}

void FakeLinks::FailAfter(size_t num_links, Status status) {
  MutexLock lock(mutex_);
  fail_after_ = num_links;
  failure_ = std::move(status);
}

void FakeLinks::BlockAfter(size_t num_links) {
  MutexLock lock(mutex_);
  block_after_ = num_links;
}

void FakeLinks::BlockRefresh() {
  MutexLock lock(mutex_);
  block_refresh_ = true;
}

void FakeLinks::Rewind() {
  MutexLock lock(mutex_);
  num_given_ = 0;
  cancelled_ = Status::Ok();
}

void FakeLinks::Replace(size_t position, ResultLink link) {
  MutexLock lock(mutex_);
  links_[position] = std::move(link);
}

int FakeLinks::num_refreshes() const {
  MutexLock lock(mutex_);
  return num_refreshes_;
}

size_t FakeLinks::num_given() const {
  MutexLock lock(mutex_);
  return num_given_;
}

bool FakeLinks::is_destroyed() const {
  MutexLock lock(mutex_);
  return destroyed_;
}

void FakeLinks::WaitUntilBlocked() {
  MutexLock lock(mutex_);
  while (!blocked_) changed_.Wait(mutex_);
}

Status FakeLinks::Block() {
  blocked_ = true;
  changed_.NotifyAll();
  while (cancelled_.ok()) changed_.Wait(mutex_);
  return cancelled_;
}

Result<std::optional<ResultLink>> FakeLinks::Next() {
  MutexLock lock(mutex_);
  if (!cancelled_.ok()) return cancelled_;
  if (num_given_ >= block_after_) return Block();
  if (num_given_ >= fail_after_) return failure_;
  if (num_given_ == links_.size()) return std::optional<ResultLink>();
  return std::optional<ResultLink>(links_[num_given_++]);
}

Result<ResultLink> FakeLinks::Refresh(const ResultLink& stale) {
  Refresher refresher;
  {
    MutexLock lock(mutex_);
    if (!cancelled_.ok()) return cancelled_;
    if (block_refresh_) return Block();
    ++num_refreshes_;
    refresher = refresher_;
  }
  return refresher ? refresher(stale) : Result<ResultLink>(stale);
}

void FakeLinks::Cancel(Status reason) {
  MutexLock lock(mutex_);
  if (cancelled_.ok()) cancelled_ = std::move(reason);
  changed_.NotifyAll();
}

FakeLinkSource::~FakeLinkSource() {
  MutexLock lock(links_->mutex_);
  links_->destroyed_ = true;
}

}  // namespace dbx
