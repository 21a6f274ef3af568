// SPDX-License-Identifier: Apache-2.0
// What storage and the link service do wrong, and what the reader sees of it.
#include <gtest/gtest.h>

#include <atomic>
#include <string>

#include "arrow/testing/ipc_writer.h"
#include "base/str_cat.h"
#include "cloudfetch/testing/fake_storage.h"

namespace dbx {
namespace {

void ExpectAllRows(const ReadResult& read, int64_t num_rows) {
  EXPECT_EQ(read.end.ToString(), "ok");
  EXPECT_EQ(read.num_rows, num_rows);
}

/// The calendar stands still, so that a link's last minute is a fact and not a race.
class StillClock : public Clock {
 public:
  SteadyTime Now() const override { return Clock::Real().Now(); }
  WallTime WallNow() const override { return now_; }

 private:
  const WallTime now_ = WallTime(std::chrono::hours(500'000));
};

/// As StillClock; counts how often it is asked.
class CountingClock : public StillClock {
 public:
  WallTime WallNow() const override {
    ++num_calls_;
    return StillClock::WallNow();
  }
  int num_calls() const { return num_calls_; }

 private:
  mutable std::atomic<int> num_calls_{0};
};

// ---- broken bodies

TEST(CloudFetchFaults, GoesOnAfterAResetAtAnyByte) {
  FakeStorage storage(
      {{.num_rows = 500, .lz4 = Lz4Layout{.small_blocks = true}}, {.num_rows = 10}});
  const auto size = static_cast<int64_t>(storage.file(0).size());
  for (int64_t position = FakeAnswer::kBeforeHead; position < size; position += size / 23) {
    std::atomic<bool> done = false;
    storage.SetFault(0, [&](const FakeRequest&, FakeAnswer& answer) {
      if (!done.exchange(true)) answer.reset_after = position;
    });
    const auto stream = storage.MakeStream(TestOptions());
    ExpectAllRows(ReadAll(*stream), 510);
    EXPECT_GE(stream->statistics().retries, 1) << position;
  }
}

TEST(CloudFetchFaults, GoesOnFromTheByteWhereABodyWasCutShort) {
  FakeStorage storage({{.num_rows = 5000, .lz4 = std::nullopt}});
  const auto size = static_cast<int64_t>(storage.file(0).size());
  for (int64_t position = 1; position < size; position += size / 17) {
    std::atomic<bool> done = false;
    storage.SetFault(0, [&](const FakeRequest&, FakeAnswer& answer) {
      if (!done.exchange(true)) answer.cut_after = position;
    });
    const auto stream = storage.MakeStream(TestOptions());
    ExpectAllRows(ReadAll(*stream), 5000);
    const CloudFetchStatistics statistics = stream->statistics();
    EXPECT_EQ(statistics.resumed_bytes, size - position);
    EXPECT_EQ(statistics.bytes_downloaded, size);
  }
}

TEST(CloudFetchFaults, AsksForTheRestOfTheSameFileOnly) {
  FakeStorage storage(1, 500);
  storage.SetFault(0, [](const FakeRequest& request, FakeAnswer& answer) {
    if (request.repeat == 0) answer.cut_after = 1000;
  });
  ExpectAllRows(ReadAll(*storage.MakeStream(TestOptions())), 500);
  const std::vector<FakeRequest> requests = storage.server().requests();
  ASSERT_EQ(requests.size(), 2U);
  EXPECT_EQ(requests[1].Header("Range"), "bytes=1000-");
  EXPECT_EQ(requests[1].Header("If-Range"), "\"file-0\"");
}

TEST(CloudFetchFaults, SkipsTheKnownPrefixWhenStorageKnowsNoRanges) {
  FakeStorage storage({{.num_rows = 5000, .lz4 = Lz4Layout{.small_blocks = true}}});
  const std::string whole = storage.file(0);
  storage.SetFault(0, [&](const FakeRequest& request, FakeAnswer& answer) {
    answer = {.body = whole};
    if (request.repeat < 5) answer.reset_after = (request.repeat + 1) * 9000;
  });
  const auto stream = storage.MakeStream(TestOptions());
  ExpectAllRows(ReadAll(*stream), 5000);
  EXPECT_EQ(stream->statistics().bytes_downloaded, static_cast<int64_t>(whole.size()));
  EXPECT_EQ(stream->statistics().resumed_bytes, 0);
}

TEST(CloudFetchFaults, DoesNotAskForRangesWhenToldNotTo) {
  FakeStorage storage(1, 500);
  storage.SetFault(0, [](const FakeRequest& request, FakeAnswer& answer) {
    if (request.repeat == 0) answer.reset_after = 1000;
  });
  CloudFetchOptions options = TestOptions();
  options.range_resume = false;
  ExpectAllRows(ReadAll(*storage.MakeStream(options)), 500);
  for (const FakeRequest& request : storage.server().requests())
    EXPECT_FALSE(request.HasHeader("Range"));
}

TEST(CloudFetchFaults, BeginsAnewWhenAnotherRangeIsAnswered) {
  FakeStorage storage(1, 2000);
  const std::string whole = storage.file(0);
  storage.SetFault(0, [&](const FakeRequest& request, FakeAnswer& answer) {
    if (request.repeat == 0) answer.cut_after = 5000;
    if (request.repeat != 1) return;
    answer = {.status = 206, .body = whole.substr(4000)};
    answer.headers = {
        {"Content-Range", StrCat("bytes 4000-", whole.size() - 1, "/", whole.size())}};
  });
  ExpectAllRows(ReadAll(*storage.MakeStream(TestOptions())), 2000);
  EXPECT_EQ(storage.num_requests(0), 3);
}

TEST(CloudFetchFaults, BeginsAnewWhenTheFileHasChanged) {
  FakeStorage storage({{.num_rows = 4000, .lz4 = std::nullopt}});
  const std::string old_file = storage.file(0);
  storage.set_file(0, MakeIpcStream(0, 4000, 80));  // the same rows, cut otherwise
  storage.SetFault(0, [&](const FakeRequest& request, FakeAnswer& answer) {
    if (request.repeat == 0) {
      answer = {.headers = {{"ETag", "\"old\""}}, .body = old_file};
      answer.cut_after = 90'000;
    }
  });
  ExpectAllRows(ReadAll(*storage.MakeStream(TestOptions())), 4000);
}

TEST(CloudFetchFaults, TakesARangePastTheEndForTheEnd) {
  FakeStorage storage(1, 100);
  // Chunked and cut before its end marker: the client cannot know that it has everything.
  storage.SetFault(0, [](const FakeRequest& request, FakeAnswer& answer) {
    if (request.repeat > 0) return;
    answer.framing = FakeAnswer::Framing::kChunked;
    answer.cut_after = static_cast<int64_t>(answer.body.size());
  });
  ExpectAllRows(ReadAll(*storage.MakeStream(TestOptions())), 100);
}

TEST(CloudFetchFaults, ReportsAContentLengthThatIsTooShort) {
  FakeStorage storage(3, 400);
  storage.SetFault(1, [](const FakeRequest&, FakeAnswer& answer) {
    answer.status = 200;
    answer.body = answer.body.substr(0, answer.body.size() / 2);
  });
  const ReadResult read = ReadAll(*storage.MakeStream(TestOptions()));
  EXPECT_GE(read.num_rows, 400);
  EXPECT_LT(read.num_rows, 800);
  EXPECT_EQ(read.end.code(), StatusCode::kInvalidData);
  EXPECT_NE(read.end.message().find("chunk 1"), std::string::npos) << read.end.message();
  EXPECT_EQ(storage.num_requests(1), 2);
}

TEST(CloudFetchFaults, DownloadsACorruptFileOnceMore) {
  FakeStorage storage(
      {{.num_rows = 100},
       {.num_rows = 5000, .lz4 = Lz4Layout{.checksums = true, .small_blocks = true}},
       {.num_rows = 100}});
  storage.SetFault(1, [](const FakeRequest& request, FakeAnswer& answer) {
    if (request.repeat == 0) answer.body[answer.body.size() * 3 / 4] ^= 0x20;
  });
  ExpectAllRows(ReadAll(*storage.MakeStream(TestOptions())), 5200);
  EXPECT_EQ(storage.num_requests(1), 2);
}

TEST(CloudFetchFaults, HandsOutNoRowTwiceAfterASecondDownload) {
  // Plain messages: the rows before the broken one are with the reader already.
  FakeStorage storage({{.num_rows = 20'000, .rows_per_batch = 500, .lz4 = std::nullopt}});
  const auto gate = std::make_shared<FakeGate>();
  storage.SetFault(0, [&](const FakeRequest& request, FakeAnswer& answer) {
    if (request.repeat > 0) return;
    const size_t broken = answer.body.size() * 9 / 10;
    for (size_t i = 0; i < 4096; ++i) answer.body[broken + i] = '\x7F';
    answer.body.resize(broken + 4096);
    answer.gate = gate;
    answer.gate_after = static_cast<int64_t>(broken);
  });
  const auto stream = storage.MakeStream(TestOptions());
  bool opened = false;
  const ReadResult read = ReadAll(*stream, [&](RecordBatch) {
    if (!std::exchange(opened, true)) gate->Open();
  });
  ExpectAllRows(read, 20'000);
  EXPECT_EQ(storage.num_requests(0), 2);
}

TEST(CloudFetchFaults, NamesChunkAndCauseOfAFileThatStaysCorrupt) {
  FakeStorage storage({{.num_rows = 100}, {.num_rows = 500, .lz4 = Lz4Layout{.checksums = true}}});
  storage.SetFault(1, [](const FakeRequest&, FakeAnswer& answer) {
    answer.body[answer.body.size() / 2] ^= 0x20;
  });
  const auto stream = storage.MakeStream(TestOptions());
  const ReadResult read = ReadAll(*stream);
  EXPECT_EQ(read.num_rows, 100);
  EXPECT_EQ(read.end.code(), StatusCode::kInvalidData);
  EXPECT_NE(read.end.message().find("chunk 1: LZ4 frame"), std::string::npos) << read.end.message();
  EXPECT_EQ(stream->Next().status().message(), read.end.message());  // the error stays
}

TEST(CloudFetchFaults, RefusesGarbageAfterTheLastFrame) {
  FakeStorage storage(2, 300);
  storage.set_file(0, storage.file(0) + "and then some");
  const ReadResult read = ReadAll(*storage.MakeStream(TestOptions()));
  EXPECT_LE(read.num_rows, 300);
  EXPECT_EQ(read.end.code(), StatusCode::kInvalidData);
}

TEST(CloudFetchFaults, RefusesAFileWithTooFewRowsAfterASecondLook) {
  FakeStorage storage(
      {{.num_rows = 100}, {.num_rows = 200, .padding_rows = -50}, {.num_rows = 100}});
  const ReadResult read = ReadAll(*storage.MakeStream(TestOptions()));
  EXPECT_EQ(read.num_rows, 250);
  EXPECT_EQ(read.end.code(), StatusCode::kIntegrity);
  EXPECT_NE(read.end.message().find("150 rows, 200 were promised"), std::string::npos)
      << read.end.message();
  EXPECT_EQ(storage.num_requests(1), 2);
}

TEST(CloudFetchFaults, RefusesAnEmptyFile) {
  FakeStorage storage(2, 100);
  storage.set_file(1, "");
  const ReadResult read = ReadAll(*storage.MakeStream(TestOptions()));
  EXPECT_EQ(read.num_rows, 100);
  EXPECT_EQ(read.end.code(), StatusCode::kIntegrity);
}

TEST(CloudFetchFaults, ResumesASilentConnection) {
  FakeStorage storage({{.num_rows = 3000, .lz4 = std::nullopt}});
  storage.SetFault(0, [](const FakeRequest& request, FakeAnswer& answer) {
    if (request.repeat > 0) return;
    answer.gate = std::make_shared<FakeGate>();  // nobody opens it
    answer.gate_after = 50'000;
  });
  CloudFetchOptions options = TestOptions();
  options.stall_timeout = std::chrono::milliseconds(30);
  const auto stream = storage.MakeStream(options);
  ExpectAllRows(ReadAll(*stream), 3000);
  EXPECT_EQ(storage.num_requests(0), 2);
  EXPECT_GT(stream->statistics().resumed_bytes, 0);
}

TEST(CloudFetchFaults, EndsAFileThatTakesLongerThanItMay) {
  FakeStorage storage(2, 3000);
  storage.SetFault(1, [](const FakeRequest&, FakeAnswer& answer) {
    answer.gate = std::make_shared<FakeGate>();
    answer.gate_after = 10;
  });
  CloudFetchOptions options = TestOptions();
  options.file_timeout = std::chrono::milliseconds(80);
  options.stall_timeout = std::chrono::milliseconds(0);
  const ReadResult read = ReadAll(*storage.MakeStream(options));
  EXPECT_EQ(read.num_rows, 3000);
  EXPECT_EQ(read.end.code(), StatusCode::kTimeout);
}

// ---- refusals

TEST(CloudFetchFaults, RefreshesARefusedLinkOnceAndKeepsRowOrder) {
  for (const int status : {401, 403}) {
    FakeStorage storage(3, 100);
    storage.Refuse(1, 1, status);
    const auto stream = storage.MakeStream(TestOptions());
    ExpectAllRows(ReadAll(*stream), 300);
    EXPECT_EQ(storage.links().num_refreshes(), 1);
    EXPECT_EQ(storage.num_requests(1), 2);
    EXPECT_EQ(stream->statistics().link_refreshes, 1);
  }
}

TEST(CloudFetchFaults, RefreshesEveryLinkThatHasLapsedWhateverTheClockSays) {
  FakeStorage storage(12, 50);
  storage.ExpireLinks();
  ExpectAllRows(ReadAll(*storage.MakeStream(TestOptions())), 600);
  EXPECT_EQ(storage.links().num_refreshes(), 12);
}

TEST(CloudFetchFaults, TakesABadRequestThatSaysExpiredForALapsedLink) {
  FakeStorage storage(2, 50);
  storage.ExpireLinks(400, "<Error><Code>ExpiredToken</Code></Error>");
  ExpectAllRows(ReadAll(*storage.MakeStream(TestOptions())), 100);
}

TEST(CloudFetchFaults, TakesAnyOtherBadRequestAsFinal) {
  FakeStorage storage(2, 50);
  storage.Refuse(1, 100, 400, "<Error><Code>InvalidArgument</Code></Error>");
  const ReadResult read = ReadAll(*storage.MakeStream(TestOptions()));
  EXPECT_EQ(read.num_rows, 50);
  EXPECT_FALSE(read.end.ok());
  EXPECT_EQ(read.end.http_status(), 400);
  EXPECT_EQ(storage.num_requests(1), 1);
  EXPECT_EQ(storage.links().num_refreshes(), 0);
}

TEST(CloudFetchFaults, GivesUpOnALinkThatStaysRefused) {
  FakeStorage storage(2, 50);
  storage.Refuse(1, 1000, 403);
  const ReadResult read = ReadAll(*storage.MakeStream(TestOptions()));
  EXPECT_EQ(read.num_rows, 50);
  EXPECT_EQ(read.end.http_status(), 403);
  EXPECT_EQ(storage.links().num_refreshes(), 3);
  EXPECT_NE(read.end.message().find("127.0.0.1"), std::string::npos) << read.end.message();
  EXPECT_EQ(read.end.message().find("sig="), std::string::npos) << read.end.message();
}

TEST(CloudFetchFaults, AsksOnceForAnotherLinkToAFileThatIsGone) {
  FakeStorage storage(2, 50);
  storage.Refuse(1, 1, 404);
  ExpectAllRows(ReadAll(*storage.MakeStream(TestOptions())), 100);

  FakeStorage gone(2, 50);
  gone.Refuse(1, 1000, 404, "<Error><Code>NoSuchKey</Code></Error>");
  const ReadResult read = ReadAll(*gone.MakeStream(TestOptions()));
  EXPECT_EQ(read.num_rows, 50);
  EXPECT_EQ(read.end.http_status(), 404);
  EXPECT_EQ(gone.links().num_refreshes(), 1);
  EXPECT_EQ(gone.num_requests(1), 2);
}

TEST(CloudFetchFaults, RepeatsWhatStorageIsTooBusyFor) {
  for (const int status : {408, 429, 500, 502, 503, 504}) {
    FakeStorage storage(2, 50);
    storage.Refuse(0, 3, status);
    const auto stream = storage.MakeStream(TestOptions());
    ExpectAllRows(ReadAll(*stream), 100);
    EXPECT_EQ(stream->statistics().retries, 3) << status;
    EXPECT_EQ(storage.num_requests(0), 4) << status;
  }
}

TEST(CloudFetchFaults, ComesBackNoEarlierThanRetryAfterSays) {
  FakeStorage storage(1, 50);
  std::atomic<int64_t> refused_at = 0, came_back_after = 0;
  const auto now = [] { return std::chrono::steady_clock::now().time_since_epoch().count(); };
  storage.SetFault(0, [&](const FakeRequest& request, FakeAnswer& answer) {
    if (request.repeat == 0) {
      answer = {.status = 503, .headers = {{"Retry-After", "1"}}, .body = "SlowDown"};
      refused_at = now();
    } else {
      came_back_after = now() - refused_at;
    }
  });
  ExpectAllRows(ReadAll(*storage.MakeStream(TestOptions())), 50);
  EXPECT_GE(came_back_after, 1'000'000'000);
}

TEST(CloudFetchFaults, GivesUpWhenTheRetriesAreSpent) {
  FakeStorage storage(3, 50);
  storage.Refuse(2, 1000, 503);
  CloudFetchOptions options = TestOptions();
  options.retry.max_attempts = 4;
  const ReadResult read = ReadAll(*storage.MakeStream(options));
  EXPECT_EQ(read.num_rows, 100);
  EXPECT_EQ(read.end.code(), StatusCode::kUnavailable);
  EXPECT_EQ(storage.num_requests(2), 4);
}

TEST(CloudFetchFaults, NamesTheHostThatRefusesConnections) {
  FakeStorage storage(2, 50);
  int port = 0;
  {
    const FakeServer gone;
    port = gone.port();
  }
  ResultLink dead = storage.all_links()[1];
  dead.presigned_url = SecretUrl(StrCat("http://127.0.0.1:", port, "/x?sig=secret"));
  storage.ReplaceLink(1, dead);
  CloudFetchOptions options = TestOptions();
  options.retry.max_attempts = 3;
  const ReadResult read = ReadAll(*storage.MakeStream(options));
  EXPECT_EQ(read.num_rows, 50);
  EXPECT_EQ(read.end.code(), StatusCode::kUnavailable);
  EXPECT_NE(read.end.message().find("127.0.0.1"), std::string::npos) << read.end.message();
  EXPECT_EQ(read.end.message().find("secret"), std::string::npos) << read.end.message();
}

// ---- links

TEST(CloudFetchFaults, RefreshesALinkNearItsEndBeforeUse) {
  const StillClock clock;
  FakeStorage storage(3, 50);
  ResultLink stale = storage.all_links()[1];
  stale.expires_at = clock.WallNow() + std::chrono::seconds(59);
  storage.ReplaceLink(1, stale);
  ResultLink sound = storage.all_links()[2];
  sound.expires_at = clock.WallNow() + std::chrono::seconds(61);
  storage.ReplaceLink(2, sound);
  storage.links().set_refresher([&](const ResultLink& link) -> Result<ResultLink> {
    ResultLink fresh = link;
    fresh.expires_at = clock.WallNow() + std::chrono::seconds(900);
    return fresh;
  });
  ExpectAllRows(ReadAll(*storage.MakeStream(TestOptions(), clock)), 150);
  EXPECT_EQ(storage.links().num_refreshes(), 1);
  EXPECT_EQ(storage.num_requests(1), 1);
}

TEST(CloudFetchFaults, FetchesFewLinksAheadThatTheReadersPaceWouldLetLapse) {
  const StillClock clock;
  FakeStorage storage(60, 10);
  for (int64_t i = 0; i < 60; ++i) {
    ResultLink link = storage.all_links()[static_cast<size_t>(i)];
    link.expires_at = clock.WallNow() + std::chrono::milliseconds(60'001);  // a ms past the margin
    storage.ReplaceLink(i, link);
  }
  CloudFetchOptions options = TestOptions();
  options.chunks_ahead = 4;
  options.parallel_downloads = 4;
  options.link_prefetch_window = 20;
  const auto stream = storage.MakeStream(options, clock);
  for (int i = 0; i < 12; ++i) {
    const auto batch = stream->Next();
    ASSERT_TRUE(batch.ok() && batch->has_value());
  }
  EXPECT_LE(storage.links().num_given(), 24U);
}

TEST(CloudFetchFaults, SleepsWhileARetryThatIsDueWaitsForASlot) {
  const CountingClock clock;  // asked at every look around, once the reader's pace is known
  FakeStorage storage(12, 10);
  for (int64_t i = 0; i < 12; ++i) {
    ResultLink link = storage.all_links()[static_cast<size_t>(i)];
    link.expires_at = clock.WallNow() + std::chrono::hours(24);
    storage.ReplaceLink(i, link);
  }
  storage.links().BlockAfter(12);
  storage.Refuse(8, /*times=*/1, 503);
  storage.SetFault(9, [](const FakeRequest& request, FakeAnswer& answer) {
    if (request.repeat > 0) return;
    answer.gate = std::make_shared<FakeGate>();  // nobody opens it
    answer.gate_after = 0;
  });
  CloudFetchOptions options = TestOptions();
  options.parallel_downloads = 1;
  options.hedge = false;
  options.stall_timeout = std::chrono::milliseconds(300);
  const auto stream = storage.MakeStream(options, clock);
  for (int i = 0; i < 6; ++i) {
    const auto batch = stream->Next();
    ASSERT_TRUE(batch.ok() && batch->has_value());
  }
  ASSERT_TRUE(storage.server().WaitForRequests(11));  // 9 has stalled, and 8 is asked for again
  EXPECT_EQ(storage.num_requests(8), 2);
  EXPECT_LT(clock.num_calls(), 1000);
}

TEST(CloudFetchFaults, DoesNotRefreshForEverWhenFreshLinksAreNearTheirEndToo) {
  const StillClock clock;
  FakeStorage storage(40, 10);
  for (int64_t i = 0; i < 40; ++i) {
    ResultLink link = storage.all_links()[static_cast<size_t>(i)];
    link.expires_at = clock.WallNow() + std::chrono::seconds(5);
    storage.ReplaceLink(i, link);
  }
  ExpectAllRows(ReadAll(*storage.MakeStream(TestOptions(), clock)), 400);
  EXPECT_LE(storage.links().num_refreshes(),
            32);  // those that were under way before the first answer
}

TEST(CloudFetchFaults, UsesLinksThatAWrongClockTakesForLapsed) {
  const StillClock clock;
  FakeStorage storage(3, 10);
  for (int64_t i = 0; i < 3; ++i) {
    ResultLink link = storage.all_links()[static_cast<size_t>(i)];
    link.expires_at = clock.WallNow() - std::chrono::hours(2);
    storage.ReplaceLink(i, link);
  }
  ExpectAllRows(ReadAll(*storage.MakeStream(TestOptions(), clock)), 30);
}

TEST(CloudFetchFaults, DeliversAllRowsBeforeTheLinkSourcesError) {
  FakeStorage storage(5, 50);
  storage.links().FailAfter(3, Status::Unavailable("page 4: gone"));
  const auto stream = storage.MakeStream(TestOptions());
  const ReadResult read = ReadAll(*stream);
  EXPECT_EQ(read.num_rows, 150);
  EXPECT_EQ(read.end.code(), StatusCode::kUnavailable);
  EXPECT_EQ(stream->Next().status().code(), StatusCode::kUnavailable);
}

TEST(CloudFetchFaults, ReportsAFirstLinkThatCannotBeFetched) {
  FakeStorage storage(5, 50);
  storage.links().FailAfter(0, Status::Unavailable("no links"));
  const ReadResult read = ReadAll(*storage.MakeStream(TestOptions()));
  EXPECT_EQ(read.num_rows, 0);
  EXPECT_EQ(read.end.code(), StatusCode::kUnavailable);
}

TEST(CloudFetchFaults, ReportsARefreshThatFails) {
  FakeStorage storage(3, 50);
  storage.Refuse(1, 1, 403);
  storage.links().set_refresher([](const ResultLink&) -> Result<ResultLink> {
    return Status::NotFound("the statement is gone");
  });
  const ReadResult read = ReadAll(*storage.MakeStream(TestOptions()));
  EXPECT_EQ(read.num_rows, 50);
  EXPECT_EQ(read.end.code(), StatusCode::kNotFound);
}

TEST(CloudFetchFaults, RefusesAFreshLinkForOtherRows) {
  FakeStorage storage(3, 50);
  storage.Refuse(1, 1, 403);
  storage.links().set_refresher([](const ResultLink& link) -> Result<ResultLink> {
    ResultLink other = link;
    other.row_offset += 50;
    return other;
  });
  const ReadResult read = ReadAll(*storage.MakeStream(TestOptions()));
  EXPECT_EQ(read.num_rows, 50);
  EXPECT_EQ(read.end.code(), StatusCode::kIntegrity);
}

TEST(CloudFetchFaults, RefusesLinksOutOfOrder) {
  FakeStorage storage(3, 50);
  storage.ReplaceLink(1, storage.all_links()[2]);
  const ReadResult read = ReadAll(*storage.MakeStream(TestOptions()));
  EXPECT_EQ(read.num_rows, 50);
  EXPECT_EQ(read.end.code(), StatusCode::kIntegrity);
}

// ---- errors and the order

TEST(CloudFetchFaults, DeliversEarlierRowsAlthoughALaterChunkFailsFirst) {
  FakeStorage storage(6, 100);
  const auto gate = std::make_shared<FakeGate>();
  storage.SetFault(0, [gate](const FakeRequest&, FakeAnswer& answer) {
    answer.gate = gate;
    answer.gate_after = FakeAnswer::kBeforeHead;
  });
  storage.SetFault(3, [gate](const FakeRequest&, FakeAnswer& answer) {
    answer = {.status = 400, .body = "no"};
    gate->Open();
  });
  const ReadResult read = ReadAll(*storage.MakeStream(TestOptions()));
  EXPECT_EQ(read.num_rows, 300);
  EXPECT_EQ(read.end.http_status(), 400);
}

TEST(CloudFetchFaults, DeliversTheRowsThatCameBeforeAFileBroke) {
  FakeStorage storage({{.num_rows = 10'000, .rows_per_batch = 500, .lz4 = std::nullopt}});
  storage.SetFault(0, [](const FakeRequest& request, FakeAnswer& answer) {
    if (request.repeat == 0) {
      answer.cut_after = static_cast<int64_t>(answer.body.size()) / 2;
    } else {
      answer = {.status = 400, .body = "no more"};
    }
  });
  const ReadResult read = ReadAll(*storage.MakeStream(TestOptions()));
  EXPECT_GT(read.num_rows, 3000);
  EXPECT_LT(read.num_rows, 10'000);
  EXPECT_EQ(read.end.http_status(), 400);
}

}  // namespace
}  // namespace dbx
