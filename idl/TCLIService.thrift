// SPDX-License-Identifier: Apache-2.0

// The statement service that Databricks compute speaks: strict TBinaryProtocol, one message in one
// HTTP POST. It is Hive's command line service, widened twice:
//   below 0x500    Hive's own fields
//   0x501 onward   Databricks, public
//   0xD01 onward   Databricks, between its gateway and its clusters. They leak into replies, and
//                  some clients send a few.
// After 0x509 comes 0x510, after 0xD09 comes 0xD10: the ids count in tens, though written in hex.
//
// How presence is written here
//   required      the peer always sends it; a message without it is refused when read
//   (no keyword)  always written, tolerated when absent: reply fields that some servers leave out
//   optional      written only when set. No default is spelled out where absence already means it,
//                 for generated C++ writes an optional field that has a default.
// Unknown ids are skipped and unknown enum numbers kept, as the codec does by itself.

namespace cpp dbx.thrift

// ---- Versions and enums -------------------------------------------------------------------------

// What a peer speaks; Spark's numbers are 0xA501 onward. The comment names what a version brought.
enum TProtocolVersion {
  __HIVE_JDBC_WORKAROUND = -7           // stands for "not said"
  __TEST_PROTOCOL_VERSION = 0xFF01
  HIVE_CLI_SERVICE_PROTOCOL_V1 = 0
  HIVE_CLI_SERVICE_PROTOCOL_V2 = 1      // asynchronous execution
  HIVE_CLI_SERVICE_PROTOCOL_V3 = 2      // varchar, type qualifiers
  HIVE_CLI_SERVICE_PROTOCOL_V4 = 3      // decimal precision and scale, char
  HIVE_CLI_SERVICE_PROTOCOL_V5 = 4      // errors in GetOperationStatus
  HIVE_CLI_SERVICE_PROTOCOL_V6 = 5      // columnar row sets, binary
  HIVE_CLI_SERVICE_PROTOCOL_V7 = 6      // delegation tokens
  HIVE_CLI_SERVICE_PROTOCOL_V8 = 7      // intervals
  HIVE_CLI_SERVICE_PROTOCOL_V9 = 8      // row sets serialized by the server
  HIVE_CLI_SERVICE_PROTOCOL_V10 = 9     // progress in GetOperationStatus
  SPARK_CLI_SERVICE_PROTOCOL_V1 = 0xA501  // direct results, getInfos, hasMoreRows to believe
  SPARK_CLI_SERVICE_PROTOCOL_V2 = 0xA502
  SPARK_CLI_SERVICE_PROTOCOL_V3 = 0xA503  // CloudFetch
  SPARK_CLI_SERVICE_PROTOCOL_V4 = 0xA504  // several catalogs, initialNamespace
  SPARK_CLI_SERVICE_PROTOCOL_V5 = 0xA505  // arrowSchema, metadata in FetchResults, Arrow types
  SPARK_CLI_SERVICE_PROTOCOL_V6 = 0xA506  // LZ4, asynchronous metadata calls
  SPARK_CLI_SERVICE_PROTOCOL_V7 = 0xA507  // result persistence mode, staging operations
  SPARK_CLI_SERVICE_PROTOCOL_V8 = 0xA508  // statement parameters
  SPARK_CLI_SERVICE_PROTOCOL_V9 = 0xA509  // asynchronous metadata operations
}

enum TStatusCode {
  SUCCESS_STATUS = 0
  SUCCESS_WITH_INFO_STATUS = 1  // a success
  STILL_EXECUTING_STATUS = 2    // ask again
  ERROR_STATUS = 3
  INVALID_HANDLE_STATUS = 4
}

enum TOperationState {
  INITIALIZED_STATE = 0
  RUNNING_STATE = 1
  FINISHED_STATE = 2
  CANCELED_STATE = 3
  CLOSED_STATE = 4
  ERROR_STATE = 5
  UKNOWN_STATE = 6  // the service's spelling
  PENDING_STATE = 7  // waits for compute, for minutes perhaps
  TIMEDOUT_STATE = 8
}

enum TOperationType {
  EXECUTE_STATEMENT = 0
  GET_TYPE_INFO = 1
  GET_CATALOGS = 2
  GET_SCHEMAS = 3
  GET_TABLES = 4
  GET_TABLE_TYPES = 5
  GET_COLUMNS = 6
  GET_FUNCTIONS = 7
  UNKNOWN = 8
}

enum TTypeId {
  BOOLEAN_TYPE = 0
  TINYINT_TYPE = 1
  SMALLINT_TYPE = 2
  INT_TYPE = 3
  BIGINT_TYPE = 4
  FLOAT_TYPE = 5
  DOUBLE_TYPE = 6
  STRING_TYPE = 7
  TIMESTAMP_TYPE = 8
  BINARY_TYPE = 9
  ARRAY_TYPE = 10
  MAP_TYPE = 11
  STRUCT_TYPE = 12
  UNION_TYPE = 13
  USER_DEFINED_TYPE = 14
  DECIMAL_TYPE = 15
  NULL_TYPE = 16
  DATE_TYPE = 17
  VARCHAR_TYPE = 18
  CHAR_TYPE = 19
  INTERVAL_YEAR_MONTH_TYPE = 20  // older servers call both intervals STRING_TYPE
  INTERVAL_DAY_TIME_TYPE = 21
}

