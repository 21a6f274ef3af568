// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "warehouse/thrift/testing/thrift_fixture.h"
#include "warehouse/thrift/thrift_rows.h"

namespace dbx::thrift {
namespace {

class ThriftLinks : public ThriftFixture {
 protected:
  /// The link source of a result that begins with `first`.
  std::unique_ptr<LinkSource> LinksFrom(const TFetchResultsResp& first) {
    service.InOrder(kExecuteStatement, {Finished(1, LinkMetadata(), first, false)});
    auto execution = Execute();
    EXPECT_TRUE(execution.ok()) << execution.status().ToString();
    if (!execution.ok()) return nullptr;
    manifest = execution->manifest;
    return std::move(execution->links);
  }
  ResultManifest manifest;
};

TEST_F(ThriftLinks, GivesTheLinksOfEveryPageInOrder) {
  auto links = LinksFrom(LinkPage(0, {10, 20}, true));
  service.InOrder(kFetchLinks, {LinkPage(30, {5}, true), LinkPage(35, {1, 2}, false)});
  const auto all = ReadLinks(*links);
  ASSERT_TRUE(all.ok()) << all.status().ToString();
  ASSERT_EQ(all->size(), 5u);
  int64_t rows = 0;
  for (size_t index = 0; index < all->size(); ++index) {
    EXPECT_EQ((*all)[index].chunk_index, static_cast<int64_t>(index));
    EXPECT_EQ((*all)[index].row_offset, rows);
    rows += (*all)[index].num_rows;
  }
  EXPECT_EQ(rows, 38);
  EXPECT_EQ(manifest.num_rows, std::nullopt);
  EXPECT_EQ(service.Requests(kFetchLinks).at(0).startRowOffset, 30);
  EXPECT_EQ(service.Requests(kFetchLinks).at(1).startRowOffset, 35);
  EXPECT_EQ(service.num_calls("FetchResults"), 2);
}

TEST_F(ThriftLinks, KnowsTheTotalsOfAResultInOnePage) {
  auto links = LinksFrom(LinkPage(0, {10, 20}, false));
  EXPECT_EQ(manifest.num_rows, 30);
  EXPECT_EQ(manifest.num_chunks, 2);
  EXPECT_EQ(ReadLinks(*links)->size(), 2u);
}

TEST_F(ThriftLinks, C9_GoesOnAfterAPageWithoutLinks) {
  auto links = LinksFrom(LinkPage(0, {10}, true));
  service.InOrder(kFetchLinks, {EmptyPage(true), EmptyPage(true), LinkPage(10, {5}, false)});
  EXPECT_EQ(ReadLinks(*links)->size(), 2u);
}

TEST_F(ThriftLinks, C9_LeavesOutLinksWithoutRows) {
  auto links = LinksFrom(LinkPage(0, {10, 0, 5}, false));
  const auto all = ReadLinks(*links);
  ASSERT_EQ(all->size(), 2u);
  EXPECT_EQ(all->at(1).chunk_index, 1);
}

TEST_F(ThriftLinks, C11_NoticesAGapBetweenLinks) {
  TFetchResultsResp page = LinkPage(0, {10, 20}, true);
  auto links = LinksFrom(page);
  service.InOrder(kFetchLinks, {LinkPage(31, {5}, false)});
  EXPECT_EQ(ReadLinks(*links).status().code(), StatusCode::kIntegrity);
  EXPECT_EQ(links->Next().status().code(), StatusCode::kIntegrity);
  page.results.resultLinks[1].startRowOffset = 9;
  service.InOrder(kExecuteStatement, {Finished(1, LinkMetadata(), page, false)});
  EXPECT_EQ(Execute().status().code(), StatusCode::kIntegrity);
}

TEST_F(ThriftLinks, C13_ReadsTheExpiryInMilliseconds) {
  TFetchResultsResp page = LinkPage(0, {10}, false);
  page.results.resultLinks[0].expiryTime = 1'743'143'928'085;
  auto links = LinksFrom(page);
  const auto link = links->Next();
  EXPECT_EQ((*link)->expires_at, WallTime(std::chrono::milliseconds(1'743'143'928'085)));
}

TEST_F(ThriftLinks, C13_RefreshesALinkByItsRowOffset) {
  auto links = LinksFrom(LinkPage(0, {10, 20, 30}, false));
  const auto all = ReadLinks(*links);
  service.InOrder(kFetchLinks,
                  {LinkPage(10, {20, 30}, false, "b"), LinkPage(30, {30}, false, "c")});
  const auto fresh = links->Refresh(all->at(1));
  ASSERT_TRUE(fresh.ok()) << fresh.status().ToString();
  EXPECT_EQ(service.Requests(kFetchLinks).at(0).startRowOffset, 10);
  EXPECT_EQ(fresh->chunk_index, 1);
  EXPECT_EQ(fresh->num_rows, 20);
  EXPECT_NE(fresh->presigned_url, all->at(1).presigned_url);
  // The later chunk's fresh link came along; one that is refused all the same is asked for anew.
  const auto next = links->Refresh(all->at(2));
  ASSERT_TRUE(next.ok());
  EXPECT_EQ(service.num_calls("FetchResults"), 1);
  EXPECT_EQ(next->chunk_index, 2);
  EXPECT_TRUE(links->Refresh(*next).ok());
  EXPECT_EQ(service.num_calls("FetchResults"), 2);
}

TEST_F(ThriftLinks, C13_RefreshesTheVeryFirstLink) {
  auto links = LinksFrom(LinkPage(0, {10}, false));
  const auto first = links->Next();
  service.InOrder(kFetchLinks, {LinkPage(0, {10}, false, "b")});
  ASSERT_TRUE(links->Refresh(**first).ok());
  const TFetchResultsReq sent = service.Requests(kFetchLinks).at(0);
  EXPECT_TRUE(sent.__isset.startRowOffset);
  EXPECT_EQ(sent.startRowOffset, 0);
}

TEST_F(ThriftLinks, C13_ARefreshAlsoRenewsLinksThatStillWait) {
  auto links = LinksFrom(LinkPage(0, {10, 20}, false));
  const auto first = links->Next();
  service.InOrder(kFetchLinks, {LinkPage(0, {10, 20}, false, "b")});
  ASSERT_TRUE(links->Refresh(**first).ok());
  const auto second = links->Next();
  EXPECT_NE((*second)->presigned_url.Reveal().find("SIGNATURE-b"), std::string::npos);
  EXPECT_EQ((*second)->chunk_index, 1);
}

TEST_F(ThriftLinks, C13_RefusesARefreshWithOtherRows) {
  auto links = LinksFrom(LinkPage(0, {10, 20}, false));
  const auto first = links->Next();
  service.InOrder(kFetchLinks, {LinkPage(0, {11}, false), EmptyPage(false)});
  EXPECT_EQ(links->Refresh(**first).status().code(), StatusCode::kIntegrity);
  EXPECT_EQ(links->Refresh(**first).status().code(), StatusCode::kIntegrity);
}

TEST_F(ThriftLinks, C14_PassesTheHeadersOfALinkOn) {
  auto links = LinksFrom(LinkPage(0, {10}, false));
  const auto link = links->Next();
  ASSERT_EQ((*link)->headers.size(), 1u);
  EXPECT_EQ((*link)->headers[0].first, "x-key");
  EXPECT_EQ((*link)->headers[0].second, Secret("HEADER-SECRET"));
}

TEST_F(ThriftLinks, C16_AsksForLinksAgainAfterAFailure) {
  auto links = LinksFrom(LinkPage(0, {10}, true));
  service.InOrder(kFetchLinks, {LinkPage(10, {5}, false)});
  auto left = std::make_shared<int>(2);
  service.OnHttp("FetchResults", [left](const HttpRequest&) -> std::optional<Result<HttpResponse>> {
    if ((*left)-- > 0) return Result<HttpResponse>(Status::Io("reset"));
    return std::nullopt;
  });
  EXPECT_EQ(ReadLinks(*links)->size(), 2u);
  EXPECT_EQ(service.num_calls("FetchResults"), 3);
}

TEST_F(ThriftLinks, FetchesLinksThatTheFirstReplyDidNotHold) {
  service.InOrder(kExecuteStatement, {Accepted(1)});
  service.InOrder(kGetResultSetMetadata, {LinkMetadata()});
  service.InOrder(kFetchLinks, {LinkPage(0, {10}, false)});
  const auto execution = Execute();
  ASSERT_TRUE(execution.ok()) << execution.status().ToString();
  ASSERT_NE(execution->links, nullptr);
  EXPECT_EQ(service.Requests(kFetchLinks).at(0).startRowOffset, 0);
  EXPECT_EQ(service.Requests(kFetchLinks).at(0).maxRows, 2'000'000);
}

TEST_F(ThriftLinks, StaysOpenUntilItDiesAndThenClosesOnce) {
  auto links = LinksFrom(LinkPage(0, {10}, false));
  ASSERT_TRUE(ReadLinks(*links).ok());
  EXPECT_EQ(service.num_calls("CloseOperation"), 0);
  links->Cancel(Status::Cancelled("by the user"));
  EXPECT_EQ(links->Next().status().message(), "by the user");
  links.reset();
  Close();
  EXPECT_EQ(service.num_calls("CloseOperation"), 1);
  EXPECT_EQ(service.num_calls("CancelOperation"), 0);
}

TEST_F(ThriftLinks, RefusesNumbersThatCannotBe) {
  TSparkArrowResultLink link = LinkPage(0, {10}, false).results.resultLinks.front();
  EXPECT_TRUE(ToResultLink(link, 0).ok());
  link.rowCount = -1;
  EXPECT_EQ(ToResultLink(link, 0).status().code(), StatusCode::kInvalidData);
  link.rowCount = INT64_MAX;
  link.startRowOffset = 1;
  EXPECT_EQ(ToResultLink(link, 0).status().code(), StatusCode::kInvalidData);
  link.rowCount = 1;
  link.expiryTime = INT64_MAX;
  link.bytesNum = -5;
  EXPECT_EQ(ToResultLink(link, 0)->expires_at, std::nullopt);
  EXPECT_EQ(ToResultLink(link, 0)->num_bytes, 0);
}

}  // namespace
}  // namespace dbx::thrift
