// SPDX-License-Identifier: Apache-2.0
#include "net/storage_service.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/bytes.h"
#include "base/str_cat.h"
#include "net/request_log.h"
#include "net/test_client.h"

namespace dbx::local {
namespace {

using std::chrono::seconds;

std::string Pattern(size_t num_bytes) {
  std::string text(num_bytes, '\0');
  for (size_t i = 0; i < num_bytes; ++i) text[i] = static_cast<char>('a' + i * 7 % 26);
  return text;
}

/// A storage listener over a spool in memory.
class StorageTest : public ::testing::Test {
 protected:
  void Open(StorageFlavor flavor = StorageFlavor::kS3) {
    spool_ = *Spool::Make("");
    signer_ = LinkSigner::Make(flavor);
    service_ = std::make_unique<StorageService>(*spool_, *signer_, *faults_, flavor);
    Result<uint16_t> port = server_->Listen(
        {.inline_handler = true,
         .handler = [this](const HttpRequest& request) { return service_->Handle(request); },
         .observer = &log_});
    ASSERT_TRUE(port.ok());
    port_ = *port;
    server_->Start();
  }
  std::string Put(std::string_view bytes, std::optional<int64_t> chunk = std::nullopt) {
    return *spool_->Put(bytes, chunk);
  }
  std::string Link(std::string_view name, seconds lifetime = seconds(60)) const {
    return signer_->Sign("", name, lifetime);
  }
  TestReply Get(std::string_view target, std::string_view header_lines = "") const {
    return TestClient(port_).Get(target, header_lines);
  }