// Which list of TRowSet is filled.
enum TSparkRowSetType {
  ARROW_BASED_SET = 0   // arrowBatches
  COLUMN_BASED_SET = 1  // columns
  ROW_BASED_SET = 2     // rows; no longer sent
  URL_BASED_SET = 3     // resultLinks
}

enum TFetchOrientation {
  FETCH_NEXT = 0
  FETCH_PRIOR = 1
  FETCH_RELATIVE = 2  // not supported, like FETCH_ABSOLUTE and FETCH_LAST
  FETCH_ABSOLUTE = 3
  FETCH_FIRST = 4     // from the start again
  FETCH_LAST = 5
}

enum TCacheLookupResult {
  CACHE_INELIGIBLE = 0
  LOCAL_CACHE_HIT = 1
  REMOTE_CACHE_HIT = 2
  CACHE_MISS = 3
}

// Only a hint: real servers have sent METADATA_OPERATION beside links.
enum TCloudFetchDisabledReason {
  ARROW_SUPPORT = 0
  CLOUD_FETCH_SUPPORT = 1
  PROTOCOL_VERSION = 2
  REGION_SUPPORT = 3
  BLOCKLISTED_OPERATION = 4
  SMALL_RESULT_SIZE = 5
  CUSTOMER_STORAGE_SUPPORT = 6
  UNKNOWN = 7
  METADATA_OPERATION = 8
}

enum TResultPersistenceMode {
  ONLY_LARGE_RESULTS = 0
  ALL_QUERY_RESULTS = 1  // all but the results of commands
  ALL_RESULTS = 2
}

enum TDBSqlFetchDisposition {
  DISPOSITION_UNSPECIFIED = 0
  DISPOSITION_INLINE = 1
  DISPOSITION_EXTERNAL_LINKS = 2
  DISPOSITION_INTERNAL_DBFS = 3
  DISPOSITION_INLINE_OR_EXTERNAL_LINKS = 4
}

enum TDBSqlCompressionCodec {
  NONE = 0
  LZ4_FRAME = 1
  LZ4_BLOCK = 2
}

enum TDBSqlArrowLayout {
  ARROW_BATCH = 0  // inline only
  ARROW_STREAMING = 1
}

enum TOperationIdempotencyType {
  UNKNOWN = 0
  NON_IDEMPOTENT = 1
  IDEMPOTENT = 2
}

enum TOperationTimeoutLevel {
  CLUSTER = 0
  SESSION = 1
}

enum TDBSqlCloseOperationReason {
  NONE = 0
  COMMAND_INACTIVITY_TIMEOUT = 1
  CLOSE_SESSION = 2
}

enum TDBSqlManifestFileFormat {
  THRIFT_GET_RESULT_SET_METADATA_RESP = 0
}

enum TJobExecutionStatus {
  IN_PROGRESS = 0
  COMPLETE = 1
  NOT_AVAILABLE = 2
}

// The questions of GetInfo; the numbers are those of ODBC's SQLGetInfo.
enum TGetInfoType {
  CLI_MAX_DRIVER_CONNECTIONS = 0
  CLI_MAX_CONCURRENT_ACTIVITIES = 1
  CLI_DATA_SOURCE_NAME = 2
  CLI_FETCH_DIRECTION = 8
  CLI_SERVER_NAME = 13
  CLI_SEARCH_PATTERN_ESCAPE = 14
  CLI_DBMS_NAME = 17
  CLI_DBMS_VER = 18
  CLI_ACCESSIBLE_TABLES = 19
  CLI_ACCESSIBLE_PROCEDURES = 20
  CLI_CURSOR_COMMIT_BEHAVIOR = 23
  CLI_DATA_SOURCE_READ_ONLY = 25
  CLI_DEFAULT_TXN_ISOLATION = 26
  CLI_IDENTIFIER_CASE = 28
  CLI_IDENTIFIER_QUOTE_CHAR = 29
  CLI_MAX_COLUMN_NAME_LEN = 30
  CLI_MAX_CURSOR_NAME_LEN = 31
  CLI_MAX_SCHEMA_NAME_LEN = 32
  CLI_MAX_CATALOG_NAME_LEN = 34
  CLI_MAX_TABLE_NAME_LEN = 35
  CLI_SCROLL_CONCURRENCY = 43
  CLI_TXN_CAPABLE = 46
  CLI_USER_NAME = 47
  CLI_TXN_ISOLATION_OPTION = 72
  CLI_INTEGRITY = 73
  CLI_GETDATA_EXTENSIONS = 81
  CLI_NULL_COLLATION = 85
  CLI_ALTER_TABLE = 86
  CLI_ORDER_BY_COLUMNS_IN_SELECT = 90
  CLI_SPECIAL_CHARACTERS = 94
  CLI_MAX_COLUMNS_IN_GROUP_BY = 97
  CLI_MAX_COLUMNS_IN_INDEX = 98
  CLI_MAX_COLUMNS_IN_ORDER_BY = 99
  CLI_MAX_COLUMNS_IN_SELECT = 100
  CLI_MAX_COLUMNS_IN_TABLE = 101
  CLI_MAX_INDEX_SIZE = 102
  CLI_MAX_ROW_SIZE = 104
  CLI_MAX_STATEMENT_LEN = 105
  CLI_MAX_TABLES_IN_SELECT = 106
  CLI_MAX_USER_NAME_LEN = 107
  CLI_OJ_CAPABILITIES = 115
  CLI_XOPEN_CLI_YEAR = 10000
  CLI_CURSOR_SENSITIVITY = 10001
  CLI_DESCRIBE_PARAMETER = 10002
  CLI_CATALOG_NAME = 10003
  CLI_COLLATION_SEQ = 10004
  CLI_MAX_IDENTIFIER_LEN = 10005
  CLI_ODBC_KEYWORDS = 10006
}

