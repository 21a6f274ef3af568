// SPDX-License-Identifier: Apache-2.0
#include "base/cancellation.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <thread>
#include <vector>

namespace dbx {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;

TEST(Cancellation, KeepsTheFirstReason) {
  Cancellation cancellation;
  EXPECT_TRUE(cancellation.status().ok());
  cancellation.Cancel(Status::Cancelled("first"));
  cancellation.Cancel(Status::Timeout("second"));
  EXPECT_EQ(cancellation.status().code(), StatusCode::kCancelled);
  EXPECT_EQ(cancellation.status().message(), "first");
}

TEST(Cancellation, CallsEachCallbackOnce) {
  Cancellation cancellation;
  int num_calls = 0;
  cancellation.Add([&] { ++num_calls; });
  cancellation.Add([&] { ++num_calls; });
  cancellation.Cancel(Status::Cancelled("stop"));
  cancellation.Cancel(Status::Cancelled("stop"));
  EXPECT_EQ(num_calls, 2);
}

TEST(Cancellation, CallsALateCallbackAtOnce) {
  Cancellation cancellation;
  cancellation.Cancel(Status::Cancelled("stop"));
  bool called = false;
  const CancellationCallback callback(&cancellation, [&] { called = true; });
  EXPECT_TRUE(called);
}

TEST(Cancellation, ARemovedCallbackIsNotCalled) {
  Cancellation cancellation;
  bool called = false;
  {
    const CancellationCallback callback(&cancellation, [&] { called = true; });
  }
  cancellation.Cancel(Status::Cancelled("stop"));
  EXPECT_FALSE(called);
}

TEST(Cancellation, NothingCancelsWithoutOne) {
  const CancellationCallback callback(nullptr, [] { FAIL(); });
}

TEST(Cancellation, RemoveWaitsForACallbackThatRuns) {
  Cancellation cancellation;
  std::promise<void> started;
  std::promise<void> go_on;
  std::atomic<bool> finished = false;
  const auto id = cancellation.Add([&] {
    started.set_value();
    go_on.get_future().wait();
    finished = true;
  });
  std::thread canceller([&] { cancellation.Cancel(Status::Cancelled("stop")); });
  started.get_future().wait();
  std::thread remover([&] {
    cancellation.Remove(id);
    EXPECT_TRUE(finished);
  });
  go_on.set_value();
  remover.join();
  canceller.join();
}

TEST(Cancellation, EndsAWaitOnAnotherThread) {
  Cancellation cancellation;
  std::promise<Status> result;
  std::thread waiter([&] { result.set_value(cancellation.WaitFor(hours(1))); });
  cancellation.Cancel(Status::Cancelled("stop"));
  EXPECT_EQ(result.get_future().get().message(), "stop");
  waiter.join();
}

TEST(Cancellation, AWaitThatNobodyCancelsEndsWell) {
  Cancellation cancellation;
  const auto start = std::chrono::steady_clock::now();
  EXPECT_TRUE(cancellation.WaitFor(milliseconds(5)).ok());
  EXPECT_GE(std::chrono::steady_clock::now() - start, milliseconds(5));
}

TEST(Cancellation, AWaitAfterCancelDoesNotWait) {
  Cancellation cancellation;
  cancellation.Cancel(Status::Timeout("late"));
  EXPECT_EQ(cancellation.WaitFor(hours(1)).code(), StatusCode::kTimeout);
}

TEST(Cancellation, ManyThreadsMayAddAndRemoveWhileItIsCancelled) {
  Cancellation cancellation;
  std::vector<std::thread> threads;
  std::atomic<int> num_calls = 0;
  constexpr int kRounds = 500;
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([&] {
      for (int round = 0; round < kRounds; ++round) {
        auto alive = std::make_unique<int>(1);
        const CancellationCallback callback(&cancellation,
                                            [&, value = alive.get()] { num_calls += *value; });
      }
    });
  }
  cancellation.Cancel(Status::Cancelled("stop"));
  for (std::thread& thread : threads) thread.join();
  EXPECT_LE(num_calls, 3 * kRounds);
}

}  // namespace
}  // namespace dbx
