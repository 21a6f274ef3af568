# SPDX-License-Identifier: Apache-2.0
"""Times our driver beside Databricks' Python connector on one result of the local warehouse.

    compare.py [--table NAME] [--runs N] [--json FILE]

Each run is a process of its own that reads every row as Arrow batches; the clients take turns, the first round is a
warm-up. A run with wrong rows or a wrong sum has no time. The warehouse serves the result from its spool, so that the
clients are what is measured; both share the machine's cores with it.
"""

import argparse
import json
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from conftest import BUILD, TOKEN, start_warehouse  # noqa: E402


def read_ours(uri, table):
    from adbc_driver_manager import dbapi

    with (
        dbapi.connect(
            driver=str(BUILD / "libadbc_driver_databricks.so"),
            entrypoint="AdbcDriverDatabricksInit",
            db_kwargs={"uri": uri, "databricks.protocol": "thrift"},
            autocommit=True,
        ) as connection,
        connection.cursor() as cursor,
    ):
        cursor.execute(f"SELECT * FROM {table}")
        yield from cursor.fetch_record_batch()


def read_connector(uri, table):
    from databricks import sql

    base = "http://" + uri.split("@", 1)[1].split("/", 1)[0]
    path = "/sql/1.0/warehouses/local"
    with (
        sql.connect(
            server_hostname=base,
            http_path=path,
            access_token=TOKEN,
            _connection_uri=base + path,
            enable_telemetry=False,
        ) as connection,
        connection.cursor() as cursor,
    ):
        cursor.execute(f"SELECT * FROM {table}")
        while True:
            page = cursor.fetchmany_arrow(100_000)
            if page.num_rows == 0:
                return
            yield from page.to_batches()


CLIENTS = {"cloudfetch": read_ours, "databricks-sql-connector": read_connector}


def run_once(client, uri, table):
    """In a process of its own: reads the table and prints what it took."""
    import pyarrow.compute

    start = time.monotonic()
    first = None
    rows = checksum = num_bytes = 0
    for batch in CLIENTS[client](uri, table):
        first = first or time.monotonic() - start
        rows += batch.num_rows
        num_bytes += batch.nbytes
        checksum += pyarrow.compute.sum(batch.column(0)).as_py() or 0
    usage = resource.getrusage(resource.RUSAGE_SELF)
    print(
        json.dumps(
            {
                "seconds": time.monotonic() - start,
                "first_batch": first,
                "cpu": usage.ru_utime + usage.ru_stime,
                "peak_mib": usage.ru_maxrss / 1024,
                "faults": usage.ru_minflt,
                "rows": rows,
                "bytes": num_bytes,
                "checksum": checksum,
            }
        )
    )


def measure(uri, table, runs):
    results = {client: [] for client in CLIENTS}
    for turn in range(runs + 1):
        for client in CLIENTS:
            finished = subprocess.run(
                [sys.executable, __file__, "--client", client, "--uri", uri, "--table", table],
                capture_output=True,
                text=True,
                check=True,
                timeout=600,
            )
            if turn > 0:
                results[client].append(json.loads(finished.stdout))
    answers = {(run["rows"], run["checksum"]) for runs_ in results.values() for run in runs_}
    if len(answers) != 1:
        raise SystemExit(f"the clients do not agree on rows and checksum: {sorted(answers)}")
    return results


def report(results):
    lines = [
        "| client | median s | min s | rows/s | decoded MB/s | first batch s | CPU s | peak MiB |",
        "|---|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for client, runs in results.items():
        median = {key: statistics.median(run[key] for run in runs) for key in runs[0]}
        lines.append(
            f"| {client} | {median['seconds']:.3f} | {min(run['seconds'] for run in runs):.3f} "
            f"| {median['rows'] / median['seconds']:,.0f} | {median['bytes'] / median['seconds'] / 1e6:,.0f} "
            f"| {median['first_batch']:.3f} | {median['cpu']:.2f} | {median['peak_mib']:,.0f} |"
        )
    ours, other = (results[client] for client in CLIENTS)
    ratios = sorted(b["seconds"] / a["seconds"] for a, b in zip(ours, other, strict=True))
    lines.append("")
    lines.append(
        f"Paired ratio of times: median {statistics.median(ratios):.2f}, {ratios[0]:.2f} to {ratios[-1]:.2f} "
        f"over {len(ratios)} rounds."
    )
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--table", default="main.tpcds_sf1_delta.catalog_sales")
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--client", choices=CLIENTS, help=argparse.SUPPRESS)
    parser.add_argument("--uri", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.client:
        run_once(arguments.client, arguments.uri, arguments.table)
        return
    warehouse = start_warehouse("--tpcds", "1", "--result-cache", stderr=subprocess.DEVNULL)
    try:
        results = measure(warehouse.uri, arguments.table, arguments.runs)
    finally:
        warehouse.stop()
    print(f"{arguments.table}, {os.cpu_count()} cores shared with the warehouse, {arguments.runs} rounds\n")
    print(report(results))
    if arguments.json:
        arguments.json.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