  std::unique_ptr<Spool> spool_;
  std::unique_ptr<LinkSigner> signer_;
  const std::unique_ptr<FaultScript> faults_ = FaultScript::Make();
  std::unique_ptr<StorageService> service_;
  RequestLog log_;
  const std::unique_ptr<HttpServer> server_ = HttpServer::Make(2, 1);
  uint16_t port_ = 0;
};

TEST_F(StorageTest, ServesAnObjectByItsLink) {
  Open();
  const std::string bytes = Pattern(9'000'000);
  const TestReply reply = Get(Link(Put(bytes)));
  EXPECT_EQ(reply.status, 200);
  EXPECT_TRUE(reply.body == bytes);
  EXPECT_EQ(reply.Header("content-type"), "binary/octet-stream");
  EXPECT_EQ(reply.Header("accept-ranges"), "bytes");
  EXPECT_FALSE(reply.Header("etag").empty());
}

TEST_F(StorageTest, ServesRanges) {
  Open();
  const std::string bytes = Pattern(1000);
  const std::string link = Link(Put(bytes));
  const TestReply middle = Get(link, "Range: bytes=100-199\r\n");
  EXPECT_EQ(middle.status, 206);
  EXPECT_TRUE(middle.body == bytes.substr(100, 100));
  EXPECT_EQ(middle.Header("content-range"), "bytes 100-199/1000");
  EXPECT_TRUE(Get(link, "Range: bytes=990-\r\n").body == bytes.substr(990));
  EXPECT_TRUE(Get(link, "Range: bytes=-5\r\n").body == bytes.substr(995));
  const TestReply beyond = Get(link, "Range: bytes=1000-\r\n");
  EXPECT_EQ(beyond.status, 416);
  EXPECT_EQ(beyond.Header("content-range"), "bytes */1000");
  const TestReply several = Get(link, "Range: bytes=0-1,5-6\r\n");
  EXPECT_EQ(several.status, 200);
  EXPECT_TRUE(several.body == bytes);
}

TEST_F(StorageTest, HonoursConditions) {
  Open();
  const std::string link = Link(Put("0123456789"));
  const std::string etag = Get(link).Header("etag");
  EXPECT_EQ(Get(link, StrCat("If-Match: ", etag, "\r\n")).status, 200);
  EXPECT_EQ(Get(link, "If-Match: \"other\"\r\n").status, 412);
  EXPECT_EQ(Get(link, StrCat("Range: bytes=0-1\r\nIf-Range: ", etag, "\r\n")).status, 206);
  EXPECT_EQ(Get(link, "Range: bytes=0-1\r\nIf-Range: \"other\"\r\n").status, 200);
}

TEST_F(StorageTest, RefusesAnExpiredLinkAsTheStoreDoes) {
  Open();
  const TestReply reply = Get(Link(Put("x"), seconds(0)));
  EXPECT_EQ(reply.status, 403);
  EXPECT_EQ(reply.Header("content-type"), "application/xml");
  EXPECT_NE(
      reply.body.find("<Code>AccessDenied</Code><Message>Request has expired</Message><Expires>"),
      std::string::npos);
  EXPECT_NE(reply.body.find("<ServerTime>"), std::string::npos);
}

TEST_F(StorageTest, RefusesForgedLinks) {
  Open();
  const std::string name = Put("secret");
  std::string link = Link(name);
  link.back() = link.back() == '0' ? '1' : '0';
  EXPECT_EQ(Get(link).status, 403);
  EXPECT_NE(Get(link).body.find("SignatureDoesNotMatch"), std::string::npos);
  // A link for one object, a longer life: both are signed.
  const std::string other = Link(Put("other"));
  EXPECT_EQ(Get(StrCat("/results/", name, other.substr(other.find('?')))).status, 403);
  std::string longer = Link(name);
  longer.replace(longer.find("Expires=60"), 10, "Expires=61");
  EXPECT_EQ(Get(longer).status, 403);
  EXPECT_EQ(Get(StrCat("/results/", name)).status, 403);
  EXPECT_EQ(Get(StrCat("/results/", name, "?X-Amz-Date=now&X-Amz-Signature=00")).status, 400);
}

TEST_F(StorageTest, RefusesTokensHeadOtherMethodsAndUnknownNames) {
  Open();
  const std::string name = Put("x");
  const std::string link = Link(name);
  const TestReply token = Get(link, "Authorization: Bearer dapi0\r\n");
  EXPECT_EQ(token.status, 400);
  EXPECT_NE(token.body.find("<Code>InvalidArgument</Code><Message>Only one auth mechanism allowed"),
            std::string::npos);
  EXPECT_EQ(Get(Link("results_nothing")).status, 404);
  TestClient client(port_);
  client.Send(StrCat("HEAD ", link, " HTTP/1.1\r\n\r\n"));
  EXPECT_EQ(client.Read(/*has_body=*/false).status, 403);
  client.Send(StrCat("DELETE ", link, " HTTP/1.1\r\n\r\n"));
  EXPECT_EQ(client.Read().status, 405);
  spool_->Remove(name);
  EXPECT_NE(Get(link).body.find("NoSuchKey"), std::string::npos);
}

TEST_F(StorageTest, SpeaksAsAzure) {
  Open(StorageFlavor::kAdls);
  const std::string name = Put("x");
  EXPECT_EQ(Get(Link(name)).body, "x");
  const TestReply expired = Get(Link(name, seconds(-5)));
  EXPECT_EQ(expired.status, 403);
  EXPECT_EQ(expired.Header("x-ms-error-code"), "AuthenticationFailed");
  EXPECT_NE(expired.body.find("AuthenticationErrorDetail"), std::string::npos);
  EXPECT_EQ(Get(Link("nothing")).Header("x-ms-error-code"), "BlobNotFound");
}

TEST_F(StorageTest, SpeaksAsGoogle) {
  Open(StorageFlavor::kGcs);
  const std::string name = Put("x");
  EXPECT_EQ(Get(Link(name)).body, "x");
  const TestReply expired = Get(Link(name, seconds(0)));
  EXPECT_EQ(expired.status, 400);
  EXPECT_NE(expired.body.find("ExpiredToken"), std::string::npos);
}

TEST_F(StorageTest, FaultsMeetTheirChunk) {
  Open();
  const std::string bytes = Pattern(100'000);
  const std::string first = Link(Put(bytes, 0));
  const std::string second = Link(Put(bytes, 1));
  const Status loaded = faults_->Load(R"({"rules": [
    {"match": {"point": "storage", "chunk": 1, "attempt": 1}, "action": {"status": 503, "headers": {"Retry-After": 1}, "body": "busy"}},
    {"match": {"point": "storage", "chunk": 1, "attempt": 2}, "action": {"expire_link": true}},
    {"match": {"point": "storage", "chunk": 0, "times": 1}, "action": {"reset_after": 1000}}]})");
  ASSERT_TRUE(loaded.ok()) << loaded.ToString();
  const TestReply busy = Get(second);
  EXPECT_EQ(busy.status, 503);
  EXPECT_EQ(busy.Header("retry-after"), "1");
  EXPECT_EQ(busy.body, "busy");
  EXPECT_NE(Get(second).body.find("Request has expired"), std::string::npos);
  EXPECT_TRUE(Get(second).body == bytes);
  const TestReply reset = Get(first);
  EXPECT_TRUE(reset.was_reset);
  EXPECT_TRUE(reset.body == bytes.substr(0, 1000));
  EXPECT_TRUE(Get(first).body == bytes);
}

TEST_F(StorageTest, LogsRequestsWithoutTheirSecrets) {
  Open();
  const std::string link = Link(Put("x"));
  Get(link, "Range: bytes=0-0\r\nAuthorization: Bearer dapi-secret\r\n");
  Get(link);
  const std::string text = log_.Requests(0);
  EXPECT_NE(text.find("\"kind\":\"storage.refused\""), std::string::npos);
  EXPECT_NE(text.find("\"authorization\":\"Bearer [redacted]\""), std::string::npos);
  EXPECT_NE(text.find("\"range\":\"bytes=0-0\""), std::string::npos);
  EXPECT_EQ(text.find("dapi-secret"), std::string::npos);
  EXPECT_EQ(text.find(link.substr(link.rfind('=') + 1)), std::string::npos);
  EXPECT_EQ(log_.counts(),
            (std::map<std::string, int64_t>{{"storage.get", 1}, {"storage.refused", 1}}));
  EXPECT_TRUE(log_.Requests(1).starts_with("{\"next\":2,\"requests\":[{\"number\":1,"));
}

TEST(Spool, KeepsFilesWithoutNamesInItsFolder) {
  const std::string folder = ::testing::TempDir() + "spool_test";
  std::filesystem::remove_all(folder);
  Result<std::unique_ptr<Spool>> spool = Spool::Make(folder);
  ASSERT_TRUE(spool.ok());
  const std::string name = *(*spool)->Put("hello", 12);
  EXPECT_TRUE(std::filesystem::is_empty(folder));
  EXPECT_EQ(ChunkIndexOf(name), 12);
  EXPECT_EQ(ChunkIndexOf(*(*spool)->Put("")), std::nullopt);
  const std::shared_ptr<const SharedBytes> object = (*spool)->Get(name);
  (*spool)->Remove(name);
  EXPECT_EQ((*spool)->Get(name), nullptr);
  EXPECT_EQ((*spool)->num_objects(), 1);
  EXPECT_EQ((*spool)->num_bytes(), 0);
  EXPECT_EQ(AsText(object->bytes), "hello");
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace dbx::local
