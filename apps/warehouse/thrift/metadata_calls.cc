// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "sql/sql_text.h"
#include "thrift/names.h"
#include "thrift/service.h"
#include "thrift/type_facts.h"

namespace dbx::local {
namespace {

using thrift::TOperationType;
using Filter = std::optional<std::string>;

// Types of the answers' columns, and what stands in most of them.
constexpr SqlTypeId kText = SqlTypeId::kString;
constexpr SqlTypeId kNumber = SqlTypeId::kInt;

// What JDBC's rules for keys say when there are none.
constexpr int64_t kNoAction = 3;
constexpr int64_t kNotDeferrable = 7;

/// A pattern of a request; an empty one filters nothing.
Filter Pattern(bool set, const std::string& text) {
  return set && !text.empty() ? Filter(text) : std::nullopt;
}

/// A catalog of a request: none means all, and the alias means the session's.
Filter Catalog(bool set, const std::string& text, const SqlSession& session) {
  if (!set || text.empty()) return std::nullopt;
  return IsDefaultCatalogAlias(text) ? session.catalog() : text;
}

bool HasKeys(const std::string& catalog) {
  return !EqualsIgnoreCase(catalog, "hive_metastore") &&
         !EqualsIgnoreCase(catalog, "spark_catalog");
}

Cell Optional(std::optional<int64_t> number) {
  return number ? Cell(*number) : Cell();
}

Result<MetadataTable> CatalogTable(SqlSession& session) {
  MetadataTable table;
  table.Column("TABLE_CAT", kText, "Catalog name. NULL if not applicable.");
  ASSIGN_OR_RETURN(const std::vector<std::string> catalogs, session.Catalogs());
  for (const std::string& catalog : catalogs) table.Row({catalog});
  return table;
}

Result<MetadataTable> SchemaTable(SqlSession& session, const Filter& catalog,
                                  const Filter& pattern) {
  MetadataTable table;
  table.Column("TABLE_SCHEM", kText, "Schema name.")
      .Column("TABLE_CATALOG", kText, "Catalog name.");
  ASSIGN_OR_RETURN(const auto schemas, session.Schemas(catalog, pattern));
  for (const auto& [in_catalog, schema] : schemas) table.Row({schema, in_catalog});
  return table;
}

MetadataTable EmptyTableTable() {
  MetadataTable table;
  table.Column("TABLE_CAT", kText, "Catalog name. NULL if not applicable.")
      .Column("TABLE_SCHEM", kText, "Schema name.")
      .Column("TABLE_NAME", kText, "Table name.")
      .Column("TABLE_TYPE", kText, "The table type, e.g. \"TABLE\", \"VIEW\", etc.")
      .Column("REMARKS", kText, "Comments about the table.")
      .Column("TYPE_CAT", kText, "The types catalog.")
      .Column("TYPE_SCHEM", kText, "The types schema.")
      .Column("TYPE_NAME", kText, "Type name.")
      .Column("SELF_REFERENCING_COL_NAME", kText,
              "Name of the designated \"identifier\" column of a typed table.")
      .Column("REF_GENERATION", kText,
              "Specifies how values in SELF_REFERENCING_COL_NAME are created.");
  return table;
}

MetadataTable EmptyColumnTable() {
  MetadataTable table;
  table.Column("TABLE_CAT", kText, "Catalog name. NULL if not applicable")
      .Column("TABLE_SCHEM", kText, "Schema name")
      .Column("TABLE_NAME", kText, "Table name")
      .Column("COLUMN_NAME", kText, "Column name")
      .Column("DATA_TYPE", kNumber, "SQL type from java.sql.Types")
      .Column("TYPE_NAME", kText, "Data source dependent type name")
      .Column("COLUMN_SIZE", kNumber, "Column size, in bytes for types of a fixed width")
      .Column("BUFFER_LENGTH", SqlTypeId::kTinyint, "Unused")
      .Column("DECIMAL_DIGITS", kNumber, "The number of fractional digits")
      .Column("NUM_PREC_RADIX", kNumber, "Radix (typically either 10 or 2)")
      .Column("NULLABLE", kNumber, "Is NULL allowed")
      .Column("REMARKS", kText, "Comment describing the column")
      .Column("COLUMN_DEF", kText, "Default value (may be null)")
      .Column("SQL_DATA_TYPE", kNumber, "Unused")
      .Column("SQL_DATETIME_SUB", kNumber, "Unused")
      .Column("CHAR_OCTET_LENGTH", kNumber, "The largest number of bytes in a text column")
      .Column("ORDINAL_POSITION", kNumber, "Index of the column, from 0")
      .Column("IS_NULLABLE", kText, "\"NO\" if the column never holds NULL, else \"YES\"")
      .Column("SCOPE_CATALOG", kText, "Catalog of the table that a reference names")
      .Column("SCOPE_SCHEMA", kText, "Schema of the table that a reference names")
      .Column("SCOPE_TABLE", kText, "Table that a reference names")
      .Column("SOURCE_DATA_TYPE", SqlTypeId::kSmallint,
              "Source type of a distinct or reference type")
      .Column("IS_AUTO_INCREMENT", kText, "Whether the column is filled by itself");
  return table;
}

std::vector<Cell> ColumnRow(const ColumnInfo& info) {
  const TypeFacts facts = FactsOf(info.column.type);
  return {info.catalog,
          info.schema,
          info.table,
          info.column.name,
          facts.jdbc_type,
          info.column.type.Text(),
          facts.column_size,
          Cell(),
          facts.decimal_digits,
          Optional(facts.radix),
          int64_t{info.column.nullable ? 1 : 0},
          info.column.comment,
          Cell(),
          Cell(),
          Cell(),
          Cell(),
          int64_t{info.position},
          std::string(info.column.nullable ? "YES" : "NO"),
          Cell(),
          Cell(),
          Cell(),
          Cell(),
          std::string("NO")};
}

MetadataTable FunctionTable(const std::string& pattern) {
  MetadataTable table;
  table.Column("FUNCTION_CAT", kText, "Function catalog (may be null)")
      .Column("FUNCTION_SCHEM", kText, "Function schema (may be null)")
      .Column("FUNCTION_NAME", kText, "Function name, by which it is called")
      .Column("REMARKS", kText, "Explanatory comment")
      .Column("FUNCTION_TYPE", kNumber, "Kind of function")
      .Column("SPECIFIC_NAME", kText, "Name that identifies it within its schema");
  static constexpr std::pair<const char*, const char*> kFunctions[] = {
      {"abs", "Abs"},
      {"array", "CreateArray"},
      {"avg", "aggregate.Average"},
      {"concat", "Concat"},
      {"count", "aggregate.Count"},
      {"current_date", "CurrentDate"},
      {"date_add", "DateAdd"},
      {"length", "Length"},
      {"lower", "Lower"},
      {"max", "aggregate.Max"},
      {"min", "aggregate.Min"},
      {"round", "Round"},
      {"substring", "Substring"},
      {"sum", "aggregate.Sum"},
      {"upper", "Upper"},
  };
  for (const auto& [name, java_class] : kFunctions) {
    if (!MatchesLike(name, pattern)) continue;
    table.Row({Cell(), Cell(), std::string(name), std::string(), int64_t{1},
               std::string("org.apache.spark.sql.catalyst.expressions.") + java_class});
  }
  return table;
}

/// The table that a key call names: its schema and catalog, when left out, are the session's.
Result<TableInfo> NamedTable(const Filter& catalog, const Filter& schema, const Filter& table,
                             const SqlSession& session) {
  if (!table)
    return Status::InvalidArgument("[INVALID_ARGUMENT] The table name is missing.")
        .WithSqlstate("42000");
  if (catalog && !schema) {
    return Status::Internal("assertion failed: GET_FUNCTIONS: catalog without schema")
        .WithSqlstate("08000");
  }
  return TableInfo{.catalog = catalog.value_or(session.catalog()),
                   .schema = schema.value_or(session.schema()),
                   .name = *table,
                   .type = {},
                   .comment = {}};
}

Result<MetadataTable> PrimaryKeyTable(SqlSession& session, const TableInfo& of) {
  MetadataTable table;
  table.Column("TABLE_CAT", kText, "Table catalog (may be null)")
      .Column("TABLE_SCHEM", kText, "Table schema (may be null)")
      .Column("TABLE_NAME", kText, "Table name")
      .Column("COLUMN_NAME", kText, "Column name")
      .Column("KEQ_SEQ", kNumber, "Place in the primary key, from 1")
      .Column("PK_NAME", kText, "Primary key name (may be null)");
  if (!HasKeys(of.catalog)) return table;
  ASSIGN_OR_RETURN(const std::vector<KeyColumn> keys,
                   session.PrimaryKeys(of.catalog, of.schema, of.name));
  for (const KeyColumn& key : keys) {
    table.Row(
        {key.catalog, key.schema, key.table, key.column, int64_t{key.position}, key.key_name});
  }
  return table;
}

Result<MetadataTable> ForeignKeyTable(SqlSession& session, const std::optional<TableInfo>& parent,
                                      const std::optional<TableInfo>& child) {
  MetadataTable table;
  table.Column("PKTABLE_CAT", kText, "Catalog of the parent (may be null)")
      .Column("PKTABLE_SCHEM", kText, "Schema of the parent (may be null)")
      .Column("PKTABLE_NAME", kText, "Table of the parent")
      .Column("PKCOLUMN_NAME", kText, "Column of the parent")
      .Column("FKTABLE_CAT", kText, "Catalog of the child (may be null)")
      .Column("FKTABLE_SCHEM", kText, "Schema of the child (may be null)")
      .Column("FKTABLE_NAME", kText, "Table of the child")
      .Column("FKCOLUMN_NAME", kText, "Column of the child")
      .Column("KEQ_SEQ", kNumber, "Place in the key, from 1")
      .Column("UPDATE_RULE", kNumber, "What happens to the child on an update of the parent")
      .Column("DELETE_RULE", kNumber, "What happens to the child on a deletion of the parent")
      .Column("FK_NAME", kText, "Foreign key name (may be null)")
      .Column("PK_NAME", kText, "Primary key name (may be null)")
      .Column("DEFERRABILITY", kNumber, "Whether the check can wait for the end of a transaction");
  if ((parent && !HasKeys(parent->catalog)) || (child && !HasKeys(child->catalog))) return table;
  ASSIGN_OR_RETURN(const std::vector<ForeignKeyColumn> keys, session.ForeignKeys(parent, child));
  for (const ForeignKeyColumn& key : keys) {
    table.Row({key.primary.catalog, key.primary.schema, key.primary.table, key.primary.column,
               key.foreign.catalog, key.foreign.schema, key.foreign.table, key.foreign.column,
               int64_t{key.foreign.position}, kNoAction, kNoAction, key.foreign.key_name,
               key.primary.key_name, kNotDeferrable});
  }
  return table;
}

}  // namespace

template <typename Request, typename Response>
void Service::AnswerMetadata(const Request& request, TOperationType::type type,
                             const std::shared_ptr<Session>& session,
                             const Result<MetadataTable>& table, Response* response,
                             CallContext* context) {
  auto result = std::make_shared<StoredResult>(spool_);
  const Status written = table.ok() ? table->WriteTo(result.get()) : table.status();
  if (!written.ok()) {
    response->status = StatementError(written);
    return;
  }
  auto operation = std::make_shared<Operation>(
      Operation::Identity{
          .id = HandleId::Random(), .type = type, .session = session, .sql = {}, .fault = {}},
      std::move(result), &clock_);
  operation->SetFinished(std::nullopt);
  table_.AddOperation(operation);
  response->status = Success();
  response->__set_operationHandle(operation->ToThrift());
  if (request.__isset.getDirectResults) {
    response->__isset.directResults = true;
    FillDirectResults(operation, operation->Now(), request.getDirectResults, context,
                      &response->directResults);
  }
}

void Service::GetTypeInfo(const thrift::TGetTypeInfoReq& request,
                          thrift::TGetTypeInfoResp* response, CallContext* context) {
  const auto session = FindSession(request.sessionHandle, &response->status, context);
  if (!session) return;
  AnswerMetadata(request, TOperationType::GET_TYPE_INFO, session, TypeInfoTable(), response,
                 context);
}

void Service::GetCatalogs(const thrift::TGetCatalogsReq& request,
                          thrift::TGetCatalogsResp* response, CallContext* context) {
  const auto session = FindSession(request.sessionHandle, &response->status, context);
  if (!session) return;
  AnswerMetadata(request, TOperationType::GET_CATALOGS, session, CatalogTable(*session->sql),
                 response, context);
}

void Service::GetSchemas(const thrift::TGetSchemasReq& request, thrift::TGetSchemasResp* response,
                         CallContext* context) {
  const auto session = FindSession(request.sessionHandle, &response->status, context);
  if (!session) return;
  const Filter catalog = Catalog(request.__isset.catalogName, request.catalogName, *session->sql);
  AnswerMetadata(
      request, TOperationType::GET_SCHEMAS, session,
      SchemaTable(*session->sql, catalog, Pattern(request.__isset.schemaName, request.schemaName)),
      response, context);
}

void Service::GetTables(const thrift::TGetTablesReq& request, thrift::TGetTablesResp* response,
                        CallContext* context) {
  const auto session = FindSession(request.sessionHandle, &response->status, context);
  if (!session) return;
  const auto tables = session->sql->Tables(
      Catalog(request.__isset.catalogName, request.catalogName, *session->sql),
      Pattern(request.__isset.schemaName, request.schemaName),
      Pattern(request.__isset.tableName, request.tableName), request.tableTypes);
  Result<MetadataTable> answer = tables.status();
  if (tables.ok()) {
    MetadataTable table = EmptyTableTable();
    for (const TableInfo& info : *tables) {
      table.Row({info.catalog, info.schema, info.name, info.type, info.comment, Cell(), Cell(),
                 Cell(), Cell(), Cell()});
    }
    answer = std::move(table);
  }
  AnswerMetadata(request, TOperationType::GET_TABLES, session, answer, response, context);
}

void Service::GetTableTypes(const thrift::TGetTableTypesReq& request,
                            thrift::TGetTableTypesResp* response, CallContext* context) {
  const auto session = FindSession(request.sessionHandle, &response->status, context);
  if (!session) return;
  MetadataTable table;
  table.Column("TABLE_TYPE", kText, "Table type name.");
  for (const char* const type : {"SYSTEM TABLE", "TABLE", "VIEW"}) table.Row({std::string(type)});
  AnswerMetadata(request, TOperationType::GET_TABLE_TYPES, session,
                 Result<MetadataTable>(std::move(table)), response, context);
}

void Service::GetColumns(const thrift::TGetColumnsReq& request, thrift::TGetColumnsResp* response,
                         CallContext* context) {
  const auto session = FindSession(request.sessionHandle, &response->status, context);
  if (!session) return;
  const auto columns = session->sql->Columns(
      Catalog(request.__isset.catalogName, request.catalogName, *session->sql),
      Pattern(request.__isset.schemaName, request.schemaName),
      Pattern(request.__isset.tableName, request.tableName),
      Pattern(request.__isset.columnName, request.columnName));
  Result<MetadataTable> answer = columns.status();
  if (columns.ok()) {
    MetadataTable table = EmptyColumnTable();
    for (const ColumnInfo& info : *columns) table.Row(ColumnRow(info));
    answer = std::move(table);
  }
  AnswerMetadata(request, TOperationType::GET_COLUMNS, session, answer, response, context);
}

void Service::GetFunctions(const thrift::TGetFunctionsReq& request,
                           thrift::TGetFunctionsResp* response, CallContext* context) {
  const auto session = FindSession(request.sessionHandle, &response->status, context);
  if (!session) return;
  AnswerMetadata(request, TOperationType::GET_FUNCTIONS, session,
                 Result<MetadataTable>(FunctionTable(request.functionName)), response, context);
}

void Service::GetPrimaryKeys(const thrift::TGetPrimaryKeysReq& request,
                             thrift::TGetPrimaryKeysResp* response, CallContext* context) {
  const auto session = FindSession(request.sessionHandle, &response->status, context);
  if (!session) return;
  const Result<TableInfo> of =
      NamedTable(Catalog(request.__isset.catalogName, request.catalogName, *session->sql),
                 Pattern(request.__isset.schemaName, request.schemaName),
                 Pattern(request.__isset.tableName, request.tableName), *session->sql);
  if (!of.ok()) {
    response->status = CallError(of.status().message(), of.status().sqlstate());
    return;
  }
  AnswerMetadata(request, TOperationType::GET_FUNCTIONS, session,
                 PrimaryKeyTable(*session->sql, *of), response, context);
}

void Service::GetCrossReference(const thrift::TGetCrossReferenceReq& request,
                                thrift::TGetCrossReferenceResp* response, CallContext* context) {
  const auto session = FindSession(request.sessionHandle, &response->status, context);
  if (!session) return;
  const SqlSession& sql = *session->sql;
  const Filter parent_table = Pattern(request.__isset.parentTableName, request.parentTableName);
  const Filter child_table = Pattern(request.__isset.foreignTableName, request.foreignTableName);
  Result<TableInfo> parent = NamedTable(
      Catalog(request.__isset.parentCatalogName, request.parentCatalogName, sql),
      Pattern(request.__isset.parentSchemaName, request.parentSchemaName), parent_table, sql);
  Result<TableInfo> child = NamedTable(
      Catalog(request.__isset.foreignCatalogName, request.foreignCatalogName, sql),
      Pattern(request.__isset.foreignSchemaName, request.foreignSchemaName), child_table, sql);
  // One side is enough; both missing is an error, as is a side that is named but not in full.
  const bool bad_parent = !parent.ok() && (parent_table || !child_table);
  const bool bad_child = !child.ok() && child_table.has_value();
  if (bad_parent || bad_child) {
    const Status& bad = bad_parent ? parent.status() : child.status();
    response->status = CallError(bad.message(), bad.sqlstate());
    return;
  }
  const auto side = [](const Result<TableInfo>& table) {
    return table.ok() ? std::optional(*table) : std::nullopt;
  };
  AnswerMetadata(request, TOperationType::GET_FUNCTIONS, session,
                 ForeignKeyTable(*session->sql, side(parent), side(child)), response, context);
}

}  // namespace dbx::local
