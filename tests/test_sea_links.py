# SPDX-License-Identifier: Apache-2.0
"""Results of the Statement Execution API, every row, once, in order: few links to a reply, a slow workspace, links that
expire, attachments in pieces.

CLOUDFETCH_RUNS sets how many runs each number of links gets (6 unless given).
"""

import os

import adbc_driver_manager
import pyarrow
import pytest
from conftest import open_connection, start_warehouse

RUNS = int(os.environ.get("CLOUDFETCH_RUNS", "6"))
NUM_ROWS = 200_000
SQL = f"SELECT id, id * 7 AS b, concat('row ', CAST(id AS STRING)) AS c FROM range({NUM_ROWS})"
OPTIONS = {
    "databricks.protocol": "sea",
    "databricks.retry.min_wait_ms": "5",
    "databricks.cloudfetch.stall_timeout": "1",
}


def storage(action, **match):
    return {"match": {"point": "storage", **match}, "action": action}


SLOW_WORKSPACE = {"match": {"point": "sea"}, "action": {"delay_ms": 20}}


@pytest.fixture(scope="module", params=[1, 2, 4])
def paged(request, tmp_path_factory):
    """A warehouse that answers with this many links at a time, with files small enough that a result has many."""
    warehouse = start_warehouse(
        "--data", tmp_path_factory.mktemp("data"), "--chunk-bytes", "500000", "--inline-limit", "50000",
        "--links-per-page", request.param, "--links-per-chunk", request.param, "--result-cache",
    )  # fmt: skip
    yield warehouse
    warehouse.stop()


@pytest.fixture
def opened(paged, driver_path):
    paged.clear_faults()
    with open_connection(driver_path, paged.uri, OPTIONS) as connection:
        yield connection
        paged.clear_faults()


def read(connection):
    with connection.cursor() as cursor:
        cursor.execute(SQL)
        return cursor.fetch_arrow_table()


def assert_whole(table):
    ids = table["id"].combine_chunks()
    assert ids.equals(pyarrow.array(range(NUM_ROWS), ids.type))
    assert table["c"][NUM_ROWS - 1].as_py() == f"row {NUM_ROWS - 1}"


def test_a_slow_workspace_loses_no_row(opened, paged):
    paged.set_faults([SLOW_WORKSPACE])
    assert_whole(read(opened))


def test_every_link_expires_once(opened, paged):
    for seed in range(RUNS):
        paged.set_faults([SLOW_WORKSPACE, storage({"expire_link": True}, attempt=1)], seed=seed)
        assert_whole(read(opened))


def test_random_faults_lose_no_row(opened, paged):
    rules = [
        SLOW_WORKSPACE,
        storage({"expire_link": True}, attempt=1, probability=0.2),
        storage({"reset_after": {"random": [0, 200_000]}}, attempt=1, probability=0.1),
        storage({"status": 500}, attempt=1, probability=0.1),
        {"match": {"point": "sea"}, "action": {"status": 503, "headers": {"Retry-After": "0"}}},
    ]
    rules[-1]["match"]["probability"] = 0.05
    for seed in range(RUNS):
        paged.set_faults(rules, seed=seed)
        assert_whole(read(opened))


def test_a_refused_file_is_named_after_the_rows_before_it(opened, paged):
    paged.set_faults([storage({"status": 404}, chunk=3)])
    with opened.cursor() as cursor:
        cursor.execute(SQL)
        reader = cursor.fetch_record_batch()
        rows = 0
        with pytest.raises(Exception, match="chunk 3") as failure:
            for batch in reader:
                rows += batch.num_rows
    assert isinstance(failure.value, (adbc_driver_manager.Error, OSError))
    assert 0 < rows < NUM_ROWS


@pytest.mark.parametrize("oddity", ["ignore_lz4", "cut_attachment", "raw_byte_count"])
@pytest.mark.parametrize("num_rows", [9, 5_000])
def test_unusual_results(opened, paged, oddity, num_rows):
    paged.set_faults([{"match": {"point": "result"}, "action": {"more": {oddity: "1"}}}])
    sql = f"SELECT id, concat('row ', CAST(id AS STRING)) AS c FROM range({num_rows}) /* {oddity} */"
    with opened.cursor() as cursor:
        cursor.execute(sql)
        assert cursor.fetch_arrow_table()["id"].to_pylist() == list(range(num_rows))
