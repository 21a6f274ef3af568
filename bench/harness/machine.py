# SPDX-License-Identifier: Apache-2.0
"""What the figures were measured on, with the two costs in which machines differ most: page faults, system calls."""

import mmap
import os
import pathlib
import platform
import time

PAGE = mmap.PAGESIZE


def _processor():
    for line in pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()


def _caches():
    found = {}
    for index in sorted(pathlib.Path("/sys/devices/system/cpu/cpu0/cache").glob("index*")):
        level, kind, size = ((index / name).read_text().strip() for name in ("level", "type", "size"))
        found[f"L{level} {kind.lower()}"] = size
    return found


def _memory_gib():
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / (1 << 30)


def page_fault_microseconds(pages=4096):
    """The mean of first touches of 4 KiB pages, Python's own share taken off."""
    region = mmap.mmap(-1, pages * PAGE)

    def touch():
        began = time.perf_counter()
        for offset in range(0, pages * PAGE, PAGE):
            region[offset] = 1
        return time.perf_counter() - began

    first, second = touch(), touch()
    region.close()
    return max(0.0, first - second) / pages * 1e6


def system_call_microseconds(calls=100_000):
    """The mean of getppid, Python's own share taken off."""

    def measure(call):
        began = time.perf_counter()
        for _ in range(calls):
            call()
        return time.perf_counter() - began

    return max(0.0, measure(os.getppid) - measure(int)) / calls * 1e6


def describe():
    """As a dictionary for the result's file."""
    return {
        "processor": _processor(),
        "cores": os.cpu_count(),
        "caches": _caches(),
        "memory_gib": round(_memory_gib(), 1),
        "kernel": platform.release(),
        "page_fault_us": round(page_fault_microseconds(), 2),
        "system_call_us": round(system_call_microseconds(), 3),
    }


def line(machine):
    """As a sentence of a report."""
    return (
        f"{machine['cores']} cores {machine['processor']}, {machine['memory_gib']} GiB, Linux {machine['kernel']}; "
        f"a page fault {machine['page_fault_us']} µs, a system call {machine['system_call_us']} µs"
    )
