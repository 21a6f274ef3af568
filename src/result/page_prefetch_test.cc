// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "base/cancellation.h"
#include "base/mutex.h"
#include "result/page_source.h"

namespace dbx {
namespace {

/// Counts what it is asked for. Page n starts at row n; after `num_pages` comes `end`.
class CountingPages : public PageSource {
 public:
  struct Counter {
    Mutex mutex;
    Condition changed;
    int asked GUARDED_BY(mutex) = 0;

    void WaitFor(int count) {
      MutexLock lock(mutex);
      while (asked < count) changed.Wait(mutex);
    }
    int Asked() {
      MutexLock lock(mutex);
      return asked;
    }
  };

  CountingPages(Counter* counter, int num_pages, Status end = Status::Ok())
      : counter_(counter), num_pages_(num_pages), end_(std::move(end)) {}

  Result<std::optional<InlinePage>> Next() override {
    {
      MutexLock lock(counter_->mutex);
      ++counter_->asked;
      counter_->changed.NotifyAll();
    }
    if (next_ < num_pages_) {
      InlinePage page;
      page.row_offset = next_++;
      return std::optional<InlinePage>(std::move(page));
    }
    if (num_pages_ < 0) return cancelled_.WaitFor(std::chrono::hours(1));
    if (!end_.ok()) return end_;
    return std::optional<InlinePage>();
  }
  void Cancel(Status reason) override { cancelled_.Cancel(std::move(reason)); }

 private:
  Counter* const counter_;
  const int num_pages_;  // negative: hangs until it is cancelled
  const Status end_;
  int next_ = 0;
  Cancellation cancelled_;
};

TEST(PrefetchingPageSource, FetchesAheadAndNoFurtherThanItsDepth) {
  CountingPages::Counter counter;
  auto pages = MakePrefetchingPageSource(std::make_unique<CountingPages>(&counter, 10), 2);
  counter.WaitFor(2);  // without a reader
  EXPECT_EQ((*pages->Next())->row_offset, 0);
  counter.WaitFor(3);
  EXPECT_EQ(counter.Asked(), 3);
}

TEST(PrefetchingPageSource, GivesAllPagesInOrderAndThenTheEnd) {
  CountingPages::Counter counter;
  auto pages = MakePrefetchingPageSource(std::make_unique<CountingPages>(&counter, 20), 1);
  for (int64_t number = 0; number < 20; ++number) EXPECT_EQ((*pages->Next())->row_offset, number);
  EXPECT_FALSE(pages->Next()->has_value());
  EXPECT_FALSE(pages->Next()->has_value());
  EXPECT_EQ(counter.Asked(), 21);
}

TEST(PrefetchingPageSource, GivesTheFailureAfterThePagesBeforeIt) {
  CountingPages::Counter counter;
  auto pages = MakePrefetchingPageSource(
      std::make_unique<CountingPages>(&counter, 1, Status::Io("reset")), 3);
  counter.WaitFor(2);
  EXPECT_TRUE(pages->Next()->has_value());
  EXPECT_EQ(pages->Next().status().code(), StatusCode::kIo);
  EXPECT_EQ(pages->Next().status().code(), StatusCode::kIo);
}

TEST(PrefetchingPageSource, CancelEndsAFetchThatHangs) {
  CountingPages::Counter counter;
  auto pages = MakePrefetchingPageSource(std::make_unique<CountingPages>(&counter, -1), 1);
  counter.WaitFor(1);
  pages->Cancel(Status::Cancelled("enough"));
  EXPECT_EQ(pages->Next().status().message(), "enough");
}

TEST(PrefetchingPageSource, DyingEndsAFetchThatHangs) {
  CountingPages::Counter counter;
  auto pages = MakePrefetchingPageSource(std::make_unique<CountingPages>(&counter, -1), 1);
  counter.WaitFor(1);
  pages.reset();
  EXPECT_EQ(counter.Asked(), 1);
}

}  // namespace
}  // namespace dbx
