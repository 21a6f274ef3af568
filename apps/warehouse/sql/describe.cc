// SPDX-License-Identifier: Apache-2.0
// DESCRIBE of tables, queries, schemas, catalogs and functions.
#include <algorithm>

#include "base/str_cat.h"
#include "sql/describe_json.h"
#include "sql/errors.h"
#include "sql/metadata.h"
#include "sql/rewrite_table.h"
#include "sql/sql_text.h"
#include "sql/statement_handlers.h"
#include "sql/type_parser.h"

namespace dbx::local {
namespace {

std::vector<ResultColumn> DescribeColumns() {
  return {TextColumn("col_name"), TextColumn("data_type"), TextColumn("comment", true)};
}

Row ColumnRow(const ResultColumn& column) {
  return {column.name, DescribeType(column.type),
          column.comment.empty() ? Cell() : Cell(column.comment)};
}

Row Fact(std::string name, std::string value) {
  return {std::move(name), std::move(value), std::string()};
}

Result<SqlResult> DescribeQuery(StatementRun& run, size_t begin) {
  ASSIGN_OR_RETURN(const Pieces pieces, run.Rewrite(begin, run.end()));
  ASSIGN_OR_RETURN(const std::vector<ResultColumn> columns,
                   run.Columns(Assemble(pieces), run.FactsOfQuery(begin, run.end())));
  std::vector<Row> rows;
  rows.reserve(columns.size());
  for (const ResultColumn& column : columns) rows.push_back(ColumnRow(column));
  return RowsResult(StatementKind::kMetadata, DescribeColumns(), std::move(rows));
}

void AddDetails(const StatementRun& run, const TableInfo& table, const TableFacts& facts,
                std::vector<Row>& rows) {
  static_cast<void>(run);
  rows.push_back(Fact("", ""));
  rows.push_back(Fact("# Detailed Table Information", ""));
  rows.push_back(Fact("Catalog", table.catalog));
  rows.push_back(Fact("Database", table.schema));
  rows.push_back(Fact("Table", table.name));
  if (!table.comment.empty()) rows.push_back(Fact("Comment", table.comment));
  rows.push_back(Fact("Type", table.type == "VIEW" ? "VIEW" : "MANAGED"));
  rows.push_back(Fact("Owner", "user@localhost"));
  if (table.type == "VIEW") return;
  const auto provider = facts.properties.find("provider");
  rows.push_back(Fact("Provider", provider == facts.properties.end() ? "delta" : provider->second));
  std::string properties;
  for (const auto& [key, value] : facts.properties) {
    if (key == "provider" || key == "partitioned_by" || key == "clustered_by") continue;
    properties += StrCat(properties.empty() ? "" : ",", key, "=", value);
  }
  rows.push_back(Fact("Table Properties", StrCat("[", properties, "]")));
}

/// A view of the session: described as the query that it is.
Result<SqlResult> DescribeTemporary(StatementRun& run, const TableName& name,
                                    const std::string& written, bool json) {
  const std::string view =
      StrCat("session_views.", run.session().temporary_schema(), ".", QuoteIdentifier(written));
  Result<std::vector<ResultColumn>> columns =
      run.Columns(StatementRun::Own(StrCat("FROM ", view)), std::nullopt);
  if (!columns.ok()) return TableNotFound(name.ClientText());
  if (json) {
    std::vector<ColumnInfo> infos;
    for (ResultColumn& column : *columns) infos.push_back({"", "", written, std::move(column)});
    return RowsResult(StatementKind::kMetadata, {TextColumn("json_metadata")},
                      {{DescribeJson({"", "", written, "VIEW", ""}, infos, TableFacts())}});
  }
  std::vector<Row> rows;
  for (const ResultColumn& column : *columns) rows.push_back(ColumnRow(column));
  return RowsResult(StatementKind::kMetadata, DescribeColumns(), std::move(rows));
}

Result<SqlResult> DescribeTable(StatementRun& run, size_t at) {
  bool extended = run.At(at, "EXTENDED") || run.At(at, "FORMATTED");
  if (extended) at += 1;
  ASSIGN_OR_RETURN(const std::vector<std::string> parts, run.ReadName(&at));
  const TableName name = run.Resolve(parts);
  const bool json = run.At(at, "AS") && run.At(at + 1, "JSON");
  if (json) at = run.end();
  if (!run.database().HasCatalog(name.catalog)) return CatalogNotFound(name.catalog);
  ASSIGN_OR_RETURN(const std::vector<TableInfo> tables,
                   FindTables(run.database(), ExactName(name.catalog), ExactName(name.schema),
                              ExactName(name.table)));
  if (tables.empty())
    return parts.size() == 1 ? DescribeTemporary(run, name, parts[0], json)
                             : TableNotFound(name.ClientText());
  ASSIGN_OR_RETURN(const std::vector<ColumnInfo> columns,
                   FindColumns(run.database(), ExactName(name.catalog), ExactName(name.schema),
                               ExactName(name.table), AnyName()));
  const TableFacts facts = run.database().facts().Find(name).value_or(TableFacts());
  if (json)
    return RowsResult(StatementKind::kMetadata, {TextColumn("json_metadata")},
                      {{DescribeJson(tables[0], columns, facts)}});
  std::vector<Row> rows;
  if (at < run.end() && run.tokens()[at].IsIdentifier()) {
    const std::string wanted = run.tokens()[at].value;
    const auto found = std::find_if(columns.begin(), columns.end(), [&](const ColumnInfo& info) {
      return EqualsIgnoreCase(info.column.name, wanted);
    });
    if (found == columns.end()) {
      return SqlError(
          StatusCode::kInvalidArgument, "UNRESOLVED_COLUMN.WITHOUT_SUGGESTION", "42703",
          StrCat("A column with name ", BacktickIdentifier(wanted), " cannot be resolved"));
    }
    return RowsResult(
        StatementKind::kMetadata, {TextColumn("info_name"), TextColumn("info_value")},
        {{std::string("col_name"), found->column.name},
         {std::string("data_type"), DescribeType(found->column.type)},
         {std::string("comment"),
          found->column.comment.empty() ? std::string("NULL") : found->column.comment}});
  }
  if (at != run.end()) return run.SyntaxErrorAt(at);
  rows.reserve(rows.size() + columns.size());
  for (const ColumnInfo& info : columns) rows.push_back(ColumnRow(info.column));
  if (extended) AddDetails(run, tables[0], facts, rows);
  return RowsResult(StatementKind::kMetadata, DescribeColumns(), std::move(rows));
}

Result<SqlResult> DescribeSchema(StatementRun& run, size_t at) {
  if (run.At(at, "EXTENDED")) at += 1;
  ASSIGN_OR_RETURN(const std::vector<std::string> parts, run.ReadName(&at, 2));
  const std::string catalog = parts.size() == 2 ? ToLower(parts[0]) : run.context().catalog;
  ASSIGN_OR_RETURN(const bool known, run.database().HasSchema(catalog, parts.back()));
  if (!known) return SchemaNotFound(catalog, parts.back());
  return RowsResult(
      StatementKind::kMetadata,
      {TextColumn("database_description_item"), TextColumn("database_description_value")},
      {{std::string("Catalog Name"), catalog},
       {std::string("Namespace Name"), ToLower(parts.back())},
       {std::string("Comment"),
        SchemaComment(run.database().facts(), catalog, ToLower(parts.back()))},
       {std::string("Location"), std::string()},
       {std::string("Owner"), std::string("user@localhost")}});
}

Result<SqlResult> DescribeCatalog(StatementRun& run, size_t at) {
  if (run.At(at, "EXTENDED")) at += 1;
  ASSIGN_OR_RETURN(const std::vector<std::string> parts, run.ReadName(&at, 1));
  if (!run.database().HasCatalog(parts[0])) return CatalogNotFound(parts[0]);
  return RowsResult(StatementKind::kMetadata, {TextColumn("info_name"), TextColumn("info_value")},
                    {{std::string("Catalog Name"), ToLower(parts[0])},
                     {std::string("Comment"), std::string()},
                     {std::string("Owner"), std::string("user@localhost")},
                     {std::string("Catalog Type"), std::string("Regular")}});
}

Result<SqlResult> DescribeFunction(StatementRun& run, size_t at) {
  if (run.At(at, "EXTENDED")) at += 1;
  ASSIGN_OR_RETURN(const std::vector<std::string> parts, run.ReadName(&at));
  const auto functions = FunctionRewrites();
  const bool known = std::any_of(
      functions.begin(), functions.end(),
      [&](const FunctionRewrite& row) { return EqualsIgnoreCase(row.name, parts.back()); });
  return RowsResult(StatementKind::kMetadata, {TextColumn("function_desc")},
                    {{StrCat("Function: ", ToLower(parts.back()), known ? "" : " not found.")}});
}

}  // namespace

Result<SqlResult> RunDescribe(StatementRun& run) {
  size_t at = 1;
  if (at >= run.end()) return run.SyntaxErrorAt(at);
  if (run.At(at, "QUERY")) return DescribeQuery(run, at + 1);
  const bool query = run.At(at, "SELECT") || run.At(at, "WITH") || run.At(at, "VALUES") ||
                     run.tokens()[at].IsOperator("(");
  if (query) return DescribeQuery(run, at);
  if (run.At(at, "SCHEMA") || run.At(at, "DATABASE")) return DescribeSchema(run, at + 1);
  if (run.At(at, "CATALOG")) return DescribeCatalog(run, at + 1);
  if (run.At(at, "FUNCTION")) return DescribeFunction(run, at + 1);
  if ((run.At(at, "HISTORY") || run.At(at, "DETAIL")) && at + 1 < run.end())
    return Unsupported("the history of tables");
  if (run.At(at, "TABLE") && at + 1 < run.end()) at += 1;
  return DescribeTable(run, at);
}

}  // namespace dbx::local
