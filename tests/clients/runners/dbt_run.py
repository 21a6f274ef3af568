# SPDX-License-Identifier: Apache-2.0
"""dbt-databricks at work: a project of a few models, run through dbt's own door for programs."""

import contextlib
import io
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys

from dbt.cli.main import dbtRunner
from reporting import NotOffered, configuration, perform

CONFIG = configuration()
SQL = CONFIG["sql"]
SCHEMA = "client_dbt"
HOME = pathlib.Path(os.environ["CLOUDFETCH_REPORTS"]) / "dbt-project"
BASE = CONFIG["base"]

PROFILE = f"""
local:
  target: dev
  outputs:
    dev:
      type: databricks
      host: "{BASE}"
      http_path: {CONFIG["path"]}
      token: {CONFIG["token"]}
      catalog: main
      schema: {SCHEMA}
      threads: 2
      connect_retries: 0
      connection_parameters:
        _connection_uri: "{BASE}{CONFIG["path"]}"
        enable_telemetry: false
"""
PROJECT = """
name: judged
version: "1.0"
profile: local
flags:
  send_anonymous_usage_stats: false
"""
MODELS = {
    "one": "{{ config(materialized='table') }} SELECT 1 AS one",
    "two": "{{ config(materialized='view') }} SELECT 2 AS two",
    "merged": """{{ config(materialized='incremental', incremental_strategy='merge', unique_key='id') }}
        {% if is_incremental() %} SELECT 2 AS id, 'more' AS name
        {% else %} SELECT 1 AS id, 'one' AS name UNION ALL SELECT 2, 'two' {% endif %}""",
    "endless": f"{{{{ config(materialized='table') }}}} {SQL['endless']}",
}
MACROS = """
{% macro tables_of(schema) %}
  {% set found = get_uc_tables(api.Relation.create(database='main', schema=schema)) %}
  {{ print('@' ~ tojson(found.columns[0].values() | list)) }}
{% endmacro %}
{% macro columns_of(schema, table) %}
  {% set relation = api.Relation.create(database='main', schema=schema, identifier=table) %}
  {% set found = adapter.get_columns_in_relation(relation) %}
  {{ print('@' ~ tojson(found | map(attribute='name') | list)) }}
{% endmacro %}
{% macro schemas_of() %}
  {{ print('@' ~ tojson(list_schemas('main').columns[0].values() | list)) }}
{% endmacro %}
{% macro drop_model(name) %}
  {% set relation = api.Relation.create(database='main', schema=target.schema, identifier=name, type='table') %}
  {% do adapter.drop_relation(relation) %}
{% endmacro %}
"""


def make_project():
    shutil.rmtree(HOME, ignore_errors=True)
    for folder in ("models", "macros"):
        (HOME / folder).mkdir(parents=True)
    (HOME / "profiles.yml").write_text(PROFILE, encoding="utf-8")
    (HOME / "dbt_project.yml").write_text(PROJECT, encoding="utf-8")
    (HOME / "macros/asked.sql").write_text(MACROS, encoding="utf-8")
    for name, text in MODELS.items():
        (HOME / f"models/{name}.sql").write_text(text, encoding="utf-8")


def arguments(*words):
    where = ["--project-dir", str(HOME), "--profiles-dir", str(HOME)]
    return ["--no-use-colors", "--no-version-check", words[0], *where, *words[1:]]


def ask(*words):
    """What dbt answered to a command, and what it printed."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        outcome = dbtRunner().invoke(arguments(*words))
    sys.stderr.write(printed.getvalue())
    return outcome, printed.getvalue()


def reason(outcome, printed):
    results = getattr(outcome.result, "results", None) or []
    messages = [str(result.message) for result in results if getattr(result, "message", None)]
    return " ".join([str(outcome.exception or ""), *messages]).strip() or printed[-1500:]


def demand(*words):
    outcome, printed = ask(*words)
    if not outcome.success:
        raise RuntimeError(reason(outcome, printed))
    return outcome, printed


def show(statement):
    outcome, _ = demand("show", "--inline", statement, "--limit", "-1", "--quiet")
    return [list(row.values()) for row in outcome.result.results[0].agate_table.rows]


def failure(*words):
    outcome, printed = ask(*words)
    if outcome.success:
        raise AssertionError("no error came")
    return {"type": "dbt", "text": reason(outcome, printed), "sqlstate": None}


def macro(name, **values):
    _, printed = demand("run-operation", name, "--args", json.dumps(values), "--quiet")
    return json.loads(next(line for line in printed.splitlines() if line.startswith("@"))[1:])


def types():
    raise NotOffered("rows stay on the server; it previews them through agate's own types")


def ddl():
    demand("run", "--select", "one", "--full-refresh")
    count = show(f"SELECT count(*) AS n FROM main.{SCHEMA}.one")[0][0] - 1
    demand("run-operation", "drop_model", "--args", json.dumps({"name": "one"}))
    return [count, failure("show", "--inline", f"SELECT * FROM main.{SCHEMA}.one")]


def dml():
    demand("run", "--select", "merged", "--full-refresh")
    demand("run", "--select", "merged")
    return [None, show(f"SELECT id, name FROM main.{SCHEMA}.merged ORDER BY id")]


def cancel():
    """As a person at a terminal does: Ctrl-C once the model runs."""
    command = [pathlib.Path(sys.executable).with_name("dbt"), *arguments("run", "--select", "endless")]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    said = []
    for line in process.stdout:
        said.append(line)
        if "START sql" in line:
            process.send_signal(signal.SIGINT)
    process.wait()
    sys.stderr.write("".join(said))
    return {"type": "dbt", "text": "".join(said)[-4000:], "sqlstate": None}


def two():
    demand("run", "--select", "one", "two", "--threads", "2", "--full-refresh")
    return [show(f"SELECT * FROM main.{SCHEMA}.{name}") for name in ("one", "two")]


def none(what):
    def refuse():
        raise NotOffered(what)

    return refuse


TEXT_ALONE = none("its SQL is text without parameters")
TPCDS = "tpcds_sf1_delta"

if __name__ == "__main__":  # dbt's own processes load this file again
    make_project()
    perform(
        {
            "connect": lambda: demand("debug") and None,
            "select_one": lambda: show(SQL["one"]),
            "types": types,
            "intervals": types,
            "named": TEXT_ALONE,
            "positional": TEXT_ALONE,
            "null": TEXT_ALONE,
            "ddl": ddl,
            "dml": dml,
            "catalogs": none("it works in the catalog of its profile"),
            "schemas": lambda: macro("schemas_of"),
            "tables": lambda: macro("tables_of", schema=TPCDS),
            "columns": lambda: macro("columns_of", schema=TPCDS, table="customer"),
            "large": none("rows stay on the server"),
            "error": lambda: failure("show", "--inline", SQL["error"]),
            "cancel": cancel,
            "two": two,
            "lost": lambda: [failure("show", "--inline", SQL["lost"]), show(SQL["one"])],
        }
    )
