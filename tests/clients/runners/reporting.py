# SPDX-License-Identifier: Apache-2.0
"""How a client's runner tells what came of its actions: one line of JSON each, on standard output."""

import datetime
import decimal
import json
import os
import sys
import threading


class NotOffered(Exception):
    """The client has no way to do this; the text says what is missing."""


def configuration():
    """What the test hands to its runner: where the server is, and the SQL to run."""
    return json.loads(sys.argv[1])


def text(value):
    """One cell as text: a form that does not depend on the client's own types."""
    if value is None:
        return None
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, bytes | bytearray | memoryview):
        return bytes(value).hex().upper()
    if isinstance(value, datetime.datetime):
        return value.replace(tzinfo=None).isoformat(" ")
    if isinstance(value, datetime.date):
        return value.isoformat()
    if isinstance(value, decimal.Decimal):
        return format(value, "f")
    if isinstance(value, dict):
        return {str(key): text(item) for key, item in value.items()}
    if isinstance(value, list | tuple) or type(value).__name__ == "ndarray":
        return [text(item) for item in value]
    return str(value)


def rows_of(rows):
    return [[text(cell) for cell in row] for row in rows]


def arrow_rows(table):
    return [[text(cell) for cell in row.values()] for row in table.to_pylist()]


def sums(table, columns):
    """[rows, sum of each of `columns`] of an Arrow table."""
    import pyarrow.compute

    return [table.num_rows, *(pyarrow.compute.sum(table[column]).as_py() for column in columns)]


def error_of(action):
    """What `action` failed with; it is an error if it did not."""
    try:
        value = action()
    except Exception as failure:
        return {"type": type(failure).__name__, "text": _whole(failure), "sqlstate": _sqlstate(failure)}
    raise AssertionError(f"no error came, but {value!r}")


def _whole(failure):
    parts = [str(failure), str(getattr(failure, "context", "") or "")]
    return " ".join(part for part in parts if part)[:2000]


def _sqlstate(failure):
    context = getattr(failure, "context", None)
    named = getattr(failure, "sqlstate", None) or getattr(failure, "sql_state", None)
    if named is None and isinstance(context, dict):
        named = context.get("sql-state") or context.get("sqlstate")
    return named


def at_once(actions):
    """Runs `actions` on a thread each; what they gave, in order."""
    values = [None] * len(actions)

    def run(index):
        values[index] = actions[index]()

    threads = [threading.Thread(target=run, args=(index,)) for index in range(len(actions))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return values


def cancelled(run, cancel, patience=60):
    """Runs `run` on a thread and calls `cancel` until it ends; what it failed with."""
    failures = []

    def to_the_end():
        try:
            failures.append(error_of(run))
        except AssertionError as failure:
            failures.append(failure)

    thread = threading.Thread(target=to_the_end, daemon=True)
    thread.start()
    for _ in range(patience):
        thread.join(1)
        if not thread.is_alive():
            break
        cancel()
    if not failures:
        raise TimeoutError(f"still running after {patience} seconds of cancels")
    if isinstance(failures[0], AssertionError):
        raise failures[0]
    return failures[0]


def perform(actions):
    """Runs each action by name and reports it. Ends the process at once: no client's own end can spoil the report."""
    for name, action in actions.items():
        try:
            outcome = {"value": action()}
        except NotOffered as reason:
            outcome = {"not_offered": str(reason)}
        except BaseException as failure:
            outcome = {"failed": f"{type(failure).__name__}: {_whole(failure)}"[:800]}
        print("@" + json.dumps({"action": name, **outcome}, default=str), flush=True)
    os._exit(0)
