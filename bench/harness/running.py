# SPDX-License-Identifier: Apache-2.0
"""One run of one client: a process of its own, its own figures, the server's beside them."""

import json
import os
import subprocess
import time

from . import places

TIMEOUT_SECONDS = 120
LAST_WORDS = 300  # characters of what a client said before it failed


class RunFailed(Exception):
    """The client ended with an error or said nothing that can be read."""


def _outside(process, began, usage):
    return {
        "seconds": time.perf_counter() - began,
        "first_batch": 0,
        "cpu_user": usage.ru_utime,
        "cpu_system": usage.ru_stime,
        "minor_faults": usage.ru_minflt,
        "peak_kib": usage.ru_maxrss,
    }


def _read_report(text):
    lines = [line for line in text.splitlines() if line.startswith(("{", "["))]
    if not lines:
        raise RunFailed("it printed no figures")
    return json.loads(lines[-1])


def _last_words(text):
    """The end of what was said, without paths of this machine."""
    return text.strip()[-LAST_WORDS:].replace(str(places.ROOT), "")


def run_command(command, *, processor=None, extra_environment=None, on_start=None):
    """Runs it to its end and returns its figures. `on_start` gets the process's number."""

    def prepare():
        if processor is not None:
            os.sched_setaffinity(0, {processor})

    environment = {**os.environ, **command.environment, **(extra_environment or {})}
    began = time.perf_counter()
    process = subprocess.Popen(
        [str(argument) for argument in command.arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
        preexec_fn=prepare,
    )
    if on_start:
        on_start(process.pid)
    if command.measured_outside:
        _, status, usage = os.wait4(process.pid, 0)
        report = _outside(process, began, usage)
        process.returncode = os.waitstatus_to_exitcode(status)
        output, words = process.stdout.read(), process.stderr.read()
    else:
        try:
            output, words = process.communicate(timeout=TIMEOUT_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            raise RunFailed(f"no end after {TIMEOUT_SECONDS} s") from None
        except BaseException:
            process.kill()
            raise
        report = _read_report(output) if process.returncode == 0 else None
    process.stdout.close()
    process.stderr.close()
    if process.returncode != 0:
        raise RunFailed(f"status {process.returncode}: {_last_words(words)}")
    return report


def measured_run(server, peer, task, *, rules=(), seed=0, processor=None, on_start=None, extra_environment=None):
    """The figures of one run with what the server spent meanwhile; `error` in place of them if it failed."""
    server.set_faults(list(rules), seed)
    before = server.counters()
    began = time.perf_counter()
    try:
        report = run_command(
            peer.command(task), processor=processor, on_start=on_start, extra_environment=extra_environment
        )
    except RunFailed as failure:
        return {"error": str(failure), "elapsed": time.perf_counter() - began}
    after = server.counters()
    if isinstance(report, list):
        report = _joined(report)
    report["server"] = {name: round(after[name] - before[name], 6) for name in after}
    return report


def _joined(reports):
    """Several results that one process read at once."""
    seconds = [report["seconds"] for report in reports]
    joined = dict(max(reports, key=lambda report: report["seconds"]))
    joined["streams"] = [{"rows": report["rows"], "seconds": report["seconds"]} for report in reports]
    joined["rows"] = sum(report["rows"] for report in reports)
    joined["decoded_bytes"] = sum(report.get("decoded_bytes", 0) for report in reports)
    joined["fairness"] = max(seconds) / min(seconds)
    joined["peak_kib"] = max(report["peak_kib"] for report in reports)
    return joined
