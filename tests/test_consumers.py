# SPDX-License-Identifier: Apache-2.0
"""What applications do with the driver: the nine queries by Python, and one table by each kind of consumer."""

import os
import pathlib
import subprocess

import duckdb
import pandas
import polars
import pyarrow
import pyarrow.compute
import pytest
from adbc_driver_manager import dbapi
from conftest import BUILD, DATA

CATALOG_SALES = "SELECT * FROM main.tpcds_sf1_delta.catalog_sales"
ROWS = 1_441_548
QUERIES = [
    "catalog_sales",
    "customer",
    "inventory",
    "sales_with_timestamps",
    "store_sales_numeric",
    "web_sales",
    "wide_sales_analysis",
]


@pytest.fixture(scope="module")
def sums():
    """Per column of catalog_sales: values that are not null, and their sum, as DuckDB says on the file itself."""
    with duckdb.connect() as database:
        database.execute(f"ATTACH '{DATA}/tpcds_sf1.duckdb' AS t (READ_ONLY)")
        names = [row[0] for row in database.execute("DESCRIBE t.catalog_sales").fetchall()]
        parts = ", ".join(f"count({name}), sum({name})::DECIMAL(38, 2)" for name in names)
        values = database.execute(f"SELECT {parts} FROM t.catalog_sales").fetchone()
    return {name: (values[2 * i], values[2 * i + 1]) for i, name in enumerate(names)}


def sums_of(table):
    result = {}
    for name in table.column_names:
        column = table[name]
        if pyarrow.types.is_integer(column.type):
            column = column.cast(pyarrow.int64())
        total = pyarrow.compute.sum(column.cast(pyarrow.decimal128(38, 2))).as_py()
        result[name] = (len(column) - column.null_count, total)
    return result


@pytest.mark.parametrize("name", QUERIES)
def test_query_delivers_what_the_server_counts(connect, queries, name):
    sql = queries[name]["sql"]
    with connect() as connection, connection.cursor() as cursor:
        cursor.execute(f"SELECT count(*) FROM ({sql})")
        counted = cursor.fetchone()[0]
        cursor.execute(sql)
        rows = sum(batch.num_rows for batch in cursor.fetch_record_batch())
    assert rows == counted > 0


def test_rows_come_in_the_order_of_the_result(connect):
    sql = "SELECT id FROM range(3000000)"
    with connect() as connection, connection.cursor() as cursor:
        cursor.execute(sql)
        expected = 0
        for batch in cursor.fetch_record_batch():
            ids = batch.column(0)
            assert ids[0].as_py() == expected
            assert ids[-1].as_py() == expected + batch.num_rows - 1
            expected += batch.num_rows
    assert expected == 3_000_000


def test_arrow_table_has_the_values_of_the_warehouse(connect, sums):
    with connect() as connection, connection.cursor() as cursor:
        cursor.execute(CATALOG_SALES)
        table = cursor.fetch_arrow_table()
    table.validate(full=True)
    assert table.num_rows == ROWS and table.num_columns == 34
    assert sums_of(table) == sums


def test_polars(connect, sums):
    frame = polars.read_database(CATALOG_SALES, connect())
    assert frame.shape == (ROWS, 34)
    assert sums_of(frame.to_arrow()) == sums


def test_pandas(connect, sums):
    frame = pandas.read_sql(CATALOG_SALES, connect(), dtype_backend="pyarrow")
    assert frame.shape == (ROWS, 34)
    assert sums_of(pyarrow.Table.from_pandas(frame, preserve_index=False)) == sums


def test_duckdb_reads_the_arrow_stream(connect, sums):
    with connect() as connection, connection.cursor() as cursor, duckdb.connect() as database:
        cursor.execute(CATALOG_SALES)
        reader = cursor.fetch_record_batch()  # noqa: F841  (DuckDB finds it by its name)
        parts = ", ".join(f"count({name}), sum({name})::DECIMAL(38, 2)" for name in sums)
        values = database.execute(f"SELECT {parts} FROM reader").fetchone()
    assert {name: (values[2 * i], values[2 * i + 1]) for i, name in enumerate(sums)} == sums


def test_program_with_the_driver_manager(driver_path, warehouse):
    finished = subprocess.run(
        [BUILD / "tests" / "driver_manager_example", driver_path, warehouse.uri, CATALOG_SALES],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert finished.returncode == 0, finished.stderr
    assert finished.stdout.split() == [str(ROWS), "rows,", "34", "columns"]


def test_manifest_gives_the_driver_its_name(driver_path, warehouse, tmp_path, monkeypatch):
    manifest = tmp_path / "databricks.toml"
    manifest.write_text((pathlib.Path(BUILD) / "databricks.toml").read_text(encoding="utf-8"), encoding="utf-8")
    monkeypatch.setenv("ADBC_DRIVER_PATH", os.fspath(tmp_path))
    with (
        dbapi.connect(driver="databricks", db_kwargs={"uri": warehouse.uri}, autocommit=True) as connection,
        connection.cursor() as cursor,
    ):
        cursor.execute("SELECT 1")
        assert cursor.fetchone() == (1,)


def test_uri_alone_finds_the_driver(warehouse, monkeypatch):
    monkeypatch.setenv("ADBC_DRIVER_PATH", os.fspath(BUILD))
    uri = "databricks:" + warehouse.uri
    with dbapi.connect(uri, autocommit=True) as connection, connection.cursor() as cursor:
        cursor.execute("SELECT 'found'")
        assert cursor.fetchone() == ("found",)


def test_statement_can_do_without_links(connect, warehouse):
    sql = "SELECT id, concat('text ', CAST(id AS STRING)) AS text FROM range(400000)"
    with connect() as connection, connection.cursor() as cursor:
        before = warehouse.stats()["storage"]["gets"]
        cursor.adbc_statement.set_options(**{"databricks.cloudfetch.enabled": "false"})
        cursor.execute(sql)
        assert cursor.fetch_arrow_table().num_rows == 400_000
        assert warehouse.stats()["storage"]["gets"] == before
        cursor.adbc_statement.set_options(**{"databricks.cloudfetch.enabled": "true"})
        cursor.execute(sql)
        assert cursor.fetch_arrow_table().num_rows == 400_000
        assert warehouse.stats()["storage"]["gets"] > before
