# SPDX-License-Identifier: Apache-2.0
"""Databricks' connector for Python, with its three backends."""

from .. import places
from .peer import TUNED_MALLOC, Command, Peer, missing_file

READER = places.READERS / "connector.py"
KERNEL_PYTHON = places.CLIENTS / "python-kernel/bin/python"


def _command(backend, python=places.PYTHON, environment=None):
    def command(task):
        arguments = task.reader_arguments(backend=backend, options=task.knobs)
        return Command([python, READER, arguments], environment or {})

    return command


_THREADS = {"max_download_threads": [4, 10, 16, 32]}
_DELAY = frozenset({"delay"})

PEERS = [
    Peer("connector", "databricks-sql-connector, Thrift", _command("thrift"), knobs=_THREADS, can=_DELAY),
    Peer("connector-sea", "databricks-sql-connector, SEA", _command("sea"), knobs=_THREADS, can=_DELAY),
    Peer(
        "kernel-python",
        "Databricks kernel, Python, as installed",
        _command("kernel", KERNEL_PYTHON),
        missing_file(KERNEL_PYTHON),
        can=_DELAY,
    ),
    Peer(
        "kernel-python-tuned",
        "Databricks kernel, Python, malloc tuned",
        _command("kernel", KERNEL_PYTHON, TUNED_MALLOC),
        missing_file(KERNEL_PYTHON),
        can=_DELAY,
    ),
]
