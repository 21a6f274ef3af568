# SPDX-License-Identifier: Apache-2.0
"""Reads one result with our driver through ADBC's Python driver manager."""

from adbc_driver_manager import dbapi
from measuring import Meter, configuration


def main():
    config = configuration()
    meter = Meter(config)
    with (
        dbapi.connect(
            driver=config["driver"],
            entrypoint="AdbcDriverDatabricksInit",
            db_kwargs=config["options"],
            autocommit=True,
        ) as connection,
        connection.cursor() as cursor,
    ):
        meter.start()
        cursor.execute(config["sql"])
        if config.get("cell_by_cell"):
            while row := cursor.fetchone():
                meter.add_row(row)
        else:
            for batch in cursor.fetch_record_batch():
                meter.add(batch)
        meter.stop()


main()
