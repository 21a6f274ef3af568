// SPDX-License-Identifier: Apache-2.0
// The SHOW family, with the columns that the service gives each.
#include <algorithm>
#include <array>

#include "base/str_cat.h"
#include "sql/errors.h"
#include "sql/metadata.h"
#include "sql/rewrite_table.h"
#include "sql/show_create.h"
#include "sql/sql_text.h"
#include "sql/statement_handlers.h"
#include "sql/type_sizes.h"

namespace dbx::local {
namespace {

/// Where a SHOW looks: IN c.s, IN CATALOG c [SCHEMA LIKE 's'] [TABLE LIKE 't'], IN ALL CATALOGS,
/// and [LIKE] 'p'.
struct Scope {
  bool whole_catalogs = false;  ///< IN CATALOG or IN ALL CATALOGS: answers have more columns
  bool given = false;
  std::optional<std::string> catalog;  ///< nullopt: all
  std::optional<std::string> schema;   ///< exact
  NameFilter schemas = AnyName();
  NameFilter tables = AnyName();
  NameFilter names = AnyName();

  NameFilter catalogs() const { return catalog ? ExactName(*catalog) : AnyName(); }
};

/// [SCHEMA | TABLE] LIKE 'pattern' and a bare 'pattern', as many as stand here.
Status ReadPatterns(StatementRun& run, size_t* at, Scope& scope) {
  while (*at < run.end()) {
    NameFilter* target = &scope.names;
    if (run.At(*at, "SCHEMA")) target = &scope.schemas;
    if (run.At(*at, "TABLE")) target = &scope.tables;
    if (target != &scope.names) *at += 1;
    if (run.At(*at, "LIKE")) *at += 1;
    const Token& pattern = run.tokens()[*at];
    if (pattern.kind == TokenKind::kString) {
      *target = ShowPattern(pattern.value);
    } else if (pattern.IsIdentifier() && *at + 1 == run.end()) {
      *target = ShowPattern(pattern.value);
    } else {
      return run.SyntaxErrorAt(*at);
    }
    *at += 1;
  }
  return Status::Ok();
}

Status CheckCatalog(StatementRun& run, const std::string& catalog) {
  return run.database().HasCatalog(catalog) ? Status::Ok() : CatalogNotFound(catalog);
}

/// `names_schema`: a single name is a schema (SHOW TABLES IN s), else a catalog (SHOW SCHEMAS IN
/// c).
Result<Scope> ReadScope(StatementRun& run, size_t at, bool names_schema) {
  Scope scope;
  scope.catalog = run.context().catalog;
  if (names_schema) scope.schema = run.context().schema;
  if (run.At(at, "IN") || run.At(at, "FROM")) {
    at += 1;
    scope.given = true;
    if (run.At(at, "ALL") && run.At(at + 1, "CATALOGS")) {
      scope.whole_catalogs = true;
      scope.catalog.reset();
      scope.schema.reset();
      at += 2;
    } else if (run.At(at, "CATALOG") && at + 1 < run.end()) {
      at += 1;
      ASSIGN_OR_RETURN(const std::vector<std::string> parts, run.ReadName(&at, 1));
      scope.whole_catalogs = true;
      scope.catalog = ToLower(parts[0]);
      scope.schema.reset();
    } else {
      ASSIGN_OR_RETURN(const std::vector<std::string> parts,
                       run.ReadName(&at, names_schema ? 2 : 1));
      if (parts.size() == 2 || !names_schema) scope.catalog = ToLower(parts[0]);
      if (names_schema) scope.schema = ToLower(parts.back());
    }
  }
  if (scope.catalog) RETURN_IF_ERROR(CheckCatalog(run, *scope.catalog));
  if (scope.schema) {
    ASSIGN_OR_RETURN(const bool known, run.database().HasSchema(*scope.catalog, *scope.schema));
    if (!known) return SchemaNotFound(*scope.catalog, *scope.schema);
    scope.schemas = ExactName(*scope.schema);
  }
  RETURN_IF_ERROR(ReadPatterns(run, &at, scope));
  return scope;
}

SqlResult Answer(std::vector<ResultColumn> columns, std::vector<Row> rows) {
  return RowsResult(StatementKind::kMetadata, std::move(columns), std::move(rows));
}

Result<SqlResult> ShowCatalogs(StatementRun& run) {
  Scope scope;
  size_t at = 2;
  RETURN_IF_ERROR(ReadPatterns(run, &at, scope));
  std::vector<Row> rows;
  for (const std::string& name : FindCatalogs(run.database(), scope.names)) rows.push_back({name});
  return Answer({TextColumn("catalog")}, std::move(rows));
}

Result<SqlResult> ShowSchemas(StatementRun& run) {
  ASSIGN_OR_RETURN(const Scope scope, ReadScope(run, 2, /*names_schema=*/false));
  ASSIGN_OR_RETURN(const auto schemas, FindSchemas(run.database(), scope.catalogs(), scope.names));
  std::vector<Row> rows;
  std::vector<ResultColumn> columns = {TextColumn("databaseName")};
  const bool with_catalog = !scope.catalog.has_value();
  if (with_catalog) columns.push_back(TextColumn("catalog"));
  for (const auto& [catalog, schema] : schemas) {
    rows.push_back({schema});
    if (with_catalog) rows.back().emplace_back(catalog);
  }
  return Answer(std::move(columns), std::move(rows));
}

Result<SqlResult> ShowTables(StatementRun& run) {
  ASSIGN_OR_RETURN(const Scope scope, ReadScope(run, 2, /*names_schema=*/true));
  ASSIGN_OR_RETURN(const std::vector<TableInfo> tables,
                   FindTables(run.database(), scope.catalogs(), scope.schemas, scope.names));
  std::vector<Row> rows;
  if (scope.whole_catalogs) {
    for (const TableInfo& table : tables) {
      rows.push_back({table.schema, table.name, false, std::string(), table.catalog, table.type,
                      table.comment});
    }
    return Answer(
        {TextColumn("namespace"), TextColumn("tableName"),
         NumberColumn("isTemporary", SqlTypeId::kBoolean), TextColumn("information", true),
         TextColumn("catalogName"), TextColumn("tableType"), TextColumn("remarks", true)},
        std::move(rows));
  }
  for (const TableInfo& table : tables) rows.push_back({table.schema, table.name, false});
  return Answer({TextColumn("database"), TextColumn("tableName"),
                 NumberColumn("isTemporary", SqlTypeId::kBoolean)},
                std::move(rows));
}

/// SHOW TABLE EXTENDED IN s LIKE 'p'
Result<SqlResult> ShowTableExtended(StatementRun& run) {
  ASSIGN_OR_RETURN(const Scope scope, ReadScope(run, 3, /*names_schema=*/true));
  ASSIGN_OR_RETURN(const std::vector<TableInfo> tables,
                   FindTables(run.database(), scope.catalogs(), scope.schemas, scope.names));
  std::vector<Row> rows;
  for (const TableInfo& table : tables) {
    const bool view = table.type == "VIEW";
    rows.push_back({table.schema, table.name, false,
                    StrCat("Catalog: ", table.catalog, "\nDatabase: ", table.schema,
                           "\nTable: ", table.name, "\nType: ", view ? "VIEW" : "MANAGED", "\n",
                           view ? "" : "Provider: delta\n", "Comment: ", table.comment, "\n")});
  }
  return Answer({TextColumn("database"), TextColumn("tableName"),
                 NumberColumn("isTemporary", SqlTypeId::kBoolean), TextColumn("information")},
                std::move(rows));
}

Result<SqlResult> ShowViews(StatementRun& run) {
  ASSIGN_OR_RETURN(const Scope scope, ReadScope(run, 2, /*names_schema=*/true));
  ASSIGN_OR_RETURN(const std::vector<TableInfo> tables,
                   FindTables(run.database(), scope.catalogs(), scope.schemas, scope.names));
  std::vector<Row> rows;
  for (const TableInfo& table : tables) {
    if (table.type == "VIEW") rows.push_back({table.schema, table.name, false, false});
  }
  ASSIGN_OR_RETURN(const std::vector<TextRow> temporary,
                   run.Texts(StatementRun::Own(
                       StrCat("SELECT view_name FROM duckdb_views() WHERE schema_name = ",
                              QuoteString(run.session().temporary_schema()), " ORDER BY 1"))));
  for (const TextRow& row : temporary) {
    if (scope.names(*row[0])) rows.push_back({std::string(), *row[0], true, false});
  }
  return Answer({TextColumn("namespace"), TextColumn("viewName"),
                 NumberColumn("isTemporary", SqlTypeId::kBoolean),
                 NumberColumn("isMaterialized", SqlTypeId::kBoolean)},
                std::move(rows));
}

/// The table that a statement names at `*at` must be there.
Result<TableName> ReadTable(StatementRun& run, size_t* at) {
  ASSIGN_OR_RETURN(const std::vector<std::string> parts, run.ReadName(at));
  TableName name = run.Resolve(parts);
  if ((run.At(*at, "IN") || run.At(*at, "FROM")) && parts.size() == 1) {
    *at += 1;
    ASSIGN_OR_RETURN(std::vector<std::string> schema, run.ReadName(at, 2));
    schema.push_back(name.table);
    name = run.Resolve(schema);
  }
  ASSIGN_OR_RETURN(const Database::Relation relation, run.database().FindRelation(name));
  if (relation == Database::Relation::kNone) return TableNotFound(name.ClientText());
  return name;
}

Row ColumnRow(const ColumnInfo& info) {
  const TypeSize size = SizeOf(info.column.type);
  return {info.column.name,
          info.catalog,
          info.schema,
          info.table,
          info.column.type.Text(),
          int64_t{size.column_size},
          int64_t{size.decimal_digits},
          size.radix == 0 ? Cell() : Cell(int64_t{size.radix}),
          std::string(info.column.nullable ? "true" : "false"),
          info.column.comment,
          int64_t{info.position},
          std::string("NO"),
          std::string("NO")};
}

Result<SqlResult> ShowColumns(StatementRun& run) {
  size_t at = 3;
  if (!run.At(2, "IN") && !run.At(2, "FROM")) return run.SyntaxErrorAt(2);
  if (!run.At(3, "CATALOG") && !(run.At(3, "ALL") && run.At(4, "CATALOGS"))) {
    ASSIGN_OR_RETURN(const TableName name, ReadTable(run, &at));
    ASSIGN_OR_RETURN(const std::vector<ColumnInfo> columns,
                     FindColumns(run.database(), ExactName(name.catalog), ExactName(name.schema),
                                 ExactName(name.table), AnyName()));
    std::vector<Row> rows;
    rows.reserve(columns.size());
    for (const ColumnInfo& info : columns) rows.push_back({info.column.name});
    return Answer({TextColumn("col_name")}, std::move(rows));
  }
  ASSIGN_OR_RETURN(const Scope scope, ReadScope(run, 2, /*names_schema=*/true));
  ASSIGN_OR_RETURN(
      const std::vector<ColumnInfo> columns,
      FindColumns(run.database(), scope.catalogs(), scope.schemas, scope.tables, scope.names));
  std::vector<Row> rows;
  rows.reserve(columns.size());
  for (const ColumnInfo& info : columns) rows.push_back(ColumnRow(info));
  return Answer({TextColumn("col_name"), TextColumn("catalogName"), TextColumn("namespace"),
                 TextColumn("tableName"), TextColumn("columnType"),
                 NumberColumn("columnSize", SqlTypeId::kInt, true),
                 NumberColumn("decimalDigits", SqlTypeId::kInt, true),
                 NumberColumn("radix", SqlTypeId::kInt, true), TextColumn("isNullable"),
                 TextColumn("remarks", true), NumberColumn("ordinalPosition", SqlTypeId::kInt),
                 TextColumn("isAutoIncrement"), TextColumn("isGenerated")},
                std::move(rows));
}

/// SHOW [USER | SYSTEM | ALL] FUNCTIONS …
Result<SqlResult> ShowFunctions(StatementRun& run) {
  const size_t at = run.At(1, "FUNCTIONS") ? 2 : 3;
  ASSIGN_OR_RETURN(const Scope scope, ReadScope(run, at, /*names_schema=*/true));
  if (scope.whole_catalogs) {
    return Answer({TextColumn("functionName"), TextColumn("namespace"), TextColumn("catalogName"),
                   TextColumn("remarks", true), NumberColumn("functionType", SqlTypeId::kInt, true),
                   TextColumn("specificName", true)},
                  {});
  }
  std::vector<Row> rows;
  if (!run.At(1, "USER") && !scope.given) {
    for (const FunctionRewrite& function : FunctionRewrites()) {
      const std::string name = ToLower(function.name);
      const bool repeated = !rows.empty() && std::get<std::string>(rows.back()[0]) == name;
      if (!repeated && scope.names(name)) rows.push_back({name});
    }
    std::sort(rows.begin(), rows.end());
  }
  return Answer({TextColumn("function")}, std::move(rows));
}

/// SHOW [FOREIGN] KEYS IN CATALOG c IN SCHEMA s IN TABLE t
Result<TableName> ReadKeyTable(StatementRun& run, size_t at) {
  TableName name{run.context().catalog, run.context().schema, ""};
  while (run.At(at, "IN")) {
    const bool catalog = run.At(at + 1, "CATALOG");
    const bool schema = run.At(at + 1, "SCHEMA") || run.At(at + 1, "DATABASE");
    if (!catalog && !schema && !run.At(at + 1, "TABLE")) return run.SyntaxErrorAt(at + 1);
    at += 2;
    ASSIGN_OR_RETURN(const std::vector<std::string> parts, run.ReadName(&at, 1));
    (catalog ? name.catalog : schema ? name.schema : name.table) = ToLower(parts[0]);
  }
  if (at != run.end()) return run.SyntaxErrorAt(at);
  ASSIGN_OR_RETURN(const Database::Relation relation, run.database().FindRelation(name));
  if (relation == Database::Relation::kNone) return TableNotFound(name.ClientText());
  return name;
}

Result<SqlResult> ShowKeys(StatementRun& run) {
  ASSIGN_OR_RETURN(const TableName name, ReadKeyTable(run, run.At(1, "PRIMARY") ? 3 : 2));
  std::vector<Row> rows;
  for (const KeyColumn& key : FindPrimaryKey(run.database(), name)) {
    rows.push_back(
        {key.catalog, key.schema, key.table, key.column, int64_t{key.position}, key.key_name});
  }
  return Answer({TextColumn("catalogName"), TextColumn("namespace"), TextColumn("tableName"),
                 TextColumn("col_name"), NumberColumn("keySeq", SqlTypeId::kInt),
                 TextColumn("constraintName", true)},
                std::move(rows));
}

Result<SqlResult> ShowForeignKeys(StatementRun& run) {
  ASSIGN_OR_RETURN(const TableName name, ReadKeyTable(run, 3));
  std::vector<Row> rows;
  for (const ForeignKeyColumn& key : FindForeignKeys(run.database(), std::nullopt, name)) {
    rows.push_back({key.primary.catalog, key.primary.schema, key.primary.table, key.primary.column,
                    key.foreign.catalog, key.foreign.schema, key.foreign.table, key.foreign.column,
                    key.foreign.key_name, int64_t{key.foreign.position}, int64_t{3}, int64_t{3},
                    int64_t{7}});
  }
  std::vector<ResultColumn> columns;
  for (const std::string_view column :
       {"parentCatalogName", "parentNamespace", "parentTableName", "parentColName", "catalogName",
        "namespace", "tableName", "col_name", "constraintName"}) {
    columns.push_back(TextColumn(std::string(column)));
  }
  for (const std::string_view column : {"keySeq", "updateRule", "deleteRule", "deferrability"}) {
    columns.push_back(NumberColumn(std::string(column), SqlTypeId::kInt));
  }
  return Answer(std::move(columns), std::move(rows));
}

/// SHOW TBLPROPERTIES t [('key')]
Result<SqlResult> ShowProperties(StatementRun& run) {
  size_t at = 2;
  ASSIGN_OR_RETURN(const TableName name, ReadTable(run, &at));
  std::map<std::string, std::string> properties;
  if (const auto facts = run.database().facts().Find(name)) properties = facts->properties;
  properties.erase("provider");
  properties.erase("partitioned_by");
  properties.erase("clustered_by");
  std::vector<Row> rows;
  if (at < run.end()) {
    const std::string key = run.tokens()[std::min(at + 1, run.end())].value;
    const auto found = properties.find(key);
    rows.push_back({key, found != properties.end() ? found->second
                                                   : StrCat("Table ", name.ClientText(),
                                                            " does not have property: ", key)});
  } else {
    for (const auto& [key, value] : properties) rows.push_back({key, value});
  }
  return Answer({TextColumn("key"), TextColumn("value")}, std::move(rows));
}

Result<SqlResult> ShowCreateTable(StatementRun& run) {
  size_t at = 3;
  if (!run.At(2, "TABLE")) return run.SyntaxErrorAt(2);
  ASSIGN_OR_RETURN(const TableName name, ReadTable(run, &at));
  ASSIGN_OR_RETURN(std::string text, CreateStatement(run, name));
  return Answer({TextColumn("createtab_stmt")}, {{std::move(text)}});
}

Result<SqlResult> ShowVolumes(StatementRun& run) {
  ASSIGN_OR_RETURN(const Scope scope, ReadScope(run, 2, /*names_schema=*/true));
  static_cast<void>(scope);
  return Answer({TextColumn("database"), TextColumn("volume_name")}, {});
}

/// SHOW CURRENT SCHEMA | DATABASE | NAMESPACE
Result<SqlResult> ShowCurrent(StatementRun& run) {
  return Answer({TextColumn("catalog"), TextColumn("namespace")},
                {{run.context().catalog, run.context().schema}});
}

Result<SqlResult> ShowGrants(StatementRun& /*run*/) {
  return Answer({TextColumn("Principal"), TextColumn("ActionType"), TextColumn("ObjectType"),
                 TextColumn("ObjectKey")},
                {});
}

struct ShowWord {
  std::string_view word;
  Result<SqlResult> (*run)(StatementRun& run);
};

constexpr std::array<ShowWord, 20> kShowWords = {{
    {"CATALOGS", ShowCatalogs},   {"SCHEMAS", ShowSchemas},
    {"DATABASES", ShowSchemas},   {"TABLES", ShowTables},
    {"VIEWS", ShowViews},         {"COLUMNS", ShowColumns},
    {"FUNCTIONS", ShowFunctions}, {"USER", ShowFunctions},
    {"SYSTEM", ShowFunctions},    {"ALL", ShowFunctions},
    {"KEYS", ShowKeys},           {"PRIMARY", ShowKeys},
    {"FOREIGN", ShowForeignKeys}, {"TBLPROPERTIES", ShowProperties},
    {"CREATE", ShowCreateTable},  {"VOLUMES", ShowVolumes},
    {"CURRENT", ShowCurrent},     {"GRANTS", ShowGrants},
    {"GRANT", ShowGrants},        {"TABLE", ShowTableExtended},
}};

}  // namespace

Result<SqlResult> RunShow(StatementRun& run) {
  const auto row = std::find_if(kShowWords.begin(), kShowWords.end(),
                                [&](const ShowWord& word) { return run.At(1, word.word); });
  if (row == kShowWords.end()) return run.SyntaxErrorAt(1);
  return row->run(run);
}

/// LIST '/Volumes/…': files of volumes are no matter of the SQL engine, so there are none.
Result<SqlResult> RunList(StatementRun& run) {
  if (run.tokens()[1].kind != TokenKind::kString) return run.SyntaxErrorAt(1);
  return Answer({TextColumn("path"), TextColumn("name"), NumberColumn("size", SqlTypeId::kBigint),
                 NumberColumn("modification_time", SqlTypeId::kBigint)},
                {});
}

}  // namespace dbx::local
