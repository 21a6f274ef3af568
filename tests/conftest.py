# SPDX-License-Identifier: Apache-2.0
"""What the tests of the whole share: driver, local warehouse, connections between them."""

import json
import os
import pathlib
import subprocess
import urllib.request

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = pathlib.Path(os.environ.get("CLOUDFETCH_BUILD", ROOT / "build/release")).resolve()
DATA = ROOT / "build/warehouse-data"  # the demo's, so that TPC-DS is generated once
TOKEN = "dapi-of-the-tests"


class Warehouse:
    """A running cloudfetch-warehouse, its faults and what it has seen."""

    def __init__(self, process, uri):
        self.process = process
        self.uri = uri
        self.port = int(uri.split("@", 1)[1].split("/", 1)[0].rsplit(":", 1)[1])

    def _ask(self, what, method="GET", body=None):
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}/__warehouse__/{what}",
            data=None if body is None else json.dumps(body).encode(),
            method=method,
            headers={"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=30) as reply:
            return json.load(reply)

    def stats(self):
        return self._ask("stats")

    def set_faults(self, rules, seed=0):
        """Puts `rules` in place of earlier ones; their counts begin anew."""
        self._ask("faults", "POST", {"seed": seed, "rules": rules})

    def clear_faults(self):
        self._ask("faults", "DELETE")

    def stop(self):
        self.process.terminate()
        self.process.wait(30)
        self.process.stdout.close()


def start_warehouse(*arguments, stderr=None):
    """Starts a warehouse on free ports; the caller stops it. `--data`: the demo's unless given."""
    command = [BUILD / "cloudfetch-warehouse", "--token", TOKEN]
    command += ["--listen", "127.0.0.1:0", "--storage", "127.0.0.1:0"]
    if "--data" not in arguments:
        command += ["--data", DATA]
    process = subprocess.Popen(
        [*map(str, command), *map(str, arguments)], stdout=subprocess.PIPE, stderr=stderr, text=True
    )
    words = process.stdout.readline().split()
    if len(words) != 2 or words[0] != "READY":
        process.kill()
        process.wait()
        raise RuntimeError(f"the warehouse said {words} in place of READY and its address")
    return Warehouse(process, words[1])


@pytest.fixture(scope="session")
def driver_path():
    """The driver under test: CLOUDFETCH_DRIVER, or what the build made."""
    path = pathlib.Path(os.environ.get("CLOUDFETCH_DRIVER", BUILD / "libadbc_driver_databricks.so")).resolve()
    if not path.exists():
        pytest.fail(f"{path} is missing: build it first, or name another in CLOUDFETCH_DRIVER")
    return str(path)


@pytest.fixture(scope="session")
def shared_warehouse():
    warehouse = start_warehouse("--tpcds", "1", "--result-cache")
    yield warehouse
    warehouse.stop()
    assert warehouse.process.returncode == 0


@pytest.fixture
def warehouse(shared_warehouse):
    """The warehouse with TPC-DS at scale 1, without faults before and after."""
    shared_warehouse.clear_faults()
    yield shared_warehouse
    shared_warehouse.clear_faults()


def open_connection(driver_path, uri, options):
    """A connection through the Python driver manager; the caller closes it."""
    from adbc_driver_manager import dbapi

    return dbapi.connect(
        driver=driver_path,
        entrypoint="AdbcDriverDatabricksInit",
        db_kwargs={"uri": uri, **options},
        autocommit=True,
    )


@pytest.fixture
def connect(driver_path, warehouse):
    """Opens connections to the warehouse over Thrift; what stays open is closed after the test."""
    opened = []

    def open_one(**options):
        opened.append(open_connection(driver_path, warehouse.uri, {"databricks.protocol": "thrift", **options}))
        return opened[-1]

    yield open_one
    for connection in opened:
        connection.close()


@pytest.fixture(scope="session")
def queries():
    """The nine queries of the benchmarks by name."""
    entries = json.loads((ROOT / "bench/queries.json").read_text(encoding="utf-8"))
    return {entry["name"]: entry for entry in entries}
