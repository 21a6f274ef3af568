// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <vector>

#include "net/http_server.h"
#include "net/jitter.h"
#include "net/slow_start.h"
#include "net/test_client.h"

namespace dbx::local {
namespace {

using std::chrono::milliseconds;

/// Milliseconds from the start at which `num_bytes` have been granted to someone who always wants
/// more.
int64_t MillisecondsUntil(SlowStart slow_start, uint64_t num_bytes) {
  const SteadyTime start{std::chrono::hours(1)};
  SteadyTime now = start;
  while (num_bytes > 0) {
    const SlowStart::Grant grant = slow_start.Next(num_bytes, now);
    now = grant.moment;
    num_bytes -= grant.num_bytes;
  }
  return std::chrono::duration_cast<milliseconds>(now - start).count();
}

TEST(SlowStart, SendsTenSegmentsAndTwiceAsManyInEachFurtherRoundTrip) {
  const SlowStart slow_start(milliseconds(80), 0);
  EXPECT_EQ(MillisecondsUntil(slow_start, 14'600), 0);
  EXPECT_EQ(MillisecondsUntil(slow_start, 14'601), 80);
  EXPECT_EQ(MillisecondsUntil(slow_start, 43'800), 80);
  EXPECT_EQ(MillisecondsUntil(slow_start, 43'801), 160);
  EXPECT_EQ(MillisecondsUntil(slow_start, 1'000'000), 480);  // 14,600 × (2^7 - 1) > 1,000,000
}

TEST(SlowStart, IsOverOnceTheRateOfTheConnectionIsReached) {
  SlowStart slow_start(milliseconds(20), 1'000'000);  // 20,000 bytes a round trip
  SteadyTime now{std::chrono::hours(1)};
  EXPECT_FALSE(slow_start.is_over());
  EXPECT_EQ(slow_start.Next(50'000, now).num_bytes, 14'600U);
  EXPECT_EQ(slow_start.Next(50'000, now).num_bytes, 29'200U);
  EXPECT_TRUE(slow_start.is_over());
}

TEST(SlowStart, ARoundTripThatWasNotUsedUpDoesNotWidenTheWindow) {
  SlowStart slow_start(milliseconds(20), 0);
  SteadyTime now{std::chrono::hours(1)};
  for (int round = 0; round < 5; ++round, now += milliseconds(20)) {
    EXPECT_EQ(slow_start.Next(1000, now).num_bytes, 1000U);
  }
  EXPECT_EQ(slow_start.Next(50'000, now).num_bytes, 14'600U);
}

TEST(Jitter, DependsOnSeedAndRequestAndStaysInsideItsBounds) {
  std::set<int64_t> seen;
  for (uint64_t request = 0; request < 1000; ++request) {
    const auto jitter = JitterOf({.seed = 7, .request_id = request}, milliseconds(10));
    EXPECT_EQ(jitter, JitterOf({.seed = 7, .request_id = request}, milliseconds(10)));
    seen.insert(std::chrono::duration_cast<milliseconds>(jitter).count());
  }
  EXPECT_GE(*seen.begin(), -10);
  EXPECT_LE(*seen.rbegin(), 10);
  EXPECT_GT(seen.size(), 15U);
  EXPECT_NE(JitterOf({.seed = 7, .request_id = 1}, milliseconds(10)),
            JitterOf({.seed = 8, .request_id = 1}, milliseconds(10)));
}

/// A server of one body with this shape.
class ShapedServerTest : public ::testing::Test {
 protected:
  void Start(const Shaping& shaping, size_t body_bytes) {
    server_ = HttpServer::Make(1, 1);
    const Result<uint16_t> port = server_->Listen(
        {.shaping = shaping, .inline_handler = true, .handler = [body_bytes](const HttpRequest&) {
           return HttpReply{.body = std::string(body_bytes, 'x')};
         }});
    ASSERT_TRUE(port.ok()) << port.status().message();
    port_ = *port;
    server_->Start();
  }
  /// Milliseconds that one request of `client` took.
  static double Time(TestClient& client) {
    const auto began = std::chrono::steady_clock::now();
    EXPECT_EQ(client.Get("/").status, 200);
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - began)
        .count();
  }

  std::unique_ptr<HttpServer> server_;
  uint16_t port_ = 0;
};

TEST_F(ShapedServerTest, ANewConnectionPaysARoundTripMoreThanAnOldOne) {
  Start({.first_byte_ms = 20, .round_trip_ms = 20}, 1000);
  TestClient client(port_);
  EXPECT_GE(Time(client), 40);
  const double second = Time(client);
  EXPECT_GE(second, 20);
  EXPECT_LT(second, 39);
}

TEST_F(ShapedServerTest, ABodyTakesTheRoundTripsOfASlowStartOnceAConnection) {
  Start({.round_trip_ms = 20}, 100'000);  // 14,600 × (1 + 2 + 4) = 102,200 with its head: two waits
  TestClient client(port_);
  EXPECT_GE(Time(client), 20 + 2 * 20);
  EXPECT_LT(Time(client), 40);  // the window stayed open: 58,400 at once, then the rest
}

}  // namespace
}  // namespace dbx::local
