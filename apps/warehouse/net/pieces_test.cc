// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "net/byte_range.h"
#include "net/http_text.h"
#include "net/listen_address.h"
#include "net/pacer.h"
#include "net/request_parser.h"

namespace dbx::local {
namespace {

using std::chrono::milliseconds;

TEST(HttpText, ReadsAndWritesTimes) {
  const WallTime time = std::chrono::system_clock::from_time_t(1'796'082'371);
  EXPECT_EQ(IsoTime(time), "2026-11-30T23:46:11Z");
  EXPECT_EQ(HttpDate(time), "Mon, 30 Nov 2026 23:46:11 GMT");
  EXPECT_EQ(ParseUtcTime(CompactTime(time)), time);
  EXPECT_EQ(ParseUtcTime(IsoTime(time)), time);
  EXPECT_EQ(ParseUtcTime("yesterday"), std::nullopt);
}

TEST(HttpText, FindsQueryValues) {
  EXPECT_EQ(QueryValue("a=1&bb=2&b=%41", "b"), "%41");
  EXPECT_EQ(QueryValue("a=1", "b"), std::nullopt);
  EXPECT_EQ(PercentDecode("%41%zz%4"), "A%zz%4");
  EXPECT_EQ(PercentDecode(PercentEncode("a/b c:é")), "a/b c:é");
}

TEST(HttpText, MakesRandomUuids) {
  const std::string uuid = RandomUuid();
  EXPECT_EQ(uuid.size(), 36U);
  EXPECT_EQ(uuid[14], '4');
  EXPECT_NE(uuid, RandomUuid());
}

TEST(ListenAddress, ReadsAddresses) {
  EXPECT_TRUE(ParseListenAddress("127.0.0.1:0")->is_loopback);
  EXPECT_EQ(ParseListenAddress("localhost:80")->ToString(), "127.0.0.1:80");
  EXPECT_EQ(ParseListenAddress("[::1]:8443")->ToString(), "[::1]:8443");
  EXPECT_FALSE(ParseListenAddress("0.0.0.0:1")->is_loopback);
  for (const char* wrong : {"", "127.0.0.1", "host:1", "127.0.0.1:65536", "127.0.0.1:x"}) {
    EXPECT_FALSE(ParseListenAddress(wrong).ok()) << wrong;
  }
}

TEST(ByteRange, ReadsOneRangeAndIgnoresTheRest) {
  EXPECT_EQ(ParseByteRange("bytes=0-0", 10).num_bytes, 1U);
  EXPECT_EQ(ParseByteRange("bytes=5-100", 10).num_bytes, 5U);
  EXPECT_EQ(ParseByteRange("bytes=-20", 10).num_bytes, 10U);
  for (const char* whole :
       {"", "items=0-1", "bytes=", "bytes=x-1", "bytes=3-2", "bytes=0-1,3-4", "bytes=-x"}) {
    EXPECT_EQ(ParseByteRange(whole, 10).kind, ByteRange::Kind::kWhole) << whole;
  }
  EXPECT_EQ(ParseByteRange("bytes=10-", 10).kind, ByteRange::Kind::kUnsatisfiable);
  EXPECT_EQ(ParseByteRange("bytes=-0", 10).kind, ByteRange::Kind::kUnsatisfiable);
  EXPECT_EQ(ParseByteRange("bytes=0-", 0).kind, ByteRange::Kind::kUnsatisfiable);
}

TEST(ChunkedDecoder, TakesPiecesOfAnySize) {
  const std::string coded = "3\r\nabc\r\nA\r\n0123456789\r\n0\r\n\r\nrest";
  for (size_t step = 1; step <= coded.size(); ++step) {
    ChunkedDecoder decoder;
    std::string input, body;
    for (size_t at = 0; at < coded.size(); at += step) {
      input += coded.substr(at, step);
      const Result<size_t> used = decoder.Feed(input, body);
      ASSERT_TRUE(used.ok());
      input.erase(0, *used);
    }
    EXPECT_TRUE(decoder.done());
    EXPECT_EQ(body, "abc0123456789") << step;
    EXPECT_EQ(input, "rest");
  }
}

TEST(ChunkedDecoder, RefusesWrongSizes) {
  for (const char* wrong :
       {"g\r\n", "-1\r\n", "1\r\nab\r\n", "ffffffffffffffff1\r\n", "20000000\r\n"}) {
    ChunkedDecoder decoder;
    std::string body;
    EXPECT_FALSE(decoder.Feed(wrong, body).ok()) << wrong;
  }
}

TEST(Pacer, SpreadsBytesEvenlyAndSavesUpNothing) {
  Pacer pacer(1'000'000);
  EXPECT_EQ(pacer.quantum(), 1000U);
  const SteadyTime start = std::chrono::steady_clock::now();
  EXPECT_EQ(pacer.Reserve(1000, start), start);
  EXPECT_EQ(pacer.Reserve(1000, start), start + milliseconds(1));
  // A thread that woke 3 ms late makes up for it; one that was away for a second does not.
  EXPECT_EQ(pacer.Reserve(1000, start + milliseconds(5)), start + milliseconds(2));
  EXPECT_EQ(pacer.Reserve(1000, start + milliseconds(1005)), start + milliseconds(1005));
}

}  // namespace
}  // namespace dbx::local
