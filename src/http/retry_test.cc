// SPDX-License-Identifier: Apache-2.0
#include "http/retry.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "http/testing/fake_http_client.h"
#include "http/testing/test_client.h"

namespace dbx {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

class FakeClock : public Clock {
 public:
  SteadyTime Now() const override { return now; }
  WallTime WallNow() const override { return std::chrono::system_clock::from_time_t(784111777); }
  SteadyTime now{};
};

HttpResponseHead Head(int status, std::string retry_after = {}) {
  HttpResponseHead head;
  head.status = status;
  if (!retry_after.empty()) head.headers = {{"Retry-After", std::move(retry_after)}};
  return head;
}

struct RetryStateTest : testing::Test {
  RetryState Make(Repeatable repeatable) { return RetryState(policy, repeatable, clock, 7); }
  bool Retries(Repeatable repeatable, const HttpResponseHead& head) {
    return Make(repeatable).OnResponse(head).retry;
  }
  bool Retries(Repeatable repeatable, StatusCode code) {
    return Make(repeatable).OnFailure(Status(code, "x")).retry;
  }

  RetryPolicy policy;
  FakeClock clock;
};

TEST_F(RetryStateTest, RepeatsPassingAnswersOfHarmlessRequests) {
  for (const int status : {408, 429, 500, 502, 503, 504}) {
    EXPECT_TRUE(Retries(Repeatable::kAlways, Head(status))) << status;
  }
  for (const int status : {300, 302, 400, 401, 403, 404, 405, 409, 410, 413, 501}) {
    EXPECT_FALSE(Retries(Repeatable::kAlways, Head(status))) << status;
  }
}

TEST_F(RetryStateTest, RepeatsAStatementOnlyWhenItWasSurelyRefused) {
  EXPECT_TRUE(Retries(Repeatable::kOnlyIfNotSent, Head(429)));
  EXPECT_TRUE(Retries(Repeatable::kOnlyIfNotSent, Head(429, "1")));
  EXPECT_TRUE(Retries(Repeatable::kOnlyIfNotSent, Head(503, "1")));
  EXPECT_TRUE(Retries(Repeatable::kOnlyIfNotSent, Head(503, "Sun, 06 Nov 1994 08:49:38 GMT")));
  EXPECT_FALSE(Retries(Repeatable::kOnlyIfNotSent, Head(503)));
  EXPECT_FALSE(Retries(Repeatable::kOnlyIfNotSent, Head(503, "soon")));
  for (const int status : {408, 500, 502, 504}) {
    EXPECT_FALSE(Retries(Repeatable::kOnlyIfNotSent, Head(status, "1"))) << status;
  }
}

TEST_F(RetryStateTest, TellsFailuresThatPassFromThoseThatStay) {
  for (const StatusCode code : {StatusCode::kUnavailable, StatusCode::kIo, StatusCode::kTimeout}) {
    EXPECT_TRUE(Retries(Repeatable::kAlways, code));
    EXPECT_EQ(Retries(Repeatable::kOnlyIfNotSent, code), code == StatusCode::kUnavailable);
  }
  for (const StatusCode code :
       {StatusCode::kCancelled, StatusCode::kInvalidArgument, StatusCode::kNotFound,
        StatusCode::kInvalidData, StatusCode::kUnauthenticated, StatusCode::kInternal}) {
    EXPECT_FALSE(Retries(Repeatable::kAlways, code)) << ToString(code);
  }
}

TEST_F(RetryStateTest, DelaysDoubleWithJitterUpToTheGreatest) {
  policy.budget = milliseconds::max();
  RetryState state = Make(Repeatable::kAlways);
  for (const int64_t expected : {500, 1000, 2000, 4000, 8000, 16'000, 32'000, 32'000, 32'000}) {
    const RetryDecision decision = state.OnResponse(Head(503));
    ASSERT_TRUE(decision.retry);
    EXPECT_GE(decision.delay.count(), expected * 8 / 10);
    EXPECT_LE(decision.delay.count(), expected * 12 / 10);
  }
}

TEST_F(RetryStateTest, TheSeedMakesTheJitter) {
  const auto delays = [&](uint64_t seed) {
    RetryState state(policy, Repeatable::kAlways, clock, seed);
    std::vector<int64_t> result;
    for (int i = 0; i < 5; ++i) result.push_back(state.OnResponse(Head(500)).delay.count());
    return result;
  };
  EXPECT_EQ(delays(1), delays(1));
  EXPECT_NE(delays(1), delays(2));
}

TEST_F(RetryStateTest, RetryAfterIsTheLeastDelay) {
  EXPECT_EQ(Make(Repeatable::kAlways).OnResponse(Head(503, "20")).delay, seconds(20));
  EXPECT_EQ(Make(Repeatable::kAlways).OnResponse(Head(429, "Sun, 06 Nov 1994 08:49:47 GMT")).delay,
            seconds(10));
  EXPECT_GE(Make(Repeatable::kAlways).OnResponse(Head(503, "0")).delay, milliseconds(400));
}

TEST_F(RetryStateTest, ARetryAfterBeyondTheBudgetEndsIt) {
  EXPECT_TRUE(Retries(Repeatable::kAlways, Head(503, "900")));
  EXPECT_FALSE(Retries(Repeatable::kAlways, Head(503, "901")));
  EXPECT_FALSE(Retries(Repeatable::kAlways, Head(429, "121")));  // its budget is another
  EXPECT_FALSE(Retries(Repeatable::kAlways, Head(503, "99999999999999999999")));
}

TEST_F(RetryStateTest, BudgetsAreOfTheClockOnTheWall) {
  RetryState state = Make(Repeatable::kAlways);
  EXPECT_TRUE(state.OnResponse(Head(429)).retry);
  clock.now += seconds(119);
  EXPECT_FALSE(state.OnResponse(Head(429, "2")).retry);
  EXPECT_TRUE(state.OnResponse(Head(503, "2")).retry);
  clock.now += seconds(779);
  EXPECT_FALSE(state.OnFailure(Status::Io("reset")).retry);
  EXPECT_EQ(state.attempts(), 4);
}

TEST_F(RetryStateTest, CountsAttempts) {
  policy.max_attempts = 3;
  RetryState state = Make(Repeatable::kAlways);
  EXPECT_TRUE(state.OnResponse(Head(503)).retry);
  EXPECT_TRUE(state.OnFailure(Status::Io("reset")).retry);
  EXPECT_FALSE(state.OnResponse(Head(503)).retry);
}

TEST_F(RetryStateTest, WithoutABudgetThereIsNoRetry) {
  policy.budget = milliseconds(0);
  EXPECT_FALSE(Retries(Repeatable::kAlways, Head(503)));
}

const RetryPolicy kQuick{.first_delay = milliseconds(0), .max_delay = milliseconds(0)};

Result<HttpResponse> CallQuickly(FakeHttpClient& client, Repeatable repeatable,
                                 const RetryPolicy& policy = kQuick, const Log& log = {}) {
  HttpRequest request = GetRequest("http://host.invalid/a?sig=hush");
  return CallWithRetry(client, request, policy, repeatable, nullptr, log);
}

TEST(CallWithRetry, GivesTheFirstGoodAnswer) {
  FakeHttpClient client;
  client.Push(FakeHttpClient::Response(503));
  client.Push(Status::Io("reset"));
  client.Push(FakeHttpClient::Response(200, "fine"));
  const auto response = CallQuickly(client, Repeatable::kAlways);
  ASSERT_TRUE(response.ok()) << response.status().ToString();
  EXPECT_EQ(response->body, "fine");
  EXPECT_EQ(client.requests().size(), 3U);
}

TEST(CallWithRetry, GivesTheLastAnswerAsItCame) {
  FakeHttpClient client([](const HttpRequest&) { return FakeHttpClient::Response(503, "no"); });
  RetryPolicy policy = kQuick;
  policy.max_attempts = 4;
  const auto response = CallQuickly(client, Repeatable::kAlways, policy);
  ASSERT_TRUE(response.ok());
  EXPECT_EQ(response->head.status, 503);
  EXPECT_EQ(response->body, "no");
  EXPECT_EQ(client.requests().size(), 4U);
}

TEST(CallWithRetry, SaysHowOftenItTried) {
  FakeHttpClient client([](const HttpRequest&) { return Status::Io("reset"); });
  RetryPolicy policy = kQuick;
  policy.max_attempts = 2;
  const auto response = CallQuickly(client, Repeatable::kAlways, policy);
  EXPECT_EQ(response.status().code(), StatusCode::kIo);
  EXPECT_NE(response.status().message().find("2 attempts"), std::string::npos);
}

TEST(CallWithRetry, NeverSendsAStatementAgainThatMayRun) {
  FakeHttpClient lost([](const HttpRequest&) { return Status::Io("reset"); });
  EXPECT_FALSE(CallQuickly(lost, Repeatable::kOnlyIfNotSent).ok());
  EXPECT_EQ(lost.requests().size(), 1U);

  FakeHttpClient refused;
  refused.Push(Status::Unavailable("could not connect"));
  refused.Push(FakeHttpClient::Response(503, "", {{"Retry-After", "0"}}));
  refused.Push(FakeHttpClient::Response(504));
  const auto response = CallQuickly(refused, Repeatable::kOnlyIfNotSent);
  ASSERT_TRUE(response.ok());
  EXPECT_EQ(response->head.status, 504);
  EXPECT_EQ(refused.requests().size(), 3U);
}

TEST(CallWithRetry, PreparesEachAttemptAnew) {
  FakeHttpClient client;
  client.Push(FakeHttpClient::Response(503));
  client.Push(FakeHttpClient::Response(200));
  int count = 0;
  const auto prepare = [&](HttpRequest& request) {
    request.headers.push_back({"X-Attempt", Secret(std::to_string(++count))});
    return Status::Ok();
  };
  const HttpRequest request = GetRequest("http://host.invalid/");
  ASSERT_TRUE(
      CallWithRetry(client, request, kQuick, Repeatable::kAlways, nullptr, {}, prepare).ok());
  ASSERT_EQ(client.requests()[1].headers.size(), 1U);
  EXPECT_EQ(client.requests()[1].headers[0].value.Reveal(), "2");
}

TEST(CallWithRetry, AFailureToPrepareEndsIt) {
  FakeHttpClient client;
  const auto response =
      CallWithRetry(client, GetRequest("http://host.invalid/"), kQuick, Repeatable::kAlways,
                    nullptr, {}, [](HttpRequest&) { return Status::Unauthenticated("no"); });
  EXPECT_EQ(response.status().code(), StatusCode::kUnauthenticated);
  EXPECT_TRUE(client.requests().empty());
}

TEST(CallWithRetry, ItsWaitIsCancelled) {
  Cancellation cancellation;
  FakeHttpClient client([](const HttpRequest&) { return FakeHttpClient::Response(503); });
  // The wait begins once the line of the retry is out; the policy's delay outlasts every test run.
  RetryPolicy policy;
  policy.first_delay = policy.max_delay = std::chrono::hours(1);
  policy.budget = std::chrono::hours(10);
  std::thread other;
  const Log log(LogLevel::kInfo, [&](LogLevel, std::string_view) {
    other = std::thread([&] { cancellation.Cancel(Status::Cancelled("enough")); });
  });
  const auto response = CallWithRetry(client, GetRequest("http://host.invalid/"), policy,
                                      Repeatable::kAlways, &cancellation, log);
  other.join();
  EXPECT_EQ(response.status().message(), "enough");
  EXPECT_EQ(client.requests().size(), 1U);
}

TEST(CallWithRetry, LogsWithoutSecrets) {
  std::string lines;
  FakeHttpClient client;
  client.Push(FakeHttpClient::Response(503));
  client.Push(FakeHttpClient::Response(200));
  const Log log(LogLevel::kInfo, [&](LogLevel, std::string_view line) { lines += line; });
  ASSERT_TRUE(CallQuickly(client, Repeatable::kAlways, kQuick, log).ok());
  EXPECT_NE(lines.find("http.retry"), std::string::npos);
  EXPECT_NE(lines.find("HTTP 503"), std::string::npos);
  EXPECT_EQ(lines.find("hush"), std::string::npos);
}

}  // namespace
}  // namespace dbx
