# SPDX-License-Identifier: Apache-2.0
"""The recorded traffic of the real service gives the recorded rows, names, types and errors."""

import os
import pathlib
import subprocess
import sys

import pytest
from conftest import ROOT

RECORDINGS = pathlib.Path(os.environ.get("CLOUDFETCH_RECORDINGS", ROOT.parent / "shared" / "recordings"))
SCENARIOS = sorted(path.parent for path in RECORDINGS.glob("*/expected.json"))
THRIFT = [path for path in SCENARIOS if path.name.startswith("thrift-")]
SEA = [path for path in SCENARIOS if path.name.startswith("sea-")]


def run(driver_path, scenario, *arguments):
    return subprocess.run(
        [
            sys.executable,
            RECORDINGS / "run_adbc.py",
            "--driver",
            driver_path,
            "--verbose",
            *arguments,
            scenario,
        ],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda path: path.name)
def test_recorded_scenario(driver_path, scenario):
    finished = run(driver_path, scenario)
    assert finished.returncode == 0, finished.stdout + finished.stderr
    assert "1 passed, 0 failed" in finished.stdout


@pytest.mark.parametrize("scenario", THRIFT[:3], ids=lambda path: path.name)
def test_recorded_scenario_without_direct_results(driver_path, scenario):
    finished = run(driver_path, scenario, "--option", "databricks.query.direct_rows=0")
    assert finished.returncode == 0, finished.stdout + finished.stderr


@pytest.mark.parametrize("scenario", SEA, ids=lambda path: path.name)
def test_recorded_scenario_whose_protocol_is_found_out(driver_path, scenario):
    finished = run(driver_path, scenario, "--option", "databricks.protocol=auto")
    assert finished.returncode == 0, finished.stdout + finished.stderr
