# SPDX-License-Identifier: Apache-2.0
"""Thrift and the Statement Execution API side by side: one script, statement by statement the same outcome.

An outcome is the schema (names, types, what may be NULL, field metadata), the rows, the count of changed rows, or the
error with its status, SQLSTATE and message. The script runs once each way:

    thrift     the reference
    sea        small results within the reply, large ones as links
    links      the same, from a warehouse that sends everything as links
    text       without CloudFetch: rows as JSON texts

What the Statement Execution API does not tell is left out of the comparison: which columns of a result without rows,
or with rows of text, may be NULL. Its errors name the statement, which Thrift has no name for when it fails at once.
"""

import hashlib
import re

import pytest
from adbc_driver_manager import Error
from conftest import open_connection, start_warehouse

SCHEMA = "main.two_protocols"

NESTED = "named_struct('a', 1, 'b', array('x', NULL), 'c', map('k', DATE '2024-02-29'))"

TOO_LARGE_FOR_TEXT = "SELECT id, CAST(id AS DECIMAL(20, 3)) AS d, repeat('x', 40) AS t FROM range(600000) ORDER BY id"

# (statement, bound values or None)
SCRIPT = [
    # One value of each type, its NULL, and its edges.
    ("SELECT true AS t, false AS f, CAST(NULL AS BOOLEAN) AS n", None),
    ("SELECT CAST(-128 AS TINYINT) AS low, CAST(127 AS TINYINT) AS high, CAST(NULL AS TINYINT) AS n", None),
    ("SELECT CAST(-32768 AS SMALLINT) AS low, CAST(32767 AS SMALLINT) AS high", None),
    ("SELECT CAST(-2147483648 AS INT) AS low, 2147483647 AS high, CAST(NULL AS INT) AS n", None),
    ("SELECT CAST(-9223372036854775808 AS BIGINT) AS low, 9223372036854775807 AS high", None),
    ("SELECT CAST(1.5 AS FLOAT) AS f, CAST('NaN' AS FLOAT) AS n, CAST('-Infinity' AS FLOAT) AS i", None),
    ("SELECT CAST(0.1 AS DOUBLE) AS d, CAST('Infinity' AS DOUBLE) AS i, CAST(1e300 AS DOUBLE) AS e", None),
    ("SELECT CAST(12.30 AS DECIMAL(10, 2)) AS d, CAST(-0.01 AS DECIMAL(4, 2)) AS s", None),
    ("SELECT CAST('12345678901234567890123456789012345678' AS DECIMAL(38, 0)) AS wide", None),
    ("SELECT CAST(NULL AS DECIMAL(38, 18)) AS n, CAST('0.000000000000000001' AS DECIMAL(38, 18)) AS small", None),
    ("SELECT 'text' AS t, '' AS empty, CAST(NULL AS STRING) AS n, 'Grüße, 世界 🙂' AS wide", None),
    ("SELECT 'it''s \"quoted\" \\\\ and\ttabbed' AS t", None),
    ("SELECT X'00FF10' AS b, X'' AS empty, CAST(NULL AS BINARY) AS n", None),
    ("SELECT DATE '2024-02-29' AS d, DATE '0001-01-01' AS first, DATE '9999-12-31' AS last", None),
    ("SELECT TIMESTAMP '2024-02-29 23:59:59.999999' AS t, CAST(NULL AS TIMESTAMP) AS n", None),
    ("SELECT TIMESTAMP '1969-12-31 23:59:59.5' AS before, TIMESTAMP '0001-01-01 00:00:00' AS first", None),
    ("SELECT CAST('2024-02-29 12:00:00.000001' AS TIMESTAMP_NTZ) AS t, CAST(NULL AS TIMESTAMP_NTZ) AS n", None),
    ("SELECT INTERVAL '100' YEAR AS y, INTERVAL '-14' MONTH AS m, INTERVAL '1-2' YEAR TO MONTH AS ym", None),
    ("SELECT INTERVAL '3' DAY AS d, INTERVAL '3 4:30:20.123' DAY TO SECOND AS ds", None),
    ("SELECT INTERVAL '-1' HOUR AS h, INTERVAL '5.43' SECOND AS s", None),
    ("SELECT array(1, 2, NULL) AS a, array() AS empty, CAST(NULL AS ARRAY<INT>) AS n", None),
    ("SELECT array(array('a'), array(), NULL) AS nested", None),
    ("SELECT map('a', 1, 'b', NULL) AS m, CAST(NULL AS MAP<STRING, INT>) AS n", None),
    ("SELECT map(1, array(1.5, 2.25)) AS m", None),
    ("SELECT named_struct('a', 1, 'b', 'x', 'c', CAST(NULL AS DOUBLE)) AS s", None),
    (f"SELECT {NESTED} AS deep", None),
    ("SELECT array(DATE '2024-02-29') AS d, array(TIMESTAMP '2024-02-29 01:02:03') AS t, array(X'00FF') AS b", None),
    ("SELECT array(CAST(1.10 AS DECIMAL(10, 2)), CAST(-2 AS DECIMAL(10, 2))) AS d, array(true, NULL) AS b", None),
    ("SELECT NULL", None),
    ('SELECT parse_json(\'{"b": [1, 2.50], "a": null}\') AS v', None),
    # Names, no rows, many rows.
    ("SELECT 1 AS a, 'x' AS a, 2 AS `a b`, 3 AS `Ünï`", None),
    ("SELECT 1 + 1, upper('x')", None),
    ("SELECT 1 AS a, TIMESTAMP '2024-01-01 00:00:00' AS t WHERE 1 = 0", None),
    ("SELECT CAST(1 AS DECIMAL(18, 2)) AS d, array(1) AS l, INTERVAL '1' DAY AS i LIMIT 0", None),
    ("SELECT id FROM range(0)", None),
    ("SELECT id, id % 7 AS seventh, 'row ' || id AS text FROM range(10000) ORDER BY id", None),
    (TOO_LARGE_FOR_TEXT, None),
    ("VALUES (1, 'a'), (2, NULL)", None),
    # Parameters.
    ("SELECT ? AS a, ? AS b, ? AS c", (1, "x", None)),
    ("SELECT ? + 1 AS a, ? AS b", (41, 2.5)),
    ("SELECT ? AS bytes", (b"\x00\xff",)),
    ("SELECT 'a?b' AS t, ? AS p -- what?", ("é",)),
    ("SELECT :b AS b, :a AS a, :a + 1 AS more, 'v:a' AS t", {"a": 1, "b": "x"}),
    ("SELECT :bytes AS b, :n AS n", {"n": None, "bytes": b"\x00\xff"}),
    # Definitions, changes and what they answer.
    (f"CREATE SCHEMA IF NOT EXISTS {SCHEMA}", None),
    (f"DROP TABLE IF EXISTS {SCHEMA}.t", None),
    (f"CREATE TABLE {SCHEMA}.t (id INT NOT NULL, name VARCHAR(20), amount DECIMAL(10, 2), moment TIMESTAMP)", None),
    (f"INSERT INTO {SCHEMA}.t VALUES (1, 'one', 1.10, TIMESTAMP '2024-01-01 00:00:00'), (2, NULL, NULL, NULL)", None),
    (f"INSERT INTO {SCHEMA}.t SELECT id, 'n' || id, id, NULL FROM range(3, 10)", None),
    (f"INSERT INTO {SCHEMA}.t (id, name) VALUES (?, ?)", (100, "bound")),
    (f"SELECT * FROM {SCHEMA}.t ORDER BY id", None),
    (f"SELECT * FROM {SCHEMA}.t WHERE id < 0", None),
    (f"SELECT count(*), sum(amount), max(moment) FROM {SCHEMA}.t", None),
    (f"UPDATE {SCHEMA}.t SET name = 'changed' WHERE id > 5", None),
    (f"UPDATE {SCHEMA}.t SET name = 'changed' WHERE id < 0", None),
    (f"DELETE FROM {SCHEMA}.t WHERE id = 1", None),
    (f"SELECT name, count(*) AS n FROM {SCHEMA}.t GROUP BY name ORDER BY name NULLS FIRST", None),
    (f"ALTER TABLE {SCHEMA}.t ADD COLUMN extra ARRAY<STRING>", None),
    (f"CREATE OR REPLACE VIEW {SCHEMA}.v AS SELECT id, name FROM {SCHEMA}.t", None),
    (f"SELECT * FROM {SCHEMA}.v WHERE id = 100", None),
    (f"SHOW TABLES IN {SCHEMA}", None),
    (f"DESCRIBE TABLE {SCHEMA}.t", None),
    ("SHOW SCHEMAS IN main LIKE 'two_proto*'", None),
    ("SHOW CATALOGS", None),
    ("USE CATALOG main", None),
    ("USE SCHEMA two_protocols", None),
    ("SELECT current_catalog(), current_schema()", None),
    ("SELECT id FROM t WHERE id = 100", None),
    ("SET TIME ZONE 'America/Los_Angeles'", None),
    ("SELECT TIMESTAMP '2021-01-01 10:00:00' AS t, TIMESTAMP '2021-06-15 12:34:56.789' AS summer", None),
    ("SELECT max(moment) AS m, array(TIMESTAMP '2021-06-15 00:00:00') AS l FROM t", None),
    ("SELECT current_timestamp() > TIMESTAMP '2020-01-01 00:00:00' AS later WHERE 1 = 0", None),
    # Errors.
    ("SELEC 1", None),
    ("SELECT * FROM main.two_protocols.no_such_table", None),
    ("SELECT * FROM main.no_such_schema.t", None),
    ("SELECT * FROM no_such_catalog.s.t", None),
    ("SELECT no_such_column FROM t", None),
    ("SELECT no_such_function(1)", None),
    ("SELECT CAST('x' AS INT)", None),
    ("SELECT 1 / 0", None),
    ("CREATE TABLE t (id INT)", None),
    ("INSERT INTO t (id) VALUES ('x')", None),
    ("SELECT ? + 1", ()),
    ("SELECT 1 FROM", None),
    (f"DROP SCHEMA {SCHEMA}", None),
    (f"DROP SCHEMA {SCHEMA} CASCADE", None),
]