// ---- Identity and status ------------------------------------------------------------------------

// Names a session or an operation. Both parts are 16 bytes; a server looks up by these two alone.
struct THandleIdentifier {
  1: required binary guid      // public: printed as a UUID in errors
  2: required binary secret    // proof of ownership: never logged
  0xD01: optional i16 executionVersion  // 0 in every reply seen
}

struct TSessionHandle {
  1: required THandleIdentifier sessionId
  0xD01: optional TProtocolVersion serverProtocolVersion
}

struct TOperationHandle {
  1: required THandleIdentifier operationId
  2: required TOperationType operationType
  3: required bool hasResultSet  // true for DDL and DML too
  4: optional double modifiedRowCount  // Hive's; see numModifiedRows of TGetOperationStatusResp
}

// How a call went. `displayMessage` is the text for people; `errorMessage` may hold a stack trace.
// Clients exist that take any displayMessage for a failure: leave it out on success.
struct TStatus {
  1: required TStatusCode statusCode
  2: optional list<string> infoMessages  // on errors: the exception, then its stack frames
  3: optional string sqlState            // 5 characters
  4: optional i32 errorCode
  5: optional string errorMessage
  6: optional string displayMessage
  0x501: optional string errorDetailsJson
  0xD01: optional binary responseValidation
  0xD02: optional bool servedByResponseCache
}

struct TNamespace {
  1: optional string catalogName
  2: optional string schemaName
}

// ---- What the gateway hands its clusters about a session; a client skips it ---------------------

struct TDBSqlTempView {
  1: optional string name
  2: optional string sqlStatement
  3: optional map<string, string> properties
  4: optional string viewSchema
  5: optional string tableType
}

struct TDBSqlSessionCapabilities {
  1: optional bool supportsMultipleCatalogs
}

struct TDBSqlConfValue {
  1: optional string value
}

struct TDBSqlTempVariable {
  1: optional string catalogName
  2: optional string schemaName
  3: optional string variableName
  4: optional string defaultExpressionSQL
  5: optional string variableDataType
  6: optional string currentValue
}

struct TDBSqlMSTConf {
  1: optional string txnId
  2: optional string serializedMSTState
  3: optional bool isAborted
  4: optional string abortReason
  5: optional i32 serializationVersion
}

struct TDBSqlTempTableNamespace {
  1: optional string catalogName
  2: optional string schemaName
}

struct TDBSqlMSTControlBits {
  1: optional string prevTxnId
  2: optional string newTxnId
}

struct TDBSqlAutoCommitConf {
  1: optional bool autoCommit
}

struct TDBSqlMSTContext {
  1: optional string txnId
}

// Leaks into the reply of SET and USE. Id 6, a list of expression descriptions, is not spelled out
// and so skipped.
struct TDBSqlSessionConf {
  1: optional map<string, string> confs
  2: optional list<TDBSqlTempView> tempViews
  3: optional string currentDatabase
  4: optional string currentCatalog
  5: optional TDBSqlSessionCapabilities sessionCapabilities
  7: optional map<string, TDBSqlConfValue> internalConfs
  8: optional list<TDBSqlTempVariable> tempVariables
  9: optional TDBSqlMSTConf mstConf
  10: optional TDBSqlTempTableNamespace tempTableNamespace
  11: optional TDBSqlMSTControlBits mstControlBits
  12: optional TDBSqlAutoCommitConf autoCommitConf
}

// ---- Sessions -----------------------------------------------------------------------------------

union TGetInfoValue {
  1: string stringValue
  2: i16 smallIntValue
  3: i32 integerBitmask
  4: i32 integerFlag
  5: i32 binaryValue
  6: i64 lenValue
}

// The version in force is min(client_protocol_i64, the server's) when the i64 is set. Otherwise it
// is min(client_protocol, the server's, SPARK V2), where -7 counts as not said.
struct TOpenSessionReq {
  1: optional TProtocolVersion client_protocol = TProtocolVersion.__HIVE_JDBC_WORKAROUND
  2: optional string username  // unused: HTTP authenticates
  3: optional string password
  4: optional map<string, string> configuration  // session settings
  0x501: optional list<TGetInfoType> getInfos    // GetInfo in the same round trip
  0x502: optional i64 client_protocol_i64
  0x503: optional map<string, string> connectionProperties
  0x504: optional TNamespace initialNamespace
  0x505: optional bool canUseMultipleCatalogs    // the client understands catalog.schema.table
  0xD01: optional THandleIdentifier sessionId
}

