# SPDX-License-Identifier: Apache-2.0
"""arrowbricks at work, over Thrift or the Statement Execution API. It has statements alone: no calls for listings."""

import asyncio

import arrowbricks
import pyarrow
from reporting import NotOffered, arrow_rows, configuration, perform, sums, text

CONFIG = configuration()
SQL = CONFIG["sql"]


def connect():
    return arrowbricks.connect(
        host=CONFIG["base"], warehouse_id="local", token=CONFIG["token"], protocol=CONFIG["protocol"]
    )


async def table(connection, statement, parameters=None):
    cursor = connection.cursor()
    await cursor.execute(statement, parameters)
    return pyarrow.table(await cursor.fetchall_arrow())


def within(use):
    """Runs `use` with a connection."""

    async def body():
        async with connect() as connection:
            return await use(connection)

    return asyncio.run(body())


def query(statement, parameters=None):
    async def use(connection):
        return arrow_rows(await table(connection, statement, parameters))

    return within(use)


async def failure_of(awaitable):
    try:
        value = await awaitable
    except (Exception, asyncio.CancelledError) as failure:
        return {"type": type(failure).__name__, "text": str(failure), "sqlstate": None}
    raise AssertionError(f"no error came, but {value!r}")


async def types(connection):
    await table(connection, SQL["create_types"])
    await table(connection, SQL["fill_types"])
    rows = arrow_rows(await table(connection, SQL["types"]))
    await table(connection, SQL["drop_types"])
    return rows


async def intervals(connection):
    """pyarrow, which shows the rows here, knows the name of the interval of months and no value of it."""
    found = await table(connection, SQL["intervals"])
    return [
        [
            "months" if kind.id == pyarrow.lib.Type_INTERVAL_MONTHS else text(found.column(at)[0].as_py())
            for at, kind in enumerate(found.schema.types)
        ]
    ]


async def ddl(connection):
    await table(connection, SQL["create"])
    count = arrow_rows(await table(connection, SQL["count"]))[0][0]
    await table(connection, SQL["drop"])
    return [count, await failure_of(table(connection, SQL["count"]))]


async def dml(connection):
    await table(connection, SQL["create"])
    counts = []
    for name in ("insert", "update", "delete"):
        counts.append(arrow_rows(await table(connection, SQL[name]))[0][0])
    rows = arrow_rows(await table(connection, SQL["rows"]))
    await table(connection, SQL["drop"])
    return [counts, rows]


async def large(connection):
    return sums(await table(connection, SQL["large"]), CONFIG["large_columns"])


async def error(connection):
    return await failure_of(table(connection, SQL["error"]))


async def cancel(connection):
    running = asyncio.ensure_future(table(connection, SQL["endless"]))
    done, _ = await asyncio.wait([running], timeout=1)
    if done:
        raise AssertionError(f"it ended by itself: {running.result()}")
    running.cancel()
    return await asyncio.wait_for(failure_of(running), 30)


async def two(connection):
    found = await asyncio.gather(table(connection, SQL["one"]), table(connection, SQL["two"]))
    return [arrow_rows(item) for item in found]


async def lost(connection):
    return await failure_of(table(connection, SQL["lost"]))


def listing():
    raise NotOffered("it has statements alone")


def positional():
    raise NotOffered("it binds by name")


NAMED = [{"name": "a", "value": "7", "type": "INT"}, {"name": "b", "value": "it's", "type": "STRING"}]

perform(
    {
        "connect": lambda: query(SQL["one"]) and None,
        "select_one": lambda: query(SQL["one"]),
        "types": lambda: within(types),
        "intervals": lambda: within(intervals),
        "named": lambda: query(SQL["named"], NAMED),
        "positional": positional,
        "null": lambda: query(SQL["null"], [{"name": "a", "value": None, "type": "INT"}]),
        "ddl": lambda: within(ddl),
        "dml": lambda: within(dml),
        "catalogs": listing,
        "schemas": listing,
        "tables": listing,
        "columns": listing,
        "large": lambda: within(large),
        "error": lambda: within(error),
        "cancel": lambda: within(cancel),
        "two": lambda: within(two),
        "lost": lambda: [within(lost), query(SQL["one"])],
    }
)
