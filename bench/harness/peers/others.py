# SPDX-License-Identifier: Apache-2.0
"""arrowbricks, JDBC, Node and its kernel."""

import pathlib
import shutil
import sysconfig

from .. import places, server
from .peer import TUNED_MALLOC, Command, Peer, missing_file

BRICKS_PYTHON = places.CLIENTS / "arrowbricks/bin/python"
NODE_FOLDER = places.CLIENTS / "node"
JDBC_FOLDER = places.CLIENTS / "jdbc"


def _bricks(protocol):
    def command(task):
        arguments = task.reader_arguments(protocol=protocol, options=task.knobs)
        environment = {"PYTHONPATH": sysconfig.get_path("purelib")}  # numpy and pyarrow, which it does not bring
        if task.endpoint.ca:
            environment["SSL_CERT_FILE"] = task.endpoint.ca
        return Command([BRICKS_PYTHON, places.READERS / "bricks.py", arguments], environment)

    return command


def _node(script, environment=None, **more):
    def command(task):
        arguments = task.reader_arguments(modules=str(NODE_FOLDER), options={}, **more)
        trust = {"NODE_EXTRA_CA_CERTS": task.endpoint.ca} if task.endpoint.ca else {}
        return Command(["node", places.READERS / script, arguments], {**trust, **(environment or {})})

    return command


def _jar():
    return next(iter(sorted(JDBC_FOLDER.glob("databricks-jdbc-*.jar"))), JDBC_FOLDER / "databricks-jdbc.jar")


def _missing_jdbc():
    return missing_file(_jar())() or ("" if shutil.which("java") else "java is not there")


def _jdbc(thrift, cells):
    def command(task):
        endpoint = task.endpoint
        transport = f"1;{_trust(endpoint.ca)}" if endpoint.ca else "0"
        url = (
            f"jdbc:databricks://{endpoint.host}:{endpoint.port}/default;ssl={transport};"
            f"httpPath={server.PATH};AuthMech=3;EnableTelemetry=0;UseThriftClient={int(thrift)}"
        )
        url += "".join(f";{name}={value}" for name, value in task.knobs.items())
        columns = [str(column) for column in task.dataset.check_columns]
        java = ["java", "--add-opens=java.base/java.nio=ALL-UNNAMED", "-cp", _jar(), places.READERS / "ReadJdbc.java"]
        return Command([*java, url, server.TOKEN, task.dataset.sql, *columns, "cells" if cells else "rows"])

    return command


def _trust(ca):
    store = pathlib.Path(ca).with_suffix(".p12")
    return f"SSLTrustStore={store};SSLTrustStorePwd=changeit;SSLTrustStoreType=PKCS12;CheckCertRevocation=0"


_NODE = missing_file(NODE_FOLDER / "node_modules/@databricks/sql/package.json")
_BRICKS = {"missing": missing_file(BRICKS_PYTHON), "knobs": {"chunk_fetch_concurrency": [4, 8, 16, 32, 64]}}
_JDBC_KNOBS = {"cloudFetchThreadPoolSize": [4, 8, 16], "RowsFetchedPerBlock": [100_000, 2_000_000]}

PEERS = [
    Peer("arrowbricks", "arrowbricks, Thrift", _bricks("thrift"), can=frozenset({"delay"}), **_BRICKS),
    Peer("arrowbricks-sea", "arrowbricks, SEA", _bricks("sea"), can=frozenset({"delay"}), **_BRICKS),
    Peer("kernel-node", "Databricks kernel, Node's raw binding, as installed", _node("node_kernel.js"), _NODE),
    Peer(
        "kernel-node-tuned",
        "Databricks kernel, Node's raw binding, malloc tuned",
        _node("node_kernel.js", TUNED_MALLOC),
        _NODE,
    ),
    Peer("node-rows", "Databricks driver for Node, Thrift", _node("node_rows.js"), _NODE, kind="rows", needs_tls=True),
    Peer("kernel-node-rows", "Databricks kernel, Node's rows", _node("node_rows.js", kernel=True), _NODE, kind="rows"),
    Peer("jdbc-rows", "JDBC, Thrift, getObject", _jdbc(True, True), _missing_jdbc, kind="rows", knobs=_JDBC_KNOBS),
    Peer("jdbc-sea-rows", "JDBC, SEA, getObject", _jdbc(False, True), _missing_jdbc, kind="rows", knobs=_JDBC_KNOBS),
    Peer("jdbc-next", "JDBC, Thrift, two columns", _jdbc(True, False), _missing_jdbc, kind="rows", knobs=_JDBC_KNOBS),
]
