// SPDX-License-Identifier: Apache-2.0
#include "cloudfetch/attempt.h"

#include <gtest/gtest.h>

namespace dbx {
namespace {

Attempt Answered(int status, std::string body = {}) {
  Attempt attempt;
  attempt.answered = true;
  attempt.head.status = status;
  attempt.error_body = std::move(body);
  return attempt;
}

Attempt Lost(StatusCode code) {
  Attempt attempt;
  attempt.transport = Status(code, "s.example: the connection was lost");
  return attempt;
}

const SecretUrl kUrl("https://user:pw@s.example/a/b?sig=secret");

TEST(Attempt, IsJudgedByItsStatus) {
  EXPECT_EQ(Judge(Answered(200)), Verdict::kWhole);
  EXPECT_EQ(Judge(Answered(206)), Verdict::kWhole);
  EXPECT_EQ(Judge(Answered(401)), Verdict::kRefresh);
  EXPECT_EQ(Judge(Answered(403)), Verdict::kRefresh);
  EXPECT_EQ(Judge(Answered(404)), Verdict::kRefreshOnce);
  EXPECT_EQ(Judge(Answered(416)), Verdict::kRestart);
  EXPECT_EQ(Judge(Answered(400)), Verdict::kFinal);
  EXPECT_EQ(Judge(Answered(302)), Verdict::kFinal);
  for (const int status : {408, 429, 500, 502, 503, 504}) {
    EXPECT_EQ(Judge(Answered(status)), Verdict::kRetry) << status;
  }
}

TEST(Attempt, ReadsWhatABadRequestMeans) {
  EXPECT_EQ(Judge(Answered(400, "<Code>ExpiredToken</Code>")), Verdict::kRefresh);
  EXPECT_EQ(Judge(Answered(400, "<Message>Request has expired</Message>")), Verdict::kRefresh);
  EXPECT_EQ(Judge(Answered(400, "<Code>InvalidURI</Code>")), Verdict::kFinal);
}

TEST(Attempt, IsJudgedByItsTransport) {
  EXPECT_EQ(Judge(Lost(StatusCode::kIo)), Verdict::kRetry);
  EXPECT_EQ(Judge(Lost(StatusCode::kTimeout)), Verdict::kRetry);
  EXPECT_EQ(Judge(Lost(StatusCode::kUnavailable)), Verdict::kRetry);
  // Not trusted; no such host; refused by a proxy.
  EXPECT_EQ(Judge(Lost(StatusCode::kInvalidArgument)), Verdict::kFinal);
  EXPECT_EQ(Judge(Lost(StatusCode::kNotFound)), Verdict::kFinal);
  EXPECT_EQ(Judge(Lost(StatusCode::kUnauthenticated)), Verdict::kFinal);
}

TEST(Attempt, IsWholeWhenTheRangeAskedForBeginsAtTheEnd) {
  Attempt attempt = Answered(416);
  attempt.head.headers.emplace_back("Content-Range", "bytes */500");
  attempt.received_bytes = 500;
  EXPECT_EQ(Judge(attempt), Verdict::kWhole);
  attempt.received_bytes = 400;
  EXPECT_EQ(Judge(attempt), Verdict::kRestart);
}

TEST(Attempt, ThatFoundAnotherFileBeginsAnew) {
  Attempt attempt = Answered(206);
  attempt.transport = Status::Cancelled("by the observer");
  attempt.trouble = Attempt::Trouble::kFileChanged;
  EXPECT_EQ(Judge(attempt), Verdict::kRestart);
  EXPECT_EQ(ToStatus(attempt, kUrl).code(), StatusCode::kInvalidData);
}

TEST(Attempt, NamesTheHostAndKeepsTheSecret) {
  for (const Attempt& attempt :
       {Answered(403, "<Code>AccessDenied</Code>"), Answered(503), Lost(StatusCode::kIo)}) {
    const std::string text = ToStatus(attempt, kUrl).ToString();
    EXPECT_NE(text.find("s.example"), std::string::npos) << text;
    EXPECT_EQ(text.find("secret"), std::string::npos) << text;
    EXPECT_EQ(text.find("pw"), std::string::npos) << text;
  }
  EXPECT_EQ(ToStatus(Lost(StatusCode::kIo), kUrl).code(), StatusCode::kUnavailable);
}

TEST(ContentRange, ReadsSoundOnes) {
  const auto range = ParseContentRange("bytes 10-19/20");
  ASSERT_TRUE(range);
  EXPECT_EQ(range->first, 10);
  EXPECT_EQ(range->last, 19);
  EXPECT_EQ(range->total, 20);
  EXPECT_EQ(ParseContentRange("bytes */20")->total, 20);
  EXPECT_FALSE(ParseContentRange("bytes 1-2/*")->total);
}

TEST(ContentRange, RefusesOthers) {
  for (const char* value : {"", "bytes", "bytes ", "bytes 5", "bytes 5-", "bytes 5-4/10",
                            "bytes 5-10/10", "bytes -5/10", "bytes 1-2", "bytes 1-2/",
                            "bytes 1-2/3x", "items 1-2/3", "bytes 99999999999999999999-2/3"}) {
    EXPECT_FALSE(ParseContentRange(value)) << value;
  }
}

}  // namespace
}  // namespace dbx
