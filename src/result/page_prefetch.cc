// SPDX-License-Identifier: Apache-2.0
#include <deque>
#include <thread>
#include <utility>

#include "base/mutex.h"
#include "result/page_source.h"

namespace dbx {
namespace {

class PrefetchingPageSource : public PageSource {
 public:
  PrefetchingPageSource(std::unique_ptr<PageSource> pages, size_t depth)
      : pages_(std::move(pages)), depth_(depth), thread_([this] { FetchAll(); }) {}

  ~PrefetchingPageSource() override {
    Cancel(Status::Cancelled("result stream released"));
    thread_.join();
  }

  Result<std::optional<InlinePage>> Next() override {
    MutexLock lock(mutex_);
    while (ready_.empty() && !ended_ && cancelled_.ok()) changed_.Wait(mutex_);
    if (!cancelled_.ok()) return cancelled_;
    if (ready_.empty()) {
      if (!failure_.ok()) return failure_;
      return std::optional<InlinePage>();
    }
    std::optional<InlinePage> page(std::move(ready_.front()));
    ready_.pop_front();
    changed_.NotifyAll();
    return page;
  }

  void Cancel(Status reason) override {
    {
      MutexLock lock(mutex_);
      if (cancelled_.ok()) cancelled_ = reason;
      changed_.NotifyAll();
    }
    pages_->Cancel(std::move(reason));
  }

 private:
  // Runs on thread_ alone, the only caller of pages_->Next().
  void FetchAll() {
    while (WaitForRoom()) {
      if (!Keep(pages_->Next())) return;
    }
  }

  // Room first, then the call: no page lies in this thread's hands while it waits.
  bool WaitForRoom() {
    MutexLock lock(mutex_);
    while (ready_.size() >= depth_ && cancelled_.ok()) changed_.Wait(mutex_);
    return cancelled_.ok();
  }

  bool Keep(Result<std::optional<InlinePage>> page) {
    MutexLock lock(mutex_);
    const bool more = page.ok() && page->has_value();
    if (more) {
      ready_.push_back(std::move(**page));
    } else {
      ended_ = true;
      failure_ = page.status();
    }
    changed_.NotifyAll();
    return more;
  }

  const std::unique_ptr<PageSource> pages_;
  const size_t depth_;

  Mutex mutex_;
  Condition changed_;
  std::deque<InlinePage> ready_ GUARDED_BY(mutex_);
  bool ended_ GUARDED_BY(mutex_) = false;
  Status failure_ GUARDED_BY(mutex_);
  Status cancelled_ GUARDED_BY(mutex_);

  std::thread thread_;
};

}  // namespace

std::unique_ptr<PageSource> MakePrefetchingPageSource(std::unique_ptr<PageSource> pages,
                                                      size_t depth) {
  return std::make_unique<PrefetchingPageSource>(std::move(pages), depth);
}

}  // namespace dbx
