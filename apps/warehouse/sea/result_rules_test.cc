// SPDX-License-Identifier: Apache-2.0
// What the service must say of results, rule by rule.
#include <gtest/gtest.h>

#include "base/str_cat.h"
#include "net/http_text.h"
#include "net/storage_service.h"
#include "sea/sea_client.h"

namespace dbx::local {
namespace {

using Json = SeaFixture::Json;

constexpr int64_t kRows = 40'000;

SeaOptions SmallChunks() {
  SeaOptions options;
  options.inline_limit_bytes = 10'000;
  options.chunk_bytes = 200'000;
  return options;
}

std::vector<std::string> KeysOf(const Json& object) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : object.items()) keys.push_back(key);
  return keys;
}

using Keys = std::vector<std::string>;

/// All links of a statement, by following each reply's last one.
std::vector<Json> AllLinks(SeaFixture* fixture, const SeaAnswer& executed) {
  std::vector<Json> links;
  Json page = executed.json["result"];
  while (true) {
    for (const Json& link : page["external_links"]) links.push_back(link);
    if (links.empty() || !links.back().contains("next_chunk_index")) return links;
    EXPECT_EQ(links.back()["next_chunk_index"], links.size());
    page = fixture->Chunk(executed.id(), links.size()).json;
  }
}

TEST(SeaService, Rule09_TheManifestOfDdlHasNoColumnsAndNoChunks) {
  SeaFixture fixture;
  fixture.engine.results["ddl"] = {.kind = StatementKind::kDdl};
  const Json arrow = fixture.Execute("ddl", SeaFixture::Arrow("EXTERNAL_LINKS", true)).json;
  EXPECT_EQ(KeysOf(arrow), (Keys{"statement_id", "status", "manifest", "result"}));
  EXPECT_EQ(arrow["manifest"].dump(),
            R"({"format":"ARROW_STREAM","schema":{"column_count":0},"total_chunk_count":0,)"
            R"("total_row_count":0,"total_byte_count":0,"truncated":false,)"
            R"("result_compression":"LZ4_FRAME"})");
  EXPECT_EQ(arrow["result"], Json::object());
  EXPECT_EQ(fixture.Execute("ddl").json["manifest"].dump(),
            R"({"format":"JSON_ARRAY","schema":{"column_count":0},"total_chunk_count":0,)"
            R"("total_row_count":0,"truncated":false})");
}

TEST(SeaService, Rule09_TheManifestOfAQueryWithoutRowsHasItsColumns) {
  SeaFixture fixture;
  fixture.engine.results["q"] = NumberedResult(0);
  for (const Json& form : {SeaFixture::Arrow("EXTERNAL_LINKS", true),
                           SeaFixture::Arrow("INLINE_OR_EXTERNAL_LINKS", true)}) {
    const Json answer = fixture.Execute("q", form).json;
    EXPECT_EQ(KeysOf(answer["manifest"]),
              (Keys{"format", "schema", "total_chunk_count", "total_row_count", "total_byte_count",
                    "truncated", "result_compression"}))
        << form;
    EXPECT_EQ(
        answer["manifest"]["schema"].dump(),
        R"({"column_count":2,"columns":[{"name":"id","type_text":"BIGINT","type_name":"LONG",)"
        R"("position":0},{"name":"name","type_text":"STRING","type_name":"STRING","position":1}]})");
    EXPECT_EQ(answer["result"], Json::object());
  }
}

TEST(SeaService, Rule09_TheKeysOfEachKindOfResult) {
  SeaFixture fixture;
  fixture.engine.results["q"] = NumberedResult(3);
  const Json json = fixture.Execute("q").json;
  EXPECT_EQ(KeysOf(json["manifest"]), (Keys{"format", "schema", "total_chunk_count", "chunks",
                                            "total_row_count", "truncated"}));
  EXPECT_EQ(json["manifest"]["chunks"].dump(),
            R"([{"chunk_index":0,"row_offset":0,"row_count":3}])");
  const Json raw = fixture.Execute("q", SeaFixture::Arrow("EXTERNAL_LINKS")).json;
  EXPECT_EQ(KeysOf(raw["manifest"]), (Keys{"format", "schema", "total_chunk_count", "chunks",
                                           "total_row_count", "total_byte_count", "truncated"}));
}

