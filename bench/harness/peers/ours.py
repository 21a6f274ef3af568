# SPDX-License-Identifier: Apache-2.0
"""Our driver, from C++ and from Python, by batches and row by row, over both protocols."""

from .. import places
from .peer import Command, Peer, missing_file

DRIVER = places.BUILD / "libadbc_driver_databricks.so"
KNOBS = {
    "databricks.cloudfetch.parallel_downloads": ["auto", "4", "8", "16", "32", "64"],
    "databricks.cloudfetch.prefetch_count": ["4", "16", "32"],
    "databricks.cloudfetch.memory_buffer_size_mb": ["200", "400"],
}


def _options(task, protocol):
    options = {"uri": task.endpoint.uri, "databricks.protocol": protocol, **task.options, **task.knobs}
    if task.endpoint.ca:
        options["databricks.http.tls.trusted_certificate_path"] = task.endpoint.ca
    return options


def _arguments(task, protocol, cell_by_cell):
    return task.reader_arguments(
        driver=str(DRIVER),
        options=_options(task, protocol),
        cell_by_cell=cell_by_cell,
        streams=task.streams,
        stop_after_batches=task.stop_after_batches,
    )


def _from_cpp(protocol, cell_by_cell=False):
    return lambda task: Command([places.BUILD / "read_adbc", _arguments(task, protocol, cell_by_cell)])


def _from_python(protocol, cell_by_cell=False):
    reader = places.READERS / "adbc.py"
    return lambda task: Command([places.PYTHON, reader, _arguments(task, protocol, cell_by_cell)])


_CPP = {"missing": missing_file(DRIVER, places.BUILD / "read_adbc"), "knobs": KNOBS}
_PYTHON = {"missing": missing_file(DRIVER), "knobs": KNOBS}
_EVERYTHING = frozenset({"delay", "early_close", "streams"})
_DELAY = frozenset({"delay"})

PEERS = [
    Peer("ours", "cloudfetch, C++, Thrift", _from_cpp("thrift"), can=_EVERYTHING, **_CPP),
    Peer("ours-sea", "cloudfetch, C++, SEA", _from_cpp("sea"), can=_EVERYTHING, **_CPP),
    Peer("ours-python", "cloudfetch, Python, Thrift", _from_python("thrift"), can=_DELAY, **_PYTHON),
    Peer("ours-python-sea", "cloudfetch, Python, SEA", _from_python("sea"), can=_DELAY, **_PYTHON),
    Peer("ours-rows", "cloudfetch, C++, cell by cell", _from_cpp("thrift", True), kind="rows", **_CPP),
    Peer("ours-python-rows", "cloudfetch, Python, rows", _from_python("thrift", True), kind="rows", **_PYTHON),
]
