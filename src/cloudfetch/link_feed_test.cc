// SPDX-License-Identifier: Apache-2.0
#include "cloudfetch/link_feed.h"

#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "cloudfetch/testing/fake_links.h"

namespace dbx {
namespace {

class News : public LinkFeed::Listener {
 public:
  void OnLink(ResultLink link) override {
    MutexLock lock(mutex_);
    links_.push_back(std::move(link));
    changed_.NotifyAll();
  }
  void OnLinksEnded(Status status) override {
    MutexLock lock(mutex_);
    end_ = std::move(status);
    changed_.NotifyAll();
  }
  void OnRefreshed(int64_t chunk_index, Result<ResultLink> link) override {
    MutexLock lock(mutex_);
    refreshed_.emplace_back(chunk_index, link.status());
    changed_.NotifyAll();
  }

  void WaitForLinks(size_t count) {
    MutexLock lock(mutex_);
    while (links_.size() < count) changed_.Wait(mutex_);
  }
  Status WaitForEnd() {
    MutexLock lock(mutex_);
    while (!end_) changed_.Wait(mutex_);
    return *end_;
  }
  std::vector<std::pair<int64_t, Status>> WaitForRefreshes(size_t count) {
    MutexLock lock(mutex_);
    while (refreshed_.size() < count) changed_.Wait(mutex_);
    return refreshed_;
  }

 private:
  Mutex mutex_;
  Condition changed_;
  std::vector<ResultLink> links_ GUARDED_BY(mutex_);
  std::optional<Status> end_ GUARDED_BY(mutex_);
  std::vector<std::pair<int64_t, Status>> refreshed_ GUARDED_BY(mutex_);
};

std::shared_ptr<FakeLinks> MakeLinks(int64_t count) {
  std::vector<ResultLink> links(static_cast<size_t>(count));
  for (int64_t i = 0; i < count; ++i) links[static_cast<size_t>(i)].chunk_index = i;
  return std::make_shared<FakeLinks>(std::move(links));
}

TEST(LinkFeed, FetchesNoMoreThanIsWanted) {
  const auto links = MakeLinks(10);
  News news;
  LinkFeed feed(std::make_unique<FakeLinkSource>(links), &news);
  feed.WantUpTo(4);
  news.WaitForLinks(4);
  feed.WantUpTo(2);  // never goes back
  feed.Refresh(ResultLink{});
  news.WaitForRefreshes(1);  // the feed has looked for work again, and there were no links to fetch
  EXPECT_EQ(links->num_given(), 4U);
  feed.WantUpTo(100);
  EXPECT_TRUE(news.WaitForEnd().ok());
  EXPECT_EQ(links->num_given(), 10U);
}

TEST(LinkFeed, TellsWhyThereAreNoMoreLinks) {
  const auto links = MakeLinks(10);
  links->FailAfter(2, Status::Unavailable("page 2"));
  News news;
  LinkFeed feed(std::make_unique<FakeLinkSource>(links), &news);
  feed.WantUpTo(5);
  EXPECT_EQ(news.WaitForEnd().message(), "page 2");
}

TEST(LinkFeed, AnswersEveryRefreshAlsoAfterTheLastLink) {
  const auto links = MakeLinks(0);
  News news;
  LinkFeed feed(std::make_unique<FakeLinkSource>(links), &news);
  feed.WantUpTo(1);
  ASSERT_TRUE(news.WaitForEnd().ok());
  for (int64_t i = 0; i < 5; ++i) {
    ResultLink stale;
    stale.chunk_index = i;
    feed.Refresh(stale);
  }
  EXPECT_EQ(news.WaitForRefreshes(5).size(), 5U);
  EXPECT_EQ(links->num_refreshes(), 5);
}

TEST(LinkFeed, TellsOfAnExceptionAsOfAnError) {
  class Throwing : public LinkSource {
   public:
    Result<std::optional<ResultLink>> Next() override { throw std::runtime_error("no thread"); }
    Result<ResultLink> Refresh(const ResultLink& /*stale*/) override { throw 7; }
    void Cancel(Status /*reason*/) override {}
  };
  News news;
  LinkFeed feed(std::make_unique<Throwing>(), &news);
  feed.WantUpTo(1);
  const Status end = news.WaitForEnd();
  EXPECT_EQ(end.code(), StatusCode::kInternal);
  EXPECT_EQ(end.message(), "link source: no thread");
  feed.Refresh(ResultLink{});
  EXPECT_EQ(news.WaitForRefreshes(1).front().second.code(), StatusCode::kInternal);
}

TEST(LinkFeed, EndsACallThatIsUnderWay) {
  const auto links = MakeLinks(3);
  links->BlockAfter(1);
  News news;
  {
    LinkFeed feed(std::make_unique<FakeLinkSource>(links), &news);
    feed.WantUpTo(3);
    links->WaitUntilBlocked();
    feed.Cancel(Status::Cancelled("enough"));
    EXPECT_EQ(news.WaitForEnd().message(), "enough");
  }
  EXPECT_TRUE(links->is_destroyed());
}

}  // namespace
}  // namespace dbx
