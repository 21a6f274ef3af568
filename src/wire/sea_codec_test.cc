// SPDX-License-Identifier: Apache-2.0
#include "wire/sea_codec.h"

#include <gtest/gtest.h>

#include "base/str_cat.h"

namespace dbx::sea {
namespace {

TEST(SeaCodec, WritesWhatOpensASession) {
  EXPECT_EQ(WriteOpenRequest({.warehouse_id = "w"}), R"({"warehouse_id":"w"})");
  EXPECT_EQ(WriteOpenRequest({.warehouse_id = "w",
                              .catalog = "c",
                              .schema = "s\"",
                              .session_confs = {{"ANSI_MODE", "true"}}}),
            R"({"warehouse_id":"w","schema":"s\"","catalog":"c",)"
            R"("session_confs":{"ANSI_MODE":"true"}})");
}

TEST(SeaCodec, WritesAStatementWithParametersAndTags) {
  ExecuteRequest request{.statement = "SELECT ?", .warehouse_id = "w", .session_id = "i"};
  request.lz4 = true;
  EXPECT_EQ(WriteExecuteRequest(request),
            R"({"statement":"SELECT ?","warehouse_id":"w","session_id":"i",)"
            R"("disposition":"INLINE_OR_EXTERNAL_LINKS","format":"ARROW_STREAM",)"
            R"("result_compression":"LZ4_FRAME"})");
  request.disposition = Disposition::kInline;
  request.format = Format::kJsonArray;
  request.wait_timeout = "0s";
  request.parameters = {{.ordinal = 1, .type = "INT", .value = "6"},
                        {.ordinal = 2, .type = "STRING", .value = std::nullopt},
                        {.name = "n", .type = "DATE", .value = "2024-02-29"}};
  request.query_tags = {{"flag", ""}, {"team", "a"}};
  EXPECT_EQ(WriteExecuteRequest(request),
            R"({"statement":"SELECT ?","warehouse_id":"w","session_id":"i",)"
            R"("disposition":"INLINE","format":"JSON_ARRAY","wait_timeout":"0s","parameters":[)"
            R"({"type":"INT","value":"6","ordinal":1},{"type":"STRING","ordinal":2},)"
            R"({"name":"n","type":"DATE","value":"2024-02-29"}],)"
            R"("query_tags":[{"key":"flag"},{"key":"team","value":"a"}]})");
}

TEST(SeaCodec, SendsTextThatIsNoUtf8) {
  EXPECT_NE(WriteExecuteRequest({.statement = "SELECT '\xFF'"}).find("SELECT '\xEF\xBF\xBD'"),
            std::string::npos);
}

TEST(SeaCodec, ReadsASession) {
  EXPECT_EQ(*ReadOpenReply(R"({"session_id":"01ef","session_version":{"version_id":3}})"), "01ef");
  EXPECT_EQ(ReadOpenReply(R"({"session_id":7})").status().code(), StatusCode::kInvalidData);
  EXPECT_EQ(ReadOpenReply("{}").status().code(), StatusCode::kInvalidData);
  EXPECT_EQ(ReadOpenReply("<html>").status().code(), StatusCode::kInvalidData);
}

TEST(SeaCodec, ReadsAManifestAndLinks) {
  const auto reply = ReadStatementReply(R"json({"statement_id":"s1","status":{"state":"SUCCEEDED"},
    "manifest":{"format":"ARROW_STREAM","schema":{"column_count":1,"columns":[
      {"name":"a","type_text":"DECIMAL(18,2)","type_name":"DECIMAL","position":0,
       "type_precision":18,"type_scale":2}]},
     "total_chunk_count":2,"chunks":[
      {"chunk_index":0,"row_offset":0,"row_count":10,"byte_count":100},
      {"chunk_index":1,"row_offset":10,"row_count":5,"byte_count":50}],
     "total_row_count":15,"total_byte_count":150,"truncated":true,
     "result_compression":"LZ4_FRAME","is_volume_operation":null},
    "result":{"external_links":[{"chunk_index":0,"row_offset":0,"row_count":10,"byte_count":60,
      "next_chunk_index":1,"next_chunk_internal_link":"/api/x/1","external_link":"https://s/a?sig",
      "expiration":"2025-03-10T19:01:07.305Z","http_headers":{"x-key":"k"}}]}})json");
  ASSERT_TRUE(reply.ok()) << reply.status().ToString();
  EXPECT_EQ(reply->statement_id, "s1");
  EXPECT_EQ(reply->state, State::kSucceeded);
  ASSERT_TRUE(reply->manifest);
  const ManifestMessage& manifest = *reply->manifest;
  ASSERT_EQ(manifest.columns.size(), 1);
  EXPECT_EQ(manifest.columns[0].type_text, "DECIMAL(18,2)");
  EXPECT_EQ(manifest.columns[0].position, 0);
  EXPECT_EQ(manifest.columns[0].scale, 2);
  ASSERT_EQ(manifest.chunks.size(), 2);
  EXPECT_EQ(manifest.chunks[1].row_offset, 10);
  EXPECT_EQ(manifest.total_row_count, 15);
  EXPECT_TRUE(manifest.truncated);
  EXPECT_EQ(manifest.result_compression, "LZ4_FRAME");
  ASSERT_EQ(reply->result.external_links.size(), 1);
  const LinkMessage& link = reply->result.external_links[0];
  EXPECT_EQ(link.row_count, 10);
  EXPECT_EQ(link.next.chunk_index, 1);
  EXPECT_EQ(link.next.internal_link, "/api/x/1");
  EXPECT_EQ(link.expiration, "2025-03-10T19:01:07.305Z");
  ASSERT_EQ(link.http_headers.size(), 1);
  EXPECT_EQ(link.http_headers[0].second.Reveal(), "k");
}

