# SPDX-License-Identifier: Apache-2.0
"""The command line as a person or a script uses it."""

import json
import os
import signal
import subprocess
import time

import pyarrow.csv
import pyarrow.ipc
import pyarrow.parquet
import pytest
from conftest import BUILD

SQL = "SELECT id, CAST(id AS STRING) AS text, CAST(id AS DECIMAL(10, 2)) AS amount FROM range(100000)"


def cloudfetch(*arguments, environment=None, **keywords):
    return subprocess.run(
        [BUILD / "cloudfetch", *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env={**os.environ, **(environment or {})},
        **keywords,
    )


def read_back(path):
    match path.suffix:
        case ".parquet":
            return pyarrow.parquet.read_table(path)
        case ".arrow":
            return pyarrow.ipc.open_file(path).read_all()
        case ".arrows":
            return pyarrow.ipc.open_stream(path).read_all()
        case ".csv":
            return pyarrow.csv.read_csv(path)
        case ".jsonl":
            return pyarrow.Table.from_pylist([json.loads(line) for line in path.read_text().splitlines()])
    raise AssertionError(path)


@pytest.mark.parametrize("ending", ["parquet", "arrow", "arrows", "csv", "jsonl"])
def test_query_writes_a_file(warehouse, tmp_path, ending):
    path = tmp_path / f"out.{ending}"
    finished = cloudfetch("query", SQL, "--uri", warehouse.uri, "--output", path)
    assert finished.returncode == 0, finished.stderr
    assert os.listdir(tmp_path) == [path.name]
    table = read_back(path)
    assert table.num_rows == 100_000
    assert table.column_names == ["id", "text", "amount"]
    assert table["id"][99_999].as_py() == 99_999


def test_pipe_gets_data_alone(warehouse):
    finished = cloudfetch("query", "SELECT 1 AS a, 'x,y' AS b", "--uri", warehouse.uri)
    assert finished.returncode == 0, finished.stderr
    assert finished.stdout == 'a,b\n1,"x,y"\n'


def test_table_limit_and_parameters(warehouse):
    sql = "SELECT ? AS a, id FROM range(100)"
    arguments = ["--param", "höher", "--limit", "2", "--format", "table"]
    finished = cloudfetch("query", sql, *arguments, "--uri", warehouse.uri)
    assert finished.returncode == 0, finished.stderr
    lines = finished.stdout.splitlines()
    assert lines[0].split() == ["a", "│", "id"]
    assert [line.split() for line in lines[2:]] == [["höher", "│", "0"], ["höher", "│", "1"]]


def test_environment_gives_the_connection(warehouse):
    environment = {
        "DATABRICKS_HOST": f"http://127.0.0.1:{warehouse.port}",
        "DATABRICKS_HTTP_PATH": "/sql/1.0/warehouses/local",
        "DATABRICKS_TOKEN": "dapi-of-the-tests",
    }
    assert cloudfetch("query", "SELECT 5 AS five", environment=environment).stdout == "five\n5\n"


def test_statistics(warehouse, tmp_path):
    finished = cloudfetch("query", SQL, "--uri", warehouse.uri, "--output", tmp_path / "o.arrow", "--stats")
    assert "100,000 rows in" in finished.stderr
    assert "peak memory" in finished.stderr


def test_failures_have_their_exit_status_and_leave_no_file(warehouse, tmp_path):
    failed = cloudfetch("query", "SELECT no_such_column", "--uri", warehouse.uri, "--output", tmp_path / "o.parquet")
    assert failed.returncode == 1
    assert "no_such_column" in failed.stderr
    assert os.listdir(tmp_path) == []
    assert cloudfetch("query", SQL, "--uri", warehouse.uri, "--output", tmp_path / "o.xyz").returncode == 2
    assert cloudfetch("query").returncode == 2
    refused = cloudfetch("query", "SELECT 1", "--uri", warehouse.uri.replace("dapi-of-the-tests", "wrong-token"))
    assert refused.returncode == 1
    assert "wrong-token" not in refused.stderr + refused.stdout


def test_interrupt_cancels_and_leaves_no_half_file(warehouse, tmp_path):
    warehouse.set_faults([{"match": {"point": "storage"}, "action": {"bytes_per_second": 1000}}])
    gets = warehouse.stats()["storage"]["gets"]
    process = subprocess.Popen(
        [BUILD / "cloudfetch", "query", "SELECT * FROM main.tpcds_sf1_delta.web_sales", "--uri", warehouse.uri,
         "--output", tmp_path / "o.parquet"],
        stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    deadline = time.monotonic() + 60
    while warehouse.stats()["storage"]["gets"] == gets:
        assert time.monotonic() < deadline
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=30)
    assert process.returncode == 130, errors
    assert os.listdir(tmp_path) == []


def test_validate_compares_with_the_server_and_with_what_was_saved(warehouse, tmp_path):
    queries = tmp_path / "queries.json"
    saved = tmp_path / "saved.json"
    queries.write_text(json.dumps([{"name": "numbers", "sql": SQL}]))
    base = ["validate", "--uri", warehouse.uri, "--queries", queries]
    good = cloudfetch(*base, "--expect", "numbers=100000", "--save", saved)
    assert good.returncode == 0, good.stderr
    assert "100,000" in good.stdout and "ok" in good.stdout
    assert cloudfetch(*base, "--compare", saved).returncode == 0
    assert cloudfetch(*base, "--expect", "numbers=100001").returncode == 3
    queries.write_text(json.dumps([{"name": "numbers", "sql": SQL.replace("range(100000)", "range(1, 100001)")}]))
    differing = cloudfetch(*base, "--compare", saved)
    assert differing.returncode == 3
    assert "column id differs" in differing.stdout
