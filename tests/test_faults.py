# SPDX-License-Identifier: Apache-2.0
"""What goes wrong between driver and warehouse: every read ends with all rows or with a named error."""

import os
import threading
import time

import adbc_driver_manager
import pyarrow.compute
import pytest
from conftest import open_connection, start_warehouse

NUM_ROWS = 300_000
SQL = f"SELECT id, id * 7 AS b, concat('row ', CAST(id AS STRING)) AS c FROM range({NUM_ROWS})"
THRIFT = {"databricks.protocol": "thrift"}
QUICK = {"databricks.retry.min_wait_ms": "5", "databricks.cloudfetch.stall_timeout": "1"}
# Without checksums nobody can see a flipped bit inside a value (TLS sees it on a real network), so that
# files which are to be corrupted have them.
CHECKED_SQL = f"{SQL} /* with checksums */"
WITH_CHECKSUMS = {"match": {"point": "result"}, "action": {"checksums": True}}
RANDOM_BYTE = {"random": [0, 400_000]}


@pytest.fixture(scope="module")
def faulty(tmp_path_factory):
    """A warehouse of its own with small files, so that a result has many of them."""
    warehouse = start_warehouse(
        "--data", tmp_path_factory.mktemp("data"), "--chunk-bytes", "1000000", "--inline-limit", "1000",
        "--links-per-page", "4", "--result-cache",
    )  # fmt: skip
    yield warehouse
    warehouse.stop()


@pytest.fixture
def opened(faulty, driver_path):
    faulty.clear_faults()
    with open_connection(driver_path, faulty.uri, {**THRIFT, **QUICK}) as connection:
        yield connection
        faulty.clear_faults()


def read(connection, sql=SQL):
    with connection.cursor() as cursor:
        cursor.execute(sql)
        return cursor.fetch_arrow_table()


def assert_whole(table):
    ids = table["id"].combine_chunks()
    assert len(ids) == NUM_ROWS
    assert ids.equals(pyarrow.array(range(NUM_ROWS), ids.type))
    assert pyarrow.compute.sum(table["b"]).as_py() == 7 * NUM_ROWS * (NUM_ROWS - 1) // 2
    assert table["c"][NUM_ROWS - 1].as_py() == f"row {NUM_ROWS - 1}"


def storage(action, **match):
    return {"match": {"point": "storage", **match}, "action": action}


@pytest.mark.parametrize(
    "action",
    [
        {"reset_after": RANDOM_BYTE},
        {"truncate_after": RANDOM_BYTE},
        {"reset_after": 0},
        {"corrupt_at": {"random": [0, 100_000]}},
        {"content_length_delta": 17},
        {"content_length_delta": -17},
        {"status": 500},
        {"status": 503, "headers": {"Retry-After": "0"}},
        {"status": 429},
        {"status": 403},
        {"expire_link": True},
        {"delay_ms": 30},
    ],
    ids=lambda action: next(iter(action)) + "-" + str(next(iter(action.values()))),
)
def test_every_file_fails_once(opened, faulty, action):
    faulty.set_faults([storage(action, attempt=1), WITH_CHECKSUMS], seed=3)
    assert_whole(read(opened, CHECKED_SQL))


@pytest.mark.parametrize(
    "layout",
    [
        {"extra_rows": 100},
        {"split_frames": True},
        {"checksums": True},
        {"content_size": True},
        {"no_arrow_schema": True},
    ],
    ids=lambda layout: next(iter(layout)),
)
def test_unusual_files(opened, faulty, layout):
    name = next(iter(layout))
    faulty.set_faults([{"match": {"point": "result"}, "action": layout}])
    assert_whole(read(opened, f"{SQL} /* {name} */"))


def test_silent_connection_is_given_up(opened, faulty):
    faulty.set_faults([storage({"stall_after": 10_000}, chunk=2, attempt=1)])
    assert_whole(read(opened))


def test_retry_after_is_not_undercut(opened, faulty):
    faulty.set_faults([storage({"status": 503, "headers": {"Retry-After": "1"}}, chunk=1, attempt=1)])
    start = time.monotonic()
    assert_whole(read(opened))
    assert time.monotonic() - start >= 1


@pytest.mark.parametrize("status", [400, 404])
def test_final_answers_name_host_and_status_after_the_earlier_rows(opened, faulty, status):
    faulty.set_faults([storage({"status": status}, chunk=3)])
    rows = 0
    with opened.cursor() as cursor:
        cursor.execute(SQL)
        reader = cursor.fetch_record_batch()
        with pytest.raises(Exception, match=str(status)) as failure:
            for batch in reader:
                assert batch.column(0)[0].as_py() == rows
                rows += batch.num_rows
    assert "127.0.0.1" in str(failure.value)
    assert "X-Amz-Signature" not in str(failure.value)
    assert 0 < rows < NUM_ROWS


