# SPDX-License-Identifier: Apache-2.0
"""`cloudfetch bench` and the driver's statistics, as a person or a script uses them."""

import json
import signal
import subprocess
import time

import pytest
from conftest import BUILD
from test_cli import cloudfetch

ROWS = 200_000
SQL = f"SELECT id, id * 2 AS twice FROM range({ROWS})"


@pytest.fixture
def bench(warehouse, tmp_path):
    """Runs `cloudfetch bench` on one query; further arguments follow."""

    def run(*arguments, sql=SQL, runs=2):
        queries = tmp_path / "queries.json"
        queries.write_text(json.dumps([{"name": "numbers", "sql": sql}]))
        return cloudfetch("bench", "--uri", warehouse.uri, "--queries", queries, "--runs", runs, *arguments)

    return run


def records_of(path, setting="ours"):
    return json.loads(path.read_text())["cases"][0]["records"][setting]


def test_every_run_is_measured_and_its_rows_are_counted(bench, tmp_path):
    path = tmp_path / "result.json"
    finished = bench("--json", path)
    assert finished.returncode == 0, finished.stderr
    assert "numbers" in finished.stdout and "200,000" in finished.stdout
    assert "numbers warm-up:" in finished.stderr and "numbers 2/2:" in finished.stderr
    result = json.loads(path.read_text())
    assert result["format"] == 1
    assert result["cases"][0]["dataset"] == {"name": "numbers", "rows": ROWS, "columns": 2}
    records = records_of(path)
    assert len(records) == 2
    for record in records:
        assert record["rows"] == ROWS
        assert 0 < record["first_batch"] <= record["seconds"]
        assert record["decoded_bytes"] >= ROWS * 16
        assert record["peak_kib"] > 1000
        assert record["statistics"]["rows"] == ROWS


def test_what_came_by_links_has_bytes_of_the_wire(warehouse, tmp_path):
    path = tmp_path / "result.json"
    finished = cloudfetch("bench", "--uri", warehouse.uri, "--only", "web_sales", "--runs", 1, "--json", path)
    assert finished.returncode == 0, finished.stderr
    record = records_of(path)[0]
    assert record["wire_bytes"] == record["statistics"]["bytes_downloaded"] > 0
    assert record["allocated_bytes"] > 0


def test_a_sweep_sets_the_options_of_each_setting_in_turns(bench, tmp_path):
    path, page = tmp_path / "result.json", tmp_path / "result.md"
    sweep = tmp_path / "sweep.json"
    sweep.write_text(json.dumps(["3/2/200", {"name": "inline", "options": {"databricks.cloudfetch.enabled": False}}]))
    finished = bench(
        "--sweep", sweep, "--json", path, "--markdown", page, sql="SELECT * FROM main.tpcds_sf1_delta.item"
    )
    assert finished.returncode == 0, finished.stderr
    assert records_of(path, "3/2/200")[0]["statistics"]["source"] == "cloudfetch"
    assert records_of(path, "inline")[0]["statistics"]["source"] == "inline"
    turns = [line.split()[1] for line in finished.stderr.splitlines() if line.startswith("numbers ")]
    assert turns == ["3/2/200", "inline", "inline", "3/2/200", "3/2/200", "inline"]
    assert "rows/s against 3/2/200" in page.read_text()


def test_the_builtin_sweep(bench, tmp_path):
    path = tmp_path / "result.json"
    assert bench("--sweep", "builtin", "--json", path, sql="SELECT 1", runs=1).returncode == 0
    settings = list(json.loads(path.read_text())["cases"][0]["records"])
    assert settings == ["3/2/200", "16/16/400", "16/32/400", "16/16/200", "10/16/400", "16/20/400", "auto"]


@pytest.mark.parametrize(("rule", "least"), [("exact", 0.1), ("integer", 0.05)])
def test_the_consumer_takes_its_time(bench, tmp_path, rule, least):
    path = tmp_path / "result.json"
    finished = bench("--consumer-delay", "5ms/10000", "--consumer-rule", rule, "--json", path)
    assert finished.returncode == 0, finished.stderr
    for record in records_of(path):
        assert record["delay_seconds"] >= least
        assert record["seconds"] >= record["delay_seconds"]
        if rule == "exact":
            assert record["delay_seconds"] == pytest.approx(ROWS / 10_000 * 0.005, abs=1e-4)
        else:
            assert record["delay_seconds"] * 1000 == pytest.approx(round(record["delay_seconds"] * 1000))


