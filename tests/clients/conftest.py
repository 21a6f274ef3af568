# SPDX-License-Identifier: Apache-2.0
"""The warehouse as the clients meet it, over http and https, and each client's one run."""

import dataclasses
import json
import os
import shutil
import subprocess

import pytest
from conftest import TOKEN, start_warehouse

from . import trial as trials
from . import work

# The clients are not part of `make test`.
collect_ignore_glob = [] if os.environ.get("CLOUDFETCH_RUN_CLIENTS") else ["test_*.py"]


@dataclasses.dataclass(frozen=True)
class Server:
    base: str
    host: str
    port: int
    uri: str
    ca: str = ""
    token: str = TOKEN


def _serve(*options):
    faults = trials.REPORTS / "faults.json"
    trials.REPORTS.mkdir(parents=True, exist_ok=True)
    faults.write_text(json.dumps({"rules": work.faults()}), encoding="utf-8")
    log = (trials.REPORTS / "warehouse.log").open("a", encoding="utf-8")
    return start_warehouse("--tpcds", "1", "--result-cache", "--faults", faults, *options, stderr=log)


@pytest.fixture(scope="session")
def plain_server():
    warehouse = _serve()
    yield Server(f"http://127.0.0.1:{warehouse.port}", "127.0.0.1", warehouse.port, warehouse.uri)
    warehouse.stop()


@pytest.fixture(scope="session")
def certificates(tmp_path_factory):
    """A folder with an authority of our own (ca.pem, and ca.p12 for Java) and a server that it signed for."""
    folder = tmp_path_factory.mktemp("tls")

    def run(*arguments):
        subprocess.run([*map(str, arguments)], check=True, capture_output=True)

    key = ("-newkey", "rsa:2048", "-nodes")
    authority = ("-subj", "/CN=authority of the tests", "-addext", "basicConstraints=critical,CA:TRUE")
    ca_key, ca = folder / "ca.key", folder / "ca.pem"
    run("openssl", "req", "-x509", *key, "-days", 30, "-keyout", ca_key, "-out", ca, *authority)
    request = folder / "server.csr"
    run("openssl", "req", *key, "-keyout", folder / "server.key", "-out", request, "-subj", "/CN=localhost")
    (folder / "names").write_text("subjectAltName=IP:127.0.0.1,DNS:localhost\n", encoding="utf-8")
    signing = ("-CA", ca, "-CAkey", ca_key, "-CAcreateserial", "-days", 30, "-extfile", folder / "names")
    run("openssl", "x509", "-req", "-in", request, "-out", folder / "server.pem", *signing)
    if shutil.which("keytool"):
        store = ("-keystore", folder / "ca.p12", "-storetype", "PKCS12", "-storepass", "changeit")
        run("keytool", "-importcert", "-noprompt", "-alias", "ca", "-file", ca, *store)
    return folder


@pytest.fixture(scope="session")
def tls_server(certificates):
    chain, key = certificates / "server.pem", certificates / "server.key"
    warehouse = _serve("--tls-cert", chain, "--tls-key", key)
    port = warehouse.port
    ca = str(certificates / "ca.pem")
    yield Server(f"https://localhost:{port}", "localhost", port, warehouse.uri, ca)
    warehouse.stop()


@pytest.fixture(scope="session")
def verdict(request):
    """Says what came of an action of a trial; each trial runs once, when its first action is asked for."""
    reports = {}

    def of(trial, action):
        if trial.name not in reports:
            assert not trial.missing(), trial.missing()
            server = request.getfixturevalue("tls_server" if trial.tls else "plain_server")
            reports[trial.name] = trials.run(trial, server)
        return reports[trial.name][action]

    return of


@pytest.fixture
def passes(verdict):
    """Fails the test with the reason, unless the action went well or is not in the client."""

    def check(trial, action):
        outcome = verdict(trial, action)
        assert outcome["verdict"] in ("ok", "not offered"), outcome["why"]

    return check