WAYS = {
    "thrift": {"databricks.protocol": "thrift"},
    "sea": {"databricks.protocol": "sea"},
    "links": {"databricks.protocol": "sea"},
    "text": {"databricks.protocol": "sea", "databricks.cloudfetch.enabled": "false"},
}


def digest(table):
    """The rows' texts, or of many a checksum; NaN equals itself so."""
    rows = [str(column.to_pylist()) for column in table]
    if table.num_rows <= 100:
        return rows
    return table.num_rows, hashlib.sha256("".join(rows).encode()).hexdigest()


def fields_of(schema):
    return [(field.name, str(field.type), field.nullable, field.metadata) for field in schema]


def without_statement(message):
    return re.sub(r" \(statement [0-9a-f-]{36}\)", "", message)


def outcome(connection, sql, parameters):
    with connection.cursor() as cursor:
        try:
            cursor.execute(sql, parameters)
            table = cursor.fetch_arrow_table()
        except Error as error:
            return {"error": (type(error).__name__, error.status_code, error.sqlstate, without_statement(str(error)))}
        changed = cursor.rowcount if sql.split()[0] in ("INSERT", "UPDATE", "DELETE") else None
        return {"fields": fields_of(table.schema), "rows": digest(table), "changed": changed}


def run(driver_path, uri, options):
    with open_connection(driver_path, uri, options) as connection:
        return [outcome(connection, sql, parameters) for sql, parameters in SCRIPT]