def test_lost_session_is_a_named_error_and_a_new_one_works(opened, faulty):
    faulty.set_faults(
        [
            {
                "match": {"point": "thrift", "method": "ExecuteStatement", "nth": 1},
                "action": {"forget_session": True},
            }
        ]
    )
    with pytest.raises(adbc_driver_manager.Error, match=r"(?i)session"):
        read(opened)
    faulty.clear_faults()
    with pytest.raises(adbc_driver_manager.Error, match=r"(?i)session"):
        read(opened)


def test_starting_warehouse_is_waited_for(faulty, driver_path):
    refusal = {
        "status": 503,
        "headers": {
            "Retry-After": "1",
            "x-thriftserver-error-message": "TEMPORARILY_UNAVAILABLE: starting",
        },
    }
    faulty.set_faults([{"match": {"point": "thrift", "method": "OpenSession", "nth": 1}, "action": refusal}])
    with open_connection(driver_path, faulty.uri, THRIFT) as connection:
        assert read(connection, "SELECT 1 AS one")["one"].to_pylist() == [1]
    faulty.clear_faults()


@pytest.mark.parametrize("states", [["PENDING"] * 3 + ["RUNNING"] * 3, ["RUNNING"]])
def test_states_are_waited_for(opened, faulty, states):
    faulty.set_faults([{"match": {"point": "result", "nth": 1}, "action": {"states": states}}])
    assert read(opened, "SELECT 2 AS two")["two"].to_pylist() == [2]


def wait_until(condition):
    deadline = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < deadline, "the moment did not come"
        os.sched_yield()


def cancel_when(faulty, cursor, action, condition):
    """Runs `action` on a thread, cancels once `condition` holds, and gives back what it raised."""
    failures = []

    def run():
        try:
            action()
        except Exception as failure:
            failures.append(failure)

    thread = threading.Thread(target=run)
    thread.start()
    wait_until(condition)
    cursor.adbc_cancel()
    thread.join(20)
    assert not thread.is_alive()
    assert len(failures) == 1
    return failures[0]


def test_cancel_during_execute(opened, faulty):
    faulty.set_faults([{"match": {"point": "result", "nth": 1}, "action": {"states": ["RUNNING"] * 100_000}}])
    before = faulty.stats()["thrift"]["statements_run"]
    with opened.cursor() as cursor:
        failure = cancel_when(
            faulty,
            cursor,
            lambda: cursor.execute(SQL),
            lambda: faulty.stats()["thrift"]["statements_run"] > before,
        )
    assert isinstance(failure, adbc_driver_manager.Error)
    assert failure.status_code == adbc_driver_manager.AdbcStatusCode.CANCELLED
    faulty.clear_faults()
    assert_whole(read(opened))


def test_cancel_during_get_next(opened, faulty):
    faulty.set_faults([storage({"stall_after": 1_000}, chunk=0)])
    before = faulty.stats()["storage"]["gets"]
    with opened.cursor() as cursor:
        cursor.adbc_statement.set_options(**{"databricks.cloudfetch.stall_timeout": "600"})
        cursor.execute(SQL)
        failure = cancel_when(
            faulty,
            cursor,
            cursor.fetch_arrow_table,
            lambda: faulty.stats()["storage"]["gets"] > before,
        )
    assert "cancel" in str(failure).lower()
    faulty.clear_faults()
    assert_whole(read(opened))


def resources():
    return len(os.listdir("/proc/self/task")), len(os.listdir("/proc/self/fd"))


def test_early_release_gives_threads_and_sockets_back(faulty, driver_path):
    faulty.set_faults([storage({"bytes_per_second": 20_000})])
    with open_connection(driver_path, faulty.uri, THRIFT):
        pass
    before = resources()
    connection = open_connection(driver_path, faulty.uri, THRIFT)
    gets = faulty.stats()["storage"]["gets"]
    cursor = connection.cursor()
    cursor.execute(f"SELECT id, id * 7 AS b, concat('wide row ', CAST(id AS STRING)) AS c FROM range({8 * NUM_ROWS})")
    reader = cursor.fetch_record_batch()
    wait_until(lambda: faulty.stats()["storage"]["gets"] >= gets + 16)
    del reader
    cursor.close()
    connection.close()
    assert resources() == before


def random_rules():
    return [
        storage({"reset_after": RANDOM_BYTE}, probability=0.10),
        storage({"truncate_after": RANDOM_BYTE}, probability=0.10),
        storage({"corrupt_at": {"random": [0, 300_000]}}, attempt=1, probability=0.10),
        storage({"status": 500}, probability=0.05),
        storage({"status": 503, "headers": {"Retry-After": "0"}}, probability=0.05),
        storage({"expire_link": True}, attempt=1, probability=0.10),
        storage({"content_length_delta": 100}, attempt=1, probability=0.05),
        WITH_CHECKSUMS,
    ]


def test_200_runs_with_random_faults_lose_no_row(opened, faulty):
    whole = 0
    for seed in range(200):
        faulty.set_faults(random_rules(), seed=seed)
        try:
            table = read(opened, CHECKED_SQL)
        except adbc_driver_manager.Error as failure:
            assert "chunk" in str(failure), failure
            continue
        assert_whole(table)
        whole += 1
    assert whole > 150
