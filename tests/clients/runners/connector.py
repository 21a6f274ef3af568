# SPDX-License-Identifier: Apache-2.0
"""Databricks' connector for Python, over one of its three backends."""

import contextlib

import pyarrow
from databricks import sql
from reporting import (
    NotOffered,
    arrow_rows,
    at_once,
    cancelled,
    configuration,
    error_of,
    perform,
    rows_of,
    sums,
)

CONFIG = configuration()
SQL = CONFIG["sql"]


# The SEA backend hands out the answers of SHOW as they are.
SHOWN_AS = {
    "TABLE_CAT": "catalog",
    "TABLE_SCHEM": "databaseName",
    "TABLE_NAME": "tableName",
    "COLUMN_NAME": "col_name",
}


def connect():
    backend, base = CONFIG["backend"], CONFIG["base"]
    common = {"http_path": CONFIG["path"], "access_token": CONFIG["token"], "enable_telemetry": False}
    if CONFIG.get("ca"):
        common["_tls_trusted_ca_file"] = CONFIG["ca"]
    if backend == "kernel":
        return sql.connect(server_hostname=base, use_kernel=True, **common)
    if backend == "sea":
        host, port = base.rsplit(":", 1)
        hybrid = CONFIG.get("hybrid", False)
        return sql.connect(server_hostname=host, _port=int(port), use_sea=True, use_hybrid_disposition=hybrid, **common)
    return sql.connect(server_hostname=base, _connection_uri=base + CONFIG["path"], **common)


def query(text, parameters=None):
    with connect() as connection, connection.cursor() as cursor:
        cursor.execute(text, parameters)
        return rows_of(cursor.fetchall())


def types():
    with connect() as connection, connection.cursor() as cursor:
        cursor.execute(SQL["create_types"])
        cursor.execute(SQL["fill_types"])
        cursor.execute(SQL["types"])
        rows = arrow_rows(cursor.fetchall_arrow())
        cursor.execute(SQL["drop_types"])
        return rows


def ddl():
    with connect() as connection, connection.cursor() as cursor:
        cursor.execute(SQL["create"])
        cursor.execute(SQL["count"])
        count = cursor.fetchone()[0]
        cursor.execute(SQL["drop"])
        return [count, error_of(lambda: cursor.execute(SQL["count"]))]


def dml():
    counts = []
    with connect() as connection, connection.cursor() as cursor:
        cursor.execute(SQL["create"])
        for name in ("insert", "update", "delete"):
            cursor.execute(SQL[name])
            counts.append(cursor.fetchone()[0])
        cursor.execute(SQL["rows"])
        rows = rows_of(cursor.fetchall())
        cursor.execute(SQL["drop"])
        return [counts, rows]


def listing(ask, column):
    with connect() as connection, connection.cursor() as cursor:
        ask(cursor)
        names = [field[0] for field in cursor.description]
        at = names.index(column if column in names else SHOWN_AS[column])
        return [row[at] for row in cursor.fetchall()]


def large():
    with connect() as connection, connection.cursor() as cursor:
        cursor.execute(SQL["large"])
        return sums(cursor.fetchall_arrow(), CONFIG["large_columns"])


def cancel():
    with connect() as connection, connection.cursor() as cursor:

        def run():
            cursor.execute(SQL["endless"])
            return cursor.fetchall()

        return cancelled(run, cursor.cancel)


def two():
    with connect() as connection:

        def one(name):
            with connection.cursor() as cursor:
                cursor.execute(SQL[name])
                return rows_of(cursor.fetchall())

        return at_once([lambda: one("one"), lambda: one("two")])


def lost():
    connection = connect()
    with connection.cursor() as cursor:
        failure = error_of(lambda: cursor.execute(SQL["lost"]))
    with contextlib.suppress(sql.Error):  # its session is gone: it may say so
        connection.close()
    return [failure, query(SQL["one"])]


def intervals():
    try:
        return query(SQL["intervals"])
    except pyarrow.ArrowNotImplementedError as failure:
        raise NotOffered("its rows pass through pandas, which has no interval of months") from failure


SCHEMA = {"catalog_name": "main", "schema_name": "tpcds_sf1_delta"}

perform(
    {
        "connect": lambda: connect().close(),
        "select_one": lambda: query(SQL["one"]),
        "types": types,
        "intervals": intervals,
        "named": lambda: query(SQL["named"], {"a": 7, "b": "it's"}),
        "positional": lambda: query(SQL["positional"], [7, "it's"]),
        "null": lambda: query(SQL["null"], {"a": None}),
        "ddl": ddl,
        "dml": dml,
        "catalogs": lambda: listing(lambda cursor: cursor.catalogs(), "TABLE_CAT"),
        "schemas": lambda: listing(lambda cursor: cursor.schemas(catalog_name="main"), "TABLE_SCHEM"),
        "tables": lambda: listing(lambda cursor: cursor.tables(**SCHEMA), "TABLE_NAME"),
        "columns": lambda: listing(lambda cursor: cursor.columns(**SCHEMA, table_name="customer"), "COLUMN_NAME"),
        "large": large,
        "error": lambda: error_of(lambda: query(SQL["error"])),
        "cancel": cancel,
        "two": two,
        "lost": lost,
    }
)
