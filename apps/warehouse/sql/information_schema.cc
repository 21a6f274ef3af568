// SPDX-License-Identifier: Apache-2.0
#include "sql/information_schema.h"

namespace dbx::local {
namespace {

// Each statement is several literals, one a line.
// clang-format off
// NOLINTBEGIN(bugprone-suspicious-missing-comma)
constexpr std::string_view kStatements[] = {
    "CREATE SCHEMA functions.info",

    "CREATE VIEW functions.info.catalogs AS SELECT substr(database_name, 3) AS catalog_name_of_row, "
    "substr(database_name, 3) AS catalog_name, 'user@localhost' AS catalog_owner, NULL::VARCHAR AS comment "
    "FROM duckdb_databases() WHERE starts_with(database_name, 'c_')",

    "CREATE VIEW functions.info.schemata AS SELECT substr(database_name, 3) AS catalog_name_of_row, "
    "substr(database_name, 3) AS catalog_name, schema_name, 'user@localhost' AS schema_owner, comment "
    "FROM duckdb_schemas() WHERE starts_with(database_name, 'c_') "
    "AND schema_name NOT IN ('main', 'pg_catalog', 'information_schema')",

    "CREATE VIEW functions.info.tables AS SELECT substr(database_name, 3) AS catalog_name_of_row, "
    "substr(database_name, 3) AS table_catalog, schema_name AS table_schema, table_name, 'MANAGED' AS table_type, "
    "'YES' AS is_insertable_into, 'PRESERVE' AS commit_action, 'user@localhost' AS table_owner, comment, "
    "'DELTA' AS data_source_format FROM duckdb_tables() WHERE starts_with(database_name, 'c_') AND schema_name <> 'main' "
    "UNION ALL SELECT substr(database_name, 3), substr(database_name, 3), schema_name, view_name, "
    "CASE WHEN starts_with(schema_name, 'tpcds_sf') THEN 'MANAGED' ELSE 'VIEW' END, 'NO', 'PRESERVE', "
    "'user@localhost', comment, CASE WHEN starts_with(schema_name, 'tpcds_sf') THEN 'DELTA' END "
    "FROM duckdb_views() WHERE starts_with(database_name, 'c_') AND NOT internal AND schema_name <> 'main'",

    "CREATE VIEW functions.info.columns AS SELECT substr(database_name, 3) AS catalog_name_of_row, "
    "substr(database_name, 3) AS table_catalog, schema_name AS table_schema, table_name, column_name, "
    "CAST(column_index - 1 AS INTEGER) AS ordinal_position, column_default, "
    "CASE WHEN is_nullable THEN 'YES' ELSE 'NO' END AS is_nullable, "
    "service_type_name(data_type) AS full_data_type, upper(service_type_name(split_part(data_type, '(', 1))) AS data_type, "
    "character_maximum_length, numeric_precision, numeric_precision_radix, numeric_scale, comment "
    "FROM duckdb_columns() WHERE starts_with(database_name, 'c_') AND NOT internal "
    "AND schema_name NOT IN ('main', 'pg_catalog', 'information_schema')",

    "CREATE VIEW functions.info.views AS SELECT substr(database_name, 3) AS catalog_name_of_row, "
    "substr(database_name, 3) AS table_catalog, schema_name AS table_schema, view_name AS table_name, "
    "sql AS view_definition, 'NONE' AS check_option, 'NO' AS is_updatable, 'NO' AS is_insertable_into "
    "FROM duckdb_views() WHERE starts_with(database_name, 'c_') AND NOT internal AND schema_name <> 'main' "
    "AND NOT starts_with(schema_name, 'tpcds_sf')",

    "CREATE VIEW functions.info.routines AS SELECT NULL::VARCHAR AS catalog_name_of_row, "
    "NULL::VARCHAR AS specific_catalog, NULL::VARCHAR AS specific_schema, NULL::VARCHAR AS specific_name, "
    "NULL::VARCHAR AS routine_catalog, NULL::VARCHAR AS routine_schema, NULL::VARCHAR AS routine_name, "
    "NULL::VARCHAR AS routine_type, NULL::VARCHAR AS data_type, NULL::VARCHAR AS comment WHERE false",

    "CREATE VIEW functions.info.parameters AS SELECT NULL::VARCHAR AS catalog_name_of_row, "
    "NULL::VARCHAR AS specific_catalog, NULL::VARCHAR AS specific_schema, NULL::VARCHAR AS specific_name, "
    "NULL::INTEGER AS ordinal_position, NULL::VARCHAR AS parameter_mode, NULL::VARCHAR AS is_result, "
    "NULL::VARCHAR AS parameter_name, NULL::VARCHAR AS data_type, NULL::VARCHAR AS full_data_type, "
    "NULL::INTEGER AS character_maximum_length, NULL::INTEGER AS character_octet_length, "
    "NULL::INTEGER AS numeric_precision, NULL::INTEGER AS numeric_precision_radix, NULL::INTEGER AS numeric_scale, "
    "NULL::VARCHAR AS parameter_default, NULL::VARCHAR AS comment WHERE false",

    "CREATE VIEW functions.info.volumes AS SELECT NULL::VARCHAR AS catalog_name_of_row, "
    "NULL::VARCHAR AS volume_catalog, NULL::VARCHAR AS volume_schema, NULL::VARCHAR AS volume_name, "
    "NULL::VARCHAR AS volume_type, NULL::VARCHAR AS volume_owner, NULL::VARCHAR AS comment, "
    "NULL::VARCHAR AS storage_location WHERE false",

    "CREATE VIEW functions.info.table_constraints AS SELECT NULL::VARCHAR AS catalog_name_of_row, "
    "NULL::VARCHAR AS constraint_catalog, NULL::VARCHAR AS constraint_schema, NULL::VARCHAR AS constraint_name, "
    "NULL::VARCHAR AS table_catalog, NULL::VARCHAR AS table_schema, NULL::VARCHAR AS table_name, "
    "NULL::VARCHAR AS constraint_type WHERE false",

    "CREATE VIEW functions.info.key_column_usage AS SELECT NULL::VARCHAR AS catalog_name_of_row, "
    "NULL::VARCHAR AS constraint_catalog, NULL::VARCHAR AS constraint_schema, NULL::VARCHAR AS constraint_name, "
    "NULL::VARCHAR AS table_catalog, NULL::VARCHAR AS table_schema, NULL::VARCHAR AS table_name, "
    "NULL::VARCHAR AS column_name, NULL::INTEGER AS ordinal_position, "
    "NULL::INTEGER AS position_in_unique_constraint WHERE false",

    "CREATE VIEW functions.info.referential_constraints AS SELECT NULL::VARCHAR AS catalog_name_of_row, "
    "NULL::VARCHAR AS constraint_catalog, NULL::VARCHAR AS constraint_schema, NULL::VARCHAR AS constraint_name, "
    "NULL::VARCHAR AS unique_constraint_catalog, NULL::VARCHAR AS unique_constraint_schema, "
    "NULL::VARCHAR AS unique_constraint_name, NULL::VARCHAR AS match_option, NULL::VARCHAR AS update_rule, "
    "NULL::VARCHAR AS delete_rule WHERE false",

    "CREATE VIEW functions.info.row_filters AS SELECT NULL::VARCHAR AS catalog_name_of_row, "
    "NULL::VARCHAR AS table_catalog, NULL::VARCHAR AS table_schema, NULL::VARCHAR AS table_name, "
    "NULL::VARCHAR AS filter_catalog, NULL::VARCHAR AS filter_schema, NULL::VARCHAR AS filter_name, "
    "NULL::VARCHAR AS target_columns WHERE false",

    "CREATE VIEW functions.info.column_masks AS SELECT NULL::VARCHAR AS catalog_name_of_row, "
    "NULL::VARCHAR AS table_catalog, NULL::VARCHAR AS table_schema, NULL::VARCHAR AS table_name, "
    "NULL::VARCHAR AS column_name, NULL::VARCHAR AS mask_catalog, NULL::VARCHAR AS mask_schema, "
    "NULL::VARCHAR AS mask_name, NULL::VARCHAR AS using_columns WHERE false",

    "CREATE VIEW functions.info.catalog_tags AS SELECT NULL::VARCHAR AS catalog_name_of_row, "
    "NULL::VARCHAR AS catalog_name, NULL::VARCHAR AS tag_name, NULL::VARCHAR AS tag_value WHERE false",

    "CREATE VIEW functions.info.schema_tags AS SELECT NULL::VARCHAR AS catalog_name_of_row, "
    "NULL::VARCHAR AS catalog_name, NULL::VARCHAR AS schema_name, NULL::VARCHAR AS tag_name, "
    "NULL::VARCHAR AS tag_value WHERE false",

    "CREATE VIEW functions.info.table_tags AS SELECT NULL::VARCHAR AS catalog_name_of_row, "
    "NULL::VARCHAR AS catalog_name, NULL::VARCHAR AS schema_name, NULL::VARCHAR AS table_name, "
    "NULL::VARCHAR AS tag_name, NULL::VARCHAR AS tag_value WHERE false",

    "CREATE VIEW functions.info.column_tags AS SELECT NULL::VARCHAR AS catalog_name_of_row, "
    "NULL::VARCHAR AS catalog_name, NULL::VARCHAR AS schema_name, NULL::VARCHAR AS table_name, "
    "NULL::VARCHAR AS column_name, NULL::VARCHAR AS tag_name, NULL::VARCHAR AS tag_value WHERE false",
};
// NOLINTEND(bugprone-suspicious-missing-comma)
// clang-format on

}  // namespace

std::span<const std::string_view> InformationSchemaStatements() {
  return kStatements;
}

}  // namespace dbx::local