struct TOpenSessionResp {
  1: required TStatus status
  2: TProtocolVersion serverProtocolVersion
  3: optional TSessionHandle sessionHandle       // set on success
  4: optional map<string, string> configuration
  0x501: optional list<TGetInfoValue> getInfos   // in the order of the request
  0x504: optional TNamespace initialNamespace    // in force; absent: the client must send USE
  0x505: optional bool canUseMultipleCatalogs
}

// Cancels and frees every operation of the session.
struct TCloseSessionReq {
  1: required TSessionHandle sessionHandle
}

struct TCloseSessionResp {
  1: required TStatus status
}

struct TGetInfoReq {
  1: required TSessionHandle sessionHandle
  2: required TGetInfoType infoType
  0xD01: optional TDBSqlSessionConf sessionConf
}

// Clients generated from other descriptions require infoValue: send an empty stringValue on errors.
struct TGetInfoResp {
  1: required TStatus status
  2: TGetInfoValue infoValue
}

// ---- Schema of a result -------------------------------------------------------------------------

union TTypeQualifierValue {
  1: i32 i32Value
  2: string stringValue
}

// Keys: "precision" and "scale" of a decimal, "characterMaximumLength" of char and varchar.
struct TTypeQualifiers {
  1: required map<string, TTypeQualifierValue> qualifiers
}

struct TPrimitiveTypeEntry {
  1: required TTypeId type
  2: optional TTypeQualifiers typeQualifiers
}

// A "Ptr" is an index into `types` of the TTypeDesc.
struct TArrayTypeEntry {
  1: required i32 objectTypePtr
}

struct TMapTypeEntry {
  1: required i32 keyTypePtr
  2: required i32 valueTypePtr
}

struct TStructTypeEntry {
  1: required map<string, i32> nameToTypePtr
}

struct TUnionTypeEntry {
  1: required map<string, i32> nameToTypePtr
}

struct TUserDefinedTypeEntry {
  1: required string typeClassName
}

union TTypeEntry {
  1: TPrimitiveTypeEntry primitiveEntry
  2: TArrayTypeEntry arrayEntry
  3: TMapTypeEntry mapEntry
  4: TStructTypeEntry structEntry
  5: TUnionTypeEntry unionEntry
  6: TUserDefinedTypeEntry userDefinedTypeEntry
}

// Entry 0 is the column's type. Servers send one primitiveEntry even for ARRAY, MAP and STRUCT:
// what these hold is told by the Arrow schema alone.
struct TTypeDesc {
  1: required list<TTypeEntry> types
}

struct TColumnDesc {
  1: required string columnName
  2: required TTypeDesc typeDesc
  3: i32 position  // 1-based
  4: optional string comment  // "" for queries, a text for metadata calls
}

struct TTableSchema {
  1: required list<TColumnDesc> columns
}

// ---- Rows ---------------------------------------------------------------------------------------

// One value a struct; no value is NULL. Databricks never sends rows.
struct TBoolValue {
  1: optional bool value
}

struct TByteValue {
  1: optional i8 value
}

struct TI16Value {
  1: optional i16 value
}

struct TI32Value {
  1: optional i32 value
}

struct TI64Value {
  1: optional i64 value
}

struct TDoubleValue {
  1: optional double value
}

struct TStringValue {
  1: optional string value
}

union TColumnValue {
  1: TBoolValue boolVal
  2: TByteValue byteVal
  3: TI16Value i16Val
  4: TI32Value i32Val
  5: TI64Value i64Val
  6: TDoubleValue doubleVal
  7: TStringValue stringVal
}

struct TRow {
  1: required list<TColumnValue> colVals
}

// Columns. Row i is NULL where bit i % 8, from the lowest, of byte i / 8 of `nulls` is set. The
// bitmap may be shorter than the rows (past its end: not NULL) or longer. A placeholder stands in
// `values` under a NULL.
struct TBoolColumn {
  1: required list<bool> values
  2: binary nulls
}

struct TByteColumn {
  1: required list<i8> values
  2: binary nulls
}

struct TI16Column {
  1: required list<i16> values
  2: binary nulls
}

struct TI32Column {
  1: required list<i32> values
  2: binary nulls
}

struct TI64Column {
  1: required list<i64> values
  2: binary nulls
}

struct TDoubleColumn {
  1: required list<double> values
  2: binary nulls
}

struct TStringColumn {
  1: required list<string> values
  2: binary nulls
}

struct TBinaryColumn {
  1: required list<binary> values
  2: binary nulls
}

union TColumn {
  1: TBoolColumn boolVal
  2: TByteColumn byteVal
  3: TI16Column i16Val
  4: TI32Column i32Val
  5: TI64Column i64Val
  6: TDoubleColumn doubleVal
  7: TStringColumn stringVal
  8: TBinaryColumn binaryVal
}

// One encapsulated Arrow RecordBatch message, without schema and end mark; an LZ4 frame of its own
// when the metadata says lz4Compressed. The batch may hold more rows than rowCount: the rest is cut
// off.
struct TSparkArrowBatch {
  1: required binary batch
  2: required i64 rowCount
}

