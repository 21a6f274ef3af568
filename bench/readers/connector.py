# SPDX-License-Identifier: Apache-2.0
"""Reads one result with Databricks' connector for Python: over Thrift, the Statement Execution API, or its kernel."""

from databricks import sql
from measuring import Meter, configuration

PAGE_ROWS = 100_000


def connect(config):
    """The connector's own spelling of where the server is differs by backend."""
    host, port, scheme = config["host"], config["port"], config["scheme"]
    common = {
        "http_path": config["path"],
        "access_token": config["token"],
        "enable_telemetry": False,
        **config["options"],
    }
    if config.get("ca"):
        common["_tls_trusted_ca_file"] = config["ca"]
    backend = config["backend"]
    if backend == "kernel":
        return sql.connect(server_hostname=f"{scheme}://{host}:{port}", use_kernel=True, **common)
    if backend == "sea":
        return sql.connect(server_hostname=f"{scheme}://{host}", _port=port, use_sea=True, **common)
    base = f"{scheme}://{host}:{port}"
    return sql.connect(server_hostname=base, _connection_uri=base + config["path"], **common)


def main():
    config = configuration()
    meter = Meter(config)
    with connect(config) as connection, connection.cursor() as cursor:
        meter.start()
        cursor.execute(config["sql"])
        if config.get("cell_by_cell"):
            while rows := cursor.fetchmany(PAGE_ROWS):
                for row in rows:
                    meter.add_row(row)
        else:
            while True:
                page = cursor.fetchmany_arrow(PAGE_ROWS)
                if page.num_rows == 0:
                    break
                meter.add(page)
        meter.stop()


main()
