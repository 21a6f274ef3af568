// SPDX-License-Identifier: Apache-2.0
// Rules of rows that come within replies: Arrow in pieces, text, and the types of both.
#include <gtest/gtest.h>

#include "arrow/ipc_decoder.h"
#include "arrow/testing/ipc_writer.h"
#include "arrow/testing/lz4_writer.h"
#include "base/str_cat.h"
#include "warehouse/sea/testing/sea_fixture.h"

namespace dbx::sea {
namespace {

using SeaRowRules = SeaFixture;

std::string Succeeded(const ManifestText& manifest, const std::string& result) {
  return InState("SUCCEEDED", StrCat(Manifest(manifest), ",", result));
}

std::string Page(int64_t chunk, std::string_view bytes, std::string_view more = {}) {
  return StrCat(R"({"chunk_index":)", chunk, R"(,"attachment":")", EncodeBase64(bytes), "\"",
                more.empty() ? "" : ",", more, "}");
}

std::string FormatOf(const Schema& schema, int64_t column) {
  return schema.c_schema()->children[column]->format;
}

TEST_F(SeaRowRules, SeaRule09_ReadsCompressedAndPlainRowsWhateverTheManifestSays) {
  const std::string stream = MakeIpcStream(0, 100, 30);
  for (const bool declared : {false, true}) {
    for (const std::string& bytes : {stream, Lz4Frames(stream)}) {
      service.Reply("execute", {Succeeded({.columns = {}, .chunk_rows = {100}, .lz4 = declared},
                                          Attachment(bytes))});
      EXPECT_EQ(*ExecuteAndRead(), RowRange(0, 100));
    }
  }
}

TEST_F(SeaRowRules, SeaRule10_ReadsFramesOneAfterAnotherWithAndWithoutChecksums) {
  const std::string stream = MakeIpcStream(0, 100, 30);
  for (const bool frame_per_message : {false, true}) {
    for (const bool checksums : {false, true}) {
      const Lz4Layout layout{.frame_per_message = frame_per_message, .checksums = checksums};
      service.Reply("execute", {Succeeded({.columns = {}, .chunk_rows = {100}, .lz4 = true},
                                          Attachment(Lz4Frames(stream, layout)))});
      EXPECT_EQ(*ExecuteAndRead(), RowRange(0, 100));
    }
  }
}

TEST_F(SeaRowRules, SeaRule11_TakesAnEmptyAttachmentAsNone) {
  service.Reply("execute",
                {Succeeded({.columns = {}, .chunk_rows = {}}, R"("result":{"attachment":""})")});
  EXPECT_EQ(*ExecuteAndRead(), RowRange(0, 0));
}

TEST_F(SeaRowRules, SeaRule11_ReadsAttachmentsOfEveryPadding) {
  for (const int64_t num_rows : {1, 2, 3, 4, 5}) {
    service.Reply("execute", {Succeeded({.columns = {}, .chunk_rows = {num_rows}},
                                        Attachment(Lz4Frames(MakeIpcStream(0, num_rows, 2))))});
    EXPECT_EQ(*ExecuteAndRead(), RowRange(0, num_rows));
  }
}

TEST_F(SeaRowRules, SeaRule12_TakesBatchesOfAnySizeAndNone) {
  IpcMessages rows = MakeIpcMessages(0, 7, 1);
  const std::string empty = MakeIpcMessages(0, 0, 1).Stream();
  rows.batches.insert(rows.batches.begin() + 3, MakeIpcMessages(3, 0, 1).batches.begin(),
                      MakeIpcMessages(3, 0, 1).batches.begin());
  service.Reply("execute",
                {Succeeded({.columns = {}, .chunk_rows = {7}}, Attachment(rows.Stream())),
                 Succeeded({.columns = {}, .chunk_rows = {0}}, Attachment(empty))});
  EXPECT_EQ(*ExecuteAndRead(), RowRange(0, 7));
  EXPECT_EQ(*ExecuteAndRead(), RowRange(0, 0));
}

TEST_F(SeaRowRules, SeaRule12_CutsRowsThatTheOnlyPageHasTooMany) {
  service.Reply("execute", {Succeeded({.columns = {}, .chunk_rows = {100}},
                                      Attachment(MakeIpcStream(0, 128, 40)))});
  const auto rows = ExecuteAndRead();
  ASSERT_TRUE(rows.ok()) << rows.status().ToString();
  EXPECT_EQ(*rows, RowRange(0, 100));
}

TEST_F(SeaRowRules, SeaRule12_DoesNotGuessWhichOfSeveralPagesHasRowsTooMany) {
  service.Reply("execute", {Succeeded({.columns = {}, .chunk_rows = {40, 60}},
                                      Attachment(MakeIpcStream(0, 64, 30)))});
  service.Reply("chunk 1", {Page(1, MakeIpcStream(40, 60, 30))});
  EXPECT_EQ(ExecuteAndRead().status().code(), StatusCode::kIntegrity);
}

TEST_F(SeaRowRules, SeaRule12_JoinsOneStreamThatIsCutAnywhere) {
  const std::string stream = MakeIpcStream(0, 100, 30);
  for (const size_t cut : {stream.size() / 3, stream.size() / 2 + 1}) {
    service.Reply("execute",
                  {Succeeded({.columns = {}, .chunk_rows = {40, 60}},
                             Attachment(stream.substr(0, cut), R"("next_chunk_index":1)"))});
    service.Reply("chunk 1", {Page(1, Lz4Frames(stream.substr(cut)))});
    const auto rows = ExecuteAndRead();
    ASSERT_TRUE(rows.ok()) << rows.status().ToString();
    EXPECT_EQ(*rows, RowRange(0, 100));
  }
}

TEST_F(SeaRowRules, SeaRule12_ReadsPagesThatAreStreamsOfTheirOwn) {
  service.Reply("execute", {Succeeded({.columns = {}, .chunk_rows = {40, 60}},
                                      Attachment(MakeIpcStream(0, 40, 30)))});
  service.Reply("chunk 1", {Page(1, MakeIpcStream(40, 60, 30))});
  EXPECT_EQ(*ExecuteAndRead(), RowRange(0, 100));
}

TEST_F(SeaRowRules, SeaRule13_RefusesRowsOfAnotherWidthThanTheManifest) {
  service.Reply(
      "execute",
      {Succeeded({.columns = StrCat("[", Column("a", "BIGINT", 0), "]"), .chunk_rows = {4}},
                 Attachment(MakeIpcStream(0, 4, 4)))});
  EXPECT_EQ(Execute().status().code(), StatusCode::kInvalidData);
}

TEST_F(SeaRowRules, SeaRule14_MakesTheSchemaOfAnEmptyResultFromTheManifest) {
  config.session.settings = {{"TIMEZONE", "America/Los_Angeles"}};
  service.Reply("execute",
                {Succeeded({.columns = StrCat(
                                "[", Column("d", "DECIMAL(18,2)", 0), ",",
                                Column("i", "INTERVAL DAY TO SECOND", 1), ",",
                                Column("y", "INTERVAL YEAR", 2), ",", Column("t", "TIMESTAMP", 3),
                                ",", Column("n", "TIMESTAMP_NTZ", 4), ",",
                                Column("l", "ARRAY<MAP<STRING, STRUCT<a: INT>>>", 5), "]"),
                            .chunk_rows = {}},
                           R"("result":{})")});
  const auto execution = Execute();
  ASSERT_TRUE(execution.ok()) << execution.status().ToString();
  const Schema& schema = *execution->manifest.schema;
  EXPECT_EQ(FormatOf(schema, 0), "d:18,2");
  EXPECT_EQ(FormatOf(schema, 1), "tDu");
  EXPECT_EQ(FormatOf(schema, 2), "tiM");
  EXPECT_EQ(FormatOf(schema, 3), "tsu:America/Los_Angeles");
  EXPECT_EQ(FormatOf(schema, 4), "tsu:");
  EXPECT_EQ(FormatOf(schema, 5), "+l");
  EXPECT_FALSE((*execution->rows->Next()).has_value());
}

TEST_F(SeaRowRules, SeaRule14_AsksForTheZoneThatAStatementMayHaveSet) {
  const std::string empty =
      Succeeded({.columns = StrCat("[", Column("l", "ARRAY<TIMESTAMP>", 0), "]"), .chunk_rows = {}},
                R"("result":{})");
  service.Reply(
      "execute",
      {empty, InState("SUCCEEDED"), empty,
       Succeeded({.columns = StrCat("[", Column("z", "STRING", 0), "]"), .chunk_rows = {1}},
                 R"("result":{"data_array":[["Asia/Tokyo"]]})"),
       empty});
  const auto zone = [&](const std::string& sql) {
    const auto execution = Execute({.sql = sql});
    EXPECT_TRUE(execution.ok()) << execution.status().ToString();
    const Schema& schema = *execution->manifest.schema;
    return schema.num_columns() == 0
               ? std::string()
               : std::string(schema.c_schema()->children[0]->children[0]->format);
  };
  EXPECT_EQ(zone("SELECT 1"), "tsu:Etc/UTC");
  EXPECT_EQ(zone("-- for tests\n/* now */SET TIME ZONE 'Asia/Tokyo'"), "");
  EXPECT_EQ(zone("SELECT 1"), "tsu:Asia/Tokyo");
  EXPECT_EQ(zone("SELECT 1"), "tsu:Asia/Tokyo");
  EXPECT_EQ(service.num_calls("execute"), 5);
}

/// A stream of one timestamp in `zone`.
std::string TimestampStream(const char* zone) {
  nanoarrow::UniqueSchema schema;
  ArrowSchemaInit(schema.get());
  EXPECT_EQ(ArrowSchemaSetTypeStruct(schema.get(), 1), NANOARROW_OK);
  EXPECT_EQ(ArrowSchemaSetTypeDateTime(schema->children[0], NANOARROW_TYPE_TIMESTAMP,
                                       NANOARROW_TIME_UNIT_MICRO, zone),
            NANOARROW_OK);
  EXPECT_EQ(ArrowSchemaSetName(schema->children[0], "t"), NANOARROW_OK);
  nanoarrow::UniqueArray array;
  EXPECT_EQ(ArrowArrayInitFromSchema(array.get(), schema.get(), nullptr), NANOARROW_OK);
  EXPECT_EQ(ArrowArrayStartAppending(array.get()), NANOARROW_OK);
  EXPECT_EQ(ArrowArrayAppendInt(array->children[0], 7), NANOARROW_OK);
  EXPECT_EQ(ArrowArrayFinishElement(array.get()), NANOARROW_OK);
  EXPECT_EQ(ArrowArrayFinishBuildingDefault(array.get(), nullptr), NANOARROW_OK);
  return WriteSchemaMessage(*schema.get()) + WriteBatchMessage(*schema.get(), *array.get()) +
         EndOfStream();
}

TEST_F(SeaRowRules, SeaRule15_KeepsEverySpellingOfATimeZoneAndRemembersIt) {
  const std::string columns = StrCat("[", Column("t", "TIMESTAMP", 0), "]");
  for (const char* const zone : {"America/Los_Angeles", "Etc/UTC", "UTC", "+05:30"}) {
    service.Reply("execute", {Succeeded({.columns = columns, .chunk_rows = {1}},
                                        Attachment(TimestampStream(zone))),
                              Succeeded({.columns = columns, .chunk_rows = {}}, R"("result":{})")});
    const auto rows = Execute();
    ASSERT_TRUE(rows.ok()) << rows.status().ToString();
    EXPECT_EQ(FormatOf(*rows->manifest.schema, 0), StrCat("tsu:", zone));
    const auto empty = Execute();
    ASSERT_TRUE(empty.ok());
    EXPECT_EQ(FormatOf(*empty->manifest.schema, 0), StrCat("tsu:", zone));
  }
}

TEST_F(SeaRowRules, SeaRule16_ReadsIntervalsVariantsVoidAndTypesThatAreNew) {
  service.Reply("execute",
                {Succeeded({.columns = StrCat(
                                "[", Column("y", "INTERVAL YEAR TO MONTH", 0), ",",
                                Column("d", "INTERVAL DAY", 1), ",", Column("v", "VARIANT", 2), ",",
                                Column("n", "VOID", 3), ",", Column("g", "geometry(0)", 4), "]"),
                            .chunk_rows = {1},
                            .format = "JSON_ARRAY"},
                           R"("result":{"data_array":[["-1-2","3 00:00:00.000000000",)"
                           R"x("{\"a\":1}",null,"POINT(1 2)"]]})x")});
  const auto execution = Execute();
  ASSERT_TRUE(execution.ok()) << execution.status().ToString();
  const Schema& schema = *execution->rows->schema();
  EXPECT_EQ(FormatOf(schema, 0), "tiM");
  EXPECT_EQ(FormatOf(schema, 1), "tDu");
  EXPECT_EQ(FormatOf(schema, 2), "u");
  EXPECT_EQ(FormatOf(schema, 3), "n");
  EXPECT_EQ(FormatOf(schema, 4), "u");
  const auto batch = execution->rows->Next();
  ASSERT_TRUE(batch.ok()) << batch.status().ToString();
  const ArrowArray* const array = (*batch)->c_array();
  EXPECT_EQ(static_cast<const int32_t*>(array->children[0]->buffers[1])[0], -14);
  EXPECT_EQ(static_cast<const int64_t*>(array->children[1]->buffers[1])[0], 259'200'000'000);
}

TEST_F(SeaRowRules, SeaRule20_FailsLoudlyWhenRowsAreMissing) {
  service.Reply("execute", {Succeeded({.columns = {}, .chunk_rows = {100}},
                                      Attachment(MakeIpcStream(0, 60, 30))),
                            Succeeded({.columns = {}, .chunk_rows = {100}, .format = "JSON_ARRAY"},
                                      R"("result":{"data_array":[["0","row 0","0.25"]]})")});
  for (int i = 0; i < 2; ++i) {
    const Status status = ExecuteAndRead().status();
    EXPECT_EQ(status.code(), StatusCode::kIntegrity);
    EXPECT_NE(status.message().find("100"), std::string::npos) << status.message();
  }
}

TEST_F(SeaRowRules, SeaRule20_FetchesThePagesThatTheReplyDoesNotTellOf) {
  service.Reply("execute", {Succeeded({.columns = {}, .chunk_rows = {60, 40}},
                                      Attachment(MakeIpcStream(0, 60, 30)))});
  service.Reply("chunk 1", {Page(1, MakeIpcMessages(60, 40, 30).Stream())});
  EXPECT_EQ(*ExecuteAndRead(), RowRange(0, 100));
}

TEST_F(SeaRowRules, SeaRule22_SaysAfterTheLastRowThatTheResultWasCutOff) {
  service.Reply("execute", {Succeeded({.columns = {}, .chunk_rows = {3}, .truncated = true},
                                      Attachment(MakeIpcStream(0, 3, 3)))});
  const auto execution = Execute();
  ASSERT_TRUE(execution.ok());
  EXPECT_TRUE((*execution->rows->Next()).has_value());
  EXPECT_EQ(execution->rows->Next().status().code(), StatusCode::kIntegrity);
}

TEST_F(SeaRowRules, SeaRule30_ReadsCellsOfTextAndNull) {
  config.cloudfetch.enabled = false;
  service.Reply("execute", {Succeeded({.columns = {}, .chunk_rows = {2, 1}, .format = "JSON_ARRAY"},
                                      R"("result":{"chunk_index":0,"row_offset":0,"row_count":2,)"
                                      R"("next_chunk_index":1,"data_array":[["0","row 0","0.25"],)"
                                      R"(["1","row 1.","1.25"]]})")});
  service.Reply("chunk 1", {R"({"chunk_index":1,"row_offset":2,"data_array":)"
                            R"([["2","row 2..","2.25"]]})"});
  const auto rows = ExecuteAndRead();
  ASSERT_TRUE(rows.ok()) << rows.status().ToString();
  EXPECT_EQ(*rows, RowRange(0, 3));
  const std::string sent = service.Requests("execute")[0].body;
  EXPECT_NE(sent.find(R"("disposition":"INLINE","format":"JSON_ARRAY")"), std::string::npos);
}

TEST_F(SeaRowRules, SeaRule30_RefusesAPageThatLeavesRowsOut) {
  service.Reply("execute",
                {Succeeded({.columns = {}, .chunk_rows = {1, 1}, .format = "JSON_ARRAY"},
                           R"("result":{"row_offset":0,"data_array":[["0","row 0","0.25"]]})")});
  service.Reply("chunk 1", {R"({"row_offset":2,"data_array":[["2","row 2..","2.25"]]})"});
  EXPECT_EQ(ExecuteAndRead().status().code(), StatusCode::kIntegrity);
}

TEST_F(SeaRowRules, TellsTheRowsThatAStatementChanged) {
  service.Reply("execute",
                {Succeeded({.columns = StrCat("[", Column("num_affected_rows", "BIGINT", 0), ",",
                                              Column("num_inserted_rows", "BIGINT", 1), "]"),
                            .chunk_rows = {1},
                            .format = "JSON_ARRAY"},
                           R"("result":{"data_array":[["3","3"]]})")});
  const auto execution = Execute();
  ASSERT_TRUE(execution.ok());
  EXPECT_EQ(execution->rows_affected, 3);
}

TEST_F(SeaRowRules, RefusesVolumeOperations) {
  service.Reply("execute", {InState("SUCCEEDED", R"("manifest":{"is_volume_operation":true})")});
  EXPECT_EQ(Execute().status().code(), StatusCode::kNotImplemented);
}

}  // namespace
}  // namespace dbx::sea
