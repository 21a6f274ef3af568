# SPDX-License-Identifier: Apache-2.0
"""Databricks' own Python connector, unchanged, against the warehouse: Thrift with CloudFetch."""

import pyarrow.compute
import pytest
from conftest import TOKEN
from databricks import sql

ROWS = 1_441_548


@pytest.fixture
def connection(warehouse):
    base = f"http://127.0.0.1:{warehouse.port}"
    path = "/sql/1.0/warehouses/local"
    with sql.connect(
        server_hostname=base,
        http_path=path,
        access_token=TOKEN,
        _connection_uri=base + path,
        enable_telemetry=False,
    ) as opened:
        yield opened


def test_reads_catalog_sales_by_links(connection, warehouse):
    before = warehouse.stats()
    with connection.cursor() as cursor:
        cursor.execute("SELECT * FROM main.tpcds_sf1_delta.catalog_sales")
        table = cursor.fetchall_arrow()
    assert table.num_rows == ROWS and table.num_columns == 34
    with connection.cursor() as cursor:
        cursor.execute("SELECT sum(cs_order_number), sum(cs_quantity) FROM main.tpcds_sf1_delta.catalog_sales")
        expected = cursor.fetchone()
    for name, total in zip(["cs_order_number", "cs_quantity"], expected, strict=True):
        assert pyarrow.compute.sum(table[name]).as_py() == total
    assert warehouse.stats()["storage"]["gets"] > before["storage"]["gets"]


def test_types_errors_and_listings(connection):
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1 AS a, 'x' AS b, CAST(1.50 AS DECIMAL(5, 2)) AS c, DATE'2021-01-01' AS d, NULL AS e")
        row = cursor.fetchone()
        assert (row.a, row.b, str(row.c), row.d.isoformat(), row.e) == (
            1,
            "x",
            "1.50",
            "2021-01-01",
            None,
        )
        with pytest.raises(sql.exc.DatabaseError, match="PARSE_SYNTAX_ERROR"):
            cursor.execute("SELEC 1")
        cursor.tables(catalog_name="main", schema_name="tpcds_sf1_delta", table_name="catalog%")
        assert {row.TABLE_NAME for row in cursor.fetchall()} == {
            "catalog_page",
            "catalog_returns",
            "catalog_sales",
        }
        cursor.columns(catalog_name="main", schema_name="tpcds_sf1_delta", table_name="customer")
        assert len(cursor.fetchall()) == 18


def test_parameters_and_dml(connection):
    with connection.cursor() as cursor:
        cursor.execute("CREATE OR REPLACE TABLE main.default.connector_dml (a INT, b STRING)")
        cursor.execute("INSERT INTO main.default.connector_dml VALUES (?, ?)", [1, "one"])
        cursor.execute("SELECT b FROM main.default.connector_dml WHERE a = :a", {"a": 1})
        assert cursor.fetchall()[0].b == "one"
        cursor.execute("DROP TABLE main.default.connector_dml")