def test_a_baseline_is_shown_and_marked_when_it_is_news(bench, tmp_path):
    now, before, page = tmp_path / "now.json", tmp_path / "before.json", tmp_path / "page.md"
    assert bench("--json", now).returncode == 0
    result = json.loads(now.read_text())
    for record in result["cases"][0]["records"]["ours"]:
        record["seconds"] = 1000.0
    before.write_text(json.dumps(result))
    finished = bench("--baseline", before, "--markdown", page)
    assert finished.returncode == 0, finished.stderr
    assert "1000000.0" in finished.stdout and "faster" in finished.stdout
    assert "🟢" in page.read_text()


def test_other_rows_have_no_time(bench, tmp_path):
    path = tmp_path / "result.json"
    finished = bench("--json", path, sql="SELECT id FROM range(100000) WHERE random() < 0.5", runs=3)
    assert finished.returncode == 3, finished.stderr
    assert "rows came, the server counts" in finished.stdout
    assert any("wrong" in record for record in records_of(path))


def test_one_bad_query_does_not_spoil_the_others(warehouse, tmp_path):
    queries, path = tmp_path / "queries.json", tmp_path / "result.json"
    queries.write_text(
        json.dumps([{"name": "bad", "sql": "SELECT no_such_column"}, {"name": "good", "sql": "SELECT 1 AS one"}])
    )
    finished = cloudfetch("bench", "--uri", warehouse.uri, "--queries", queries, "--runs", 1, "--json", path)
    assert finished.returncode == 1
    assert "bad: " in finished.stdout and "no_such_column" in finished.stdout
    assert json.loads(path.read_text())["cases"][1]["records"]["ours"][0]["rows"] == 1


def test_a_refused_setting_is_tried_once(bench, tmp_path):
    sweep = tmp_path / "sweep.json"
    sweep.write_text(json.dumps(["3/2/200", "9999/2/200"]))
    finished = bench("--sweep", sweep)
    assert finished.returncode == 1
    assert "numbers 9999/2/200: " in finished.stdout and "parallel_downloads" in finished.stdout
    assert finished.stderr.count("9999/2/200") == 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--consumer-delay", "5ms"], "--consumer-delay '5ms'"),
        (["--consumer-delay", "5ms/1", "--consumer-rule", "loose"], "--consumer-rule"),
        (["--sweep", "nowhere.json"], "nowhere.json"),
        (["--baseline", "nowhere.json"], "nowhere.json"),
        (["--json", "nowhere/result.json"], "the folder 'nowhere' is not there"),
        (["--only", "others"], "--only others"),
        (["--runs", "0"], "--runs"),
    ],
)
def test_wrong_use_is_said_before_anything_is_measured(bench, arguments, words):
    finished = bench(*arguments)
    assert finished.returncode == 2
    assert words in finished.stderr
    assert "warm-up:" not in finished.stderr


def test_interrupt_ends_a_consumer_that_waits(warehouse, tmp_path):
    queries, path = tmp_path / "queries.json", tmp_path / "result.json"
    queries.write_text(json.dumps([{"name": "numbers", "sql": "SELECT 1"}]))
    before = warehouse.stats()["thrift"]["statements_run"]
    process = subprocess.Popen(
        [BUILD / "cloudfetch", "bench", "--uri", warehouse.uri, "--queries", queries, "--json", path, "--warm-up", "0",
         "--consumer-delay", "3600s/1", "--option", "databricks.protocol=thrift"],
        stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True,
    )  # fmt: skip
    deadline = time.monotonic() + 60
    while warehouse.stats()["thrift"]["statements_run"] < before + 2:  # the count of the rows, then the query itself
        assert time.monotonic() < deadline
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=30)
    assert process.returncode == 130, errors
    assert not path.exists()


def test_statistics_of_the_driver_are_a_line_each(warehouse):
    finished = cloudfetch("query", "SELECT * FROM main.tpcds_sf1_delta.item", "--uri", warehouse.uri, "--stats")
    assert finished.returncode == 0, finished.stderr
    lines = [line.split() for line in finished.stderr.splitlines()]
    assert ["source", "cloudfetch"] in lines
    assert ["rows", "18,000"] in lines
    assert any(line[:2] == ["bytes", "downloaded"] for line in lines)
