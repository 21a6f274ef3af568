// SPDX-License-Identifier: Apache-2.0
#include "cloudfetch/download.h"

#include <gtest/gtest.h>

#include <chrono>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "base/str_cat.h"

namespace dbx {
namespace {

/// A client whose answers the test plays, on its own thread.
class PlayedClient : public HttpClient {
 public:
  struct Get {
    std::string range;
    Milliseconds timeout{0};
    HttpObserver* observer = nullptr;
    bool cancelled = false;
    bool released = false;
  };

  std::unique_ptr<HttpTransfer> Start(HttpRequest request, HttpObserver* observer) override {
    Get get{.range = {}, .timeout = request.timeout, .observer = observer};
    for (const HttpHeader& header : request.headers) {
      if (header.name == "Range") get.range = header.value.Reveal();
    }
    gets.push_back(std::move(get));
    return std::make_unique<Transfer>(this, gets.size() - 1);
  }

  /// 200, or 206 from `first` on, of a file of `total` bytes.
  bool Head(size_t get, std::optional<int64_t> first, int64_t total, std::string etag = "\"1\"") {
    HttpResponseHead head;
    head.status = first ? 206 : 200;
    head.headers.emplace_back("ETag", std::move(etag));
    head.content_length = total - first.value_or(0);
    if (first) {
      head.headers.emplace_back("Content-Range",
                                StrCat("bytes ", *first, "-", total - 1, "/", total));
    }
    return gets[get].observer->OnHead(head);
  }
  HttpObserver::Flow Body(size_t get, std::string_view bytes) {
    return gets[get].observer->OnBody(AsBytes(bytes));
  }
  void Done(size_t get, const Status& status = Status::Ok()) { gets[get].observer->OnDone(status); }

  std::vector<Get> gets;

 private:
  class Transfer : public HttpTransfer {
   public:
    Transfer(PlayedClient* client, size_t get) : client_(client), get_(get) {}
    ~Transfer() override { client_->gets[get_].released = true; }
    void Resume() override {}
    void Cancel() override { client_->gets[get_].cancelled = true; }

   private:
    PlayedClient* const client_;
    const size_t get_;
  };
};

class DownloadTest : public testing::Test, private Download::Listener {
 protected:
  static constexpr int64_t kTotal = 20;

  DownloadTest() {
    for (BodyQueue* const queue : {&body_, &side_body_}) {
      queue->AddTicket(*budget_->TryReserve(1 << 20, 0, MemoryBudget::Claim::kAhead));
    }
    link_.presigned_url = SecretUrl("http://127.0.0.1/file");
    EXPECT_TRUE(download_.Start(client_, link_, {}));
  }
  void StartSide(int64_t first_byte) { download_.StartSide(client_, link_, {}, first_byte); }
  std::string Text() {
    std::string text;
    for (BodyQueue::View view = body_.Front(); !view.bytes.empty(); view = body_.Front()) {
      text.append(AsText(view.bytes));
      body_.Consume(view.bytes.size());
    }
    return text;
  }
  void ExpectWhole() {
    EXPECT_EQ(num_done_, 1);
    const Attempt attempt = download_.Finish();
    EXPECT_EQ(Judge(attempt), Verdict::kWhole);
    EXPECT_EQ(attempt.received_bytes, kTotal);
    EXPECT_EQ(Text(), "abcdefghijklmnopqrst");
    for (const PlayedClient::Get& get : client_.gets) EXPECT_TRUE(get.released);
  }

  using Flow = HttpObserver::Flow;

  PlayedClient client_;
  ResultLink link_;
  StreamCounters counters_;
  std::shared_ptr<SlabPool> pool_ = SlabPool::Make(1 << 20);
  std::shared_ptr<MemoryBudget> budget_ = MemoryBudget::Make(8 << 20, std::make_shared<Signal>());
  BodyQueue body_{pool_.get(), 64 << 10};
  BodyQueue side_body_{pool_.get(), 64 << 10};
  int num_done_ = 0;
  Download download_{0, &body_, &side_body_, this, &counters_};

