# SPDX-License-Identifier: Apache-2.0
"""ibis at work: expressions where it has words of its own, SQL where it has not."""

import ibis
import pyarrow
import pyarrow.compute
from reporting import NotOffered, arrow_rows, at_once, cancelled, configuration, error_of, perform, rows_of, text

CONFIG = configuration()
SQL = CONFIG["sql"]
SCHEMA = "tpcds_sf1_delta"


def connect():
    return ibis.databricks.connect(
        server_hostname=CONFIG["base"],
        http_path=CONFIG["path"],
        access_token=CONFIG["token"],
        catalog="main",
        schema="default",
        use_cloud_fetch=True,
        _connection_uri=CONFIG["base"] + CONFIG["path"],
        enable_telemetry=False,
    )


def within(use):
    """Runs `use` with a connection of its own."""
    connection = connect()
    try:
        return use(connection)
    finally:
        connection.disconnect()


def query(connection, statement):
    return arrow_rows(connection.sql(statement).to_pyarrow())


def run(connection, statement):
    """The rows of a statement that is none of ibis' expressions."""
    with connection.raw_sql(statement) as cursor:
        return rows_of(cursor.fetchall())


def types(connection):
    run(connection, SQL["create_types"])
    run(connection, SQL["fill_types"])
    rows = query(connection, SQL["types"])
    run(connection, SQL["drop_types"])
    return rows


def ddl(connection):
    name = SQL["drop"].rsplit(".", 1)[1]
    made = connection.create_table(name, schema=ibis.schema({"id": "int32", "name": "string"}), overwrite=True)
    count = made.count().to_pyarrow().as_py()
    connection.drop_table(name)
    return [count, error_of(lambda: connection.sql(SQL["count"]).to_pyarrow())]


def dml(connection):
    run(connection, SQL["create"])
    counts = [run(connection, SQL[name])[0][0] for name in ("insert", "update", "delete")]
    rows = query(connection, SQL["rows"])
    run(connection, SQL["drop"])
    return [counts, rows]


def large(connection):
    table = connection.table("catalog_sales", database=("main", SCHEMA))
    columns = CONFIG["large_columns"]
    read = table.to_pyarrow()
    return [read.num_rows, *(pyarrow.compute.sum(read[column]).as_py() for column in columns)]


def columns(connection):
    return list(connection.table("customer", database=("main", SCHEMA)).columns)


def cancel(connection):
    cursor = connection.con.cursor()

    def endless():
        cursor.execute(SQL["endless"])
        return cursor.fetchall()

    return cancelled(endless, cursor.cancel)


def two():
    return at_once([lambda: within(lambda c: query(c, SQL["one"])), lambda: within(lambda c: query(c, SQL["two"]))])


def lost():
    connection = connect()
    failure = error_of(lambda: run(connection, SQL["lost"]))
    return [failure, within(lambda other: query(other, SQL["one"]))]


def intervals(connection):
    try:
        found = connection.sql(SQL["intervals"]).to_pyarrow()
    except pyarrow.ArrowNotImplementedError as failure:
        raise NotOffered("it casts intervals of text, which Arrow cannot") from failure
    return [[text(column[0].as_py()) for column in found.columns]]


def no_parameters():
    raise NotOffered("its parameters become literals")


if __name__ == "__main__":
    perform(
        {
            "connect": lambda: within(lambda connection: None),
            "select_one": lambda: within(lambda connection: query(connection, SQL["one"])),
            "types": lambda: within(types),
            "intervals": lambda: within(intervals),
            "named": no_parameters,
            "positional": no_parameters,
            "null": no_parameters,
            "ddl": lambda: within(ddl),
            "dml": lambda: within(dml),
            "catalogs": lambda: within(lambda connection: connection.list_catalogs()),
            "schemas": lambda: within(lambda connection: connection.list_databases(catalog="main")),
            "tables": lambda: within(lambda connection: connection.list_tables(database=("main", SCHEMA))),
            "columns": lambda: within(columns),
            "large": lambda: within(large),
            "error": lambda: within(lambda connection: error_of(lambda: query(connection, SQL["error"]))),
            "cancel": lambda: within(cancel),
            "two": two,
            "lost": lost,
        }
    )