TEST(SeaService, Rule09_ColumnsAreDescribedAsTheServiceDoes) {
  SeaFixture fixture;
  const SqlType text{.id = SqlTypeId::kVarchar, .length = 255};
  const SqlType number{.id = SqlTypeId::kDecimal, .precision = 7, .scale = 2};
  fixture.engine.results["q"] = {
      .columns = {{.name = "d", .type = number},
                  {.name = "d", .type = text},
                  {.name = "i",
                   .type = {.id = SqlTypeId::kIntervalDayTime,
                            .interval_start = "DAY",
                            .interval_end = "SECOND"}},
                  {.name = "m", .type = {.id = SqlTypeId::kMap, .children = {text, number}}},
                  {.name = "s",
                   .type = {.id = SqlTypeId::kStruct,
                            .children = {text, {.id = SqlTypeId::kInt}},
                            .field_names = {"street", "zip"}}},
                  {.name = "b", .type = {.id = SqlTypeId::kTinyint}},
                  {.name = "v", .type = {.id = SqlTypeId::kVoid}}}};
  const Json columns = fixture.Execute("q").json["manifest"]["schema"]["columns"];
  const std::string decimal =
      R"json({"name":"d","type_text":"DECIMAL(7,2)","type_name":"DECIMAL","position":0,)json"
      R"("type_precision":7,"type_scale":2})";
  EXPECT_EQ(columns[0].dump(), decimal);
  EXPECT_EQ(columns[1].dump(),
            R"({"name":"d","type_text":"STRING","type_name":"STRING","position":1})");
  EXPECT_EQ(columns[2].dump(),
            R"({"name":"i","type_text":"INTERVAL DAY TO SECOND","type_name":"INTERVAL",)"
            R"("position":2,"type_interval_type":"DAY TO SECOND"})");
  EXPECT_EQ(columns[3]["type_text"], "MAP<STRING, DECIMAL(7,2)>");
  EXPECT_EQ(columns[4]["type_text"], "STRUCT<street: STRING, zip: INT>");
  EXPECT_EQ(columns[5]["type_name"], "BYTE");
  EXPECT_EQ(columns[5]["type_text"], "TINYINT");
  EXPECT_EQ(columns[6]["type_name"], "NULL");
  EXPECT_EQ(columns[6]["type_text"], "VOID");
}

TEST(SeaService, Rule10_Rule11_TheManifestDescribesAllChunksWithoutGaps) {
  SeaFixture fixture(SmallChunks());
  fixture.engine.results["q"] = NumberedResult(kRows);
  const SeaAnswer ran = fixture.Execute("q", SeaFixture::Arrow("EXTERNAL_LINKS", true));
  const Json manifest = ran.json["manifest"];
  ASSERT_GT(manifest["total_chunk_count"], 3);
  ASSERT_EQ(manifest["chunks"].size(), manifest["total_chunk_count"]);
  int64_t rows = 0, bytes = 0, index = 0;
  for (const Json& chunk : manifest["chunks"]) {
    EXPECT_EQ(chunk["chunk_index"], index++);
    EXPECT_EQ(chunk["row_offset"], rows);
    rows += chunk["row_count"].get<int64_t>();
    bytes += chunk["byte_count"].get<int64_t>();
  }
  EXPECT_EQ(rows, kRows);
  EXPECT_EQ(manifest["total_row_count"], kRows);
  EXPECT_EQ(manifest["total_byte_count"], bytes);
  EXPECT_EQ(ran.json["result"]["external_links"].size(), 1U);
}

