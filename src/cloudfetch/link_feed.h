// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include "base/mutex.h"
#include "base/status.h"
#include "result/link_source.h"

namespace dbx {

/// Asks a LinkSource for links ahead of need, on a thread of its own: the only one that calls Next
/// and Refresh. One call is under way at a time; a refresh goes before further links, the lowest
/// chunk first.
class LinkFeed {
 public:
  /// Called on the feed's thread. An exception of the source becomes kInternal.
  class Listener {
   public:
    virtual ~Listener() = default;
    virtual void OnLink(ResultLink link) = 0;
    /// Once, last of OnLink's kind: Ok after the last link, else why there are no more.
    virtual void OnLinksEnded(Status status) = 0;
    virtual void OnRefreshed(int64_t chunk_index, Result<ResultLink> link) = 0;
  };

  /// `listener` outlives this.
  LinkFeed(std::unique_ptr<LinkSource> source, Listener* listener);
  ~LinkFeed();
  LinkFeed(const LinkFeed&) = delete;
  LinkFeed& operator=(const LinkFeed&) = delete;

  /// Links may be fetched until the listener has had `num_links` in all. Never goes back.
  void WantUpTo(int64_t num_links) EXCLUDES(mutex_);
  /// One answer to OnRefreshed for each call.
  void Refresh(ResultLink stale) EXCLUDES(mutex_);
  /// Ends a call under way and all later ones with `reason`.
  void Cancel(Status reason) EXCLUDES(mutex_);

 private:
  struct Task {
    std::optional<ResultLink> stale;  // to refresh, else the next link
  };
  void Run();
  std::optional<Task> WaitForTask() EXCLUDES(mutex_);
  std::optional<ResultLink> TakeStale() REQUIRES(mutex_);
  void FetchNext();

  const std::unique_ptr<LinkSource> source_;
  Listener* const listener_;

  Mutex mutex_;
  Condition changed_;
  int64_t num_wanted_ GUARDED_BY(mutex_) = 0;
  std::vector<ResultLink> stale_ GUARDED_BY(mutex_);
  bool cancelled_ GUARDED_BY(mutex_) = false;

  // The thread's.
  int64_t num_fetched_ = 0;
  bool ended_ = false;

  std::thread thread_;
};

}  // namespace dbx
