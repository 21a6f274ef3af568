# SPDX-License-Identifier: Apache-2.0
"""What a program that loads the driver gets into its process: two functions, no other library."""

import ctypes
import re
import subprocess
import sys

ENTRY_POINTS = {"AdbcDriverDatabricksInit", "AdbcDriverInit"}

# The C library in its parts, as old and new systems name them, and the compiler's unwinder.
ALLOWED_LIBRARIES = re.compile(r"(libc|libm|libdl|libpthread|librt|libgcc_s|ld-linux[^.]*)\.so\.\d+")


def output_of(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def test_exports_the_entry_points_alone(driver_path):
    lines = output_of("nm", "-D", "--defined-only", driver_path).splitlines()
    symbols = {line.split()[-1].split("@")[0] for line in lines}
    assert symbols == ENTRY_POINTS


def test_needs_the_c_library_alone(driver_path):
    needed = re.findall(r"\(NEEDED\).*\[(.*)\]", output_of("readelf", "-d", driver_path))
    assert needed, "readelf shows no dependency at all"
    assert [name for name in needed if not ALLOWED_LIBRARIES.fullmatch(name)] == []


def test_stays_loaded_and_binds_at_once(driver_path):
    flags = output_of("readelf", "-d", driver_path)
    assert "NODELETE" in flags
    assert "NOW" in flags


def test_starts_no_thread_when_it_is_loaded(driver_path):
    program = "import ctypes, os, sys\nctypes.CDLL(sys.argv[1])\nprint(len(os.listdir('/proc/self/task')))\n"
    assert output_of(sys.executable, "-c", program, driver_path).strip() == "1"


def test_fills_no_byte_beyond_the_older_table(driver_path):
    library = ctypes.CDLL(driver_path)
    words = 29, 58
    for version, filled in ((1_000_000, words[0]), (1_001_000, words[1])):
        for name in ENTRY_POINTS:
            table = (ctypes.c_size_t * 60)(*[1] * 60)
            assert getattr(library, name)(version, table, None) == 0
            assert 1 not in table[2:filled]
            assert set(table[filled:]) == {1}


def test_refuses_versions_that_it_does_not_know(driver_path):
    library = ctypes.CDLL(driver_path)
    table = (ctypes.c_size_t * 60)(*[1] * 60)
    assert library.AdbcDriverInit(1_002_000, table, None) == 2
    assert set(table) == {1}
