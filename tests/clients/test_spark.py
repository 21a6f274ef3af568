# SPDX-License-Identifier: Apache-2.0
"""Our own driver at a server that we did not write: the Thrift server of Apache Spark, which knows nothing of
Databricks' additions: no direct results, no Arrow, no links, and it never says that there are more rows."""

import json
import os
import re
import subprocess
import threading

import adbc_driver_manager
import pyarrow
import pyarrow.compute
import pytest
from adbc_driver_manager import dbapi

from . import judging, trial, work
from .hive_proxy import HiveProxy

HOME = trial.CLIENTS / "spark"
FOLDER = trial.REPORTS / "spark-home"
TITLE = "our driver, Thrift, at Apache Spark 4.3.0 in place of the warehouse"
NUM_ROWS = 250_000  # several pages
PATIENCE_S = 300


@pytest.fixture(scope="module")
def spark():
    """The port of a running Spark."""
    assert HOME.exists(), f"{HOME} is missing: run tools/setup_clients spark"
    FOLDER.mkdir(parents=True, exist_ok=True)
    package = next((HOME / "lib").glob("python3*/site-packages/pyspark"))
    hive = {
        "transport.mode": "http",
        "thrift.http.port": "0",
        "thrift.http.path": "cliservice",
        "thrift.bind.host": "127.0.0.1",
        "authentication": "NONE",
    }
    command = [package / "bin/spark-submit", "--master", "local[2]", "--driver-memory", "2g"]
    command += ["--class", "org.apache.spark.sql.hive.thriftserver.HiveThriftServer2"]
    command += ["--conf", "spark.ui.enabled=false", "--conf", "spark.sql.catalogImplementation=hive"]
    command += ["--conf", f"spark.sql.warehouse.dir={FOLDER}/tables", "--conf", "spark.driver.bindAddress=127.0.0.1"]
    for name, value in hive.items():
        command += ["--hiveconf", f"hive.server2.{name}={value}"]
    process = subprocess.Popen(
        [*map(str, command), "spark-internal"],
        cwd=FOLDER,
        env={**os.environ, "SPARK_HOME": str(package), "SPARK_LOCAL_IP": "127.0.0.1"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
    )
    late = threading.Timer(PATIENCE_S, process.kill)
    late.start()
    port = None
    for line in process.stderr:
        if found := re.search(r"in http mode on port (\d+)", line):
            port = int(found.group(1))
            break
    late.cancel()
    rest = threading.Thread(target=process.stderr.read, daemon=True)  # else its log would fill the pipe
    rest.start()
    assert port, f"Spark was not ready within {PATIENCE_S} s"
    yield port
    process.terminate()
    process.wait(60)


@pytest.fixture(scope="module")
def connect(spark, driver_path):
    proxy = HiveProxy(spark, "/cliservice")
    uri = f"http://token:any@127.0.0.1:{proxy.port}/sql/1.0/warehouses/spark"

    def open_connection():
        return dbapi.connect(
            driver=driver_path,
            entrypoint="AdbcDriverDatabricksInit",
            db_kwargs={"uri": uri, "databricks.protocol": "thrift"},
            autocommit=True,
        )

    yield open_connection
    proxy.close()


def query(connection, sql, parameters=None):
    with connection.cursor() as cursor:
        cursor.execute(sql, parameters)
        return cursor.fetch_arrow_table()


def error_of(action):
    with pytest.raises(adbc_driver_manager.Error) as caught:
        action()
    return {"text": str(caught.value), "sqlstate": caught.value.sqlstate}


def one(connection):
    assert query(connection, "SELECT 1 AS one").to_pylist() == [{"one": 1}]


def types(connection):
    columns = {**work.TYPE_COLUMNS}
    literals = ", ".join(f"{literal} AS {name}" for name, literal in zip(columns, work._TYPE_LITERALS, strict=True))
    nulls = ", ".join(f"CAST(NULL AS {kind})" for kind in columns.values())
    table = query(connection, f"SELECT {literals} UNION ALL SELECT {nulls} ORDER BY b DESC")
    rows = [[_text(cell) for cell in row.values()] for row in table.to_pylist()]
    assert not judging.judge("types", rows, {})


def _text(cell):
    if isinstance(cell, bytes):
        return cell.hex().upper()
    if isinstance(cell, list | dict) or cell is None:
        return cell
    if hasattr(cell, "tzinfo"):
        cell = cell.replace(tzinfo=None)
    return format(cell, "f") if type(cell).__name__ == "Decimal" else str(cell).lower() if cell is True else str(cell)


def ddl(connection):
    query(connection, "CREATE TABLE default.spark_ddl (id INT, name STRING) USING parquet")
    assert query(connection, "SELECT count(*) AS n FROM default.spark_ddl").to_pylist() == [{"n": 0}]
    query(connection, "INSERT INTO default.spark_ddl VALUES (1, 'one'), (2, 'two'), (3, NULL)")
    found = query(connection, "SELECT id, name FROM default.spark_ddl ORDER BY id")
    assert found.to_pydict() == {"id": [1, 2, 3], "name": ["one", "two", None]}
    query(connection, "DROP TABLE default.spark_ddl")
    failure = error_of(lambda: query(connection, "SELECT count(*) AS n FROM default.spark_ddl"))
    assert "TABLE_OR_VIEW_NOT_FOUND" in failure["text"]


def pages(connection):
    table = query(connection, f"SELECT id, CAST(id AS STRING) AS text FROM range({NUM_ROWS})")
    assert table.num_rows == NUM_ROWS
    assert pyarrow.compute.sum(table["id"]).as_py() == NUM_ROWS * (NUM_ROWS - 1) // 2
    assert table["text"][NUM_ROWS - 1].as_py() == str(NUM_ROWS - 1)


def error(connection):
    failure = error_of(lambda: query(connection, "SELECT * FROM default.no_such_table"))
    assert "TABLE_OR_VIEW_NOT_FOUND" in failure["text"] and failure["sqlstate"] == "42P01"


def cancel(connection):
    endless = "SELECT count(*) FROM range(100000) a, range(100000) b, range(100000) c WHERE a.id + b.id = c.id"
    with connection.cursor() as cursor:
        failures = []

        def run():
            try:
                cursor.execute(endless)
                cursor.fetchall()
            except adbc_driver_manager.Error as failure:
                failures.append(failure)

        thread = threading.Thread(target=run)
        thread.start()
        for _ in range(60):
            thread.join(1)
            if not thread.is_alive():
                break
            cursor.adbc_cancel()
        assert failures[0].status_code == adbc_driver_manager.AdbcStatusCode.CANCELLED


def two(connection):
    with connection.cursor() as first, connection.cursor() as second:
        first.execute("SELECT 1 AS one")
        second.execute("SELECT 2 AS two")
        assert second.fetchone() == (2,) and first.fetchone() == (1,)


PARAMETERS = "its server takes no parameters beside a statement"
LISTINGS = "this version of the driver has no GetObjects"
ACTIONS = {
    "connect": lambda connection: None,
    "select_one": one,
    "types": types,
    "intervals": "its server sends intervals as text of its own",
    "named": PARAMETERS,
    "positional": PARAMETERS,
    "null": PARAMETERS,
    "ddl": ddl,
    "dml": "its tables take INSERT, which is part of DDL here, and neither UPDATE nor DELETE",
    "catalogs": LISTINGS,
    "schemas": LISTINGS,
    "tables": LISTINGS,
    "columns": LISTINGS,
    "large": "it has no links: rows come by pages",
    "error": error,
    "cancel": cancel,
    "two": two,
    "lost": "its server has no script of faults",
}


@pytest.fixture(scope="module")
def report():
    actions = {
        name: {"verdict": "not offered", "why": action} if isinstance(action, str) else None
        for name, action in ACTIONS.items()
    }
    yield actions
    for name, outcome in actions.items():
        actions[name] = outcome or {"verdict": "FAILED", "why": "it did not run"}
    text = json.dumps({"name": "spark", "title": TITLE, "actions": actions}, indent=1, ensure_ascii=False)
    (trial.REPORTS / "spark.json").write_text(text + "\n", encoding="utf-8")


def test_many_pages_though_the_server_says_there_are_no_more(connect):
    with connect() as connection:
        pages(connection)


@pytest.mark.parametrize("action", [name for name, action in ACTIONS.items() if callable(action)])
def test_our_driver_at_spark(action, connect, report):
    report[action] = {"verdict": "FAILED", "why": "it did not end"}
    try:
        with connect() as connection:
            ACTIONS[action](connection)
    except BaseException as failure:
        report[action]["why"] = f"{type(failure).__name__}: {failure}"
        raise
    report[action] = {"verdict": "ok", "why": ""}