TEST(SeaService, Rule12_ExternalLinksComeOneByOneAndHybridOnesTogether) {
  SeaOptions options = SmallChunks();
  options.links_per_page = 3;
  SeaFixture fixture(options);
  fixture.engine.results["q"] = NumberedResult(kRows);
  for (const auto& [disposition, first_page] :
       {std::pair("EXTERNAL_LINKS", 1U), std::pair("INLINE_OR_EXTERNAL_LINKS", 3U)}) {
    const SeaAnswer ran = fixture.Execute("q", SeaFixture::Arrow(disposition, true));
    EXPECT_EQ(ran.json["result"]["external_links"].size(), first_page);
    EXPECT_EQ(fixture.Get(ran.id()).json["result"]["external_links"].size(), first_page);
    EXPECT_EQ(fixture.Chunk(ran.id(), 1).json["external_links"].size(), 1U);
    const std::vector<Json> links = AllLinks(&fixture, ran);
    ASSERT_EQ(links.size(), ran.json["manifest"]["total_chunk_count"]);
    for (size_t i = 0; i < links.size(); ++i) {
      const bool last = i + 1 == links.size();
      EXPECT_EQ(links[i].contains("next_chunk_index"), !last);
      EXPECT_EQ(links[i].contains("next_chunk_internal_link"), !last);
      if (last) continue;
      EXPECT_EQ(links[i]["next_chunk_internal_link"],
                StrCat(SeaFixture::Path(ran.id()), "/result/chunks/", i + 1));
    }
  }
}

TEST(SeaService, Rule12_AnAnswerToAChunkRequestMayHoldMoreByOption) {
  SeaOptions options = SmallChunks();
  options.chunk_bytes = 100'000;
  options.links_per_chunk = 4;
  SeaFixture fixture(options);
  fixture.engine.results["q"] = NumberedResult(kRows);
  const SeaAnswer ran = fixture.Execute("q", SeaFixture::Arrow("INLINE_OR_EXTERNAL_LINKS"));
  const Json links = fixture.Chunk(ran.id(), 1).json["external_links"];
  ASSERT_EQ(links.size(), 4U);
  EXPECT_EQ(links[0]["chunk_index"], 1);
  EXPECT_EQ(links[3]["chunk_index"], 4);
}

TEST(SeaService, Rule12_MoreThan32LinksAreNeverInOneAnswerByDefault) {
  SeaOptions options = SmallChunks();
  options.chunk_bytes = 1024;
  SeaFixture fixture(options);
  fixture.engine.results["q"] = NumberedResult(50 * 4096);
  const SeaAnswer ran = fixture.Execute("q", SeaFixture::Arrow("INLINE_OR_EXTERNAL_LINKS"));
  EXPECT_EQ(ran.json["manifest"]["total_chunk_count"], 50);
  EXPECT_EQ(ran.json["result"]["external_links"].size(), 32U);
  EXPECT_EQ(AllLinks(&fixture, ran).size(), 50U);
}

TEST(SeaService, Rule13_LinksHaveAllFieldsInOrder) {
  SeaFixture fixture(SmallChunks());
  fixture.engine.results["q"] = NumberedResult(kRows);
  const SeaAnswer ran = fixture.Execute("q", SeaFixture::Arrow("INLINE_OR_EXTERNAL_LINKS", true));
  const Json link = ran.json["result"]["external_links"][0];
  EXPECT_EQ(KeysOf(link),
            (Keys{"chunk_index", "row_offset", "row_count", "byte_count", "next_chunk_index",
                  "next_chunk_internal_link", "external_link", "expiration"}));
  EXPECT_EQ(link["expiration"], "2023-11-14T22:28:20.000Z") << "900 s after the test's clock";
  EXPECT_EQ(link["byte_count"], fixture.File(link).size()) << "as stored";
  EXPECT_LT(link["byte_count"], ran.json["manifest"]["chunks"][0]["byte_count"]) << "that is raw";
  EXPECT_TRUE(link["external_link"].get<std::string>().starts_with("http://127.0.0.1:9000/"));
  fixture.faults.Add(FaultPoint::kResult, "", {.more = {{"raw_byte_count", "1"}}});
  const Json older = fixture.Execute("q", SeaFixture::Arrow("EXTERNAL_LINKS", true)).json;
  EXPECT_EQ(older["result"]["external_links"][0]["byte_count"],
            older["manifest"]["chunks"][0]["byte_count"]);
}

