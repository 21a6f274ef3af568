# SPDX-License-Identifier: Apache-2.0
"""What every client is asked to do, and what must come of it."""

ACTIONS = {
    "connect": "connect",
    "select_one": "`SELECT 1`",
    "types": "types",
    "intervals": "intervals",
    "named": "named parameters",
    "positional": "positional parameters",
    "null": "NULL parameter",
    "ddl": "DDL",
    "dml": "DML and counts",
    "catalogs": "catalogs",
    "schemas": "schemas",
    "tables": "tables",
    "columns": "columns",
    "large": "1.44 M rows by links",
    "error": "SQL error",
    "cancel": "cancel",
    "two": "two at once",
    "lost": "session lost",
}

LARGE_COLUMNS = ["cs_order_number", "cs_quantity"]
LARGE_ROWS = 1_441_548
LARGE_SUMS = [115_363_593_013, 72_414_337]
LOST_MARK = "whose session is lost"

TYPE_COLUMNS = {
    "b": "BOOLEAN",
    "i8": "TINYINT",
    "i16": "SMALLINT",
    "i32": "INT",
    "i64": "BIGINT",
    "f32": "FLOAT",
    "f64": "DOUBLE",
    "d": "DECIMAL(18,4)",
    "s": "STRING",
    "x": "BINARY",
    "dt": "DATE",
    "ts": "TIMESTAMP",
    "tn": "TIMESTAMP_NTZ",
    "a": "ARRAY<INT>",
    "m": "MAP<STRING,INT>",
    "st": "STRUCT<a: INT, b: STRING>",
}
_TYPE_LITERALS = [
    "true",
    "-128Y",
    "32767S",
    "-2147483648",
    "9223372036854775807L",
    "CAST(1.5 AS FLOAT)",
    "-2.25D",
    "CAST('-12345678901234.5678' AS DECIMAL(18,4))",
    "'Zoë''s 1 €'",
    "X'00FF10'",
    "DATE'1582-10-15'",
    "TIMESTAMP'2021-03-04 05:06:07.123456'",
    "TIMESTAMP_NTZ'2021-03-04 05:06:07.123456'",
    "array(1, NULL, 3)",
    "map('k', 1)",
    "named_struct('a', 1, 'b', 'x')",
]
TYPE_VALUES = [
    "true",
    "-128",
    "32767",
    "-2147483648",
    "9223372036854775807",
    "1.5",
    "-2.25",
    "-12345678901234.5678",
    "Zoë's 1 €",
    "00FF10",
    "1582-10-15",
    "2021-03-04 05:06:07.123456",
    "2021-03-04 05:06:07.123456",
    ["1", None, "3"],
    {"k": "1"},
    {"a": "1", "b": "x"},
]


def statements(name):
    """The SQL of the actions for one client, whose tables have `name` in theirs."""
    types, work = f"main.default.client_{name}_types", f"main.default.client_{name}_work"
    columns = ", ".join(f"{column} {sql_type}" for column, sql_type in TYPE_COLUMNS.items())
    return {
        "one": "SELECT 1 AS one",
        "two": "SELECT 2 AS two",
        "create_types": f"CREATE OR REPLACE TABLE {types} ({columns})",
        "fill_types": f"INSERT INTO {types} VALUES ({', '.join(_TYPE_LITERALS)}), ({', '.join(['NULL'] * 16)})",
        "types": f"SELECT * FROM {types} ORDER BY b DESC NULLS LAST",
        "drop_types": f"DROP TABLE {types}",
        "intervals": "SELECT INTERVAL '1-2' YEAR TO MONTH AS ym, INTERVAL '3 04:05:06.5' DAY TO SECOND AS ds",
        "named": "SELECT :a AS a, :b AS b",
        "positional": "SELECT ? AS a, ? AS b",
        "null": "SELECT :a AS a",
        "null_positional": "SELECT ? AS a",
        "create": f"CREATE OR REPLACE TABLE {work} (id INT, name STRING)",
        "count": f"SELECT count(*) AS n FROM {work}",
        "insert": f"INSERT INTO {work} VALUES (1, 'one'), (2, 'two'), (3, 'three')",
        "update": f"UPDATE {work} SET name = 'more' WHERE id >= 2",
        "delete": f"DELETE FROM {work} WHERE id = 3",
        "rows": f"SELECT id, name FROM {work} ORDER BY id",
        "drop": f"DROP TABLE {work}",
        "large": "SELECT * FROM main.tpcds_sf1_delta.catalog_sales",
        # For clients that make an object of every row.
        "large_narrow": "SELECT cs_order_number, cs_quantity FROM main.tpcds_sf1_delta.catalog_sales",
        "error": "SELECT * FROM main.default.no_such_table",
        "endless": "SELECT sum(a.id * b.id) AS n FROM range(1000000) a, range(1000000) b",
        "lost": f"SELECT 1 AS one -- {LOST_MARK}",
    }


def faults():
    """The rules of the warehouse: the statement with the mark finds its session gone."""
    return [
        {"match": {"point": point, "method": "ExecuteStatement", "sql": LOST_MARK}, "action": {"forget_session": True}}
        for point in ("thrift", "sea")
    ]
