# SPDX-License-Identifier: Apache-2.0
"""Memory stays within the budget, however slow the reader is."""

import json
import subprocess
import sys

READER = """
import json, resource, sys
from adbc_driver_manager import dbapi

driver, uri, sql, budget = sys.argv[1:]
options = {"uri": uri, "databricks.protocol": "thrift", "databricks.cloudfetch.memory_buffer_size_mb": budget}

def resident():
    with open("/proc/self/status") as file:
        fields = dict(line.split(":", 1) for line in file)
    return int(fields["VmHWM"].split()[0]) << 10

entrypoint = "AdbcDriverDatabricksInit"
with dbapi.connect(driver=driver, entrypoint=entrypoint, db_kwargs=options, autocommit=True) as connection:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
        cursor.fetchall()
        before = resident()
        cursor.execute(sql)
        rows = work = 0
        for batch in cursor.fetch_record_batch():
            rows += batch.num_rows
            work += sum(range(20_000))  # a reader slower than the pipeline
        charged = cursor.adbc_statement.get_option_int("databricks.statistics.peak_charged_bytes")
print(json.dumps({"rows": rows, "grown": resident() - before, "charged": charged}))
"""


def test_slow_reader_stays_within_the_budget(driver_path, warehouse):
    sql = "SELECT * FROM main.tpcds_sf1_delta.store_sales"
    finished = subprocess.run(
        [sys.executable, "-c", READER, driver_path, warehouse.uri, sql, "64"],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert finished.returncode == 0, finished.stderr
    figures = json.loads(finished.stdout)
    assert figures["rows"] == 2_880_404
    assert figures["charged"] <= 64 << 20
    assert figures["grown"] <= (64 + 32) << 20
