// SPDX-License-Identifier: Apache-2.0
#include "base/channel.h"

#include <gtest/gtest.h>

#include <future>
#include <memory>
#include <thread>

namespace dbx {
namespace {

TEST(Channel, GivesItemsInOrderThenTheOrderlyEnd) {
  Channel<int> channel(3);
  EXPECT_TRUE(channel.Push(1).ok());
  EXPECT_TRUE(channel.Push(2).ok());
  EXPECT_EQ(channel.size(), 2U);
  channel.Finish();
  EXPECT_EQ(channel.Pop().value(), 1);
  EXPECT_EQ(channel.Pop().value(), 2);
  EXPECT_EQ(channel.Pop().value(), std::nullopt);
  EXPECT_EQ(channel.Pop().value(), std::nullopt);
}

TEST(Channel, AFailureComesAfterWhatWasPushed) {
  Channel<int> channel(3);
  EXPECT_TRUE(channel.Push(1).ok());
  channel.Fail(Status::Io("reset"));
  EXPECT_EQ(channel.Pop().value(), 1);
  EXPECT_EQ(channel.Pop().status().message(), "reset");
  EXPECT_EQ(channel.Push(2).message(), "reset");
}

TEST(Channel, CancelDropsWhatWasPushed) {
  Channel<std::shared_ptr<int>> channel(3);
  auto item = std::make_shared<int>(1);
  const std::weak_ptr<int> watch = item;
  EXPECT_TRUE(channel.Push(std::move(item)).ok());
  channel.Cancel(Status::Cancelled("stop"));
  EXPECT_TRUE(watch.expired());
  EXPECT_EQ(channel.Pop().status().code(), StatusCode::kCancelled);
}

TEST(Channel, CancelWinsOverAnOrderlyEndButNotOverAFailure) {
  Channel<int> finished(1);
  finished.Finish();
  finished.Cancel(Status::Cancelled("stop"));
  EXPECT_EQ(finished.Pop().status().code(), StatusCode::kCancelled);
  Channel<int> failed(1);
  failed.Fail(Status::Io("reset"));
  failed.Cancel(Status::Cancelled("stop"));
  EXPECT_EQ(failed.Pop().status().code(), StatusCode::kIo);
}

TEST(Channel, TheFirstEndStays) {
  Channel<int> channel(1);
  channel.Finish();
  channel.Fail(Status::Io("late"));
  EXPECT_EQ(channel.Pop().value(), std::nullopt);
  EXPECT_EQ(channel.Push(1).code(), StatusCode::kInvalidState);
}

TEST(Channel, CloseEndsAsItsReasonSays) {
  Channel<int> well(1);
  well.Close(Status::Ok());
  EXPECT_EQ(well.Pop().value(), std::nullopt);
  Channel<int> badly(1);
  badly.Close(Status::Timeout("late"));
  EXPECT_EQ(badly.Pop().status().code(), StatusCode::kTimeout);
}

TEST(Channel, APopWaitsForAPush) {
  Channel<int> channel(1);
  std::promise<std::optional<int>> popped;
  std::thread reader([&] { popped.set_value(channel.Pop().value()); });
  EXPECT_TRUE(channel.Push(7).ok());
  EXPECT_EQ(popped.get_future().get(), 7);
  reader.join();
}

TEST(Channel, CancelEndsAPushThatWaits) {
  Channel<int> channel(1);
  EXPECT_TRUE(channel.Push(1).ok());
  std::promise<Status> pushed;
  std::thread writer([&] { pushed.set_value(channel.Push(2)); });
  channel.Cancel(Status::Cancelled("stop"));
  EXPECT_EQ(pushed.get_future().get().code(), StatusCode::kCancelled);
  writer.join();
}

TEST(Channel, HoldsNoMoreThanItsCapacity) {
  Channel<int> channel(2);
  constexpr int kItems = 2000;
  std::thread writer([&] {
    for (int i = 0; i < kItems; ++i) {
      if (!channel.Push(i).ok()) return;
    }
    channel.Finish();
  });
  int expected = 0;
  while (true) {
    EXPECT_LE(channel.size(), 2U);
    const std::optional<int> item = channel.Pop().value();
    if (!item) break;
    EXPECT_EQ(*item, expected++);
  }
  writer.join();
  EXPECT_EQ(expected, kItems);
}

}  // namespace
}  // namespace dbx