TEST(SeaService, Rule14_AChunksAnswerBeginsAtItsIndexAndHasANewLink) {
  SeaFixture fixture(SmallChunks());
  fixture.engine.results["q"] = NumberedResult(kRows);
  const SeaAnswer ran = fixture.Execute("q", SeaFixture::Arrow("EXTERNAL_LINKS"));
  const SeaAnswer first = fixture.Chunk(ran.id(), 2);
  EXPECT_EQ(KeysOf(first.json), Keys{"external_links"});
  EXPECT_EQ(first.json["external_links"][0]["chunk_index"], 2);
  const SeaAnswer again =
      fixture.Ask("GET", StrCat(SeaFixture::Path(ran.id()), "/result/chunks/2?row_offset=",
                                first.json["external_links"][0]["row_offset"].get<int64_t>()));
  EXPECT_EQ(again.json["external_links"][0]["chunk_index"], 2);
  EXPECT_NE(again.json["external_links"][0]["external_link"],
            first.json["external_links"][0]["external_link"]);
  const SeaAnswer beyond = fixture.Chunk(ran.id(), 1000);
  EXPECT_EQ(beyond.status, 400);
  EXPECT_EQ(beyond.json["error_code"], "INVALID_PARAMETER_VALUE");
}

TEST(SeaService, Rule15_LinksAreServedWithoutATokenUntilTheyExpire) {
  FakeEngine engine;
  engine.results["q"] = NumberedResult(10);
  const std::unique_ptr<Spool> spool = *Spool::Make("");
  const std::unique_ptr<LinkSigner> signer = LinkSigner::Make();
  const std::unique_ptr<FaultScript> faults = FaultScript::Make();
  StorageService storage(*spool, *signer, *faults, StorageFlavor::kS3);
  for (const bool expired : {false, true}) {
    const auto service = SeaService::Make(
        &engine, spool.get(), signer.get(), faults.get(),
        {.link_lifetime = std::chrono::seconds(expired ? -60 : 900), .storage_port = 9000});
    HttpRequest execute{.method = "POST", .path = "/api/2.0/sql/statements"};
    execute.host = "127.0.0.1:1";
    Json body = SeaFixture::Arrow("EXTERNAL_LINKS");
    body.update(Json{{"statement", "q"}, {"warehouse_id", "w"}});
    execute.body = body.dump();
    const Json answer = Json::parse(service->Handle(execute).body);
    const std::string link = answer["result"]["external_links"][0]["external_link"];
    const size_t path = link.find("/results/"), query = link.find('?');
    const HttpRequest get{.method = "GET",
                          .path = link.substr(path, query - path),
                          .query = link.substr(query + 1),
                          .headers = {{"Range", "bytes=0-3"}}};
    const HttpReply reply = storage.Handle(get);
    EXPECT_EQ(reply.status, expired ? 403 : 206);
    for (const auto& [name, value] : reply.headers)
      EXPECT_FALSE(EqualIgnoringCase(name, "content-encoding"));
  }
}

TEST(SeaService, Rule16_FilesAreWholeStreamsInOneFrame) {
  SeaFixture fixture(SmallChunks());
  fixture.engine.results["q"] = NumberedResult(kRows);
  const SeaAnswer ran = fixture.Execute("q", SeaFixture::Arrow("INLINE_OR_EXTERNAL_LINKS", true));
  int64_t next_row = 0;
  const std::vector<Json> links = AllLinks(&fixture, ran);
  for (size_t i = 0; i < links.size(); ++i) {
    int frames = 0;
    const std::string stream = DecodeLz4Frames(fixture.File(links[i]), &frames);
    EXPECT_EQ(frames, 1);
    EXPECT_EQ(ran.json["manifest"]["chunks"][i]["byte_count"], stream.size());
    EXPECT_TRUE(stream.ends_with(std::string("\xFF\xFF\xFF\xFF\0\0\0\0", 8)));
    const ArrowTable table = ReadArrowStream(stream);
    for (const int64_t rows : table.batch_rows) EXPECT_LE(rows, 4096);
    ASSERT_EQ(links[i]["row_count"], table.rows.size());
    for (const auto& row : table.rows) ASSERT_EQ(row[0], std::to_string(next_row++));
  }
  EXPECT_EQ(next_row, kRows);
}