// One stored file: a whole Arrow stream, one LZ4 frame or more around it when lz4Compressed.
struct TSparkArrowResultLink {
  1: required string fileLink    // presigned URL: never logged
  2: required i64 expiryTime     // milliseconds since 1970, UTC
  3: required i64 startRowOffset // of the file's first row in the whole result
  4: required i64 rowCount       // the file may hold more: the rest is cut off
  5: required i64 bytesNum       // of the decompressed stream
  6: optional map<string, string> httpHeaders  // to be sent with the GET
}

struct TDBSqlCloudResultFile {
  1: optional string filePath
  2: optional i64 startRowOffset
  3: optional i64 rowCount
  4: optional i64 uncompressedBytes
  5: optional i64 compressedBytes
  6: optional string fileLink
  7: optional i64 linkExpiryTime  // milliseconds since 1970, UTC
  8: optional map<string, string> httpHeaders
}

// One page of a result. `rows` is written as an empty list beside every other form.
struct TRowSet {
  1: i64 startRowOffset  // of the page's first row in the whole result
  2: list<TRow> rows
  3: optional list<TColumn> columns
  4: optional binary binaryColumns
  5: optional i32 columnCount
  0x501: optional list<TSparkArrowBatch> arrowBatches
  0x502: optional list<TSparkArrowResultLink> resultLinks
  0xD01: optional list<TDBSqlCloudResultFile> cloudFetchResults
  0xD02: optional binary smallInlineCloudResult
  0xD03: optional i64 rowCount
}

// ---- Result metadata and fetching ---------------------------------------------------------------

struct TDBSqlArrowFormat {
  1: optional TDBSqlArrowLayout arrowLayout
  2: optional TDBSqlCompressionCodec compressionCodec
}

struct TDBSqlCsvFormat {
  1: optional TDBSqlCompressionCodec compressionCodec
}

struct TDBSqlJsonArrayFormat {
  1: optional TDBSqlCompressionCodec compressionCodec
}

union TDBSqlResultFormat {
  1: TDBSqlArrowFormat arrowFormat
  2: TDBSqlCsvFormat csvFormat
  3: TDBSqlJsonArrayFormat jsonArrayFormat
}

struct TGetResultSetMetadataReq {
  1: required TOperationHandle operationHandle
  0xD01: optional bool includeCloudResultFiles
}

// The byte counts are those of the whole result, repeated on each page.
struct TGetResultSetMetadataResp {
  1: required TStatus status
  2: optional TTableSchema schema
  0x501: optional TSparkRowSetType resultFormat  // absent: columns (rows before HIVE V6)
  0x502: optional bool lz4Compressed             // batches and files alike
  0x503: optional binary arrowSchema             // one encapsulated Arrow Schema message
  0x504: optional TCacheLookupResult cacheLookupResult
  0x505: optional i64 uncompressedBytes
  0x506: optional i64 compressedBytes            // the same when nothing is compressed
  0x507: optional bool isStagingOperation        // PUT, GET or REMOVE of a volume's file
  0xD01: optional TCloudFetchDisabledReason reasonForNoCloudFetch
  0xD02: optional list<TDBSqlCloudResultFile> resultFiles
  0xD03: optional string manifestFile
  0xD04: optional TDBSqlManifestFileFormat manifestFileFormat
  0xD05: optional i64 cacheLookupLatency         // milliseconds
  0xD06: optional string remoteCacheMissReason
  0xD07: optional TDBSqlFetchDisposition fetchDisposition
  0xD08: optional bool remoteResultCacheEnabled
  0xD09: optional bool isServerless
  0xD10: optional TDBSqlResultFormat resultDataFormat
  0xD11: optional bool truncatedByThriftLimit    // a limit of the request cut the result
  0xD12: optional i64 resultByteLimit
  0xD13: optional bool isInlineSmallResult
}

struct TFetchResultsReq {
  1: required TOperationHandle operationHandle
  2: required TFetchOrientation orientation = TFetchOrientation.FETCH_NEXT
  3: required i64 maxRows                    // -1: no limit
  4: optional i16 fetchType                  // 0 or absent: rows; 1: log
  0x501: optional i64 maxBytes
  0x502: optional i64 startRowOffset         // links are made anew from this row on
  0x503: optional bool includeResultSetMetadata
  0xD01: optional string internalIdempotencyToken
}

// From SPARK V1 on hasMoreRows = true means "ask again", even when this page has no row; absent is
// false. Older servers always say false and end with an empty page.
struct TFetchResultsResp {
  1: required TStatus status
  2: optional bool hasMoreRows
  3: optional TRowSet results
  0x501: optional TGetResultSetMetadataResp resultSetMetadata
  0xD01: optional binary responseValidation
}

// ---- Operation status, cancel, close ------------------------------------------------------------

struct TProgressUpdateResp {
  1: list<string> headerNames
  2: list<list<string>> rows
  3: double progressedPercentage
  4: TJobExecutionStatus status
  5: string footerSummary
  6: i64 startTime
}

struct TGetOperationStatusReq {
  1: required TOperationHandle operationHandle
  2: optional bool getProgressUpdate
  0xD01: optional bool getResultSetMetadataOnCompletion
  0xD02: optional bool getInlineResultSetOnCompletion
}

