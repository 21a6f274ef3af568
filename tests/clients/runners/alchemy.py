# SPDX-License-Identifier: Apache-2.0
"""databricks-sqlalchemy at work, over the connector's Thrift backend or its kernel."""

import sqlalchemy
from reporting import NotOffered, at_once, cancelled, configuration, error_of, perform, rows_of

CONFIG = configuration()
SQL = CONFIG["sql"]


def make_engine():
    where = {"server_hostname": CONFIG["base"], "enable_telemetry": False}
    if CONFIG["kernel"]:
        where["use_kernel"] = True
    else:
        where["_connection_uri"] = CONFIG["base"] + CONFIG["path"]
    url = f"databricks://token:{CONFIG['token']}@localhost?http_path={CONFIG['path']}&catalog=main&schema=default"
    return sqlalchemy.create_engine(url, connect_args=where)


ENGINE = make_engine()


def query(statement, **parameters):
    with ENGINE.connect() as connection:
        return rows_of(connection.execute(sqlalchemy.text(statement), parameters).fetchall())


def run(connection, name):
    return connection.exec_driver_sql(SQL[name])


def types():
    with ENGINE.connect() as connection:
        run(connection, "create_types")
        run(connection, "fill_types")
        rows = rows_of(run(connection, "types").fetchall())
        run(connection, "drop_types")
        return rows


def ddl():
    """Through its own words for tables, not ours."""
    name = SQL["drop"].rsplit(".", 1)[1]
    metadata = sqlalchemy.MetaData()
    made = sqlalchemy.Table(
        name, metadata, sqlalchemy.Column("id", sqlalchemy.Integer), sqlalchemy.Column("name", sqlalchemy.String)
    )
    metadata.create_all(ENGINE)
    with ENGINE.connect() as connection:
        count = connection.execute(sqlalchemy.select(sqlalchemy.func.count()).select_from(made)).scalar()
    metadata.drop_all(ENGINE)
    return [count, error_of(lambda: query(SQL["count"]))]


def dml():
    with ENGINE.connect() as connection:
        run(connection, "create")
        counts = [run(connection, name).fetchone()[0] for name in ("insert", "update", "delete")]
        rows = rows_of(run(connection, "rows").fetchall())
        run(connection, "drop")
        return [counts, rows]


def large():
    with ENGINE.connect() as connection:
        found = run(connection, "large_narrow")
        at = [list(found.keys()).index(column) for column in CONFIG["large_columns"]]
        totals = [0, *([0] * len(at))]
        for page in found.partitions(50_000):
            totals[0] += len(page)
            for index, column in enumerate(at):
                totals[index + 1] += sum(row[column] or 0 for row in page)
        return totals


def cancel():
    with ENGINE.connect() as connection:
        cursor = connection.connection.cursor()

        def endless():
            cursor.execute(SQL["endless"])
            return cursor.fetchall()

        return cancelled(endless, cursor.cancel)


def lost():
    failure = error_of(lambda: query(SQL["lost"]))
    ENGINE.dispose()
    return [failure, query(SQL["one"])]


def no_catalogs():
    raise NotOffered("its inspector lists schemas of one catalog")


def no_positional():
    raise NotOffered("it binds by name")


def inspect(use):
    return use(sqlalchemy.inspect(ENGINE))


SCHEMA = "tpcds_sf1_delta"

perform(
    {
        "connect": lambda: ENGINE.connect().close(),
        "select_one": lambda: query(SQL["one"]),
        "types": types,
        "intervals": lambda: query(SQL["intervals"]),
        "named": lambda: query(SQL["named"], a=7, b="it's"),
        "positional": no_positional,
        "null": lambda: query(SQL["null"], a=None),
        "ddl": ddl,
        "dml": dml,
        "catalogs": no_catalogs,
        "schemas": lambda: inspect(lambda inspector: inspector.get_schema_names()),
        "tables": lambda: inspect(lambda inspector: inspector.get_table_names(SCHEMA)),
        "columns": lambda: inspect(lambda inspector: [c["name"] for c in inspector.get_columns("customer", SCHEMA)]),
        "large": large,
        "error": lambda: error_of(lambda: query(SQL["error"])),
        "cancel": cancel,
        "two": lambda: at_once([lambda: query(SQL["one"]), lambda: query(SQL["two"])]),
        "lost": lost,
    }
)
