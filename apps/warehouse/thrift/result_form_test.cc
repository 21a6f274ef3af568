// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstring>

#include "result/arrow_reading.h"
#include "thrift/thrift_client.h"

namespace dbx::local {
namespace {

using thrift::TCloudFetchDisabledReason;
using thrift::TSparkRowSetType;
using thrift::TTypeId;

constexpr int64_t kSomeInstant = 1'623'760'496'789'000;  // 2021-06-15 12:34:56.789 UTC

struct Value {
  SqlType type;
  std::string arrow_format;
  std::function<void(ArrowArray*)> fill;
};

void Fill64(ArrowArray* column, int64_t value) {
  ASSERT_EQ(ArrowArrayAppendInt(column, value), NANOARROW_OK);
  ASSERT_EQ(ArrowArrayAppendNull(column, 1), NANOARROW_OK);
}

FakeResult ResultOf(const Value& value) {
  FakeResult result{.columns = {{.name = "v", .type = value.type}}};
  result.batches = [value] {
    std::vector<nanoarrow::UniqueArray> batches;
    batches.push_back(OneColumn(value.arrow_format, value.fill));
    return batches;
  };
  return result;
}

/// A one-column result, run in a form that `change` makes of the usual one.
struct Ran {
  thrift::TGetResultSetMetadataResp metadata;
  thrift::TRowSet rows;
  bool has_more = false;

