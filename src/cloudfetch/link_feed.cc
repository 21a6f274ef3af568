// SPDX-License-Identifier: Apache-2.0
#include "cloudfetch/link_feed.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "base/str_cat.h"

namespace dbx {
namespace {

/// What `call` returns, or what it threw: on the feed's thread nobody else would catch that.
template <typename Call>
auto Guarded(const Call& call) -> decltype(call()) {
  try {
    return call();
  } catch (const std::exception& failure) {
    return Status::Internal(StrCat("link source: ", failure.what()));
  } catch (...) {
    return Status::Internal("link source: unknown exception");
  }
}

}  // namespace

LinkFeed::LinkFeed(std::unique_ptr<LinkSource> source, Listener* listener)
    : source_(std::move(source)), listener_(listener), thread_([this] { Run(); }) {}

LinkFeed::~LinkFeed() {
  Cancel(Status::Cancelled("result stream released"));
  thread_.join();
}

void LinkFeed::WantUpTo(int64_t num_links) {
  MutexLock lock(mutex_);
  if (num_links <= num_wanted_) return;
  num_wanted_ = num_links;
  changed_.NotifyOne();
}

void LinkFeed::Refresh(ResultLink stale) {
  MutexLock lock(mutex_);
  stale_.push_back(std::move(stale));
  changed_.NotifyOne();
}

void LinkFeed::Cancel(Status reason) {
  {
    MutexLock lock(mutex_);
    if (cancelled_) return;
    cancelled_ = true;
    changed_.NotifyOne();
  }
  source_->Cancel(std::move(reason));
}

std::optional<ResultLink> LinkFeed::TakeStale() {
  const auto lowest = std::min_element(
      stale_.begin(), stale_.end(),
      [](const ResultLink& a, const ResultLink& b) { return a.chunk_index < b.chunk_index; });
  if (lowest == stale_.end()) return std::nullopt;
  std::optional<ResultLink> taken(std::move(*lowest));
  stale_.erase(lowest);
  return taken;
}

std::optional<LinkFeed::Task> LinkFeed::WaitForTask() {
  MutexLock lock(mutex_);
  while (!cancelled_ && stale_.empty() && (ended_ || num_fetched_ >= num_wanted_)) {
    changed_.Wait(mutex_);
  }
  if (cancelled_) return std::nullopt;
  return Task{.stale = TakeStale()};
}

void LinkFeed::Run() {
  while (std::optional<Task> task = WaitForTask()) {
    if (task->stale) {
      listener_->OnRefreshed(task->stale->chunk_index,
                             Guarded([&] { return source_->Refresh(*task->stale); }));
    } else {
      FetchNext();
    }
  }
}

void LinkFeed::FetchNext() {
  Result<std::optional<ResultLink>> link = Guarded([this] { return source_->Next(); });
  if (link.ok() && link->has_value()) {
    ++num_fetched_;
    listener_->OnLink(std::move(**link));
    return;
  }
  ended_ = true;
  listener_->OnLinksEnded(link.status());
}

}  // namespace dbx
