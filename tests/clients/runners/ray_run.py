# SPDX-License-Identifier: Apache-2.0
"""Ray's read_databricks_tables at work: a query's chunks become the blocks of a data set."""

import os

import pyarrow.compute
from reporting import NotOffered, arrow_rows, at_once, configuration, error_of, perform

CONFIG = configuration()
SQL = CONFIG["sql"]
os.environ.update(
    DATABRICKS_HOST=CONFIG["base"],
    DATABRICKS_TOKEN=CONFIG["token"],
    RAY_USAGE_STATS_ENABLED="0",
    RAY_DEDUP_LOGS="0",
)

import ray  # noqa: E402  (reads its settings as it is loaded)
import ray.data  # noqa: E402


def read(statement):
    return ray.data.read_databricks_tables(warehouse_id="local", catalog="main", schema="default", query=statement)


def query(statement):
    found = []
    for block in read(statement).iter_batches(batch_format="pyarrow", batch_size=None):
        found += arrow_rows(block)
    return found


def large():
    totals = [0] * (1 + len(CONFIG["large_columns"]))
    for block in read(SQL["large"]).iter_batches(batch_format="pyarrow", batch_size=None):
        totals[0] += block.num_rows
        for at, column in enumerate(CONFIG["large_columns"], start=1):
            totals[at] += pyarrow.compute.sum(block[column]).as_py()
    return totals


def types():
    """It runs queries alone, so the values come from one."""
    columns = SQL["fill_types"].partition("VALUES ")[2]
    created = SQL["create_types"].partition("(")[2].rstrip(")")
    names = [part.split()[0] for part in _split(created)]
    types_of = [part.split(maxsplit=1)[1] for part in _split(created)]
    nulls = ", ".join(f"CAST(NULL AS {kind})" for kind in types_of)
    values = columns.rpartition(", (")[0].removeprefix("(").removesuffix(")")
    named = ", ".join(f"{value} AS {name}" for value, name in zip(_split(values), names, strict=True))
    return query(f"SELECT {named} UNION ALL SELECT {nulls}")


def _split(text):
    """The parts of a list whose commas stand outside of brackets and quotes."""
    parts, depth, quoted, start = [], 0, False, 0
    for at, letter in enumerate(text):
        if letter == "'":
            quoted = not quoted
        elif not quoted and letter in "(<":
            depth += 1
        elif not quoted and letter in ")>":
            depth -= 1
        elif letter == "," and not quoted and depth == 0:
            parts.append(text[start:at].strip())
            start = at + 1
    return [*parts, text[start:].strip()]


def intervals():
    try:
        return query(SQL["intervals"])
    except ray.exceptions.RayError as failure:
        if "pickle" not in str(failure):
            raise
        raise NotOffered("its blocks cannot hand over intervals") from failure


def none(what):
    def refuse():
        raise NotOffered(what)

    return refuse


QUERIES_ALONE = none("it runs queries alone")

if __name__ == "__main__":
    ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False, _node_ip_address="127.0.0.1")
    perform(
        {
            "connect": lambda: read(SQL["one"]) and None,
            "select_one": lambda: query(SQL["one"]),
            "types": types,
            "intervals": intervals,
            "named": none("its query has no parameters"),
            "positional": none("its query has no parameters"),
            "null": none("its query has no parameters"),
            "ddl": QUERIES_ALONE,
            "dml": QUERIES_ALONE,
            "catalogs": QUERIES_ALONE,
            "schemas": QUERIES_ALONE,
            "tables": QUERIES_ALONE,
            "columns": QUERIES_ALONE,
            "large": large,
            "error": lambda: error_of(lambda: query(SQL["error"])),
            "cancel": none("it has no way to cancel"),
            "two": lambda: at_once([lambda: query(SQL["one"]), lambda: query(SQL["two"])]),
            "lost": none("it has no sessions"),
        }
    )