// `status` tells of this call and is a success even when the statement failed; the fields from
// operationState on tell of the statement. Servers hold the call for some 5 s while nothing
// changes.
struct TGetOperationStatusResp {
  1: required TStatus status
  2: optional TOperationState operationState
  3: optional string sqlState
  4: optional i32 errorCode
  5: optional string errorMessage       // some clients read only this: filled on any error
  6: optional string taskStatus
  7: optional i64 operationStarted      // milliseconds since 1970, UTC
  8: optional i64 operationCompleted    // milliseconds since 1970, UTC
  9: optional bool hasResultSet
  10: optional TProgressUpdateResp progressUpdateResponse
  11: optional i64 numModifiedRows      // DML only
  0x501: optional string displayMessage // the text for people
  0x502: optional string diagnosticInfo // a stack trace
  0x503: optional string errorDetailsJson
  0xD01: optional binary responseValidation
  0xD02: optional TOperationIdempotencyType idempotencyType
  0xD03: optional i64 statementTimeout  // seconds
  0xD04: optional TOperationTimeoutLevel statementTimeoutLevel
  0xD05: optional TDBSqlCloseOperationReason closeReason  // with CLOSED_STATE
  0xD06: optional TDBSqlSessionConf sessionConfSnapshotOnComplete
  0xD07: optional bool executionRejected
  0xD08: optional map<string, double> queryStats
  0xD09: optional TGetResultSetMetadataResp resultSetMetadata
  0xD10: optional TFetchResultsResp inlineResultSet
}

struct TCancelOperationReq {
  1: required TOperationHandle operationHandle
  0xD01: optional i16 executionVersion
  0xD02: optional bool replacedByNextAttempt
}

struct TCancelOperationResp {
  1: required TStatus status
}

struct TCloseOperationReq {
  1: required TOperationHandle operationHandle
  0xD01: optional TDBSqlCloseOperationReason closeReason
}

// An error when the server has closed the operation by itself: see TSparkDirectResults.
struct TCloseOperationResp {
  1: required TStatus status
}

// ---- Direct results: the first steps in the reply of the call that starts an operation ----------

struct TSparkGetDirectResults {
  1: required i64 maxRows  // 0: fetch nothing
  2: optional i64 maxBytes
  0xD01: optional bool skipUrlResults
  0xD02: optional bool includeCloudResultFiles
}

// Filled in this order up to the first step that does not apply; the client goes on from there.
// closeOperation present: the operation is gone. It never is while links are handed out.
struct TSparkDirectResults {
  1: optional TGetOperationStatusResp operationStatus
  2: optional TGetResultSetMetadataResp resultSetMetadata
  3: optional TFetchResultsResp resultSet
  4: optional TCloseOperationResp closeOperation
}

// ---- ExecuteStatement ---------------------------------------------------------------------------

// Which types come as Arrow's own rather than as text; absent is false.
struct TSparkArrowTypes {
  1: optional bool timestampAsArrow
  2: optional bool decimalAsArrow
  3: optional bool complexTypesAsArrow
  4: optional bool intervalTypesAsArrow
  5: optional bool nullTypeAsArrow
  6: optional bool geospatialAsArrow
}

union TSparkParameterValue {
  1: string stringValue
  2: double doubleValue
  3: bool booleanValue
}

// `arguments` of an ARRAY: the elements. Of a MAP: key, value, key, value. Of a NAMED_STRUCT: a
// name as STRING, its value, and so on.
struct TSparkParameterValueArg {
  1: optional string type
  2: optional string value
  3: optional list<TSparkParameterValueArg> arguments
}

// With neither ordinal nor name the place in the list counts; no value is NULL.
struct TSparkParameter {
  1: optional i32 ordinal
  2: optional string name
  3: optional string type  // a SQL type name
  4: optional TSparkParameterValue value
  5: optional list<TSparkParameterValueArg> arguments
}

struct TStatementConf {
  1: optional bool sessionless
  2: optional TNamespace initialNamespace
  3: optional TProtocolVersion client_protocol
  4: optional i64 client_protocol_i64
}

struct TDBSqlStatement {
  1: optional string statement
}

