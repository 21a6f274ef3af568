# SPDX-License-Identifier: Apache-2.0
"""Where things lie."""

import os
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BENCH = ROOT / "bench"
READERS = BENCH / "readers"
RESULTS = pathlib.Path(os.environ.get("CLOUDFETCH_RESULTS", BENCH / "results")).resolve()
BUILD = pathlib.Path(os.environ.get("CLOUDFETCH_BUILD", ROOT / "build/release")).resolve()
CLIENTS = pathlib.Path(os.environ.get("CLOUDFETCH_CLIENTS", ROOT / ".deps/clients")).absolute()
PYTHON = pathlib.Path(sys.executable)
TPCDS_DATA = ROOT / "build/warehouse-data"  # the demo's and the tests', so that TPC-DS is generated once
DATA = ROOT / "build/bench-data"