@pytest.fixture(scope="module")
def outcomes(driver_path, tmp_path_factory):
    """Of each way, the outcome of each statement."""
    result = {}
    for way, options in WAYS.items():
        arguments = ["--inline-limit", "1"] if way == "links" else []
        warehouse = start_warehouse("--data", tmp_path_factory.mktemp(way), *arguments)
        try:
            result[way] = run(driver_path, warehouse.uri, options)
        finally:
            warehouse.stop()
    return result


def without_nullability(found):
    fields = [
        (name, kind.replace(" not null", ""), (metadata or {}).get(b"Spark:DataType:SqlName"))
        for name, kind, _, metadata in found["fields"]
    ]
    return {**found, "fields": fields}


def tells_no_nullability(found, way):
    if "fields" not in found:
        return False
    return way == "text" or not any(rows != "[]" for rows in found["rows"])


def label(index):
    words = re.sub(r"[^A-Za-z0-9]+", "-", SCRIPT[index][0])[:40].strip("-")
    return f"{index:02}-{words}"


@pytest.mark.parametrize("way", ["sea", "links", "text"])
@pytest.mark.parametrize("index", range(len(SCRIPT)), ids=label)
def test_both_protocols_have_the_same_outcome(outcomes, index, way):
    found, expected = outcomes[way][index], outcomes["thrift"][index]
    if way == "text" and SCRIPT[index][0] == TOO_LARGE_FOR_TEXT:
        assert found["error"][2] == "54000"  # the service's own limit
        return
    if tells_no_nullability(found, way) and "fields" in expected:
        found, expected = without_nullability(found), without_nullability(expected)
    assert found == expected, SCRIPT[index][0]


def test_the_script_is_worth_its_name(outcomes):
    assert len(SCRIPT) >= 60
    errors = sum("error" in found for found in outcomes["thrift"])
    assert errors == 13, [SCRIPT[i][0] for i, found in enumerate(outcomes["thrift"]) if "error" in found]


def test_both_connections_say_the_same_of_themselves(driver_path, warehouse):
    said = {}
    for way in ("thrift", "sea"):
        with open_connection(driver_path, warehouse.uri, WAYS[way]) as connection:
            names = connection.adbc_current_catalog, connection.adbc_current_db_schema
            said[way] = connection.adbc_get_info(), connection.adbc_get_table_types(), names
    assert said["sea"] == said["thrift"]


def test_a_large_result_is_the_same_to_the_last_row(driver_path, warehouse):
    """TPC-DS catalog_sales: 1.44 million rows of 34 columns, as links by both."""
    tables = {}
    for way in ("thrift", "sea"):
        with open_connection(driver_path, warehouse.uri, WAYS[way]) as connection, connection.cursor() as cursor:
            cursor.execute("SELECT * FROM main.tpcds_sf1_delta.catalog_sales")
            tables[way] = cursor.fetch_arrow_table()
    assert tables["sea"].num_rows == 1_441_548
    assert fields_of(tables["sea"].schema) == fields_of(tables["thrift"].schema)
    assert tables["sea"].combine_chunks().equals(tables["thrift"].combine_chunks())
