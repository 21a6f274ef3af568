# SPDX-License-Identifier: Apache-2.0
"""Clients that know no protocol: the lower bound, and curl, which throws the bytes away as they are."""

import pathlib

from .. import places
from .peer import Command, Peer, missing_file


def _lower_bound(task):
    connections = str(task.knobs.get("connections", 4))
    return Command([places.BUILD / "lower_bound", task.links_file, connections, task.endpoint.ca or "none"])


def _curl(task):
    """curl reads its URLs from a file, each with a place for its body."""
    urls = pathlib.Path(task.links_file).read_text(encoding="utf-8").split()
    config = pathlib.Path(task.links_file).with_suffix(".curl")
    config.write_text("".join(f'url = "{url}"\noutput = "/dev/null"\n' for url in urls), encoding="utf-8")
    command = ["curl", "--silent", "--fail", "--parallel", "--parallel-max", str(task.knobs.get("connections", 16))]
    command += ["--parallel-immediate", "--config", config]
    if task.endpoint.ca:
        command += ["--cacert", task.endpoint.ca]
    return Command(command, measured_outside=True)


def _replica(downloads, prefetch, budget_mb, where):
    def command(task):
        arguments = [task.links_file, downloads, 2 * prefetch, budget_mb, where]
        trust = [task.endpoint.ca] if task.endpoint.ca else []
        return Command([places.BUILD / "replica", *arguments, *trust])

    return command


_REPLICA = {"missing": missing_file(places.BUILD / "replica"), "kind": "links"}

PEERS = [
    Peer("replica-3-2-200", "replica of C# 3/2/200", _replica(3, 2, 200, "reader"), **_REPLICA),
    Peer("replica-16-16-400", "replica of C# 16/16/400", _replica(16, 16, 400, "task"), **_REPLICA),
    Peer(
        "lower-bound",
        "lower bound: sockets, LZ4, no driver",
        _lower_bound,
        missing_file(places.BUILD / "lower_bound"),
        kind="links",
        knobs={"connections": [1, 2, 4, 8, 16, 32, 64]},
        defaults={"connections": 4},
    ),
    Peer(
        "curl",
        "curl --parallel to null, nothing decoded",
        _curl,
        missing_file("/usr/bin/curl"),
        kind="links",
        knobs={"connections": [4, 16, 64]},
        defaults={"connections": 16},
    ),
]
