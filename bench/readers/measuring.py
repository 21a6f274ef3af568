# SPDX-License-Identifier: Apache-2.0
"""What a reader in Python is measured for; the same figures as those of read_adbc/meter.h.

Needs numpy and pyarrow alone, so that it runs in the environment of any client.
"""

import json
import resource
import sys
import time

import numpy
import pyarrow

MASK = (1 << 64) - 1
SPUN_SECONDS = 0.0003  # a sleep ends late by about that: it is waited for awake


def configuration():
    """The one argument: JSON."""
    return json.loads(sys.argv[1])


def peak_kib():
    with open("/proc/self/status", encoding="ascii") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmHWM:"))


def whole_numbers(column):
    """The column as an array of integers, NULL as 0."""
    return (column.fill_null(0) if column.null_count else column).to_numpy()


class Meter:
    """Counts and checks the batches of one result and knows how long everything but that took."""

    def __init__(self, config):
        self._check_columns = config.get("check_columns", [])
        self._delay = config.get("delay") or {}
        self._rows = self._batches = self._columns = 0
        self._positions = numpy.arange(0)
        self._sums = [0] * len(self._check_columns)
        self._ordered_sums = [0] * len(self._check_columns)
        self._checking = self._delaying = 0.0
        self._first_batch = None

    def start(self):
        self._usage = resource.getrusage(resource.RUSAGE_SELF)
        self._started = time.perf_counter()

    def add(self, batch):
        """A record batch or a table."""
        if self._first_batch is None and batch.num_rows > 0:
            self._first_batch = time.perf_counter() - self._started
        for part in batch.to_batches() if isinstance(batch, pyarrow.Table) else [batch]:
            self._check(part)
        if self._delay:
            self._wait(batch.num_rows)

    def _check(self, batch):
        began = time.perf_counter()
        if batch.num_rows > self._positions.size:
            self._positions = numpy.arange(1, batch.num_rows + 1, dtype=numpy.int64)
        for index, column in enumerate(self._check_columns):
            values = whole_numbers(batch.column(column))
            total = int(values.sum(dtype=numpy.int64))
            ordered = int(numpy.dot(values, self._positions[: batch.num_rows])) + total * self._rows
            self._sums[index] = (self._sums[index] + total) & MASK
            self._ordered_sums[index] = (self._ordered_sums[index] + ordered) & MASK
        self._rows += batch.num_rows
        self._columns = batch.num_columns
        self._batches += 1
        self._checking += time.perf_counter() - began

    def add_row(self, values):
        """A row of Python values, as a cursor hands it out."""
        if self._first_batch is None:
            self._first_batch = time.perf_counter() - self._started
        self._rows += 1
        self._columns = len(values)
        for index, column in enumerate(self._check_columns):
            value = int(values[column] or 0)
            self._sums[index] = (self._sums[index] + value) & MASK
            self._ordered_sums[index] = (self._ordered_sums[index] + value * self._rows) & MASK

    def _wait(self, rows):
        began = time.perf_counter()
        seconds = rows / 10_000 * self._delay["milliseconds"] / 1000
        if self._delay.get("integer_rule"):
            seconds = int(seconds * 1000) / 1000
            self._delaying += seconds
            time.sleep(seconds)
            return
        self._delaying += seconds
        time.sleep(max(0.0, seconds - SPUN_SECONDS))
        while time.perf_counter() - began < seconds:
            pass

    def stop(self):
        """Ends the measurement and prints it."""
        seconds = time.perf_counter() - self._started
        usage = resource.getrusage(resource.RUSAGE_SELF)
        report = {
            "rows": self._rows,
            "batches": self._batches,
            "columns": self._columns,
            "sums": self._sums,
            "ordered_sums": self._ordered_sums,
            "seconds": seconds - self._checking,
            "check_seconds": self._checking,
            "first_batch": self._first_batch or 0,
            "delay_seconds": self._delaying,
            "cpu_user": usage.ru_utime - self._usage.ru_utime - self._checking,
            "cpu_system": usage.ru_stime - self._usage.ru_stime,
            "minor_faults": usage.ru_minflt - self._usage.ru_minflt,
            "peak_kib": peak_kib(),
        }
        print(json.dumps(report), flush=True)
