// SPDX-License-Identifier: Apache-2.0
#include "sql/rewrite_table.h"

#include <algorithm>
#include <array>

#include "sql/sql_text.h"

namespace dbx::local {
namespace {

// Sorted by theme; a name may stand several times with other numbers of arguments.
// clang-format off
constexpr FunctionRewrite kFunctions[] = {
    // Casts
    {"CAST", 1, -1, "", SpecialCall::kCast},
    {"TRY_CAST", 1, -1, "", SpecialCall::kTryCast},
    {"STRING", 1, 1, "text_of($1)"},
    {"BOOLEAN", 1, 1, "CAST($1 AS BOOLEAN)"},
    {"TINYINT", 1, 1, "CAST($1 AS TINYINT)"},
    {"SMALLINT", 1, 1, "CAST($1 AS SMALLINT)"},
    {"INT", 1, 1, "CAST($1 AS INTEGER)"},
    {"BIGINT", 1, 1, "CAST($1 AS BIGINT)"},
    {"FLOAT", 1, 1, "CAST($1 AS FLOAT)"},
    {"DOUBLE", 1, 1, "CAST($1 AS DOUBLE)"},
    {"DECIMAL", 1, 1, "CAST($1 AS DECIMAL(10,0))"},
    {"BINARY", 1, 1, "CAST($1 AS BLOB)"},
    {"DATE", 1, 1, "CAST($1 AS DATE)"},
    {"TIMESTAMP", 1, 1, "CAST($1 AS TIMESTAMP WITH TIME ZONE)"},
    // Session
    {"CURRENT_CATALOG", 0, 0, "$c"},
    {"CURRENT_DATABASE", 0, 0, "$s"},
    {"CURRENT_SCHEMA", 0, 0, "$s"},
    {"CURRENT_USER", 0, 0, "$u"},
    {"SESSION_USER", 0, 0, "$u"},
    {"USER", 0, 0, "$u"},
    {"CURRENT_TIMEZONE", 0, 0, "$z"},
    {"CURRENT_METASTORE", 0, 0, "'local:metastore'"},
    {"VERSION", 0, 0, "'3.5.0 cloudfetch-warehouse'"},
    {"CURRENT_VERSION", 0, 0, "struct_pack(dbr_version := NULL::VARCHAR, dbsql_version := '2025.10')"},
    {"IS_ACCOUNT_GROUP_MEMBER", 1, 1, "false"},
    {"IS_MEMBER", 1, 1, "false"},
    {"INPUT_FILE_NAME", 0, 0, "''"},
    {"SPARK_PARTITION_ID", 0, 0, "0"},
    {"MONOTONICALLY_INCREASING_ID", 0, 0, "(row_number() OVER () - 1)"},
    {"IDENTIFIER", 1, 1, "", SpecialCall::kIdentifier},
    {"TYPEOF", 1, 1, "service_type_name(typeof($1))"},
    {"UUID", 0, 0, "CAST(uuid() AS VARCHAR)"},
    {"RAND", 0, 1, "random()"},
    {"RANDOM", 0, 1, "random()"},
    {"RAISE_ERROR", 1, 1, "error($1)"},
    // Conditions
    {"NVL", 2, 2, "coalesce($1, $2)"},
    {"IFNULL", 2, 2, "coalesce($1, $2)"},
    {"NVL2", 3, 3, "(CASE WHEN ($1) IS NOT NULL THEN $2 ELSE $3 END)"},
    {"IF", 3, 3, "(CASE WHEN $1 THEN $2 ELSE $3 END)"},
    {"IFF", 3, 3, "(CASE WHEN $1 THEN $2 ELSE $3 END)"},
    {"ISNULL", 1, 1, "(($1) IS NULL)"},
    {"ISNOTNULL", 1, 1, "(($1) IS NOT NULL)"},
    {"NULLIFZERO", 1, 1, "nullif($1, 0)"},
    {"ZEROIFNULL", 1, 1, "coalesce($1, 0)"},
    {"EQUAL_NULL", 2, 2, "(($1) IS NOT DISTINCT FROM ($2))"},
    {"DECODE", 2, 2, "decode($1)"},
    {"DECODE", 3, -1, "", SpecialCall::kDecode},
    // Texts
    {"CONCAT", 1, -1, "", SpecialCall::kConcat},
    {"LENGTH", 1, 1, "CAST(length($1) AS INTEGER)"},
    {"LEN", 1, 1, "CAST(length($1) AS INTEGER)"},
    {"CHAR_LENGTH", 1, 1, "CAST(length($1) AS INTEGER)"},
    {"CHARACTER_LENGTH", 1, 1, "CAST(length($1) AS INTEGER)"},
    {"OCTET_LENGTH", 1, 1, "CAST(octet_length(CAST($1 AS BLOB)) AS INTEGER)"},
    {"LCASE", 1, 1, "lower($1)"},
    {"UCASE", 1, 1, "upper($1)"},
    {"INITCAP", 1, 1, "array_to_string(list_transform(string_split(lower($1), ' '), lambda w: upper(w[1]) || w[2:]), ' ')"},
    {"LPAD", 2, 2, "lpad($1, $2, ' ')"},
    {"RPAD", 2, 2, "rpad($1, $2, ' ')"},
    {"LPAD", 3, 3, "lpad($1, CAST($2 AS INTEGER), $3)"},
    {"RPAD", 3, 3, "rpad($1, CAST($2 AS INTEGER), $3)"},
    {"LOCATE", 2, 2, "CAST(instr($2, $1) AS INTEGER)"},
    {"CHARINDEX", 2, 2, "CAST(instr($2, $1) AS INTEGER)"},
    {"INSTR", 2, 2, "CAST(instr($1, $2) AS INTEGER)"},
    {"POSITION", 2, 2, "CAST(instr($2, $1) AS INTEGER)"},
    {"REPLACE", 2, 2, "replace($1, $2, '')"},
    {"SPACE", 1, 1, "repeat(' ', $1)"},
    {"SPLIT", 2, 3, "string_split_regex($1, $2)"},
    {"STARTSWITH", 2, 2, "starts_with($1, $2)"},
    {"ENDSWITH", 2, 2, "suffix($1, $2)"},
    {"CHAR", 1, 1, "chr($1)"},
    {"BASE64", 1, 1, "base64(CAST($1 AS BLOB))"},
    {"UNBASE64", 1, 1, "from_base64($1)"},
    {"ENCODE", 2, 2, "encode($1)"},
    {"SHA", 1, 1, "sha1($1)"},
    {"SHA2", 2, 2, "sha256($1)"},
    {"REGEXP_EXTRACT", 2, 2, "regexp_extract($1, $2, 1)"},
    {"REGEXP_REPLACE", 3, 3, "regexp_replace($1, $2, $3, 'g')"},
    {"REGEXP_LIKE", 2, 2, "regexp_matches($1, $2)"},
    {"REGEXP", 2, 2, "regexp_matches($1, $2)"},
    {"RLIKE", 2, 2, "regexp_matches($1, $2)"},
    {"REGEXP_EXTRACT_ALL", 2, 2, "regexp_extract_all($1, $2, 1)"},
    {"FORMAT_STRING", 1, -1, "printf($*)"},
    {"XXHASH64", 1, -1, "CAST(CAST(hash($*) AS HUGEINT) - 9223372036854775808 AS BIGINT)"},
    {"HASH", 1, -1, "CAST(CAST(hash($*) % 4294967296 AS BIGINT) - 2147483648 AS INTEGER)"},
    // Numbers
    {"CEIL", 1, 1, "CAST(ceil($1) AS BIGINT)"},
    {"CEILING", 1, 1, "CAST(ceil($1) AS BIGINT)"},
    {"FLOOR", 1, 1, "CAST(floor($1) AS BIGINT)"},
    {"LOG", 1, 1, "ln($1)"},
    {"LOG", 2, 2, "(ln($2) / ln($1))"},
    {"E", 0, 0, "exp(1)"},
    {"NEGATIVE", 1, 1, "(-($1))"},
    {"SIGNUM", 1, 1, "CAST(sign($1) AS DOUBLE)"},
    {"SIGN", 1, 1, "CAST(sign($1) AS DOUBLE)"},
    {"PMOD", 2, 2, "((($1) % ($2) + ($2)) % ($2))"},
    {"BROUND", 1, 2, "round_even($*)"},
    {"SHIFTLEFT", 2, 2, "(($1) << ($2))"},
    {"SHIFTRIGHT", 2, 2, "(($1) >> ($2))"},
    {"TRY_ADD", 2, 2, "TRY(($1) + ($2))"},
    {"TRY_SUBTRACT", 2, 2, "TRY(($1) - ($2))"},
    {"TRY_MULTIPLY", 2, 2, "TRY(($1) * ($2))"},
    {"TRY_DIVIDE", 2, 2, "(($1) / nullif($2, 0))"},
    // Dates and times
    {"CURRENT_DATE", 0, 0, "current_date"},
    {"CURDATE", 0, 0, "current_date"},
    {"CURRENT_TIMESTAMP", 0, 0, "current_timestamp"},
    {"NOW", 0, 0, "current_timestamp"},
    {"GETDATE", 0, 0, "current_timestamp"},
    {"LOCALTIMESTAMP", 0, 0, "localtimestamp"},
    {"DATE_ADD", 2, 3, "", SpecialCall::kDateAdd},
    {"DATEADD", 2, 3, "", SpecialCall::kDateAdd},
    {"TIMESTAMPADD", 3, 3, "", SpecialCall::kDateAdd},
    {"DATE_SUB", 2, 2, "CAST(CAST($1 AS DATE) - CAST($2 AS INTEGER) AS DATE)"},
    {"DATEDIFF", 2, 3, "", SpecialCall::kDateDiff},
    {"DATE_DIFF", 2, 3, "", SpecialCall::kDateDiff},
    {"TIMESTAMPDIFF", 3, 3, "", SpecialCall::kDateDiff},
    {"ADD_MONTHS", 2, 2, "CAST(CAST($1 AS DATE) + to_months(CAST($2 AS INTEGER)) AS DATE)"},
    {"MONTHS_BETWEEN", 2, 2, "(datesub('month', CAST($2 AS TIMESTAMP), CAST($1 AS TIMESTAMP)) + 0.0)"},
    {"LAST_DAY", 1, 1, "last_day(CAST($1 AS DATE))"},
    {"YEAR", 1, 1, "CAST(year(CAST($1 AS TIMESTAMP)) AS INTEGER)"},
    {"QUARTER", 1, 1, "CAST(quarter(CAST($1 AS TIMESTAMP)) AS INTEGER)"},
    {"MONTH", 1, 1, "CAST(month(CAST($1 AS TIMESTAMP)) AS INTEGER)"},
    {"DAY", 1, 1, "CAST(day(CAST($1 AS TIMESTAMP)) AS INTEGER)"},
    {"DAYOFMONTH", 1, 1, "CAST(day(CAST($1 AS TIMESTAMP)) AS INTEGER)"},
    {"DAYOFYEAR", 1, 1, "CAST(dayofyear(CAST($1 AS TIMESTAMP)) AS INTEGER)"},
    {"DAYOFWEEK", 1, 1, "CAST(dayofweek(CAST($1 AS TIMESTAMP)) + 1 AS INTEGER)"},
    {"WEEKDAY", 1, 1, "CAST(isodow(CAST($1 AS TIMESTAMP)) - 1 AS INTEGER)"},
    {"WEEKOFYEAR", 1, 1, "CAST(weekofyear(CAST($1 AS TIMESTAMP)) AS INTEGER)"},
    {"HOUR", 1, 1, "CAST(hour(CAST($1 AS TIMESTAMP)) AS INTEGER)"},
    {"MINUTE", 1, 1, "CAST(minute(CAST($1 AS TIMESTAMP)) AS INTEGER)"},
    {"SECOND", 1, 1, "CAST(second(CAST($1 AS TIMESTAMP)) AS INTEGER)"},
    {"EXTRACT", 1, 1, "CAST(extract($1) AS INTEGER)"},
    {"DATE_PART", 2, 2, "CAST(date_part($1, $2) AS INTEGER)"},
    {"DATEPART", 2, 2, "CAST(date_part($1, $2) AS INTEGER)"},
    {"DATE_FORMAT", 2, 2, "", SpecialCall::kDateFormat},
    {"TO_DATE", 1, 2, "", SpecialCall::kToDate},
    {"TO_TIMESTAMP", 1, 2, "", SpecialCall::kToTimestamp},
    {"TO_TIMESTAMP_LTZ", 1, 2, "", SpecialCall::kToTimestamp},
    {"TO_TIMESTAMP_NTZ", 1, 1, "CAST($1 AS TIMESTAMP)"},
    {"TRY_TO_TIMESTAMP", 1, 1, "TRY_CAST($1 AS TIMESTAMP WITH TIME ZONE)"},
    {"TRY_TO_DATE", 1, 1, "TRY_CAST($1 AS DATE)"},
    {"FROM_UNIXTIME", 1, 2, "", SpecialCall::kFromUnixtime},
    {"UNIX_TIMESTAMP", 0, 0, "CAST(floor(epoch(current_timestamp)) AS BIGINT)"},
    {"UNIX_TIMESTAMP", 1, 1, "CAST(floor(epoch(CAST($1 AS TIMESTAMP WITH TIME ZONE))) AS BIGINT)"},
    {"TO_UNIX_TIMESTAMP", 1, 1, "CAST(floor(epoch(CAST($1 AS TIMESTAMP WITH TIME ZONE))) AS BIGINT)"},
    {"UNIX_SECONDS", 1, 1, "CAST(floor(epoch($1)) AS BIGINT)"},
    {"UNIX_MILLIS", 1, 1, "epoch_ms($1)"},
    {"UNIX_MICROS", 1, 1, "epoch_us($1)"},
    {"UNIX_DATE", 1, 1, "CAST(CAST($1 AS DATE) - DATE '1970-01-01' AS INTEGER)"},
    {"TIMESTAMP_SECONDS", 1, 1, "to_timestamp($1)"},
    {"TIMESTAMP_MILLIS", 1, 1, "make_timestamptz(CAST($1 AS BIGINT) * 1000)"},
    {"TIMESTAMP_MICROS", 1, 1, "make_timestamptz(CAST($1 AS BIGINT))"},
    {"DATE_FROM_UNIX_DATE", 1, 1, "CAST(DATE '1970-01-01' + CAST($1 AS INTEGER) AS DATE)"},
    {"DATE_TRUNC", 2, 2, "date_trunc($1, CAST($2 AS TIMESTAMP WITH TIME ZONE))"},
    {"TRUNC", 2, 2, "CAST(date_trunc($2, CAST($1 AS DATE)) AS DATE)"},
    {"MAKE_TIMESTAMP", 6, 6, "make_timestamptz($1, $2, $3, $4, $5, $6)"},
    {"MAKE_TIMESTAMP_NTZ", 6, 6, "make_timestamp($1, $2, $3, $4, $5, $6)"},
    {"MAKE_DT_INTERVAL", 4, 4, "(to_days(CAST($1 AS INTEGER)) + to_hours(CAST($2 AS BIGINT)) + to_minutes(CAST($3 AS BIGINT)) + to_seconds($4))"},
    {"MAKE_YM_INTERVAL", 2, 2, "(to_years(CAST($1 AS INTEGER)) + to_months(CAST($2 AS INTEGER)))"},
    {"FROM_UTC_TIMESTAMP", 2, 2, "CAST(timezone($2, timezone('UTC', CAST(CAST($1 AS TIMESTAMP WITH TIME ZONE) AS TIMESTAMP))) AS TIMESTAMP WITH TIME ZONE)"},
    {"TO_UTC_TIMESTAMP", 2, 2, "CAST(timezone('UTC', timezone($2, CAST(CAST($1 AS TIMESTAMP WITH TIME ZONE) AS TIMESTAMP))) AS TIMESTAMP WITH TIME ZONE)"},
    // Arrays
    {"ARRAY", 0, -1, "[$*]"},
    {"SIZE", 1, 1, "CAST(len($1) AS INTEGER)"},
    {"CARDINALITY", 1, 1, "CAST(len($1) AS INTEGER)"},
    {"ARRAY_SIZE", 1, 1, "CAST(len($1) AS INTEGER)"},
    {"ELEMENT_AT", 2, 2, "($1)[$2]"},
    {"TRY_ELEMENT_AT", 2, 2, "($1)[$2]"},
    {"GET", 2, 2, "($1)[($2) + 1]"},
    {"EXPLODE", 1, 1, "unnest($1)"},
    {"EXPLODE_OUTER", 1, 1, "unnest($1)"},
    {"SEQUENCE", 2, 3, "", SpecialCall::kSequence},
    {"TRANSFORM", 2, 2, "list_transform($1, $2)"},
    {"FILTER", 2, 2, "list_filter($1, $2)"},
    {"EXISTS", 2, 2, "(len(list_filter($1, $2)) > 0)"},
    {"FORALL", 2, 2, "(len(list_filter($1, $2)) = len($1))"},
    {"AGGREGATE", 3, 3, "list_reduce($1, $3, $2)"},
    {"REDUCE", 3, 3, "list_reduce($1, $3, $2)"},
    {"ARRAY_CONTAINS", 2, 2, "list_contains($1, $2)"},
    {"ARRAY_JOIN", 2, 2, "array_to_string($1, $2)"},
    {"ARRAY_SORT", 1, 1, "list_sort($1, 'ASC', 'NULLS LAST')"},
    {"SORT_ARRAY", 1, 1, "list_sort($1, 'ASC', 'NULLS FIRST')"},
    {"ARRAY_DISTINCT", 1, 1, "list_distinct($1)"},
    {"ARRAY_MAX", 1, 1, "list_max($1)"},
    {"ARRAY_MIN", 1, 1, "list_min($1)"},
    {"ARRAY_POSITION", 2, 2, "CAST(coalesce(list_position($1, $2), 0) AS BIGINT)"},
    {"ARRAY_UNION", 2, 2, "list_distinct(list_concat($1, $2))"},
    {"ARRAY_INTERSECT", 2, 2, "list_intersect($1, $2)"},
    {"ARRAY_APPEND", 2, 2, "list_append($1, $2)"},
    {"ARRAY_PREPEND", 2, 2, "list_prepend($2, $1)"},
    {"ARRAY_COMPACT", 1, 1, "list_filter($1, lambda e: e IS NOT NULL)"},
    {"ARRAYS_OVERLAP", 2, 2, "list_has_any($1, $2)"},
    {"ARRAYS_ZIP", 1, -1, "list_zip($*)"},
    {"SLICE", 3, 3, "list_slice($1, $2, ($2) + ($3) - 1)"},
    // Maps and structs
    {"MAP", 0, -1, "", SpecialCall::kMap},
    {"MAP_FROM_ARRAYS", 2, 2, "map($1, $2)"},
    {"MAP_CONTAINS_KEY", 2, 2, "list_contains(map_keys($1), $2)"},
    {"NAMED_STRUCT", 2, -1, "", SpecialCall::kNamedStruct},
    {"STRUCT", 1, -1, "", SpecialCall::kStruct},
    // JSON
    {"PARSE_JSON", 1, 1, "json($1)"},
    {"TRY_PARSE_JSON", 1, 1, "TRY(json($1))"},
    {"TO_JSON", 1, 1, "CAST(to_json($1) AS VARCHAR)"},
    {"TO_VARIANT_OBJECT", 1, 1, "to_json($1)"},
    {"GET_JSON_OBJECT", 2, 2, "json_extract_string($1, $2)"},
    {"FROM_JSON", 2, 2, "", SpecialCall::kFromJson},
    {"VARIANT_GET", 3, 3, "", SpecialCall::kVariantGet},
    {"TRY_VARIANT_GET", 3, 3, "", SpecialCall::kVariantGet},
    // Aggregates and windows
    {"COUNT", 2, -1, "", SpecialCall::kCount},
    {"MEAN", 1, 1, "avg($1)"},
    {"TRY_SUM", 1, 1, "sum($1)"},
    {"TRY_AVG", 1, 1, "avg($1)"},
    {"ANY", 1, 1, "bool_or($1)"},
    {"SOME", 1, 1, "bool_or($1)"},
    {"EVERY", 1, 1, "bool_and($1)"},
    {"STD", 1, 1, "stddev_samp($1)"},
    {"COLLECT_LIST", 1, 1, "list($1)"},
    {"ARRAY_AGG", 1, 1, "list($1)"},
    {"COLLECT_SET", 1, 1, "list(DISTINCT $1)"},
    {"PERCENTILE", 2, 2, "quantile_cont($1, $2)"},
    {"PERCENTILE_APPROX", 2, 3, "quantile_disc($1, $2)"},
    {"APPROX_PERCENTILE", 2, 3, "quantile_disc($1, $2)"},
    {"ROW_NUMBER", 0, 0, "row_number()", SpecialCall::kWindowInteger},
    {"RANK", 0, 0, "rank()", SpecialCall::kWindowInteger},
    {"DENSE_RANK", 0, 0, "dense_rank()", SpecialCall::kWindowInteger},
    {"NTILE", 1, 1, "ntile($1)", SpecialCall::kWindowInteger},
    // Tables
    {"RANGE", 1, 4, "", SpecialCall::kRange},
};

constexpr std::array<std::string_view, 6> kBareWords = {
    "CURRENT_CATALOG", "CURRENT_DATABASE", "CURRENT_SCHEMA", "CURRENT_USER", "SESSION_USER", "CURRENT_TIMEZONE"};

constexpr std::string_view kMacros[] = {
    "CREATE OR REPLACE MACRO service_type_name(t) AS CASE t WHEN 'INTEGER' THEN 'int' WHEN 'VARCHAR' THEN 'string' "
    "WHEN 'BLOB' THEN 'binary' WHEN 'TIMESTAMP WITH TIME ZONE' THEN 'timestamp' WHEN 'TIMESTAMP' THEN "
    "'timestamp_ntz' WHEN '\"NULL\"' THEN 'void' WHEN 'JSON' THEN 'variant' WHEN 'HUGEINT' THEN 'bigint' "
    "ELSE lower(t) END",
    // Timestamps print with their zone here and without there.
    "CREATE OR REPLACE MACRO text_of(x) AS CASE WHEN typeof(x) = 'TIMESTAMP WITH TIME ZONE' "
    "THEN regexp_replace(CAST(x AS VARCHAR), '[+-][0-9][0-9](:[0-9][0-9])*$', '') ELSE CAST(x AS VARCHAR) END",
    // A date needs no calendar in UTC.
    "CREATE OR REPLACE MACRO utc_timestamp_of(x) AS CASE WHEN typeof(x) = 'DATE' THEN "
    "make_timestamptz(epoch_us(CAST(x AS TIMESTAMP))) ELSE CAST(x AS TIMESTAMP WITH TIME ZONE) END",
    "CREATE OR REPLACE MACRO nonzero(d) AS CASE WHEN d = 0 THEN error('Division by zero') ELSE d END",
};
// clang-format on

}  // namespace

const FunctionRewrite* FindFunction(std::string_view name, size_t num_arguments) {
  const auto count = static_cast<int>(num_arguments);
  for (const FunctionRewrite& row : kFunctions) {
    if (!EqualsIgnoreCase(row.name, name)) continue;
    if (count >= row.min_arguments && (row.max_arguments < 0 || count <= row.max_arguments))
      return &row;
  }
  return nullptr;
}

std::span<const FunctionRewrite> FunctionRewrites() {
  return kFunctions;
}

const FunctionRewrite* FindBareWord(std::string_view word) {
  const bool known = std::any_of(kBareWords.begin(), kBareWords.end(), [&](std::string_view bare) {
    return EqualsIgnoreCase(bare, word);
  });
  return known ? FindFunction(word, 0) : nullptr;
}

std::span<const std::string_view> MacroStatements() {
  return kMacros;
}

}  // namespace dbx::local
