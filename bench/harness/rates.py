# SPDX-License-Identifier: Apache-2.0
"""How fast the server sent while a client read, so that the start of connections can be told from the rest."""

import threading
import time

SAMPLE_SECONDS = 0.05
STARTING_SECONDS = 1.0  # connections open and widen their windows


class SentWatch:
    """Notes how many bytes the server has sent, from a thread of its own, until it is stopped."""

    def __init__(self, server):
        self._server = server
        self.samples = []  # (seconds, bytes)
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._watch)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._ended.set()
        self._thread.join()
        self._note()

    def _note(self):
        self.samples.append((time.monotonic(), self._server.counters()["sent_bytes"]))

    def _watch(self):
        self._note()
        while not self._ended.wait(SAMPLE_SECONDS):
            self._note()


def steady_rate(samples, least_bytes=100_000, starting=STARTING_SECONDS):
    """Bytes a second from `starting` seconds behind the first bytes to the last ones; None when nothing is left then.

    `samples`: (seconds, bytes sent so far). `least_bytes` are more than what answers without files take.
    """
    if not samples:
        return None
    first_bytes, last_bytes = samples[0][1], samples[-1][1]
    begun = next((moment for moment, sent in samples if sent > first_bytes + least_bytes), None)
    ended = next(((moment, sent) for moment, sent in samples if sent >= last_bytes - least_bytes), None)
    if begun is None or ended is None:
        return None
    steady = [sample for sample in samples if begun + starting <= sample[0] <= ended[0]]
    if len(steady) < 3:
        return None
    (start, sent_then), (end, sent_now) = steady[0], steady[-1]
    return (sent_now - sent_then) / (end - start)
