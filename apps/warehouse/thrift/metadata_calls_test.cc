// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "thrift/thrift_client.h"

namespace dbx::local {
namespace {

using thrift::TStatusCode;

template <typename Request>
Request WithSession(ThriftFixture* fixture) {
  Request request;
  request.sessionHandle = fixture->Open();
  thrift::TSparkGetDirectResults direct;
  direct.maxRows = 1000;
  request.__set_getDirectResults(direct);
  request.__set_runAsync(true);
  return request;
}

template <typename Response>
std::vector<std::string> Names(const Response& response) {
  std::vector<std::string> names;
  for (const auto& column : response.directResults.resultSetMetadata.schema.columns)
    names.push_back(column.columnName);
  return names;
}

/// Complete, closed, in columns, with the bare metadata of such calls.
template <typename Response>
void ExpectWhole(const Response& response, thrift::TOperationType::type type) {
  ASSERT_EQ(response.status.statusCode, TStatusCode::SUCCESS_STATUS)
      << response.status.errorMessage;
  EXPECT_EQ(response.operationHandle.operationType, type);
  EXPECT_TRUE(response.operationHandle.hasResultSet);
  const thrift::TSparkDirectResults& direct = response.directResults;
  EXPECT_EQ(direct.operationStatus.operationState, thrift::TOperationState::FINISHED_STATE);
  const thrift::TGetResultSetMetadataResp& metadata = direct.resultSetMetadata;
  EXPECT_EQ(metadata.resultFormat, thrift::TSparkRowSetType::COLUMN_BASED_SET);
  EXPECT_EQ(metadata.reasonForNoCloudFetch, thrift::TCloudFetchDisabledReason::METADATA_OPERATION);
  EXPECT_FALSE(metadata.__isset.lz4Compressed);
  EXPECT_FALSE(metadata.__isset.arrowSchema);
  EXPECT_FALSE(metadata.__isset.uncompressedBytes);
  EXPECT_FALSE(direct.resultSet.hasMoreRows);
  EXPECT_TRUE(direct.__isset.closeOperation);
  EXPECT_FALSE(metadata.schema.columns[0].comment.empty());
  EXPECT_EQ(direct.resultSet.results.columns.size(), metadata.schema.columns.size());
}

TEST(ThriftService, S28_Catalogs) {
  ThriftFixture fixture;
  thrift::TGetCatalogsResp response;
  fixture.Call("GetCatalogs", WithSession<thrift::TGetCatalogsReq>(&fixture), &response);
  ExpectWhole(response, thrift::TOperationType::GET_CATALOGS);
  EXPECT_EQ(Names(response), (std::vector<std::string>{"TABLE_CAT"}));
  EXPECT_EQ(response.directResults.resultSet.results.columns[0].stringVal.values,
            (std::vector<std::string>{"hive_metastore", "main"}));
}

TEST(ThriftService, S28_SchemasHaveTheirNameBeforeTheirCatalog) {
  ThriftFixture fixture;
  auto request = WithSession<thrift::TGetSchemasReq>(&fixture);
  thrift::TGetSchemasResp response;
  fixture.Call("GetSchemas", request, &response);
  ExpectWhole(response, thrift::TOperationType::GET_SCHEMAS);
  EXPECT_EQ(Names(response), (std::vector<std::string>{"TABLE_SCHEM", "TABLE_CATALOG"}));
  EXPECT_EQ(response.directResults.resultSet.results.columns[0].stringVal.values,
            (std::vector<std::string>{"default", "shop"}));
  request.__set_catalogName("SPARK");  // the session's catalog
  response = {};
  fixture.Call("GetSchemas", request, &response);
  EXPECT_EQ(response.directResults.resultSet.results.columns[0].stringVal.values.size(), 2U);
  request.__set_catalogName("nowhere");
  response = {};
  fixture.Call("GetSchemas", request, &response);
  ExpectWhole(response, thrift::TOperationType::GET_SCHEMAS);
  EXPECT_TRUE(response.directResults.resultSet.results.columns[0].stringVal.values.empty());
}

TEST(ThriftService, S28_TablesWithTheirTenColumns) {
  ThriftFixture fixture;
  auto request = WithSession<thrift::TGetTablesReq>(&fixture);
  request.__set_catalogName("main");
  request.__set_tableTypes({"TABLE", "VIEW"});
  thrift::TGetTablesResp response;
  fixture.Call("GetTables", request, &response);
  ExpectWhole(response, thrift::TOperationType::GET_TABLES);
  EXPECT_EQ(Names(response),
            (std::vector<std::string>{"TABLE_CAT", "TABLE_SCHEM", "TABLE_NAME", "TABLE_TYPE",
                                      "REMARKS", "TYPE_CAT", "TYPE_SCHEM", "TYPE_NAME",
                                      "SELF_REFERENCING_COL_NAME", "REF_GENERATION"}));
  const auto& columns = response.directResults.resultSet.results.columns;
  EXPECT_EQ(columns[2].stringVal.values, (std::vector<std::string>{"orders", "recent"}));
  EXPECT_EQ(columns[4].stringVal.values, (std::vector<std::string>{"", "new"}));
  EXPECT_EQ(columns[4].stringVal.nulls, std::string(1, '\0'));
  EXPECT_EQ(columns[5].stringVal.nulls, "\x03");
  EXPECT_EQ(columns[5].stringVal.values, (std::vector<std::string>{"", ""}));
}

TEST(ThriftService, S28_TableTypes) {
  ThriftFixture fixture;
  thrift::TGetTableTypesResp response;
  fixture.Call("GetTableTypes", WithSession<thrift::TGetTableTypesReq>(&fixture), &response);
  ExpectWhole(response, thrift::TOperationType::GET_TABLE_TYPES);
  EXPECT_EQ(response.directResults.resultSet.results.columns[0].stringVal.values,
            (std::vector<std::string>{"SYSTEM TABLE", "TABLE", "VIEW"}));
}

TEST(ThriftService, S28_ColumnsWithPositionsFromZero) {
  ThriftFixture fixture;
  thrift::TGetColumnsResp response;
  fixture.Call("GetColumns", WithSession<thrift::TGetColumnsReq>(&fixture), &response);
  ExpectWhole(response, thrift::TOperationType::GET_COLUMNS);
  const auto names = Names(response);
  ASSERT_EQ(names.size(), 23U);
  EXPECT_EQ(names[3], "COLUMN_NAME");
  EXPECT_EQ(names[16], "ORDINAL_POSITION");
  EXPECT_EQ(names[22], "IS_AUTO_INCREMENT");
  const auto& columns = response.directResults.resultSet.results.columns;
  EXPECT_EQ(columns[4].i32Val.values, (std::vector<int32_t>{-5, 3, 12}));
  EXPECT_EQ(columns[5].stringVal.values,
            (std::vector<std::string>{"BIGINT", "DECIMAL(10,2)", "VARCHAR(12)"}));
  EXPECT_EQ(columns[6].i32Val.values, (std::vector<int32_t>{8, 10, 12}));
  EXPECT_TRUE(columns[7].__isset.byteVal);
  EXPECT_EQ(columns[7].byteVal.nulls, "\x07");
  EXPECT_EQ(columns[8].i32Val.values, (std::vector<int32_t>{0, 2, 0}));
  EXPECT_EQ(columns[9].i32Val.nulls, "\x04");
  EXPECT_EQ(columns[10].i32Val.values, (std::vector<int32_t>{0, 1, 1}));
  EXPECT_EQ(columns[16].i32Val.values, (std::vector<int32_t>{0, 1, 2}));
  EXPECT_EQ(columns[17].stringVal.values, (std::vector<std::string>{"NO", "YES", "YES"}));
  EXPECT_TRUE(columns[21].__isset.i16Val);
}

TEST(ThriftService, S28_FunctionsByPattern) {
  ThriftFixture fixture;
  auto request = WithSession<thrift::TGetFunctionsReq>(&fixture);
  request.functionName = "current\\_da%";
  thrift::TGetFunctionsResp response;
  fixture.Call("GetFunctions", request, &response);
  ExpectWhole(response, thrift::TOperationType::GET_FUNCTIONS);
  EXPECT_EQ(response.directResults.resultSet.results.columns[2].stringVal.values,
            (std::vector<std::string>{"current_date"}));
  EXPECT_TRUE(response.directResults.resultSet.results.columns[4].__isset.i32Val);
}

TEST(ThriftService, S28_TypeInfo) {
  ThriftFixture fixture;
  thrift::TGetTypeInfoResp response;
  fixture.Call("GetTypeInfo", WithSession<thrift::TGetTypeInfoReq>(&fixture), &response);
  ExpectWhole(response, thrift::TOperationType::GET_TYPE_INFO);
  EXPECT_EQ(Names(response).size(), 18U);
  EXPECT_EQ(response.directResults.resultSet.results.columns[0].stringVal.values.at(4), "INT");
  EXPECT_EQ(response.directResults.resultSet.results.columns[1].i32Val.values.at(4), 4);
}

TEST(ThriftService, S28_PrimaryKeys) {
  ThriftFixture fixture;
  auto request = WithSession<thrift::TGetPrimaryKeysReq>(&fixture);
  request.__set_catalogName("main");
  request.__set_schemaName("shop");
  request.__set_tableName("orders");
  thrift::TGetPrimaryKeysResp response;
  fixture.Call("GetPrimaryKeys", request, &response);
  ExpectWhole(response, thrift::TOperationType::GET_FUNCTIONS);
  EXPECT_EQ(Names(response).at(4), "KEQ_SEQ");
  EXPECT_EQ(response.directResults.resultSet.results.columns[3].stringVal.values,
            (std::vector<std::string>{"id"}));
  EXPECT_EQ(response.directResults.resultSet.results.columns[4].i32Val.values,
            (std::vector<int32_t>{1}));
  request.__set_catalogName("hive_metastore");
  response = {};
  fixture.Call("GetPrimaryKeys", request, &response);
  EXPECT_TRUE(response.directResults.resultSet.results.columns[3].stringVal.values.empty());
}

TEST(ThriftService, S28_KeyCallsRefuseWhatTheServiceRefuses) {
  ThriftFixture fixture;
  auto request = WithSession<thrift::TGetPrimaryKeysReq>(&fixture);
  thrift::TGetPrimaryKeysResp response;
  fixture.Call("GetPrimaryKeys", request, &response);
  EXPECT_EQ(response.status.statusCode, TStatusCode::ERROR_STATUS);
  EXPECT_EQ(response.status.sqlState, "42000");
  request.__set_catalogName("main");
  request.__set_tableName("orders");
  response = {};
  fixture.Call("GetPrimaryKeys", request, &response);
  EXPECT_EQ(response.status.sqlState, "08000");
  EXPECT_NE(response.status.errorMessage.find("GET_FUNCTIONS"), std::string::npos);
  thrift::TGetCrossReferenceResp cross;
  fixture.Call("GetCrossReference", WithSession<thrift::TGetCrossReferenceReq>(&fixture), &cross);
  EXPECT_EQ(cross.status.sqlState, "42000");
}

TEST(ThriftService, S28_CrossReferencesFromEitherSide) {
  ThriftFixture fixture;
  const auto keys = [&](const char* parent, const char* child) {
    auto request = WithSession<thrift::TGetCrossReferenceReq>(&fixture);
    if (parent != nullptr) request.__set_parentTableName(parent);
    if (child != nullptr) request.__set_foreignTableName(child);
    thrift::TGetCrossReferenceResp response;
    fixture.Call("GetCrossReference", request, &response);
    ExpectWhole(response, thrift::TOperationType::GET_FUNCTIONS);
    EXPECT_EQ(Names(response).size(), 14U);
    return response.directResults.resultSet.results.columns[7].stringVal.values;
  };
  const std::vector<std::string> one = {"customer"};
  EXPECT_EQ(keys(nullptr, "orders"), one);
  EXPECT_EQ(keys("customers", nullptr), one);
  EXPECT_EQ(keys("customers", "orders"), one);
  EXPECT_TRUE(keys("customers", "other").empty());
}

TEST(ThriftService, S28_WithoutDirectResultsTheRowsAreFetched) {
  ThriftFixture fixture;
  auto request = WithSession<thrift::TGetCatalogsReq>(&fixture);
  request.__isset.getDirectResults = false;
  thrift::TGetCatalogsResp response;
  fixture.Call("GetCatalogs", request, &response);
  EXPECT_FALSE(response.__isset.directResults);
  const thrift::TFetchResultsResp first = fixture.Fetch(response.operationHandle, 1);
  EXPECT_EQ(first.results.columns.at(0).stringVal.values,
            (std::vector<std::string>{"hive_metastore"}));
  EXPECT_TRUE(first.hasMoreRows);
  EXPECT_EQ(fixture.Close(response.operationHandle).statusCode, TStatusCode::SUCCESS_STATUS);
}

}  // namespace
}  // namespace dbx::local
