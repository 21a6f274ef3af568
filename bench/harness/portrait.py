# SPDX-License-Identifier: Apache-2.0
"""A run that is not timed but looked at: memory over time, which connection carried what when, large allocations."""

import datetime
import json
import pathlib
import tempfile
import threading

from . import places

COUNTER = places.BUILD / "libcount_allocations.so"
SAMPLE_SECONDS = 0.01


class MemoryWatch:
    """Notes the resident memory of a process until it ends, from a thread of its own."""

    def __init__(self):
        self.samples = []  # [seconds, MiB]
        self._ended = threading.Event()
        self._thread = None

    def start(self, process_id):
        self._thread = threading.Thread(target=self._watch, args=(pathlib.Path(f"/proc/{process_id}/statm"),))
        self._thread.start()

    def _watch(self, statm):
        elapsed = 0.0
        while not self._ended.wait(SAMPLE_SECONDS):
            elapsed += SAMPLE_SECONDS
            try:
                pages = int(statm.read_text(encoding="ascii").split()[1])
            except (OSError, IndexError):
                return
            self.samples.append([round(elapsed, 3), round(pages * 4096 / (1 << 20), 1)])

    def stop(self):
        self._ended.set()
        if self._thread:
            self._thread.join()


def transfers(requests):
    """[connection, start, end, bytes] of each file that was sent; connections numbered and times from the first on."""
    files = [request for request in requests if request["kind"].startswith("storage")]
    if not files:
        return []
    begun = [datetime.datetime.fromisoformat(request["time"]).timestamp() for request in files]
    first = min(begun)
    slots = {}
    for request in files:
        slots.setdefault(request["connection"], len(slots) + 1)
    return [
        [
            slots[request["connection"]],
            round(start - first, 4),
            round(start - first + request["milliseconds"] / 1000, 4),
            request["sent_bytes"],
        ]
        for request, start in zip(files, begun, strict=True)
    ]


def take(runner, peer, knobs):
    """The portrait of one client, or None when its run failed. Java and Node keep their own memory: not counted."""
    watch = MemoryWatch()
    before = runner.server.requests()["next"]
    with tempfile.NamedTemporaryFile(suffix=".json") as counts:
        runner.extra_environment = (
            {"LD_PRELOAD": str(COUNTER), "COUNT_ALLOCATIONS": counts.name} if COUNTER.exists() else {}
        )
        try:
            report = runner.run(peer, knobs, 0, on_start=watch.start)
        finally:
            watch.stop()
            runner.extra_environment = {}
        text = pathlib.Path(counts.name).read_text(encoding="ascii")
    if "error" in report:
        return None
    return {
        "memory": watch.samples,
        "transfers": transfers(runner.server.requests(before)["requests"]),
        **(json.loads(text) if text else {}),
    }