 private:
  void OnAttemptDone(int64_t /*chunk_index*/, int32_t /*attempt_number*/) override { ++num_done_; }
  void OnDecodable(int64_t /*chunk_index*/) override {}
  void OnTicketMissing(int64_t /*chunk_index*/) override {}
};

TEST_F(DownloadTest, LetsAHedgeGoOnWhereTheFirstIs) {
  EXPECT_TRUE(client_.Head(0, std::nullopt, kTotal));
  EXPECT_EQ(client_.Body(0, "abcd"), Flow::kContinue);
  StartSide(download_.received_bytes());
  EXPECT_EQ(client_.gets[1].range, "bytes=4-");
  EXPECT_EQ(client_.Body(0, "efg"), Flow::kContinue);  // slow, but not silent
  EXPECT_TRUE(client_.Head(1, 4, kTotal));
  EXPECT_EQ(client_.Body(0, "h"), Flow::kContinue);
  EXPECT_EQ(client_.Body(1, "efghijk"), Flow::kContinue);
  EXPECT_TRUE(client_.gets[0].cancelled);
  EXPECT_EQ(client_.Body(0, "ijk"), Flow::kEnd);
  client_.Done(0, Status::Cancelled("cut"));
  EXPECT_EQ(num_done_, 0);
  EXPECT_EQ(client_.Body(1, "lmnopqrst"), Flow::kContinue);
  client_.Done(1);
  ExpectWhole();
}

TEST_F(DownloadTest, TakesTheHedgeWhenTheFirstFails) {
  EXPECT_TRUE(client_.Head(0, std::nullopt, kTotal));
  EXPECT_EQ(client_.Body(0, "abcd"), Flow::kContinue);
  StartSide(4);
  client_.Done(0, Status::Io("reset"));
  EXPECT_EQ(num_done_, 0);
  EXPECT_TRUE(client_.Head(1, 4, kTotal));
  EXPECT_EQ(client_.Body(1, "efghijklmnopqrst"), Flow::kContinue);
  client_.Done(1);
  ExpectWhole();
}

TEST_F(DownloadTest, TellsOfTheFirstOnesFailureWhenTheHedgeFailsToo) {
  EXPECT_TRUE(client_.Head(0, std::nullopt, kTotal));
  EXPECT_EQ(client_.Body(0, "abcd"), Flow::kContinue);
  StartSide(4);
  client_.Done(0, Status::Io("reset"));
  client_.Done(1, Status::Unavailable("no connection"));
  EXPECT_EQ(num_done_, 1);
  const Attempt attempt = download_.Finish();
  EXPECT_EQ(attempt.transport.code(), StatusCode::kIo);
  EXPECT_EQ(attempt.received_bytes, 4);
}

TEST_F(DownloadTest, DoesNotWaitForAHedgeThatRests) {
  EXPECT_TRUE(client_.Head(0, std::nullopt, kTotal));
  EXPECT_EQ(client_.Body(0, "ab"), Flow::kContinue);
  StartSide(4);
  EXPECT_TRUE(client_.Head(1, 4, kTotal));
  side_body_.DropTicket();
  EXPECT_EQ(client_.Body(1, "efgh"), Flow::kPause);
  EXPECT_EQ(client_.Body(0, "cdef"), Flow::kContinue);
  client_.Done(0, Status::Io("reset"));
  EXPECT_EQ(num_done_, 1);
  EXPECT_EQ(client_.Body(1, "efgh"), Flow::kEnd);
  client_.Done(1, Status::Cancelled("ended by the observer"));
  EXPECT_EQ(num_done_, 1);
  const Attempt attempt = download_.Finish();
  EXPECT_EQ(attempt.transport.code(), StatusCode::kIo);
  EXPECT_EQ(attempt.received_bytes, 6);
}

TEST_F(DownloadTest, GivesTheSecondGetWhatIsLeftOfTheFilesTime) {
  const Download::Limits limits{.timeout = std::chrono::hours{1}};
  download_.StartSide(client_, link_, limits, 4);
  EXPECT_GT(client_.gets[1].timeout, Milliseconds{0});
  EXPECT_LE(client_.gets[1].timeout, limits.timeout);
}

TEST_F(DownloadTest, DoesNotCountWithASizeBeyondAllMeasure) {
  EXPECT_TRUE(client_.Head(0, std::nullopt, std::numeric_limits<int64_t>::max()));
  EXPECT_EQ(download_.total_bytes(), Download::kMostBytes);
}

TEST_F(DownloadTest, PutsALaterPartBehindTheFirst) {
  EXPECT_TRUE(client_.Head(0, std::nullopt, kTotal));
  EXPECT_EQ(client_.Body(0, "ab"), Flow::kContinue);
  StartSide(10);
  EXPECT_TRUE(client_.Head(1, 10, kTotal));
  EXPECT_EQ(client_.Body(1, "klmn"), Flow::kContinue);
  EXPECT_EQ(download_.received_bytes(), 2);
  EXPECT_EQ(client_.Body(0, "cdefghijkl"), Flow::kEnd);  // two bytes are there twice
  EXPECT_EQ(download_.received_bytes(), 14);
  client_.Done(0, Status::Cancelled("ended by the observer"));
  EXPECT_EQ(num_done_, 0);
  EXPECT_EQ(client_.Body(1, "opqrst"), Flow::kContinue);
  client_.Done(1);
  ExpectWhole();
}

TEST_F(DownloadTest, EndsAtOnceWhenTheLaterPartIsWhole) {
  EXPECT_TRUE(client_.Head(0, std::nullopt, kTotal));
  StartSide(10);
  EXPECT_TRUE(client_.Head(1, 10, kTotal));
  EXPECT_EQ(client_.Body(1, "klmnopqrst"), Flow::kContinue);
  client_.Done(1);
  EXPECT_EQ(num_done_, 0);
  EXPECT_EQ(client_.Body(0, "abcdefghij"), Flow::kEnd);
  ExpectWhole();
}

TEST_F(DownloadTest, GoesOnAloneWhenTheLaterPartIsCutShort) {
  EXPECT_TRUE(client_.Head(0, std::nullopt, kTotal));
  StartSide(10);
  EXPECT_TRUE(client_.Head(1, 10, kTotal));
  EXPECT_EQ(client_.Body(1, "klm"), Flow::kContinue);
  client_.Done(1);
  EXPECT_EQ(client_.Body(0, "abcdefghijklmnopqrst"), Flow::kContinue);
  client_.Done(0);
  ExpectWhole();
}

TEST_F(DownloadTest, RefusesASecondAnswerOfAnotherFileOrRange) {
  EXPECT_TRUE(client_.Head(0, std::nullopt, kTotal));
  EXPECT_EQ(client_.Body(0, "abcd"), Flow::kContinue);
  StartSide(4);
  EXPECT_FALSE(client_.Head(1, 4, kTotal, "\"2\""));
  EXPECT_FALSE(client_.Head(1, 4, kTotal + 1));
  EXPECT_FALSE(client_.Head(1, 5, kTotal));
  EXPECT_FALSE(client_.Head(1, std::nullopt, kTotal));
  client_.Done(1, Status::Cancelled("ended by the observer"));
  EXPECT_EQ(client_.Body(0, "efghijklmnopqrst"), Flow::kContinue);
  client_.Done(0);
  ExpectWhole();
}

TEST_F(DownloadTest, DropsAHedgeThatTheFirstHasOutrun) {
  const std::string whole(2 << 20, 'x');
  const auto total = static_cast<int64_t>(whole.size());
  EXPECT_TRUE(client_.Head(0, std::nullopt, total));
  StartSide(0);
  EXPECT_TRUE(client_.Head(1, 0, total));
  EXPECT_EQ(client_.Body(0, std::string_view(whole).substr(0, 600'000)), Flow::kContinue);
  EXPECT_EQ(client_.Body(1, std::string_view(whole).substr(0, 1000)), Flow::kEnd);
  EXPECT_FALSE(client_.gets[0].cancelled);
  EXPECT_EQ(counters_.sides_joined, 0);
}

}  // namespace
}  // namespace dbx
