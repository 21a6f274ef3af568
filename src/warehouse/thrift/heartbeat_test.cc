// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <atomic>

#include "warehouse/housekeeper.h"
#include "warehouse/thrift/testing/thrift_fixture.h"

namespace dbx::thrift {
namespace {

constexpr Milliseconds kSoon(1);
constexpr Milliseconds kNever(3'600'000);

class ThriftHeartbeat : public ThriftFixture {
 protected:
  ThriftHeartbeat() { config.statement.heartbeat_interval = kSoon; }

  /// A result of links, which stays open on the server while it lives.
  std::unique_ptr<LinkSource> OpenResult() {
    service.InOrder(kExecuteStatement,
                    {Finished(1, LinkMetadata(), LinkPage(0, {5}, false), false)});
    auto execution = Execute();
    EXPECT_TRUE(execution.ok()) << execution.status().ToString();
    return execution.ok() ? std::move(execution->links) : nullptr;
  }
};

TEST_F(ThriftHeartbeat, C22_AsksForTheStatusWhileAResultIsUnreadAndNotAfter) {
  auto links = OpenResult();
  ASSERT_TRUE(service.WaitForCalls("GetOperationStatus", 3));
  links.reset();
  const int beats = service.num_calls("GetOperationStatus");
  Close();
  EXPECT_EQ(service.num_calls("GetOperationStatus"), beats);
  EXPECT_TRUE(service.Requests(kHeartbeat).at(0).operationHandle.operationId == Identifier(1));
}

TEST_F(ThriftHeartbeat, C22_SendsNoHeartbeatForWhatTheServerClosed) {
  service.InOrder(kExecuteStatement, {Finished(1, ArrowMetadata(), ArrowPage(0, 5, false), true)});
  const auto execution = Execute();
  auto links = OpenResult();  // its beats show that time has passed
  ASSERT_TRUE(service.WaitForCalls("GetOperationStatus", 3));
  for (const TGetOperationStatusReq& beat : service.Requests(kHeartbeat)) {
    EXPECT_TRUE(beat.operationHandle.operationId == Identifier(1));
  }
  EXPECT_EQ(service.num_calls("CloseOperation"), 0);
}

TEST_F(ThriftHeartbeat, C22_StopsAtABadEnd) {
  service.InOrder(kGetOperationStatus, {InState(TOperationState::FINISHED_STATE),
                                        InState(TOperationState::CLOSED_STATE)});
  auto links = OpenResult();
  ASSERT_TRUE(service.WaitForCalls("GetOperationStatus", 2));
  auto other = OpenResult();
  ASSERT_TRUE(service.WaitForCalls("GetOperationStatus", 3));  // the other's only beat
  links.reset();
  other.reset();
  Close();
  EXPECT_EQ(service.num_calls("GetOperationStatus"), 3);
}

TEST_F(ThriftHeartbeat, C22_SurvivesFailuresAndGivesUpAfterTenInARow) {
  auto call = std::make_shared<std::atomic<int>>(0);
  Gate tenth;
  service.OnHttp("GetOperationStatus",
                 [call, &tenth](const HttpRequest&) -> std::optional<Result<HttpResponse>> {
                   const int number = ++*call;
                   if (number == 4) return std::nullopt;  // a good one: the count starts anew
                   if (number == 14) tenth.Open();
                   return Result<HttpResponse>(Status::NotFound("gone"));
                 });
  auto links = OpenResult();
  tenth.Wait();
  links.reset();
  Close();
  EXPECT_EQ(call->load(), 14);
}

TEST(Housekeeper, RunsTasksInOrderBeforeItEnds) {
  std::vector<int> order;
  {
    Housekeeper housekeeper;
    for (int number = 0; number < 5; ++number) {
      housekeeper.RunSoon([&order, number](Cancellation*) { order.push_back(number); });
    }
    housekeeper.Shutdown(kNever);
    housekeeper.RunSoon([&order](Cancellation*) { order.push_back(99); });  // too late: dropped
  }
  EXPECT_EQ(order, (std::vector<int>{0, 1, 2, 3, 4}));
}

TEST(Housekeeper, CancelsATaskThatTakesTooLong) {
  Housekeeper housekeeper;
  Status ended;
  housekeeper.RunSoon([&ended](Cancellation* limit) { ended = limit->WaitFor(kNever); });
  housekeeper.Shutdown(Milliseconds(0));
  EXPECT_EQ(ended.code(), StatusCode::kCancelled);
}

TEST(Housekeeper, StoppingABeatCancelsTheRunningOne) {
  Housekeeper housekeeper;
  Gate begun;
  std::atomic<bool> ended = false;
  const auto beat = housekeeper.StartBeat(kSoon, [&](Cancellation* limit) {
    begun.Open();
    EXPECT_FALSE(limit->WaitFor(kNever).ok());
    ended = true;
    return true;
  });
  begun.Wait();
  housekeeper.StopBeat(beat);
  EXPECT_TRUE(ended);
}

TEST(Housekeeper, KeepsSeveralBeatsApart) {
  Housekeeper housekeeper;
  Gate fast_done;
  std::atomic<int> fast = 0;
  std::atomic<int> slow = 0;
  housekeeper.StartBeat(kNever, [&](Cancellation*) { return ++slow > 0; });
  housekeeper.StartBeat(kSoon, [&](Cancellation*) {
    if (++fast < 3) return true;
    fast_done.Open();
    return false;
  });
  fast_done.Wait();
  housekeeper.Shutdown(Milliseconds(0));
  EXPECT_EQ(fast, 3);
  EXPECT_EQ(slow, 0);
}

}  // namespace
}  // namespace dbx::thrift