struct TExecuteStatementReq {
  1: required TSessionHandle sessionHandle
  2: required string statement
  3: optional map<string, string> confOverlay        // settings of this statement alone
  4: optional bool runAsync                          // absent is false: the reply waits for the end
  5: optional i64 queryTimeout                       // seconds; 0 or absent: none
  0x501: optional TSparkGetDirectResults getDirectResults
  0x502: optional bool canReadArrowResult            // absent is false: COLUMN_BASED_SET
  0x503: optional bool canDownloadResult             // allows URL_BASED_SET
  0x504: optional bool canDecompressLZ4Result
  0x505: optional i64 maxBytesPerFile                // uncompressed
  0x506: optional TSparkArrowTypes useArrowNativeTypes
  0x507: optional i64 resultRowLimit
  0x508: optional list<TSparkParameter> parameters
  0x509: optional i64 maxBytesPerBatch
  0x510: optional TStatementConf statementConf
  0xD01: optional THandleIdentifier operationId
  0xD02: optional TDBSqlSessionConf sessionConf
  0xD03: optional bool rejectHighCostQueries
  0xD04: optional double estimatedCost
  0xD05: optional i16 executionVersion
  0xD06: optional binary requestValidation
  0xD07: optional TResultPersistenceMode resultPersistenceMode
  0xD08: optional bool trimArrowBatchesToLimit       // absent is false: batches may hold too much
  0xD09: optional TDBSqlFetchDisposition fetchDisposition
  0xD10: optional bool enforceResultPersistenceMode
  0xD11: optional list<TDBSqlStatement> statementList
  0xD12: optional bool persistResultManifest
  0xD13: optional i64 resultRetentionSeconds         // 31 days at most
  0xD14: optional i64 resultByteLimit
  0xD15: optional TDBSqlResultFormat resultDataFormat
  0xD16: optional string originatingClientIdentity
  0xD17: optional bool preferSingleFileResult
  0xD18: optional bool preferDriverOnlyUpload
  0xD19: optional bool enforceEmbeddedSchemaCorrectness  // absent: files may bear old names
  0xD20: optional string idempotencyToken            // a UUID; the same reply for 2 hours
  0xD21: optional bool throwErrorOnByteLimitTruncation
  0xD22: optional map<string, double> queryStats
  0xD23: optional bool ensureIdempotency
  0xD24: optional bool allowAsyncSessionStateUpdate
  0xD25: optional bool returnSmallResultsInlineWithCloudUpload
  0xD26: optional string internalIdempotencyToken
  0xD27: optional i16 internalIdempotencyTokenAttemptNumber
  0xD28: optional bool releaseIdempotencyTokenOnRejection
  0xD29: optional string sparkContextId
  0xD30: optional i32 sequenceId
}

struct TExecuteStatementResp {
  1: required TStatus status
  2: optional TOperationHandle operationHandle  // absent when the statement was refused at once
  0x501: optional TSparkDirectResults directResults
  0xD01: optional bool executionRejected
  0xD02: optional double maxClusterCapacity
  0xD03: optional double queryCost
  0xD04: optional TDBSqlSessionConf sessionConf
  0xD05: optional double currentClusterLoad
  0xD06: optional TOperationIdempotencyType idempotencyType
  0xD07: optional bool remoteResultCacheEnabled
  0xD08: optional bool isServerless
  0xD09: optional list<TOperationHandle> operationHandles
  0xD10: optional map<string, double> queryStats
  0xD11: optional TDBSqlMSTContext mstContext
}

// ---- Metadata calls: operations whose result is a COLUMN_BASED_SET ------------------------------

// An "identifier" is taken literally; a "pattern" knows %, _ and a backslash before them.
typedef string TIdentifier
typedef string TPattern

struct TGetTypeInfoReq {
  1: required TSessionHandle sessionHandle
  0x501: optional TSparkGetDirectResults getDirectResults
  0x502: optional bool runAsync
  0xD01: optional THandleIdentifier operationId
  0xD02: optional TDBSqlSessionConf sessionConf
}

struct TGetTypeInfoResp {
  1: required TStatus status
  2: optional TOperationHandle operationHandle
  0x501: optional TSparkDirectResults directResults
}

struct TGetCatalogsReq {
  1: required TSessionHandle sessionHandle
  0x501: optional TSparkGetDirectResults getDirectResults
  0x502: optional bool runAsync
  0xD01: optional THandleIdentifier operationId
  0xD02: optional TDBSqlSessionConf sessionConf
}

struct TGetCatalogsResp {
  1: required TStatus status
  2: optional TOperationHandle operationHandle
  0x501: optional TSparkDirectResults directResults
}

struct TGetSchemasReq {
  1: required TSessionHandle sessionHandle
  2: optional TIdentifier catalogName
  3: optional TPattern schemaName
  0x501: optional TSparkGetDirectResults getDirectResults
  0x502: optional bool runAsync
  0xD01: optional THandleIdentifier operationId
  0xD02: optional TDBSqlSessionConf sessionConf
}

struct TGetSchemasResp {
  1: required TStatus status
  2: optional TOperationHandle operationHandle
  0x501: optional TSparkDirectResults directResults
}

struct TGetTablesReq {
  1: required TSessionHandle sessionHandle
  2: optional TPattern catalogName
  3: optional TPattern schemaName
  4: optional TPattern tableName
  5: optional list<string> tableTypes
  0x501: optional TSparkGetDirectResults getDirectResults
  0x502: optional bool runAsync
  0xD01: optional THandleIdentifier operationId
  0xD02: optional TDBSqlSessionConf sessionConf
}

struct TGetTablesResp {
  1: required TStatus status
  2: optional TOperationHandle operationHandle
  0x501: optional TSparkDirectResults directResults
}

struct TGetTableTypesReq {
  1: required TSessionHandle sessionHandle
  0x501: optional TSparkGetDirectResults getDirectResults
  0x502: optional bool runAsync
  0xD01: optional THandleIdentifier operationId
  0xD02: optional TDBSqlSessionConf sessionConf
}

struct TGetTableTypesResp {
  1: required TStatus status
  2: optional TOperationHandle operationHandle
  0x501: optional TSparkDirectResults directResults
}

