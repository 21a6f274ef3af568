// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "result/arrow_reading.h"
#include "thrift/thrift_client.h"

namespace dbx::local {
namespace {

using thrift::TSparkArrowResultLink;

constexpr int64_t kRows = 40'000;
const ThriftOptions kSmallFiles{
    .inline_limit_bytes = 10'000, .chunk_bytes = 200'000, .links_per_page = 2};

/// All links of an operation, by FETCH_NEXT until its end; checks what every page must have.
std::vector<TSparkArrowResultLink> AllLinks(ThriftFixture* fixture,
                                            const thrift::TExecuteStatementResp& response) {
  std::vector<TSparkArrowResultLink> links;
  thrift::TFetchResultsResp page = response.directResults.resultSet;
  while (true) {
    EXPECT_TRUE(page.results.__isset.resultLinks);
    EXPECT_FALSE(page.results.__isset.arrowBatches);
    EXPECT_TRUE(page.results.rows.empty());
    const auto& given = page.results.resultLinks;
    if (!given.empty()) {
      EXPECT_EQ(page.results.startRowOffset, given.front().startRowOffset);
    }
    links.insert(links.end(), given.begin(), given.end());
    if (!page.hasMoreRows) return links;
    page = fixture->Fetch(response.operationHandle);
    EXPECT_EQ(page.status.statusCode, thrift::TStatusCode::SUCCESS_STATUS);
    if (page.status.statusCode != thrift::TStatusCode::SUCCESS_STATUS) return links;
  }
}

thrift::TFetchResultsReq FetchFrom(const thrift::TOperationHandle& handle, int64_t row) {
  thrift::TFetchResultsReq request;
  request.operationHandle = handle;
  request.maxRows = -1;
  request.__set_startRowOffset(row);
  return request;
}

TEST(ThriftService, S17_FilesAreWholeStreamsWithoutFieldMetadata) {
  ThriftFixture fixture(kSmallFiles);
  fixture.engine.results["q"] = NumberedResult(kRows);
  const auto links = AllLinks(&fixture, fixture.Execute("q"));
  ASSERT_GT(links.size(), 3U);
  int64_t next_row = 0;
  for (const TSparkArrowResultLink& link : links) {
    const std::string stored = fixture.spool.Bytes(ObjectOf(link.fileLink));
    EXPECT_TRUE(stored.starts_with("\x04\x22\x4d\x18\x60\x70\x73"));
    int frames = 0;
    const std::string stream = DecodeLz4Frames(stored, &frames);
    EXPECT_EQ(frames, 1);
    EXPECT_TRUE(stream.ends_with(std::string("\xFF\xFF\xFF\xFF\0\0\0\0", 8)));
    EXPECT_EQ(static_cast<int64_t>(stream.size()), link.bytesNum);
    const ArrowTable table = ReadArrowStream(stream);
    EXPECT_EQ(table.schema->children[0]->metadata, nullptr);
    EXPECT_STREQ(table.schema->children[0]->name, "id");
    ASSERT_EQ(static_cast<int64_t>(table.rows.size()), link.rowCount);
    for (const auto& row : table.rows) ASSERT_EQ(row[0], std::to_string(next_row++));
  }
  EXPECT_EQ(next_row, kRows);
}

TEST(ThriftService, S17_FilesAreRawWhenFramesAreNotAskedFor) {
  ThriftFixture fixture(kSmallFiles);
  fixture.engine.results["q"] = NumberedResult(kRows);
  thrift::TExecuteStatementReq request = fixture.ExecuteRequest("q");
  request.canDecompressLZ4Result = false;
  const thrift::TExecuteStatementResp response = fixture.Execute(request);
  EXPECT_FALSE(response.directResults.resultSetMetadata.lz4Compressed);
  const auto links = AllLinks(&fixture, response);
  EXPECT_EQ(static_cast<int64_t>(
                ReadArrowStream(fixture.spool.Bytes(ObjectOf(links[0].fileLink))).rows.size()),
            links[0].rowCount);
}

TEST(ThriftService, S18_LinksAreContiguousAndExpireInMilliseconds) {
  ThriftFixture fixture(kSmallFiles);
  fixture.engine.results["q"] = NumberedResult(kRows);
  const thrift::TExecuteStatementResp response = fixture.Execute("q");
  const auto links = AllLinks(&fixture, response);
  int64_t next_row = 0;
  int64_t raw_bytes = 0;
  for (const TSparkArrowResultLink& link : links) {
    EXPECT_EQ(link.startRowOffset, next_row);
    EXPECT_GT(link.rowCount, 0);
    EXPECT_EQ(link.expiryTime, (1'700'000'000LL + 900) * 1000);
    EXPECT_TRUE(link.__isset.httpHeaders);
    EXPECT_TRUE(link.fileLink.starts_with("http://127.0.0.1:9000/results/")) << link.fileLink;
    EXPECT_NE(link.fileLink.find("life=900&"), std::string::npos);
    next_row += link.rowCount;
    raw_bytes += link.bytesNum;
  }
  EXPECT_EQ(next_row, kRows);
  const thrift::TFetchResultsReq again = [&] {
    thrift::TFetchResultsReq request = FetchFrom(response.operationHandle, 0);
    request.__set_includeResultSetMetadata(true);
    return request;
  }();
  EXPECT_EQ(fixture.Fetch(again).resultSetMetadata.uncompressedBytes, raw_bytes);
  EXPECT_EQ(fixture.service->counters().links_given, static_cast<int64_t>(links.size()) + 2);
}

TEST(ThriftService, S18_StorageIsNamedAsTheClientNamesUs) {
  ThriftFixture fixture({.inline_limit_bytes = 0, .storage_port = 7777, .storage_tls = true});
  fixture.engine.results["q"] = NumberedResult(10);
  const auto link = [&](const std::string& host) {
    HttpRequest http;
    http.method = "POST";
    http.path = fixture.path;
    http.scheme = "https";
    http.host = host;
    http.body = EncodeCall("ExecuteStatement", 1, fixture.ExecuteRequest("q"));
    thrift::TExecuteStatementResp response;
    DecodeReply(fixture.service->Handle(http).body, &response);
    return response.directResults.resultSet.results.resultLinks.at(0).fileLink;
  };
  EXPECT_TRUE(link("warehouse.test:8443").starts_with("https://warehouse.test:7777/results/"));
  EXPECT_TRUE(link("warehouse.test").starts_with("https://warehouse.test:7777/results/"));
  EXPECT_TRUE(link("[::1]:8443").starts_with("https://[::1]:7777/results/"));
}

TEST(ThriftService, S19_LinksAreMadeAnewFromARow) {
  ThriftFixture fixture(kSmallFiles);
  fixture.engine.results["q"] = NumberedResult(kRows);
  const thrift::TExecuteStatementResp response = fixture.Execute("q");
  const auto links = AllLinks(&fixture, response);
  ASSERT_GT(links.size(), 3U);
  // The row itself, and one in the middle of the same file.
  for (const int64_t row : {links[1].startRowOffset, links[1].startRowOffset + 5}) {
    const thrift::TFetchResultsResp page = fixture.Fetch(FetchFrom(response.operationHandle, row));
    ASSERT_EQ(page.results.resultLinks.size(), 2U);
    EXPECT_EQ(page.results.startRowOffset, links[1].startRowOffset);
    EXPECT_EQ(page.results.resultLinks[0].startRowOffset, links[1].startRowOffset);
    EXPECT_NE(page.results.resultLinks[0].fileLink, links[1].fileLink);
    EXPECT_TRUE(page.hasMoreRows);
  }
  // Then FETCH_NEXT goes on behind these, and FETCH_FIRST at the start.
  EXPECT_EQ(fixture.Fetch(response.operationHandle).results.startRowOffset,
            links[3].startRowOffset);
  thrift::TFetchResultsReq first;
  first.operationHandle = response.operationHandle;
  first.orientation = thrift::TFetchOrientation::FETCH_FIRST;
  first.maxRows = -1;
  EXPECT_EQ(fixture.Fetch(first).results.resultLinks.at(0).startRowOffset, 0);
  const thrift::TFetchResultsResp beyond =
      fixture.Fetch(FetchFrom(response.operationHandle, kRows));
  EXPECT_TRUE(beyond.results.__isset.resultLinks);
  EXPECT_TRUE(beyond.results.resultLinks.empty());
  EXPECT_FALSE(beyond.hasMoreRows);
}

TEST(ThriftService, S19_AfterTheLastLinkFetchNextBeginsAnew) {
  ThriftFixture fixture(kSmallFiles);
  fixture.engine.results["q"] = NumberedResult(kRows);
  const thrift::TExecuteStatementResp response = fixture.Execute("q");
  AllLinks(&fixture, response);
  EXPECT_EQ(fixture.Fetch(response.operationHandle).results.resultLinks.at(0).startRowOffset, 0);
}

TEST(ThriftService, S20_PagesOfLinksFitTheRowsAndBytesAskedFor) {
  ThriftFixture fixture({.inline_limit_bytes = 0, .chunk_bytes = 200'000, .links_per_page = 100});
  fixture.engine.results["q"] = NumberedResult(kRows);
  const thrift::TExecuteStatementResp response = fixture.Execute("q");
  const auto links = AllLinks(&fixture, response);
  ASSERT_GT(links.size(), 3U);
  thrift::TFetchResultsReq request = FetchFrom(response.operationHandle, 0);
  const auto links_on_page = [&] { return fixture.Fetch(request).results.resultLinks.size(); };
  EXPECT_EQ(links_on_page(), links.size());
  request.maxRows = links[0].rowCount + links[1].rowCount;
  EXPECT_EQ(links_on_page(), 2U);
  request.maxRows -= 1;
  EXPECT_EQ(links_on_page(), 1U);
  request.maxRows = 1;  // at least one
  EXPECT_EQ(links_on_page(), 1U);
  request.maxRows = 0;
  const thrift::TFetchResultsResp none = fixture.Fetch(request);
  EXPECT_TRUE(none.results.resultLinks.empty());
  EXPECT_TRUE(none.hasMoreRows);
  request.maxRows = -1;
  request.__set_maxBytes(links[0].bytesNum + links[1].bytesNum);
  EXPECT_EQ(links_on_page(), 2U);
}

TEST(ThriftService, S20_MetadataComesWithThePageWhenAsked) {
  ThriftFixture fixture(kSmallFiles);
  fixture.engine.results["q"] = NumberedResult(kRows);
  const thrift::TOperationHandle handle = fixture.Execute("q").operationHandle;
  thrift::TFetchResultsReq request = FetchFrom(handle, 0);
  EXPECT_FALSE(fixture.Fetch(request).__isset.resultSetMetadata);
  request.__set_includeResultSetMetadata(true);
  EXPECT_EQ(fixture.Fetch(request).resultSetMetadata.resultFormat,
            thrift::TSparkRowSetType::URL_BASED_SET);
}

TEST(ThriftService, LinksToTheFirstFilesComeWhileLaterOnesAreMade) {
  ThriftFixture fixture({.inline_limit_bytes = 0, .chunk_bytes = 1});
  FakeResult result = NumberedResult(4 * 4096);
  result.rows_gate = std::make_shared<Gate>();
  result.gated_from = 3;
  fixture.engine.results["q"] = result;
  const thrift::TExecuteStatementResp response = fixture.Execute("q");
  thrift::TFetchResultsResp page = response.directResults.resultSet;
  size_t num_links = page.results.resultLinks.size();
  while (num_links < 2) {
    EXPECT_TRUE(page.hasMoreRows);
    page = fixture.Fetch(response.operationHandle);
    num_links += page.results.resultLinks.size();
  }
  EXPECT_TRUE(page.hasMoreRows);
  EXPECT_FALSE(response.directResults.resultSetMetadata.__isset.uncompressedBytes);
  result.rows_gate->Open();
  while (page.hasMoreRows) {
    page = fixture.Fetch(response.operationHandle);
    ASSERT_FALSE(page.results.resultLinks.empty());
    num_links += page.results.resultLinks.size();
  }
  EXPECT_EQ(num_links, 4U);
}

TEST(ThriftService, FilesGoWhenTheOperationIsClosed) {
  ThriftFixture fixture(kSmallFiles);
  fixture.engine.results["q"] = NumberedResult(kRows);
  const thrift::TExecuteStatementResp response = fixture.Execute("q");
  AllLinks(&fixture, response);
  EXPECT_GT(fixture.spool.num_objects(), 3);
  fixture.Close(response.operationHandle);
  fixture.service.reset();  // the runner may still be letting go of the result
  EXPECT_EQ(fixture.spool.num_objects(), 0);
}

TEST(ThriftService, MaxBytesPerFileMakesFilesSmaller) {
  ThriftFixture fixture({.inline_limit_bytes = 0});
  fixture.engine.results["q"] = NumberedResult(kRows);
  thrift::TExecuteStatementReq request = fixture.ExecuteRequest("q");
  EXPECT_EQ(AllLinks(&fixture, fixture.Execute(request)).size(), 1U);
  request.__set_maxBytesPerFile(100'000);
  EXPECT_GT(AllLinks(&fixture, fixture.Execute(request)).size(), 4U);
}

TEST(ThriftService, TheCacheAnswersTheSameQueryFromTheSpool) {
  ThriftOptions options = kSmallFiles;
  options.cache = std::make_shared<ResultCache>();
  ThriftFixture fixture(std::move(options));  // what is kept must not outlive the fixture's spool
  fixture.engine.results["q"] = NumberedResult(kRows);
  fixture.engine.results["insert"] = {.kind = StatementKind::kDml, .columns = NumberedColumns()};
  const auto run = [&] {
    const thrift::TExecuteStatementResp response = fixture.Execute("q");
    const auto links = AllLinks(&fixture, response);
    fixture.Close(response.operationHandle);
    return std::pair(response.directResults.resultSetMetadata.cacheLookupResult,
                     ObjectOf(links[0].fileLink));
  };
  const auto first = run();
  EXPECT_EQ(first.first, thrift::TCacheLookupResult::CACHE_MISS);
  // The entry is made after the last link was handed out, on the statement's own thread.
  auto second = run();
  while (second.first != thrift::TCacheLookupResult::LOCAL_CACHE_HIT) second = run();
  EXPECT_EQ(run().second, second.second);
  const size_t num_runs = fixture.engine.requests().size();
  run();
  EXPECT_EQ(fixture.engine.requests().size(), num_runs);

  // Another form, parameters, or a change of data: not from the cache.
  thrift::TExecuteStatementReq raw = fixture.ExecuteRequest("q");
  raw.canDecompressLZ4Result = false;
  EXPECT_EQ(fixture.Execute(raw).directResults.resultSetMetadata.cacheLookupResult,
            thrift::TCacheLookupResult::CACHE_MISS);
  fixture.Execute("insert");
  EXPECT_EQ(run().first, thrift::TCacheLookupResult::CACHE_MISS);
}

}  // namespace
}  // namespace dbx::local
