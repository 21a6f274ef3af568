# SPDX-License-Identifier: Apache-2.0
"""Reads one result with arrowbricks, a page of Arrow rows at a time."""

import asyncio
import os
import sys

import arrowbricks
import pyarrow
from measuring import Meter, configuration

PAGE_ROWS = 100_000


async def main():
    config = configuration()
    meter = Meter(config)
    warehouse = config["path"].rsplit("/", 1)[1]
    async with arrowbricks.connect(
        host=f"{config['scheme']}://{config['host']}:{config['port']}",
        warehouse_id=warehouse,
        token=config["token"],
        protocol=config["protocol"],
        **config["options"],
    ) as connection:
        cursor = connection.cursor()
        meter.start()
        await cursor.execute(config["sql"])
        while True:
            page = pyarrow.table(await cursor.fetchmany_arrow(PAGE_ROWS))
            if page.num_rows == 0:
                break
            meter.add(page)
        meter.stop()
        sys.stdout.flush()
        os._exit(0)  # its own end aborts now and then


asyncio.run(main())