TEST(SeaService, Rule16_FilesAreRawUnlessFramesAreAskedFor) {
  SeaFixture fixture;
  fixture.engine.results["q"] = NumberedResult(7);
  const Json raw = fixture.Execute("q", SeaFixture::Arrow("EXTERNAL_LINKS")).json;
  EXPECT_FALSE(raw["manifest"].contains("result_compression"));
  const Json link = raw["result"]["external_links"][0];
  EXPECT_EQ(ReadArrowStream(fixture.File(link)).rows.size(), 7U);
  EXPECT_EQ(link["byte_count"], raw["manifest"]["total_byte_count"]);
  // A service that ignores the wish says so by its silence.
  fixture.faults.Add(FaultPoint::kResult, "", {.more = {{"ignore_lz4", "1"}}});
  const Json ignored = fixture.Execute("q", SeaFixture::Arrow("EXTERNAL_LINKS", true)).json;
  EXPECT_FALSE(ignored["manifest"].contains("result_compression"));
  EXPECT_EQ(ReadArrowStream(fixture.File(ignored["result"]["external_links"][0])).rows.size(), 7U);
}

TEST(SeaService, Rule17_SchemasHaveNoMetadataAndTimestampsTheSessionsZone) {
  SeaFixture fixture;
  fixture.engine.time_zone = "America/Los_Angeles";
  fixture.engine.results["q"] = {
      .columns = {{.name = "t", .type = {.id = SqlTypeId::kTimestamp}, .nullable = false}},
      .batches = [] {
        std::vector<nanoarrow::UniqueArray> batches;
        batches.push_back(OneColumn("tsu:UTC", [](ArrowArray* array) {
          ASSERT_EQ(ArrowArrayAppendInt(array, 1'609'524'000'000'000), NANOARROW_OK);
        }));
        return batches;
      }};
  const Json answer = fixture.Execute("q", SeaFixture::Arrow("EXTERNAL_LINKS")).json;
  const ArrowTable table = ReadArrowStream(fixture.File(answer["result"]["external_links"][0]));
  EXPECT_EQ(table.schema->metadata, nullptr);
  const ArrowSchema& field = *table.schema->children[0];
  EXPECT_EQ(field.metadata, nullptr);
  EXPECT_STREQ(field.format, "tsu:America/Los_Angeles");
  EXPECT_EQ(field.flags & ARROW_FLAG_NULLABLE, 0);
  EXPECT_EQ(fixture.Execute("q").json["result"]["data_array"].dump(),
            R"([["2021-01-01T10:00:00.000-08:00"]])");
}

TEST(SeaService, Rule18_SmallHybridResultsAreAttached) {
  SeaFixture fixture;
  fixture.engine.results["q"] = NumberedResult(10);
  for (const bool lz4 : {true, false}) {
    const Json answer =
        fixture.Execute("q", SeaFixture::Arrow("INLINE_OR_EXTERNAL_LINKS", lz4)).json;
    EXPECT_EQ(KeysOf(answer["result"]),
              (Keys{"chunk_index", "row_offset", "row_count", "byte_count", "attachment"}));
    const std::string stored = DecodeBase64(answer["result"]["attachment"]);
    EXPECT_EQ(answer["result"]["byte_count"], stored.size());
    int frames = 0;
    const std::string stream = lz4 ? DecodeLz4Frames(stored, &frames) : stored;
    EXPECT_EQ(frames, lz4 ? 3 : 0) << "schema, batch, end";
    EXPECT_EQ(answer["manifest"]["chunks"][0]["byte_count"], stream.size());
    EXPECT_EQ(ReadArrowStream(stream).rows.size(), 10U);
  }
  EXPECT_EQ(fixture.spool.num_objects(), 0);
}

TEST(SeaService, Rule18_LargeHybridResultsAreNot) {
  SeaFixture fixture(SmallChunks());
  fixture.engine.results["small"] = NumberedResult(100);
  fixture.engine.results["large"] = NumberedResult(4000);
  const Json form = SeaFixture::Arrow("INLINE_OR_EXTERNAL_LINKS");
  EXPECT_TRUE(fixture.Execute("small", form).json["result"].contains("attachment"));
  EXPECT_TRUE(fixture.Execute("large", form).json["result"].contains("external_links"));
  const Json json = {{"disposition", "INLINE_OR_EXTERNAL_LINKS"}};
  EXPECT_TRUE(fixture.Execute("small", json).json["result"].contains("data_array"));
  EXPECT_TRUE(fixture.Execute("large", json).json["result"].contains("external_links"));
}

TEST(SeaService, Rule19_InlineArrowIsOneChunkUnlessAFaultCutsIt) {
  SeaFixture fixture;
  fixture.engine.results["q"] = NumberedResult(10'000);
  for (const bool lz4 : {false, true}) {
    const Json form = SeaFixture::Arrow("INLINE", lz4);
    EXPECT_EQ(fixture.Execute("q", form).json["manifest"]["total_chunk_count"], 1);
    fixture.faults.Add(FaultPoint::kResult, "", {.more = {{"cut_attachment", "1"}}});
    const SeaAnswer cut = fixture.Execute("q", form);
    EXPECT_EQ(cut.json["manifest"]["total_chunk_count"], 3);
    std::string stream;
    for (size_t i = 0; i < 3; ++i) {
      const Json chunk = i == 0 ? cut.json["result"] : fixture.Chunk(cut.id(), i).json;
      EXPECT_EQ(chunk["chunk_index"], i);
      EXPECT_EQ(chunk.contains("next_chunk_index"), i < 2);
      const std::string part = DecodeBase64(chunk["attachment"]);
      stream += lz4 ? DecodeLz4Frames(part) : part;
    }
    EXPECT_EQ(ReadArrowStream(stream).rows.size(), 10'000U);
  }
}

TEST(SeaService, Rule20_InlineJsonIsTextsAndNulls) {
  SeaFixture fixture;
  fixture.engine.results["q"] = NumberedResult(8);
  const Json answer = fixture.Execute("q").json;
  EXPECT_EQ(KeysOf(answer["result"]),
            (Keys{"chunk_index", "row_offset", "row_count", "data_array"}));
  const Json rows = answer["result"]["data_array"];
  ASSERT_EQ(rows.size(), 8U);
  int nulls = 0;
  for (const Json& row : rows) {
    EXPECT_TRUE(row[0].is_string());
    EXPECT_TRUE(row[1].is_string() || row[1].is_null());
    nulls += row[1].is_null() ? 1 : 0;
  }
  EXPECT_GE(nulls, 1);
}

TEST(SeaService, Rule20_InlineResultsThatAreTooLargeFail) {
  SeaOptions options;
  options.inline_max_bytes = 100'000;
  SeaFixture fixture(options);
  fixture.engine.results["q"] = NumberedResult(kRows);
  for (const Json& form : {Json::object(), SeaFixture::Arrow("INLINE")}) {
    const SeaAnswer failed = fixture.Execute("q", form);
    EXPECT_EQ(failed.status, 200);
    EXPECT_EQ(failed.error(), "BAD_REQUEST 54000") << form;
  }
}

TEST(SeaService, Rule20_InlineJsonOfSeveralChunksGoesOnByIndex) {
  SeaFixture fixture(SmallChunks());
  fixture.engine.results["q"] = NumberedResult(kRows);
  const SeaAnswer ran = fixture.Execute("q");
  const size_t num_chunks = ran.json["manifest"]["total_chunk_count"];
  ASSERT_GT(num_chunks, 2U);
  int64_t next_row = 0;
  for (size_t i = 0; i < num_chunks; ++i) {
    const Json chunk = i == 0 ? ran.json["result"] : fixture.Chunk(ran.id(), i).json;
    EXPECT_EQ(chunk["chunk_index"], i);
    EXPECT_EQ(chunk["row_offset"], next_row);
    EXPECT_EQ(chunk.contains("next_chunk_index"), i + 1 < num_chunks);
    for (const Json& row : chunk["data_array"]) ASSERT_EQ(row[0], std::to_string(next_row++));
  }
  EXPECT_EQ(next_row, kRows);
}

TEST(SeaService, JsonAndCsvFilesHoldTheRows) {
  SeaFixture fixture(SmallChunks());
  fixture.engine.results["q"] = NumberedResult(kRows);
  const SeaAnswer json = fixture.Execute("q", {{"disposition", "EXTERNAL_LINKS"}});
  int64_t next_row = 0;
  for (const Json& link : AllLinks(&fixture, json)) {
    for (const Json& row : Json::parse(fixture.File(link)))
      ASSERT_EQ(row[0], std::to_string(next_row++));
  }
  EXPECT_EQ(next_row, kRows);
  const SeaAnswer csv =
      fixture.Execute("q", {{"disposition", "EXTERNAL_LINKS"}, {"format", "CSV"}});
  const std::vector<Json> links = AllLinks(&fixture, csv);
  ASSERT_GT(links.size(), 1U);
  EXPECT_TRUE(fixture.File(links[0]).starts_with("id,name\r\n0,name 0\r\n"))
      << fixture.File(links[0]).substr(0, 40);
  EXPECT_NE(fixture.File(links[0]).find(",null\r\n"), std::string::npos);
  EXPECT_FALSE(fixture.File(links[1]).starts_with("id,"));
}

TEST(SeaFaults, LinksAreBornExpiredOnceAndMendedByARefresh) {
  SeaFixture fixture(SmallChunks());
  fixture.engine.results["q"] = NumberedResult(kRows);
  fixture.faults.Add(FaultPoint::kResult, "", {.expire_link = true});
  const SeaAnswer ran = fixture.Execute("q", SeaFixture::Arrow("INLINE_OR_EXTERNAL_LINKS"));
  for (const Json& link : ran.json["result"]["external_links"])
    EXPECT_EQ(link["expiration"], "2023-11-14T22:13:20.000Z");
  EXPECT_EQ(fixture.Chunk(ran.id(), 1).json["external_links"][0]["expiration"],
            "2023-11-14T22:28:20.000Z");
  fixture.faults.Add(FaultPoint::kSea, "GetChunk", {.expire_link = true});
  EXPECT_EQ(fixture.Chunk(ran.id(), 1).json["external_links"][0]["expiration"],
            "2023-11-14T22:13:20.000Z");
}

TEST(SeaService, TheCacheAnswersTheSameQueryFromTheSpool) {
  SeaOptions options = SmallChunks();
  options.cache = std::make_shared<ResultCache>();
  SeaFixture fixture(std::move(options));  // what is kept must not outlive the fixture's spool
  fixture.engine.results["q"] = NumberedResult(kRows);
  fixture.engine.results["insert"] = {.kind = StatementKind::kDml, .columns = NumberedColumns()};
  const Json form = SeaFixture::Arrow("EXTERNAL_LINKS", true);
  const auto object = [&] {
    return ObjectOf(
        fixture.Execute("q", form).json["result"]["external_links"][0]["external_link"]);
  };
  const std::string first = object();
  EXPECT_EQ(object(), first);
  EXPECT_EQ(fixture.engine.requests().size(), 1U);
  fixture.Execute("insert");
  EXPECT_NE(object(), first);
}

}  // namespace
}  // namespace dbx::local
