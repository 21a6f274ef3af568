// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "base/str_cat.h"
#include "http/retry.h"
#include "http/scrub.h"
#include "http/testing/fake_http_client.h"

namespace dbx {
namespace {

const SecretUrl kUrl("https://me:hush@host.example:8443/a?sig=hush");

bool Has(const Status& status, std::string_view text) {
  return status.message().find(text) != std::string::npos;
}

TEST(ResponseStatus, TellsTheCodeByTheHttpStatus) {
  const std::pair<int, StatusCode> cases[] = {{400, StatusCode::kIo},
                                              {401, StatusCode::kUnauthenticated},
                                              {403, StatusCode::kUnauthorized},
                                              {404, StatusCode::kNotFound},
                                              {408, StatusCode::kTimeout},
                                              {429, StatusCode::kUnavailable},
                                              {500, StatusCode::kIo},
                                              {502, StatusCode::kUnavailable},
                                              {503, StatusCode::kUnavailable},
                                              {504, StatusCode::kTimeout},
                                              {302, StatusCode::kIo}};
  for (const auto& [http_status, code] : cases) {
    const Status status = ToStatus(FakeHttpClient::Response(http_status), kUrl);
    EXPECT_EQ(status.code(), code) << http_status;
    EXPECT_EQ(status.http_status(), http_status);
    EXPECT_FALSE(status.session_lost());
    EXPECT_EQ(status.message(), StrCat("host.example answered HTTP ", http_status));
  }
}

TEST(ResponseStatus, ShowsTheServicesOwnWords) {
  const Status thrift =
      ToStatus(FakeHttpClient::Response(
                   503, "",
                   {{"X-Thriftserver-Error-Message", "TEMPORARILY_UNAVAILABLE: starting"},
                    {"x-databricks-reason-phrase", "less"}}),
               kUrl);
  EXPECT_TRUE(Has(thrift, "TEMPORARILY_UNAVAILABLE: starting")) << thrift.ToString();
  EXPECT_FALSE(Has(thrift, "less"));
  EXPECT_TRUE(
      Has(ToStatus(FakeHttpClient::Response(403, "", {{"x-databricks-reason-phrase", "no entry"}}),
                   kUrl),
          "no entry"));
}

TEST(ResponseStatus, ReadsJson) {
  const Status status =
      ToStatus(FakeHttpClient::Response(
                   404, R"( {"error_code":"RESOURCE_DOES_NOT_EXIST","message":"no \"w\""} )"),
               kUrl);
  EXPECT_TRUE(Has(status, "no \"w\"")) << status.ToString();
  EXPECT_EQ(status.error_class(), "RESOURCE_DOES_NOT_EXIST");
  const Status number =
      ToStatus(FakeHttpClient::Response(401, R"({"error_code":401,"message":"bad"})"), kUrl);
  EXPECT_EQ(number.error_class(), "401");
  for (const char* const broken :
       {"{", "{\"message\":", "{\"message\":[]}", "{\"message\":\"\xFF\"}", "[1]"}) {
    EXPECT_EQ(ToStatus(FakeHttpClient::Response(500, broken), kUrl).message(),
              "host.example answered HTTP 500");
  }
}

TEST(ResponseStatus, ShowsCodeAndMessageOfStorageAndNothingThatItQuotes) {
  const Status status = ToStatus(
      FakeHttpClient::Response(
          400,
          "\xEF\xBB\xBF<?xml version=\"1.0\"?><Error><Code>ExpiredToken</Code><Message>The token "
          "has expired.</Message><Token-0>hush</Token-0><StringToSign>hush</StringToSign></Error>"),
      kUrl);
  EXPECT_TRUE(Has(status, "ExpiredToken: The token has expired.")) << status.ToString();
  EXPECT_EQ(status.error_class(), "ExpiredToken");
  EXPECT_FALSE(Has(status, "hush"));
}

TEST(ResponseStatus, SaysThatAProxyAnsweredHtml) {
  const Status status =
      ToStatus(FakeHttpClient::Response(502,
                                        "<!DOCTYPE html>\n<html><head><title>Bad\n "
                                        "Gateway</title><script>var a=1;</script></head>"
                                        "<body><h1>Ask your&nbsp;admin</h1>",
                                        {{"Content-Type", "text/html; charset=utf-8"}}),
               kUrl);
  EXPECT_TRUE(Has(status, "a proxy or gateway answered: Bad Gateway Ask your"))
      << status.ToString();
  EXPECT_FALSE(Has(status, "var a"));
  for (const char* const broken : {"<!", "<html", "<html><script>", "<html><", "<!-->"}) {
    EXPECT_TRUE(Has(ToStatus(FakeHttpClient::Response(500, broken), kUrl), "gateway")) << broken;
  }
}

TEST(ResponseStatus, KnowsALostSession) {
  for (const char* const text : {"INVALID_STATE: Invalid SessionHandle: SessionHandle [1-2].",
                                 "BAD_REQUEST: Invalid SessionHandle: Session [1-2] is closed."}) {
    const auto response =
        FakeHttpClient::Response(400, "", {{"x-thriftserver-error-message", text}});
    EXPECT_TRUE(ToStatus(response, kUrl).session_lost());
    EXPECT_EQ(ToStatus(response, kUrl).code(), StatusCode::kInvalidState);
  }
  const auto other =
      FakeHttpClient::Response(400, "", {{"x-thriftserver-error-message", "bad request"}});
  EXPECT_FALSE(ToStatus(other, kUrl).session_lost());
}

TEST(ResponseStatus, CutsLongTexts) {
  const Status status =
      ToStatus(FakeHttpClient::Response(
                   500, "", {{"x-thriftserver-error-message", std::string(100'000, 'x')}}),
               kUrl);
  EXPECT_LT(status.message().size(), 1200U);
}

TEST(Scrub, HidesTokensAndQueries) {
  EXPECT_EQ(Scrub("token dapi0123456789abcdef0123456789 is bad"), "token [redacted] is bad");
  EXPECT_EQ(Scrub("Authorization: Bearer abc.def"), "Authorization: Bearer [redacted]");
  EXPECT_EQ(Scrub("jwt eyJhbGciOiJIUzI1.eyJzdWIiOiIx.c2ln!"), "jwt [redacted]!");
  EXPECT_EQ(Scrub("GET https://s.example/a/b?sig=x&y=z failed? yes"),
            "GET https://s.example/a/b?[redacted] failed? yes");
  EXPECT_EQ(Scrub("see 'https://s.example/a?x=y' (or not?)"),
            "see 'https://s.example/a?[redacted]' (or not?)");
}

TEST(Scrub, LeavesOrdinaryWordsAlone) {
  EXPECT_EQ(Scrub("doses of dapi are fine? yes: 1/2"), "doses of dapi are fine? yes: 1/2");
  EXPECT_EQ(Scrub("a\r\nb\x01"), "a  b ");
}

TEST(Scrub, CutsBetweenCharacters) {
  EXPECT_EQ(Scrub("ab\xC3\xA4", 3), "ab...");
  EXPECT_EQ(Scrub("abc", 3), "abc");
  EXPECT_EQ(Scrub("", 3), "");
}

}  // namespace
}  // namespace dbx