TEST(SeaCodec, ReadsRowsAndAttachments) {
  const auto rows = ReadChunkReply(
      R"({"chunk_index":1,"row_offset":2,"row_count":2,"data_array":[["1",null],["x",true]]})");
  ASSERT_TRUE(rows.ok());
  ASSERT_EQ(rows->data_array.size(), 2);
  EXPECT_EQ(rows->data_array[0], (JsonRow{"1", std::nullopt}));
  EXPECT_EQ(rows->data_array[1], (JsonRow{"x", "true"}));
  EXPECT_EQ(rows->row_offset, 2);
  EXPECT_FALSE(rows->next.is_known());
  const auto bytes = ReadChunkReply(R"({"attachment":"Zm9v","next_chunk_index":1})");
  ASSERT_TRUE(bytes.ok());
  EXPECT_EQ(bytes->attachment, "foo");
  EXPECT_TRUE(bytes->next.is_known());
}

TEST(SeaCodec, ReadsErrorsWhereverTheyStand) {
  const auto recent = ReadStatementReply(
      R"({"statement_id":"s","status":{"state":"FAILED","sql_state":"42601",
          "error":{"error_code":"BAD_REQUEST","message":"\n[X] no\n"}}})");
  ASSERT_TRUE(recent.ok());
  EXPECT_EQ(recent->state, State::kFailed);
  EXPECT_EQ(recent->error.sql_state, "42601");
  EXPECT_EQ(recent->error.error_code, "BAD_REQUEST");
  EXPECT_EQ(recent->error.message, "\n[X] no\n");
  const auto numeric = ReadStatementReply(
      R"({"status":{"state":"FAILED","error":{"error_code":42,"sql_state":"22001"}}})");
  ASSERT_TRUE(numeric.ok());
  EXPECT_EQ(numeric->error.error_code, "42");
  EXPECT_EQ(numeric->error.sql_state, "22001");
}

TEST(SeaCodec, RefusesWrongTypesWithoutShowingValues) {
  const std::string status = R"("status":{"state":"SUCCEEDED"})";
  for (const std::string& part : {
           std::string(R"("manifest":[])"),
           std::string(R"("manifest":{"total_row_count":-1})"),
           std::string(R"("manifest":{"total_row_count":18446744073709551615})"),
           std::string(R"("manifest":{"chunks":{}})"),
           std::string(R"("manifest":{"schema":{"columns":[3]}})"),
           std::string(R"("manifest":{"truncated":"SECRET"})"),
           std::string(R"("result":{"data_array":["SECRET"]})"),
           std::string(R"("result":{"data_array":[[["SECRET"]]]})"),
           std::string(R"("result":{"attachment":"SECRET!"})"),
           std::string(R"("result":{"external_links":[{"chunk_index":0}]})"),
           std::string(
               R"("result":{"external_links":[{"external_link":"SECRET","row_count":1.5}]})"),
       }) {
    const auto reply = ReadStatementReply(StrCat("{", status, ",", part, "}"));
    EXPECT_EQ(reply.status().code(), StatusCode::kInvalidData) << part;
    EXPECT_EQ(reply.status().message().find("SECRET"), std::string::npos) << part;
  }
  EXPECT_FALSE(ReadStatementReply(R"({"statement_id":"s"})").ok());
}

}  // namespace
}  // namespace dbx::sea
