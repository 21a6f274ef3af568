// SPDX-License-Identifier: Apache-2.0
// Rules of links: how they are paged, refreshed, and what their files may be.
#include <gtest/gtest.h>

#include "arrow/testing/ipc_writer.h"
#include "arrow/testing/lz4_writer.h"
#include "base/str_cat.h"
#include "warehouse/sea/sea_links.h"
#include "warehouse/sea/testing/sea_fixture.h"

namespace dbx::sea {
namespace {

using SeaLinkRules = SeaFixture;

std::string Succeeded(const ManifestText& manifest, const std::string& result) {
  return InState("SUCCEEDED", StrCat(Manifest(manifest), ",", result));
}

std::vector<int64_t> RowOffsets(const std::vector<ResultLink>& links) {
  std::vector<int64_t> offsets;
  for (const ResultLink& link : links) offsets.push_back(link.row_offset);
  return offsets;
}

TEST_F(SeaLinkRules, SeaRule06_UsesOneLinkOrAllOfAReply) {
  ServeFirstFile(10);
  service.Reply("execute", {Succeeded({.columns = {}, .chunk_rows = {10, 20, 5}},
                                      Links({Link(0, 0, 10, R"("next_chunk_index":1)")})),
                            Succeeded({.columns = {}, .chunk_rows = {10, 20, 5}},
                                      Links({Link(0, 0, 10), Link(1, 10, 20), Link(2, 30, 5)}))});
  service.Reply("chunk 1", {ChunkOfLinks({Link(1, 10, 20), Link(2, 30, 5)})});
  for (int i = 0; i < 2; ++i) {
    const auto links = ExecuteAndReadLinks();
    ASSERT_TRUE(links.ok()) << links.status().ToString();
    EXPECT_EQ(RowOffsets(*links), (std::vector<int64_t>{0, 10, 30}));
    EXPECT_EQ((*links)[2].chunk_index, 2);
  }
  EXPECT_EQ(service.num_calls("chunk 1"), 1);
  EXPECT_EQ(service.num_calls("chunk 2"), 0);
}

TEST_F(SeaLinkRules, SeaRule06_FillsGapsBetweenLinksThatSkipAhead) {
  ServeFirstFile(10);
  service.Reply("execute", {Succeeded({.columns = {}, .chunk_rows = {10, 20, 5}},
                                      Links({Link(2, 30, 5), Link(0, 0, 10)}))});
  service.Reply("chunk 1", {ChunkOfLinks({Link(1, 10, 20)})});
  EXPECT_EQ(RowOffsets(*ExecuteAndReadLinks()), (std::vector<int64_t>{0, 10, 30}));
}

TEST_F(SeaLinkRules, SeaRule06_FollowsTheNextIndexWhereNoTotalsAreKnown) {
  ServeFirstFile(10);
  const ManifestText bare{.columns = {},
                          .chunk_rows = {10, 20, 5},
                          .list_chunks = false,
                          .total_chunks = false,
                          .total_rows = false};
  service.Reply("execute", {Succeeded(bare, Links({Link(0, 0, 10, R"("next_chunk_index":1)")})),
                            Succeeded(bare, Links({Link(0, 0, 10)}, R"("next_chunk_index":1)"))});
  service.Reply("chunk 1", {ChunkOfLinks({Link(1, 10, 20, R"("next_chunk_index":2)")}),
                            ChunkOfLinks({Link(1, 10, 20)}, R"("next_chunk_index":2)")});
  service.Reply("chunk 2", {ChunkOfLinks({Link(2, 30, 5)})});
  for (int i = 0; i < 2; ++i) {
    const auto links = ExecuteAndReadLinks();
    ASSERT_TRUE(links.ok()) << links.status().ToString();
    EXPECT_EQ(RowOffsets(*links), (std::vector<int64_t>{0, 10, 30}));
  }
}

TEST_F(SeaLinkRules, SeaRule06_AsksForSeveralChunksAtOnceWhereRepliesHoldOneLink) {
  ServeFirstFile(10);
  service.Reply("execute", {Succeeded({.columns = {}, .chunk_rows = {10, 10, 10, 10, 10, 10, 10}},
                                      Links({Link(0, 0, 10)}))});
  for (int64_t chunk = 1; chunk < 7; ++chunk) {
    service.Handle(StrCat("chunk ", chunk), [this, chunk](const HttpRequest&) {
      // The first shows how many links there are; those after it wait for one another.
      if (chunk > 1 && chunk < 5) {
        EXPECT_TRUE(service.WaitForCalls("chunk 5", 1));
      }
      return Json(200, ChunkOfLinks({Link(chunk, 10 * chunk, 10)}));
    });
  }
  const auto links = ExecuteAndReadLinks();
  ASSERT_TRUE(links.ok()) << links.status().ToString();
  EXPECT_EQ(RowOffsets(*links), (std::vector<int64_t>{0, 10, 20, 30, 40, 50, 60}));
  for (int64_t chunk = 1; chunk < 7; ++chunk) {
    EXPECT_EQ(service.num_calls(StrCat("chunk ", chunk)), 1);
  }
}

TEST_F(SeaLinkRules, SeaRule06_BreaksCallsAheadOff) {
  ServeFirstFile(10);
  service.Reply("execute", {Succeeded({.columns = {}, .chunk_rows = {10, 10, 10, 10, 10}},
                                      Links({Link(0, 0, 10)}))});
  service.Reply("chunk 1", {ChunkOfLinks({Link(1, 10, 10)})});
  service.InOrder("chunk 2", {Json(404, R"({"error_code":"NOT_FOUND","message":"gone"})")});
  service.Reply("chunk 3", {ChunkOfLinks({Link(3, 30, 10)})});
  service.Reply("chunk 4", {ChunkOfLinks({Link(4, 40, 10)})});
  auto execution = Execute();
  ASSERT_TRUE(execution.ok());
  EXPECT_TRUE(execution->links->Next().ok());
  EXPECT_TRUE(execution->links->Next().ok());
  EXPECT_EQ(execution->links->Next().status().code(), StatusCode::kNotFound);
  EXPECT_EQ(execution->links->Next().status().code(), StatusCode::kNotFound);
}

TEST_F(SeaLinkRules, SeaRule06_SaysWhenAChunkHasNoLink) {
  ServeFirstFile(10);
  service.Reply("execute",
                {Succeeded({.columns = {}, .chunk_rows = {10, 20}}, Links({Link(0, 0, 10)}))});
  service.Reply("chunk 1", {"{}"});
  EXPECT_EQ(ExecuteAndReadLinks().status().code(), StatusCode::kIntegrity);
  EXPECT_EQ(service.num_calls("chunk 1"), 1);
}

TEST_F(SeaLinkRules, SeaRule07_FollowsAnInternalLinkWhereThereIsNoIndex) {
  ServeFirstFile(10);
  const ManifestText bare{.columns = {},
                          .chunk_rows = {10, 20},
                          .list_chunks = false,
                          .total_chunks = false,
                          .total_rows = false};
  const std::string path = "/api/2.0/sql/statements/s1/result/chunks/1";
  for (const std::string& internal :
       {path, path + "?row_offset=10", "https://elsewhere.example" + path}) {
    service.Reply(
        "execute",
        {Succeeded(
            bare,
            Links({Link(0, 0, 10, StrCat(R"("next_chunk_internal_link":")", internal, "\""))}))});
    service.Reply("chunk 1", {ChunkOfLinks({Link(1, 10, 20)})});
    EXPECT_EQ(RowOffsets(*ExecuteAndReadLinks()), (std::vector<int64_t>{0, 10}));
    const SecretUrl asked = service.Requests("chunk 1").back().url;
    EXPECT_EQ(asked.Host(), kWorkspaceHost);
    EXPECT_EQ(asked.Reveal().find("row_offset") != std::string::npos,
              internal.find("row_offset") != std::string::npos);
  }
}

TEST_F(SeaLinkRules, SeaRule07_PrefersTheIndexToTheInternalLink) {
  ServeFirstFile(10);
  service.Reply(
      "execute",
      {Succeeded(
          {.columns = {}, .chunk_rows = {10, 20}, .total_chunks = false},
          Links({Link(0, 0, 10,
                      R"("next_chunk_index":1,"next_chunk_internal_link":"/elsewhere")")}))});
  service.Reply("chunk 1", {ChunkOfLinks({Link(1, 10, 20)})});
  EXPECT_EQ(ExecuteAndReadLinks()->size(), 2);
}

TEST_F(SeaLinkRules, SeaRule07_DoesNotFollowALinkAwayFromTheStatement) {
  ServeFirstFile(10);
  service.Reply("execute",
                {Succeeded({.columns = {},
                            .chunk_rows = {10, 20},
                            .list_chunks = false,
                            .total_chunks = false,
                            .total_rows = false},
                           Links({Link(0, 0, 10, R"("next_chunk_internal_link":"/elsewhere")")}))});
  EXPECT_EQ(ExecuteAndReadLinks().status().code(), StatusCode::kInvalidData);
}

TEST_F(SeaLinkRules, SeaRule08_TakesTheDecodedSizeOfTheManifest) {
  ServeFirstFile(10);
  service.Reply("execute", {Succeeded({.columns = {}, .chunk_rows = {10, 20}},
                                      Links({Link(0, 0, 10), Link(1, 10, 20)})),
                            Succeeded({.columns = {}, .chunk_rows = {10, 20}, .list_chunks = false},
                                      Links({Link(0, 0, 10), Link(1, 10, 20)}))});
  EXPECT_EQ(ExecuteAndReadLinks()->at(1).num_bytes, 1 << 20);
  EXPECT_EQ(ExecuteAndReadLinks()->at(1).num_bytes, 77);  // all that is known
}

TEST_F(SeaLinkRules, SeaRule09_KnowsCompressionByTheBytesAndNotByTheManifest) {
  const std::string stream = MakeIpcStream(0, 50'000, 4096);
  for (const bool declared : {false, true}) {
    for (const std::string& file : {stream, Lz4Frames(stream)}) {
      service.InOrder("file /a/0", {FakeHttpClient::Response(206, file.substr(0, 16 << 10))});
      service.Reply("execute", {Succeeded({.columns = {}, .chunk_rows = {50'000}, .lz4 = declared},
                                          Links({Link(0, 0, 50'000)}))});
      const auto execution = Execute();
      ASSERT_TRUE(execution.ok()) << execution.status().ToString();
      EXPECT_EQ(execution->manifest.schema->num_columns(), 3);
    }
  }
}

TEST_F(SeaLinkRules, SeaRule12_AsksForNoFileOfChunksWithoutRows) {
  service.InOrder("file /a/1", {FakeHttpClient::Response(206, MakeIpcStream(0, 5, 5))});
  service.Reply(
      "execute",
      {Succeeded({.columns = {}, .chunk_rows = {0, 5}}, Links({Link(0, 0, 0), Link(1, 0, 5)})),
       Succeeded({.columns = {}, .chunk_rows = {0, 0}}, Links({Link(0, 0, 0), Link(1, 0, 0)}))});
  const auto links = ExecuteAndReadLinks();
  ASSERT_TRUE(links.ok()) << links.status().ToString();
  ASSERT_EQ(links->size(), 1);
  EXPECT_EQ(links->at(0).chunk_index, 0);
  EXPECT_EQ(ExecuteAndRead()->size(), 0);
  // Who counts the links' chunks is not told another number of them.
  service.InOrder("file /a/1", {FakeHttpClient::Response(206, MakeIpcStream(0, 5, 5))});
  service.Reply("execute", {Succeeded({.columns = {}, .chunk_rows = {0, 5}},
                                      Links({Link(0, 0, 0), Link(1, 0, 5)}))});
  const auto execution = Execute();
  ASSERT_TRUE(execution.ok()) << execution.status().ToString();
  EXPECT_FALSE(execution->manifest.num_chunks.has_value());
}

TEST_F(SeaLinkRules, SeaRule13_TakesTypesFromTheFileAndNamesFromTheManifestByPosition) {
  ServeFirstFile(10);
  const std::string columns = StrCat("[", Column("b", "STRING", 1), ",", Column("a", "BIGINT", 0),
                                     ",", Column("b", "DECIMAL(18,2)", 2), "]");
  service.Reply("execute",
                {Succeeded({.columns = columns, .chunk_rows = {10}}, Links({Link(0, 0, 10)}))});
  const auto execution = Execute();
  ASSERT_TRUE(execution.ok()) << execution.status().ToString();
  const Schema& schema = *execution->manifest.schema;
  EXPECT_EQ(schema.column_name(0), "a");
  EXPECT_EQ(schema.column_name(1), "b");
  EXPECT_EQ(schema.column_name(2), "b");
  EXPECT_EQ(schema.c_schema()->children[0]->flags & ARROW_FLAG_NULLABLE, 0);  // only the file knows
  EXPECT_NE(schema.c_schema()->children[1]->flags & ARROW_FLAG_NULLABLE, 0);
  ArrowStringView sql_name;
  ASSERT_EQ(ArrowMetadataGetValue(schema.c_schema()->children[2]->metadata,
                                  ArrowCharView("Spark:DataType:SqlName"), &sql_name),
            NANOARROW_OK);
  EXPECT_EQ(std::string(sql_name.data, static_cast<size_t>(sql_name.size_bytes)), "DECIMAL(18,2)");
}

TEST_F(SeaLinkRules, SeaRule17_ReadsTheMomentOfExpiry) {
  EXPECT_EQ(*ParseExpiration("2025-03-10T19:01:07.305Z"),
            WallTime(std::chrono::milliseconds(1'741'633'267'305)));
  EXPECT_EQ(*ParseExpiration("2025-03-10T20:01:07+01:00"),
            WallTime(std::chrono::seconds(1'741'633'267)));
  EXPECT_EQ(ParseExpiration(""), std::nullopt);
  EXPECT_EQ(ParseExpiration("tomorrow"), std::nullopt);
}

TEST_F(SeaLinkRules, SeaRule17_RefreshesByChunkIndexAndUsesTheLinksThatCameAlong) {
  ServeFirstFile(10);
  service.Reply("execute", {Succeeded({.columns = {}, .chunk_rows = {10, 20, 5}},
                                      Links({Link(0, 0, 10), Link(1, 10, 20), Link(2, 30, 5)}))});
  service.Reply("chunk 1", {ChunkOfLinks({Link(1, 10, 20, {}, "b"), Link(2, 30, 5, {}, "b")})});
  auto execution = Execute();
  ASSERT_TRUE(execution.ok()) << execution.status().ToString();
  const auto links = ReadLinks(*execution->links);
  ASSERT_TRUE(links.ok());
  for (const size_t chunk : {size_t{1}, size_t{2}}) {
    const auto fresh = execution->links->Refresh((*links)[chunk]);
    ASSERT_TRUE(fresh.ok()) << fresh.status().ToString();
    EXPECT_NE(fresh->presigned_url.Reveal().find("/b/"), std::string::npos);
    EXPECT_EQ(fresh->row_offset, (*links)[chunk].row_offset);
    EXPECT_EQ(fresh->chunk_index, static_cast<int64_t>(chunk));
  }
  EXPECT_EQ(service.num_calls("chunk 2"), 0);
}

TEST_F(SeaLinkRules, SeaRule17_RefusesAFreshLinkToOtherRows) {
  ServeFirstFile(10);
  service.Reply("execute",
                {Succeeded({.columns = {}, .chunk_rows = {10}}, Links({Link(0, 0, 10)}))});
  service.Reply("chunk 0", {ChunkOfLinks({Link(0, 0, 9)}), "{}"});
  auto execution = Execute();
  ASSERT_TRUE(execution.ok());
  const auto links = ReadLinks(*execution->links);
  EXPECT_EQ(execution->links->Refresh(links->at(0)).status().code(), StatusCode::kIntegrity);
  EXPECT_EQ(execution->links->Refresh(links->at(0)).status().code(), StatusCode::kIntegrity);
}

TEST_F(SeaLinkRules, SeaRule18_SendsTheLinksHeadersToStorageAndNoCredentials) {
  ServeFirstFile(10);
  service.Reply("execute",
                {Succeeded({.columns = {}, .chunk_rows = {10}},
                           Links({Link(0, 0, 10, R"("http_headers":{"x-key":"SECRET-KEY"})")}))});
  auto execution = Execute();
  ASSERT_TRUE(execution.ok());
  const HttpRequest sent = service.Requests("file /a/0")[0];
  bool key = false;
  for (const HttpHeader& header : sent.headers) {
    EXPECT_NE(header.name, "Authorization");
    key = key || (header.name == "x-key" && header.value.Reveal() == "SECRET-KEY");
  }
  EXPECT_TRUE(key);
  EXPECT_EQ(ReadLinks(*execution->links)->at(0).headers.size(), 1);
  EXPECT_EQ(LogText().find("SECRET"), std::string::npos);
}

TEST_F(SeaLinkRules, SeaRule19_AsksForAFreshLinkWhenStorageRefusesTheFirstFile) {
  service.InOrder("file /a/0", {Json(403, "<Error><Code>AccessDenied</Code></Error>")});
  service.InOrder("file /b/0",
                  {Json(503, ""), FakeHttpClient::Response(206, MakeIpcStream(0, 9, 9))});
  service.Reply("execute", {Succeeded({.columns = {}, .chunk_rows = {9}}, Links({Link(0, 0, 9)}))});
  service.Reply("chunk 0", {ChunkOfLinks({Link(0, 0, 9, {}, "b")})});
  const auto links = ExecuteAndReadLinks();
  ASSERT_TRUE(links.ok()) << links.status().ToString();
  EXPECT_NE(links->at(0).presigned_url.Reveal().find("/b/0"), std::string::npos);
  EXPECT_EQ(service.num_calls("file /b/0"), 2);
}

TEST_F(SeaLinkRules, SeaRule19_SaysWhenTheFirstFileEndsWithinItsSchema) {
  service.InOrder("file /a/0",
                  {FakeHttpClient::Response(206, MakeIpcStream(0, 10, 10).substr(0, 100))});
  service.Reply("execute",
                {Succeeded({.columns = {}, .chunk_rows = {10}}, Links({Link(0, 0, 10)}))});
  EXPECT_EQ(Execute().status().code(), StatusCode::kInvalidData);
}

TEST_F(SeaLinkRules, SeaRule19_FetchesAFileAgainThatCameDamaged) {
  const std::string stream = MakeIpcStream(0, 10, 10);
  service.InOrder("file /a/0", {FakeHttpClient::Response(206, "damaged " + stream),
                                FakeHttpClient::Response(206, stream)});
  service.Reply("execute",
                {Succeeded({.columns = {}, .chunk_rows = {10}}, Links({Link(0, 0, 10)}))});
  EXPECT_TRUE(Execute().ok());
  EXPECT_EQ(service.num_calls("file /a/0"), 2);
}

TEST_F(SeaLinkRules, SeaRule19_FetchesMoreOfAFileWhoseSchemaIsLong) {
  constexpr int kColumns = 2000;
  nanoarrow::UniqueSchema schema;
  ArrowSchemaInit(schema.get());
  ASSERT_EQ(ArrowSchemaSetTypeStruct(schema.get(), kColumns), NANOARROW_OK);
  std::string columns;
  for (int i = 0; i < kColumns; ++i) {
    ASSERT_EQ(ArrowSchemaSetType(schema->children[i], NANOARROW_TYPE_INT64), NANOARROW_OK);
    ASSERT_EQ(ArrowSchemaSetName(schema->children[i], "c"), NANOARROW_OK);
    columns += StrCat(i == 0 ? "[" : ",", Column(StrCat("c", i), "BIGINT", i));
  }
  const std::string stream = WriteSchemaMessage(*schema.get()) + std::string(1 << 20, 'x');
  service.Handle("file /a/0", [&stream](const HttpRequest& request) {
    const std::string& range = request.headers.back().value.Reveal();
    const size_t last = std::stoul(range.substr(range.find('-') + 1));
    return FakeSea::Answer(FakeHttpClient::Response(206, stream.substr(0, last + 1)));
  });
  service.Reply("execute", {Succeeded({.columns = columns + "]", .chunk_rows = {10}},
                                      Links({Link(0, 0, 10)}))});
  const auto execution = Execute();
  ASSERT_TRUE(execution.ok()) << execution.status().ToString();
  EXPECT_EQ(execution->manifest.schema->column_name(1999), "c1999");
  EXPECT_EQ(service.num_calls("file /a/0"), 2);
}

TEST_F(SeaLinkRules, SeaRule20_ComparesTheLinksRowsWithTheTotal) {
  ServeFirstFile(10);
  service.Reply(
      "execute",
      {InState(
          "SUCCEEDED",
          StrCat(R"("manifest":{"schema":{"columns":[)", Column("row", "BIGINT", 0), ",",
                 Column("text", "STRING", 1), ",", Column("amount", "DECIMAL(18,2)", 2),
                 R"(]},"total_chunk_count":1,"total_row_count":11},)", Links({Link(0, 0, 10)})))});
  EXPECT_EQ(ExecuteAndReadLinks().status().code(), StatusCode::kIntegrity);
}

TEST_F(SeaLinkRules, SeaRule20_RefusesALinkThatLeavesRowsOut) {
  ServeFirstFile(10);
  service.Reply("execute", {Succeeded({.columns = {}, .chunk_rows = {10, 20}},
                                      Links({Link(0, 0, 10), Link(1, 11, 19)}))});
  EXPECT_EQ(ExecuteAndReadLinks().status().code(), StatusCode::kIntegrity);
}

TEST_F(SeaLinkRules, SeaRule21_ReadsAChangeCountThatComesAsAFile) {
  nanoarrow::UniqueSchema schema;
  ArrowSchemaInit(schema.get());
  ASSERT_EQ(ArrowSchemaSetTypeStruct(schema.get(), 1), NANOARROW_OK);
  ASSERT_EQ(ArrowSchemaSetType(schema->children[0], NANOARROW_TYPE_INT64), NANOARROW_OK);
  ASSERT_EQ(ArrowSchemaSetName(schema->children[0], "num_affected_rows"), NANOARROW_OK);
  nanoarrow::UniqueArray array;
  ASSERT_EQ(ArrowArrayInitFromSchema(array.get(), schema.get(), nullptr), NANOARROW_OK);
  ASSERT_EQ(ArrowArrayStartAppending(array.get()), NANOARROW_OK);
  ASSERT_EQ(ArrowArrayAppendInt(array->children[0], 42), NANOARROW_OK);
  ASSERT_EQ(ArrowArrayFinishElement(array.get()), NANOARROW_OK);
  ASSERT_EQ(ArrowArrayFinishBuildingDefault(array.get(), nullptr), NANOARROW_OK);
  const std::string stream = WriteSchemaMessage(*schema.get()) +
                             WriteBatchMessage(*schema.get(), *array.get()) + EndOfStream();
  service.InOrder("file /a/0",
                  {FakeHttpClient::Response(200, Lz4Frames(stream, {.frame_per_message = true}))});
  service.Reply("execute",
                {Succeeded({.columns = StrCat("[", Column("num_affected_rows", "BIGINT", 0), "]"),
                            .chunk_rows = {1}},
                           Links({Link(0, 0, 1)}))});
  const auto execution = Execute();
  ASSERT_TRUE(execution.ok()) << execution.status().ToString();
  EXPECT_EQ(execution->rows_affected, 42);
  EXPECT_EQ((*execution->rows->Next())->num_rows(), 1);
}

TEST_F(SeaLinkRules, SeaRule22_SaysAfterTheLastLinkThatTheResultWasCutOff) {
  ServeFirstFile(10);
  service.Reply("execute", {Succeeded({.columns = {}, .chunk_rows = {10}, .truncated = true},
                                      Links({Link(0, 0, 10)}))});
  auto execution = Execute();
  ASSERT_TRUE(execution.ok());
  EXPECT_TRUE(execution->manifest.truncated);
  EXPECT_TRUE((*execution->links->Next()).has_value());
  EXPECT_EQ(execution->links->Next().status().code(), StatusCode::kIntegrity);
  EXPECT_EQ(execution->links->Next().status().statement_id(), "s1");
}

TEST_F(SeaLinkRules, CancelEndsACallUnderWay) {
  ServeFirstFile(10);
  service.Reply("execute",
                {Succeeded({.columns = {}, .chunk_rows = {10, 20}}, Links({Link(0, 0, 10)}))});
  auto execution = Execute();
  ASSERT_TRUE(execution.ok());
  service.Handle("chunk 1", [&](const HttpRequest&) {
    execution->links->Cancel(Status::Cancelled("enough"));
    return Json(200, ChunkOfLinks({Link(1, 10, 20)}));
  });
  ASSERT_TRUE(execution->links->Next().ok());
  EXPECT_EQ(execution->links->Next().status().code(), StatusCode::kCancelled);
  EXPECT_TRUE(service.WaitForCalls("close", 1));
}

}  // namespace
}  // namespace dbx::sea
