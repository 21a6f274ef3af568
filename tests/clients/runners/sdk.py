# SPDX-License-Identifier: Apache-2.0
"""databricks-sdk's statement API at work: it hands out rows as text, or links that its caller downloads."""

import io

import pyarrow
import pyarrow.ipc
import requests
from databricks.sdk import WorkspaceClient
from databricks.sdk.service.sql import Disposition, Format, StatementParameterListItem, StatementState
from reporting import NotOffered, at_once, configuration, perform, sums

CONFIG = configuration()
SQL = CONFIG["sql"]
CLIENT = WorkspaceClient(host=CONFIG["base"], token=CONFIG["token"])
API = CLIENT.statement_execution
OVER = {StatementState.SUCCEEDED, StatementState.FAILED, StatementState.CANCELED, StatementState.CLOSED}


def execute(statement, **more):
    reply = API.execute_statement(statement=statement, warehouse_id="local", wait_timeout="30s", **more)
    while reply.status.state not in OVER:
        reply = API.get_statement(reply.statement_id)
    return reply


def query(statement, **more):
    reply = execute(statement, **more)
    if reply.status.state != StatementState.SUCCEEDED:
        raise RuntimeError(str(reply.status.error))
    return (reply.result and reply.result.data_array) or []


def failure(statement):
    reply = execute(statement)
    return {"type": reply.status.state.value, "text": reply.status.error.message, "sqlstate": state_of(reply)}


def state_of(reply):
    return getattr(reply.status, "sql_state", None)


def parameters(**values):
    return [
        StatementParameterListItem(name=name, value=value, type="INT" if name == "a" else "STRING")
        for name, value in values.items()
    ]


def types():
    query(SQL["create_types"])
    query(SQL["fill_types"])
    rows = query(SQL["types"])
    query(SQL["drop_types"])
    return rows


def ddl():
    query(SQL["create"])
    count = query(SQL["count"])[0][0]
    query(SQL["drop"])
    return [count, failure(SQL["count"])]


def dml():
    query(SQL["create"])
    counts = [query(SQL[name])[0][0] for name in ("insert", "update", "delete")]
    rows = query(SQL["rows"])
    query(SQL["drop"])
    return [counts, rows]


def links(reply):
    """Every link of a result, page by page."""
    page = reply.result
    while page and page.external_links:
        yield from page.external_links
        following = page.external_links[-1].next_chunk_index
        page = None if following is None else API.get_statement_result_chunk_n(reply.statement_id, following)


def large():
    reply = execute(SQL["large"], disposition=Disposition.EXTERNAL_LINKS, format=Format.ARROW_STREAM)
    tables = []
    for link in links(reply):
        content = requests.get(link.external_link, timeout=60).content
        tables.append(pyarrow.ipc.open_stream(io.BytesIO(content)).read_all().select(CONFIG["large_columns"]))
    return sums(pyarrow.concat_tables(tables), CONFIG["large_columns"])


def cancel():
    reply = API.execute_statement(statement=SQL["endless"], warehouse_id="local", wait_timeout="0s")
    API.cancel_execution(reply.statement_id)
    while reply.status.state not in OVER:
        reply = API.get_statement(reply.statement_id)
    return {"type": reply.status.state.value, "text": str(reply.status.error), "sqlstate": None}


def none(what):
    def refuse():
        raise NotOffered(what)

    return refuse


perform(
    {
        "connect": lambda: API.execute_statement(statement=SQL["one"], warehouse_id="local") and None,
        "select_one": lambda: query(SQL["one"]),
        "types": types,
        "intervals": lambda: query(SQL["intervals"]),
        "named": lambda: query(SQL["named"], parameters=parameters(a="7", b="it's")),
        "positional": none("it binds by name"),
        "null": lambda: query(SQL["null"], parameters=parameters(a=None)),
        "ddl": ddl,
        "dml": dml,
        "catalogs": none("it has statements alone"),
        "schemas": none("it has statements alone"),
        "tables": none("it has statements alone"),
        "columns": none("it has statements alone"),
        "large": large,
        "error": lambda: failure(SQL["error"]),
        "cancel": cancel,
        "two": lambda: at_once([lambda: query(SQL["one"]), lambda: query(SQL["two"])]),
        "lost": none("it has no sessions"),
    }
)