struct TGetColumnsReq {
  1: required TSessionHandle sessionHandle
  2: optional TIdentifier catalogName
  3: optional TPattern schemaName
  4: optional TPattern tableName
  5: optional TPattern columnName
  0x501: optional TSparkGetDirectResults getDirectResults
  0x502: optional bool runAsync
  0xD01: optional THandleIdentifier operationId
  0xD02: optional TDBSqlSessionConf sessionConf
}

struct TGetColumnsResp {
  1: required TStatus status
  2: optional TOperationHandle operationHandle
  0x501: optional TSparkDirectResults directResults
}

struct TGetFunctionsReq {
  1: required TSessionHandle sessionHandle
  2: optional TIdentifier catalogName
  3: optional TPattern schemaName
  4: required TPattern functionName
  0x501: optional TSparkGetDirectResults getDirectResults
  0x502: optional bool runAsync
  0xD01: optional THandleIdentifier operationId
  0xD02: optional TDBSqlSessionConf sessionConf
}

struct TGetFunctionsResp {
  1: required TStatus status
  2: optional TOperationHandle operationHandle
  0x501: optional TSparkDirectResults directResults
}

struct TGetPrimaryKeysReq {
  1: required TSessionHandle sessionHandle
  2: optional TIdentifier catalogName
  3: optional TIdentifier schemaName
  4: optional TIdentifier tableName
  0x501: optional TSparkGetDirectResults getDirectResults
  0x502: optional bool runAsync
  0xD01: optional THandleIdentifier operationId
  0xD02: optional TDBSqlSessionConf sessionConf
}

struct TGetPrimaryKeysResp {
  1: required TStatus status
  2: optional TOperationHandle operationHandle
  0x501: optional TSparkDirectResults directResults
}

struct TGetCrossReferenceReq {
  1: required TSessionHandle sessionHandle
  2: optional TIdentifier parentCatalogName
  3: optional TIdentifier parentSchemaName
  4: optional TIdentifier parentTableName
  5: optional TIdentifier foreignCatalogName
  6: optional TIdentifier foreignSchemaName
  7: optional TIdentifier foreignTableName
  0x501: optional TSparkGetDirectResults getDirectResults
  0x502: optional bool runAsync
  0xD01: optional THandleIdentifier operationId
  0xD02: optional TDBSqlSessionConf sessionConf
}

struct TGetCrossReferenceResp {
  1: required TStatus status
  2: optional TOperationHandle operationHandle
  0x501: optional TSparkDirectResults directResults
}

// ---- Delegation tokens: in the service, in nobody's use -----------------------------------------

struct TGetDelegationTokenReq {
  1: required TSessionHandle sessionHandle
  2: required string owner
  3: required string renewer
}

struct TGetDelegationTokenResp {
  1: required TStatus status
  2: optional string delegationToken
}

struct TCancelDelegationTokenReq {
  1: required TSessionHandle sessionHandle
  2: required string delegationToken
}

struct TCancelDelegationTokenResp {
  1: required TStatus status
}

struct TRenewDelegationTokenReq {
  1: required TSessionHandle sessionHandle
  2: required string delegationToken
}

struct TRenewDelegationTokenResp {
  1: required TStatus status
}

// ---- The service --------------------------------------------------------------------------------

// No method throws: a failure of SQL is an ERROR_STATUS in the reply, under HTTP 200.
service TCLIService {
  TOpenSessionResp OpenSession(1: TOpenSessionReq req)
  TCloseSessionResp CloseSession(1: TCloseSessionReq req)
  TGetInfoResp GetInfo(1: TGetInfoReq req)
  TExecuteStatementResp ExecuteStatement(1: TExecuteStatementReq req)

  TGetTypeInfoResp GetTypeInfo(1: TGetTypeInfoReq req)
  TGetCatalogsResp GetCatalogs(1: TGetCatalogsReq req)
  TGetSchemasResp GetSchemas(1: TGetSchemasReq req)
  TGetTablesResp GetTables(1: TGetTablesReq req)
  TGetTableTypesResp GetTableTypes(1: TGetTableTypesReq req)
  TGetColumnsResp GetColumns(1: TGetColumnsReq req)
  TGetFunctionsResp GetFunctions(1: TGetFunctionsReq req)
  TGetPrimaryKeysResp GetPrimaryKeys(1: TGetPrimaryKeysReq req)
  TGetCrossReferenceResp GetCrossReference(1: TGetCrossReferenceReq req)

  TGetOperationStatusResp GetOperationStatus(1: TGetOperationStatusReq req)
  TCancelOperationResp CancelOperation(1: TCancelOperationReq req)
  TCloseOperationResp CloseOperation(1: TCloseOperationReq req)
  TGetResultSetMetadataResp GetResultSetMetadata(1: TGetResultSetMetadataReq req)
  TFetchResultsResp FetchResults(1: TFetchResultsReq req)

  TGetDelegationTokenResp GetDelegationToken(1: TGetDelegationTokenReq req)
  TCancelDelegationTokenResp CancelDelegationToken(1: TCancelDelegationTokenReq req)
  TRenewDelegationTokenResp RenewDelegationToken(1: TRenewDelegationTokenReq req)
}
