// SPDX-License-Identifier: Apache-2.0
#include "sql/show_create.h"

#include <algorithm>

#include "base/str_cat.h"
#include "sql/metadata.h"
#include "sql/sql_text.h"
#include "sql/translator.h"

namespace dbx::local {
namespace {

std::string Names(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names)
    text += StrCat(text.empty() ? "" : ", ", BacktickIdentifier(name));
  return text;
}

std::string Escaped(std::string_view text) {
  std::string result = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') result += '\\';
    result += c;
  }
  return result + "'";
}

Result<std::string> ViewText(StatementRun& run, const TableName& name) {
  ASSIGN_OR_RETURN(
      const std::vector<TextRow> rows,
      run.Texts(StatementRun::Own(StrCat("SELECT sql FROM duckdb_views() WHERE database_name = ",
                                         QuoteString(EngineCatalog(name.catalog)),
                                         " AND lower(schema_name) = ", QuoteString(name.schema),
                                         " AND lower(view_name) = ", QuoteString(name.table)))));
  const std::string sql = rows.empty() ? std::string() : rows[0][0].value_or("");
  const size_t as = sql.find(" AS ");
  return StrCat("CREATE VIEW ", name.ClientText(), " AS ",
                as == std::string::npos ? sql : sql.substr(as + 4));
}

std::string KeyText(const TableFacts& facts) {
  std::string text;
  if (facts.primary_key) {
    text += StrCat(",\n  CONSTRAINT ", BacktickIdentifier(facts.primary_key->name),
                   " PRIMARY KEY (", Names(facts.primary_key->columns), ")");
  }
  for (const KeyFact& key : facts.foreign_keys) {
    const TableName parent{key.parent_catalog, key.parent_schema, key.parent_table};
    text += StrCat(",\n  CONSTRAINT ", BacktickIdentifier(key.name), " FOREIGN KEY (",
                   Names(key.columns), ") REFERENCES ", parent.ClientText(), " (",
                   Names(key.parent_columns), ")");
  }
  return text;
}

}  // namespace

Result<std::string> CreateStatement(StatementRun& run, const TableName& name) {
  ASSIGN_OR_RETURN(const std::vector<TableInfo> tables,
                   FindTables(run.database(), ExactName(name.catalog), ExactName(name.schema),
                              ExactName(name.table)));
  if (!tables.empty() && tables[0].type == "VIEW") return ViewText(run, name);
  ASSIGN_OR_RETURN(const std::vector<ColumnInfo> columns,
                   FindColumns(run.database(), ExactName(name.catalog), ExactName(name.schema),
                               ExactName(name.table), AnyName()));
  const TableFacts facts = run.database().facts().Find(name).value_or(TableFacts());
  std::string text = StrCat("CREATE TABLE ", name.catalog, ".", name.schema, ".", name.table, " (");
  for (size_t i = 0; i < columns.size(); ++i) {
    const ResultColumn& column = columns[i].column;
    text += StrCat(i == 0 ? "" : ",", "\n  ", column.name, " ", column.type.Text(),
                   column.nullable ? "" : " NOT NULL",
                   column.comment.empty() ? "" : StrCat(" COMMENT ", Escaped(column.comment)));
  }
  text += StrCat(KeyText(facts), ")\nUSING delta\n");
  if (const auto partitions = facts.properties.find("partitioned_by");
      partitions != facts.properties.end()) {
    text += StrCat("PARTITIONED BY (", partitions->second, ")\n");
  }
  if (!tables.empty() && !tables[0].comment.empty())
    text += StrCat("COMMENT ", Escaped(tables[0].comment), "\n");
  return text;
}

}  // namespace dbx::local
