# SPDX-License-Identifier: Apache-2.0
"""What a client must say of itself to take part."""

import dataclasses
import json
import pathlib

from .. import datasets, server

# Settings by which glibc's malloc keeps what was freed in place of giving it back: a fresh page costs more than LZ4.
TUNED_MALLOC = {
    "MALLOC_MMAP_THRESHOLD_": str(1 << 30),
    "MALLOC_TRIM_THRESHOLD_": str(4 << 30),
    "MALLOC_TOP_PAD_": str(64 << 20),
}


@dataclasses.dataclass(frozen=True)
class Task:
    """One result to read, and how."""

    endpoint: server.Endpoint
    dataset: datasets.Dataset
    links_file: pathlib.Path
    delay: dict | None = None  # {"milliseconds": of 10,000 rows, "integer_rule": bool}
    knobs: dict = dataclasses.field(default_factory=dict)
    streams: int = 1
    stop_after_batches: int = 0
    options: dict = dataclasses.field(default_factory=dict)  # of our driver, for what a case is about

    def reader_arguments(self, **more):
        """What every reader is told, as JSON."""
        return json.dumps(
            {
                "scheme": self.endpoint.scheme,
                "host": self.endpoint.host,
                "port": self.endpoint.port,
                "path": server.PATH,
                "token": server.TOKEN,
                "ca": self.endpoint.ca,
                "sql": self.dataset.sql,
                "check_columns": list(self.dataset.check_columns),
                "delay": self.delay,
                **more,
            }
        )


@dataclasses.dataclass(frozen=True)
class Command:
    """A process of its own that prints what it measured of itself as the last line of its output."""

    arguments: list
    environment: dict = dataclasses.field(default_factory=dict)
    measured_outside: bool = False  # it prints nothing: its whole process is what is measured


@dataclasses.dataclass(frozen=True)
class Peer:
    """A client. `kind` tells with whom it may be compared: "batches" of Arrow, "rows" one by one, or bare "links"."""

    name: str
    title: str
    command: object  # Task -> Command
    missing: object = lambda: ""  # () -> why it cannot run here, or ""
    kind: str = "batches"
    knobs: dict = dataclasses.field(default_factory=dict)  # name -> values that the sweep tries
    defaults: dict = dataclasses.field(default_factory=dict)
    can: frozenset = frozenset()  # "delay", "early_close", "streams"
    needs_tls: bool = False


def missing_file(*paths):
    """A `missing` for a peer that needs these files."""

    def missing():
        absent = [path.name for path in map(pathlib.Path, paths) if not path.exists()]
        return f"{', '.join(absent)} is not there" if absent else ""

    return missing