  ArrowTable table() const {
    std::string stream = metadata.arrowSchema;
    for (const auto& batch : rows.arrowBatches) {
      stream += metadata.lz4Compressed ? DecodeLz4Frames(batch.batch) : batch.batch;
    }
    return ReadArrowStream(stream);
  }
};

Ran RunQuery(const FakeResult& result,
             const std::function<void(thrift::TExecuteStatementReq*)>& change = {},
             const std::string& zone = "Etc/UTC", FaultAction fault = {}) {
  ThriftFixture fixture;
  fixture.engine.time_zone = zone;
  fixture.engine.results["q"] = result;
  fixture.faults.Add(FaultPoint::kResult, "", std::move(fault));
  thrift::TExecuteStatementReq request = fixture.ExecuteRequest("q");
  if (change) change(&request);
  const thrift::TExecuteStatementResp response = fixture.Execute(request);
  EXPECT_EQ(response.status.statusCode, thrift::TStatusCode::SUCCESS_STATUS)
      << response.status.errorMessage;
  return {response.directResults.resultSetMetadata, response.directResults.resultSet.results,
          response.directResults.resultSet.hasMoreRows};
}

void WithoutArrow(thrift::TExecuteStatementReq* request) {
  request->canReadArrowResult = false;
}
void WithoutNativeTypes(thrift::TExecuteStatementReq* request) {
  request->__isset.useArrowNativeTypes = false;
}

Value DecimalValue() {
  return {{.id = SqlTypeId::kDecimal, .precision = 7, .scale = 2}, "d:7,2", [](ArrowArray* column) {
            ArrowDecimal decimal;
            ArrowDecimalInit(&decimal, 128, 7, 2);
            ArrowDecimalSetInt(&decimal, 330);
            ASSERT_EQ(ArrowArrayAppendDecimal(column, &decimal), NANOARROW_OK);
            ASSERT_EQ(ArrowArrayAppendNull(column, 1), NANOARROW_OK);
          }};
}

Value TimestampValue() {
  return {{.id = SqlTypeId::kTimestamp}, "tsu:UTC", [](ArrowArray* column) {
            Fill64(column, kSomeInstant);
          }};
}

Value MonthsValue() {
  return {{.id = SqlTypeId::kIntervalYearMonth, .interval_start = "YEAR", .interval_end = "MONTH"},
          "tiM",
          [](ArrowArray* column) {
            ArrowInterval interval;
            ArrowIntervalInit(&interval, NANOARROW_TYPE_INTERVAL_MONTHS);
            interval.months = 30;
            ASSERT_EQ(ArrowArrayAppendInterval(column, &interval), NANOARROW_OK);
            ASSERT_EQ(ArrowArrayAppendNull(column, 1), NANOARROW_OK);
          }};
}

Value DayTimeValue() {
  return {{.id = SqlTypeId::kIntervalDayTime, .interval_start = "DAY", .interval_end = "SECOND"},
          "tDu",
          [](ArrowArray* column) { Fill64(column, 93'784'000'000); }};
}

Value VoidValue() {
  return {{.id = SqlTypeId::kVoid}, "n", [](ArrowArray* column) {
            ASSERT_EQ(ArrowArrayAppendNull(column, 2), NANOARROW_OK);
          }};
}

TEST(ThriftService, S11_ColumnsWhenArrowIsNotOffered) {
  const Ran ran = RunQuery(NumberedResult(9), WithoutArrow);
  EXPECT_EQ(ran.metadata.resultFormat, TSparkRowSetType::COLUMN_BASED_SET);
  EXPECT_FALSE(ran.metadata.lz4Compressed);
  EXPECT_FALSE(ran.metadata.__isset.arrowSchema);
  EXPECT_EQ(ran.metadata.reasonForNoCloudFetch, TCloudFetchDisabledReason::ARROW_SUPPORT);
  ASSERT_EQ(ran.rows.columns.size(), 2U);
  EXPECT_EQ(ran.rows.columns[0].i64Val.values.at(8), 8);
  EXPECT_EQ(ran.rows.columns[1].stringVal.values.at(5), "name 5");
  EXPECT_EQ(ran.rows.columns[1].stringVal.values.at(6), "");
  EXPECT_FALSE(ran.rows.__isset.arrowBatches);
}

TEST(ThriftService, S11_ArrowForSmallResults) {
  const Ran ran = RunQuery(NumberedResult(9));
  EXPECT_EQ(ran.metadata.resultFormat, TSparkRowSetType::ARROW_BASED_SET);
  EXPECT_EQ(ran.metadata.reasonForNoCloudFetch, TCloudFetchDisabledReason::SMALL_RESULT_SIZE);
  EXPECT_TRUE(ran.rows.rows.empty());
  EXPECT_FALSE(ran.rows.__isset.resultLinks);
  EXPECT_FALSE(ran.metadata.isStagingOperation);
  EXPECT_EQ(ran.metadata.cacheLookupResult, thrift::TCacheLookupResult::CACHE_INELIGIBLE);
}

TEST(ThriftService, S11_LargeResultsStayInlineWhereLinksAreNotAllowed) {
  ThriftFixture fixture({.inline_limit_bytes = 1000});
  fixture.engine.results["q"] = NumberedResult(9000);
  thrift::TExecuteStatementReq request = fixture.ExecuteRequest("q");
  request.canDownloadResult = false;
  request.getDirectResults.maxRows = 5000;
  thrift::TExecuteStatementResp response = fixture.Execute(request);
  const thrift::TSparkDirectResults& direct = response.directResults;
  EXPECT_EQ(direct.resultSetMetadata.resultFormat, TSparkRowSetType::ARROW_BASED_SET);
  EXPECT_EQ(direct.resultSetMetadata.reasonForNoCloudFetch,
            TCloudFetchDisabledReason::CLOUD_FETCH_SUPPORT);
  EXPECT_EQ(direct.resultSet.results.arrowBatches.size(), 1U);
  EXPECT_TRUE(direct.resultSet.hasMoreRows);
  EXPECT_EQ(fixture.Fetch(response.operationHandle).results.arrowBatches.size(), 2U);
}

TEST(ThriftService, S13_NullBitmapsAreTrimmedAndNeverEmpty) {
  EXPECT_EQ(RunQuery(NumberedResult(6), WithoutArrow).rows.columns[1].stringVal.nulls,
            std::string(1, '\0'));
  EXPECT_EQ(RunQuery(NumberedResult(7), WithoutArrow).rows.columns[1].stringVal.nulls, "\x40");
  EXPECT_EQ(RunQuery(NumberedResult(100), WithoutArrow).rows.columns[0].i64Val.nulls,
            std::string(1, '\0'));
  // Rows 6 and 13 are NULL: bits 6 of byte 0 and 5 of byte 1.
  EXPECT_EQ(RunQuery(NumberedResult(15), WithoutArrow).rows.columns[1].stringVal.nulls, "\x40\x20");
  const Value eight{{.id = SqlTypeId::kInt}, "i", [](ArrowArray* column) {
                      ASSERT_EQ(ArrowArrayAppendNull(column, 8), NANOARROW_OK);
                    }};
  EXPECT_EQ(RunQuery(ResultOf(eight), WithoutArrow).rows.columns[0].i32Val.nulls,
            std::string("\xFF\x00", 2));
}

TEST(ThriftService, S13_NoRowsAreColumnsWithoutValues) {
  FakeResult none = NumberedResult(0);
  const Ran ran = RunQuery(none, WithoutArrow);
  ASSERT_EQ(ran.rows.columns.size(), 2U);
  EXPECT_TRUE(ran.rows.columns[1].stringVal.values.empty());
  EXPECT_EQ(ran.rows.columns[1].stringVal.nulls, std::string(1, '\0'));
}

uint32_t Word(const std::string& bytes, size_t at) {
  uint32_t word = 0;
  std::memcpy(&word, bytes.data() + at, sizeof(word));
  return word;
}

TEST(ThriftService, S14_TheSchemaIsOneMessageWithBothKeysOnEveryField) {
  const Ran ran = RunQuery(NumberedResult(9));
  const std::string& message = ran.metadata.arrowSchema;
  EXPECT_EQ(Word(message, 0), 0xFFFFFFFFU);
  EXPECT_EQ(Word(message, 4) + 8, message.size());
  EXPECT_EQ(message.size() % 8, 0U);
  const ArrowTable table = ran.table();
  EXPECT_EQ(FieldMetadata(*table.schema->children[0], "Spark:DataType:SqlName"), "BIGINT");
  EXPECT_EQ(FieldMetadata(*table.schema->children[0], "Spark:DataType:JsonType"), "\"long\"");
  EXPECT_EQ(FieldMetadata(*table.schema->children[1], "Spark:DataType:SqlName"), "STRING");
  EXPECT_EQ(table.schema->children[0]->flags & ARROW_FLAG_NULLABLE, 0);
  EXPECT_NE(table.schema->children[1]->flags & ARROW_FLAG_NULLABLE, 0);
}

TEST(ThriftService, S14_ABatchIsOneMessageAndSizesAreOfTheWholeResult) {
  const Ran ran = RunQuery(NumberedResult(9000), [](auto* request) {
    request->canDecompressLZ4Result = false;
    request->getDirectResults.maxRows = 4096;
  });
  ASSERT_EQ(ran.rows.arrowBatches.size(), 1U);
  EXPECT_TRUE(ran.has_more);
  const std::string& batch = ran.rows.arrowBatches[0].batch;
  EXPECT_EQ(Word(batch, 0), 0xFFFFFFFFU);
  EXPECT_EQ(batch.size() % 8, 0U);
  EXPECT_EQ(ran.rows.arrowBatches[0].rowCount, 4096);
  EXPECT_GT(ran.metadata.uncompressedBytes, 2 * static_cast<int64_t>(batch.size()));
  EXPECT_EQ(ran.metadata.uncompressedBytes, ran.metadata.compressedBytes);
}

TEST(ThriftService, S14_WideBatchesAreCutNearTheLimit) {
  const Ran ran = RunQuery(NumberedResult(4096),
                           [](auto* request) { request->__set_maxBytesPerBatch(20'000); });
  ASSERT_GT(ran.rows.arrowBatches.size(), 3U);
  for (const auto& batch : ran.rows.arrowBatches)
    EXPECT_LT(DecodeLz4Frames(batch.batch).size(), 24'000U);
  const ArrowTable table = ran.table();
  ASSERT_EQ(table.rows.size(), 4096U);
  for (size_t row = 0; row < table.rows.size(); ++row) {
    EXPECT_EQ(table.rows[row][0], std::to_string(row));
    EXPECT_EQ(table.rows[row][1], row % 7 == 6 ? "null" : "name " + std::to_string(row));
  }
}

TEST(ThriftService, S15_FramesOnlyWhenAskedAndInTheServicesForm) {
  const Ran framed = RunQuery(NumberedResult(9));
  EXPECT_TRUE(framed.metadata.lz4Compressed);
  EXPECT_TRUE(framed.rows.arrowBatches[0].batch.starts_with("\x04\x22\x4d\x18\x60\x70\x73"));
  EXPECT_LT(framed.metadata.compressedBytes, framed.metadata.uncompressedBytes);
  const Ran raw =
      RunQuery(NumberedResult(9), [](auto* request) { request->canDecompressLZ4Result = false; });
  EXPECT_FALSE(raw.metadata.lz4Compressed);
  EXPECT_EQ(DecodeLz4Frames(framed.rows.arrowBatches[0].batch), raw.rows.arrowBatches[0].batch);
}

TEST(ThriftService, S15_ChecksumsAndContentSizeByFault) {
  const Ran checked = RunQuery(NumberedResult(9), {}, "Etc/UTC", {.checksums = true});
  EXPECT_TRUE(checked.rows.arrowBatches[0].batch.starts_with("\x04\x22\x4d\x18\x74\x70\x8e"));
  EXPECT_EQ(checked.table().rows.size(), 9U);
  const Ran sized = RunQuery(NumberedResult(9), {}, "Etc/UTC", {.content_size = true});
  EXPECT_EQ(sized.rows.arrowBatches[0].batch[4], '\x68');
  EXPECT_EQ(sized.table().rows.size(), 9U);
}

TEST(ThriftService, S16_TimestampsByTheirFlag) {
  const Ran native = RunQuery(ResultOf(TimestampValue()), {}, "America/Los_Angeles");
  EXPECT_STREQ(native.table().schema->children[0]->format, "tsu:America/Los_Angeles");
  EXPECT_EQ(native.table().rows[0][0], std::to_string(kSomeInstant));
  const Ran text = RunQuery(ResultOf(TimestampValue()), WithoutNativeTypes, "America/Los_Angeles");
  EXPECT_STREQ(text.table().schema->children[0]->format, "u");
  EXPECT_EQ(text.table().rows,
            (std::vector<std::vector<std::string>>{{"2021-06-15 05:34:56.789"}, {"null"}}));
  EXPECT_EQ(FieldMetadata(*text.table().schema->children[0], "Spark:DataType:SqlName"),
            "TIMESTAMP");
  const Ran by_conf = RunQuery(ResultOf(TimestampValue()), [](auto* request) {
    WithoutNativeTypes(request);
    request->__set_confOverlay(
        {{"spark.thriftserver.arrowBasedRowSet.timestampAsString", "false"}});
  });
  EXPECT_STREQ(by_conf.table().schema->children[0]->format, "tsu:Etc/UTC");
}

TEST(ThriftService, S16_DecimalsByTheirFlag) {
  const Ran native = RunQuery(ResultOf(DecimalValue()));
  EXPECT_STREQ(native.table().schema->children[0]->format, "d:7,2");
  EXPECT_EQ(native.table().rows[0][0], "330");
  const Ran text = RunQuery(ResultOf(DecimalValue()), [](auto* request) {
    request->useArrowNativeTypes.__set_decimalAsArrow(false);
  });
  EXPECT_EQ(text.table().rows, (std::vector<std::vector<std::string>>{{"3.30"}, {"null"}}));
  const auto& qualifiers =
      text.metadata.schema.columns[0].typeDesc.types[0].primitiveEntry.typeQualifiers.qualifiers;
  EXPECT_EQ(qualifiers.at("precision").i32Value, 7);
  EXPECT_EQ(qualifiers.at("scale").i32Value, 2);
}

TEST(ThriftService, S16_IntervalsByTheirFlag) {
  const Ran months = RunQuery(ResultOf(MonthsValue()));
  EXPECT_STREQ(months.table().schema->children[0]->format, "tiM");
  EXPECT_EQ(months.table().rows[0][0], "30");
  EXPECT_EQ(months.metadata.schema.columns[0].typeDesc.types[0].primitiveEntry.type,
            TTypeId::INTERVAL_YEAR_MONTH_TYPE);
  EXPECT_EQ(RunQuery(ResultOf(MonthsValue()), WithoutNativeTypes).table().rows[0][0], "2-6");
  EXPECT_STREQ(RunQuery(ResultOf(DayTimeValue())).table().schema->children[0]->format, "tDu");
  EXPECT_EQ(RunQuery(ResultOf(DayTimeValue()), WithoutNativeTypes).table().rows[0][0],
            "1 02:03:04.000000000");
}

TEST(ThriftService, S16_VoidByItsFlag) {
  const Ran native = RunQuery(ResultOf(VoidValue()));
  EXPECT_STREQ(native.table().schema->children[0]->format, "n");
  EXPECT_EQ(native.table().rows.size(), 2U);
  EXPECT_EQ(native.metadata.schema.columns[0].typeDesc.types[0].primitiveEntry.type,
            TTypeId::NULL_TYPE);
  const Ran text = RunQuery(ResultOf(VoidValue()), WithoutNativeTypes);
  EXPECT_STREQ(text.table().schema->children[0]->format, "u");
  EXPECT_EQ(text.table().rows, (std::vector<std::vector<std::string>>{{"null"}, {"null"}}));
}

/// A map from text to an array of decimals, within a struct: {"m": {"k": [3.30, null]}}.
FakeResult NestedResult() {
  const SqlType decimal{.id = SqlTypeId::kDecimal, .precision = 7, .scale = 2};
  const SqlType list{.id = SqlTypeId::kArray, .children = {decimal}};
  const SqlType map{.id = SqlTypeId::kMap, .children = {{.id = SqlTypeId::kString}, list}};
  FakeResult result{
      .columns = {{.name = "v",
                   .type = {.id = SqlTypeId::kStruct, .children = {map}, .field_names = {"m"}}}}};
  result.batches = [] {
    nanoarrow::UniqueSchema schema;
    ArrowSchemaInit(schema.get());
    EXPECT_EQ(ArrowSchemaSetTypeStruct(schema.get(), 1), NANOARROW_OK);
    ArrowSchema* const outer = schema->children[0];
    EXPECT_EQ(ArrowSchemaSetTypeStruct(outer, 1), NANOARROW_OK);
    EXPECT_EQ(ArrowSchemaSetType(outer->children[0], NANOARROW_TYPE_MAP), NANOARROW_OK);
    ArrowSchema* const entries = outer->children[0]->children[0];
    EXPECT_EQ(ArrowSchemaSetType(entries->children[0], NANOARROW_TYPE_STRING), NANOARROW_OK);
    EXPECT_EQ(ArrowSchemaSetName(entries->children[0], "key"), NANOARROW_OK);
    EXPECT_EQ(ArrowSchemaSetType(entries->children[1], NANOARROW_TYPE_LIST), NANOARROW_OK);
    EXPECT_EQ(ArrowSchemaSetName(entries->children[1], "value"), NANOARROW_OK);
    EXPECT_EQ(ArrowSchemaSetTypeDecimal(entries->children[1]->children[0],
                                        NANOARROW_TYPE_DECIMAL128, 7, 2),
              NANOARROW_OK);
    nanoarrow::UniqueArray batch;
    EXPECT_EQ(ArrowArrayInitFromSchema(batch.get(), schema.get(), nullptr), NANOARROW_OK);
    EXPECT_EQ(ArrowArrayStartAppending(batch.get()), NANOARROW_OK);
    ArrowArray* const structs = batch->children[0];
    ArrowArray* const maps = structs->children[0];
    ArrowArray* const pairs = maps->children[0];
    ArrowArray* const lists = pairs->children[1];
    for (const int64_t cents : {int64_t{330}, int64_t{-5}}) {
      ArrowDecimal value;
      ArrowDecimalInit(&value, 128, 7, 2);
      ArrowDecimalSetInt(&value, cents);
      EXPECT_EQ(ArrowArrayAppendString(pairs->children[0], ArrowCharView("k")), NANOARROW_OK);
      EXPECT_EQ(ArrowArrayAppendDecimal(lists->children[0], &value), NANOARROW_OK);
      EXPECT_EQ(ArrowArrayAppendNull(lists->children[0], 1), NANOARROW_OK);
      EXPECT_EQ(ArrowArrayFinishElement(lists), NANOARROW_OK);
      EXPECT_EQ(ArrowArrayFinishElement(pairs), NANOARROW_OK);
      EXPECT_EQ(ArrowArrayFinishElement(maps), NANOARROW_OK);
      EXPECT_EQ(ArrowArrayFinishElement(structs), NANOARROW_OK);
      EXPECT_EQ(ArrowArrayFinishElement(batch.get()), NANOARROW_OK);
    }
    EXPECT_EQ(ArrowArrayFinishBuildingDefault(batch.get(), nullptr), NANOARROW_OK);
    std::vector<nanoarrow::UniqueArray> batches;
    batches.push_back(std::move(batch));
    return batches;
  };
  return result;
}

TEST(ThriftService, S16_NestedTypesByTheirFlag) {
  // One row a message, so that the second begins in the middle of every buffer.
  const Ran native =
      RunQuery(NestedResult(), [](auto* request) { request->__set_maxBytesPerBatch(1); });
  EXPECT_EQ(native.rows.arrowBatches.size(), 2U);
  const ArrowTable table = native.table();
  const ArrowSchema* const map = table.schema->children[0]->children[0];
  EXPECT_STREQ(map->format, "+m");
  EXPECT_STREQ(map->children[0]->name, "entries");
  EXPECT_STREQ(map->children[0]->children[0]->name, "key");
  EXPECT_STREQ(map->children[0]->children[1]->children[0]->name, "element");
  EXPECT_EQ(map->children[0]->flags & ARROW_FLAG_NULLABLE, 0);
  EXPECT_EQ(map->children[0]->children[0]->flags & ARROW_FLAG_NULLABLE, 0);
  EXPECT_EQ(table.rows[0][0], "{[{k,[330,null]}]}");
  EXPECT_EQ(table.rows[1][0], "{[{k,[-5,null]}]}");
  const Ran text = RunQuery(NestedResult(), WithoutNativeTypes);
  EXPECT_EQ(text.table().rows[0][0], R"({"m":{"k":[3.30,null]}})");
  EXPECT_EQ(text.table().rows[1][0], R"({"m":{"k":[-0.05,null]}})");
  EXPECT_EQ(RunQuery(NestedResult(), WithoutArrow).rows.columns[0].stringVal.values[0],
            R"({"m":{"k":[3.30,null]}})");
}

TEST(ThriftService, ColumnsHoldOtherTypesAsTextOrWiderNumbers) {
  const auto column = [](const Value& value, const std::string& zone = "Etc/UTC") {
    return RunQuery(ResultOf(value), WithoutArrow, zone).rows.columns.at(0);
  };
  EXPECT_EQ(column(DecimalValue()).stringVal.values[0], "3.30");
  EXPECT_EQ(column(TimestampValue(), "+08:00").stringVal.values[0], "2021-06-15 20:34:56.789");
  EXPECT_EQ(column(DayTimeValue()).stringVal.values[0], "1 02:03:04.000000000");
  const Value truth{{.id = SqlTypeId::kBoolean}, "b", [](ArrowArray* array) { Fill64(array, 1); }};
  EXPECT_EQ(column(truth).boolVal.values, (std::vector<bool>{true, false}));
  const Value tiny{{.id = SqlTypeId::kTinyint}, "c", [](ArrowArray* array) { Fill64(array, -3); }};
  EXPECT_EQ(column(tiny).byteVal.values[0], -3);
  const Value small{
      {.id = SqlTypeId::kSmallint}, "s", [](ArrowArray* array) { Fill64(array, -300); }};
  EXPECT_EQ(column(small).i16Val.values[0], -300);
  const Value date{
      {.id = SqlTypeId::kDate}, "tdD", [](ArrowArray* array) { Fill64(array, 18'628); }};
  EXPECT_EQ(column(date).stringVal.values[0], "2021-01-01");
  const Value number{{.id = SqlTypeId::kFloat}, "f", [](ArrowArray* array) {
                       ASSERT_EQ(ArrowArrayAppendDouble(array, 0.5), NANOARROW_OK);
                     }};
  EXPECT_EQ(column(number).doubleVal.values[0], 0.5);
  const Value bytes{{.id = SqlTypeId::kBinary}, "z", [](ArrowArray* array) {
                      ASSERT_EQ(ArrowArrayAppendString(array, {"\x00\x01", 2}), NANOARROW_OK);
                    }};
  EXPECT_EQ(column(bytes).binaryVal.values[0], std::string("\x00\x01", 2));
}

TEST(ThriftService, S20_ColumnPagesHoldExactlyTheRowsAskedFor) {
  ThriftFixture fixture;
  fixture.engine.results["q"] = NumberedResult(5000);
  thrift::TExecuteStatementReq request = fixture.ExecuteRequest("q");
  request.canReadArrowResult = false;
  request.getDirectResults.maxRows = 4000;
  const thrift::TExecuteStatementResp response = fixture.Execute(request);
  EXPECT_EQ(response.directResults.resultSet.results.columns[0].i64Val.values.size(), 4000U);
  EXPECT_TRUE(response.directResults.resultSet.hasMoreRows);
  const thrift::TFetchResultsResp page = fixture.Fetch(response.operationHandle, 500);
  EXPECT_EQ(page.results.startRowOffset, 4000);
  EXPECT_EQ(page.results.columns[0].i64Val.values.front(), 4000);  // across the seam of two batches
  EXPECT_EQ(page.results.columns[0].i64Val.values.back(), 4499);
  EXPECT_TRUE(page.hasMoreRows);
  EXPECT_TRUE(fixture.Fetch(response.operationHandle, 0).results.columns[0].i64Val.values.empty());
  EXPECT_FALSE(fixture.Fetch(response.operationHandle, -1).hasMoreRows);
  thrift::TFetchResultsReq first;
  first.operationHandle = response.operationHandle;
  first.orientation = thrift::TFetchOrientation::FETCH_FIRST;
  first.maxRows = 10;
  EXPECT_EQ(fixture.Fetch(first).results.columns[0].i64Val.values.front(), 0);
  first.orientation = thrift::TFetchOrientation::FETCH_PRIOR;
  EXPECT_EQ(fixture.Fetch(first).status.statusCode, thrift::TStatusCode::ERROR_STATUS);
}

TEST(ThriftService, S5_OlderVersionsGetNoNewerFeatures) {
  ThriftFixture fixture({.inline_limit_bytes = 0});
  fixture.engine.results["q"] = NumberedResult(50);
  const auto run = [&](int64_t version) {
    thrift::TOpenSessionReq open;
    open.__set_client_protocol_i64(version);
    thrift::TOpenSessionResp opened;
    fixture.Call("OpenSession", open, &opened);
    thrift::TExecuteStatementReq request = fixture.ExecuteRequest("q");
    request.sessionHandle = opened.sessionHandle;
    return fixture.Execute(request);
  };
  EXPECT_EQ(run(0xA506).directResults.resultSetMetadata.resultFormat,
            TSparkRowSetType::URL_BASED_SET);
  EXPECT_TRUE(run(0xA506).directResults.resultSetMetadata.lz4Compressed);
  EXPECT_FALSE(run(0xA505).directResults.resultSetMetadata.lz4Compressed);
  EXPECT_TRUE(run(0xA505).directResults.resultSetMetadata.__isset.arrowSchema);
  EXPECT_FALSE(run(0xA504).directResults.resultSetMetadata.__isset.arrowSchema);
  EXPECT_EQ(run(0xA502).directResults.resultSetMetadata.resultFormat,
            TSparkRowSetType::ARROW_BASED_SET);
  EXPECT_EQ(run(0xA502).directResults.resultSetMetadata.reasonForNoCloudFetch,
            TCloudFetchDisabledReason::PROTOCOL_VERSION);
  const thrift::TExecuteStatementResp hive = run(9);
  EXPECT_FALSE(hive.__isset.directResults);
  EXPECT_FALSE(fixture.Fetch(hive.operationHandle, 1).hasMoreRows);
}

}  // namespace
}  // namespace dbx::local
