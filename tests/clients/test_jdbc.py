# SPDX-License-Identifier: Apache-2.0
"""Databricks' JDBC driver: Thrift and the Statement Execution API, plain and over TLS with an authority of our own."""

import pathlib

import pytest

from .trial import CLIENTS, REPORTS, RUNNERS, Trial
from .work import ACTIONS


def _command(thrift):
    def command(config):
        transport = "ssl=0"
        if config["ca"]:
            store = pathlib.Path(config["ca"]).with_suffix(".p12")
            transport = f"ssl=1;SSLTrustStore={store};SSLTrustStorePwd=changeit;SSLTrustStoreType=PKCS12"
            transport += ";CheckCertRevocation=0"  # our authority has no list of what it took back
        url = f"jdbc:databricks://{config['host']}:{config['port']}/default;{transport};httpPath={config['path']}"
        url += f";AuthMech=3;EnableTelemetry=0;UseThriftClient={int(thrift)}"
        jar = next(iter((CLIENTS / "jdbc").glob("databricks-jdbc-*.jar")))
        java = ["java", "-Xmx2g", "--add-opens=java.base/java.nio=ALL-UNNAMED", "-cp", jar, RUNNERS / "Jdbc.java"]
        return [*java, url, config["token"], _properties(config), *config["large_columns"]]

    return command


def _properties(config):
    """The SQL in the one form that Java reads without a library."""
    file = REPORTS / f"{config['name']}.properties"
    lines = (f"{name}={text}".replace("\\", "\\\\") for name, text in config["sql"].items())
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return file


TRIALS = [
    Trial("jdbc-thrift", "JDBC 3.4.5, Thrift", "jdbc", _command(True), {"name": "jdbc-thrift"}),
    Trial(
        "jdbc-thrift-tls", "JDBC 3.4.5, Thrift over TLS", "jdbc", _command(True), {"name": "jdbc-thrift-tls"}, tls=True
    ),
    Trial("jdbc-sea", "JDBC 3.4.5, SEA", "jdbc", _command(False), {"name": "jdbc-sea"}),
    Trial("jdbc-sea-tls", "JDBC 3.4.5, SEA over TLS", "jdbc", _command(False), {"name": "jdbc-sea-tls"}, tls=True),
]


@pytest.mark.parametrize("action", ACTIONS)
@pytest.mark.parametrize("trial", TRIALS, ids=lambda trial: trial.name)
def test_jdbc(trial, action, passes):
    passes(trial, action)
