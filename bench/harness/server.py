# SPDX-License-Identifier: Apache-2.0
"""The local warehouse as a benchmark runs it."""

import dataclasses
import json
import os
import pathlib
import shutil
import ssl
import subprocess
import urllib.request

from . import places

TOKEN = "dapi-of-the-benchmark"
PATH = "/sql/1.0/warehouses/local"


@dataclasses.dataclass(frozen=True)
class Endpoint:
    """Where a client finds the server."""

    scheme: str
    host: str
    port: int
    ca: str = ""  # PEM file to trust, of https

    @property
    def base(self):
        return f"{self.scheme}://{self.host}:{self.port}"

    @property
    def uri(self):
        return f"{'databricks' if self.ca else 'http'}://token:{TOKEN}@{self.host}:{self.port}{PATH}"


def certificate():
    """(certificate, key, authority) as PEM files, made once: an authority and a server that it signs for."""
    folder = places.DATA / "tls"
    files = [folder / name for name in ("server.pem", "server.key", "ca.pem")]
    if all(file.exists() for file in files):
        return files
    folder.mkdir(parents=True, exist_ok=True)

    def openssl(*arguments):
        subprocess.run(["openssl", *map(str, arguments)], check=True, capture_output=True)

    new_key = ("-newkey", "rsa:2048", "-nodes")
    authority = ("-subj", "/CN=benchmark authority", "-addext", "basicConstraints=critical,CA:TRUE")
    openssl("req", "-x509", *new_key, "-days", 3650, "-keyout", folder / "ca.key", "-out", files[2], *authority)
    openssl("req", *new_key, "-keyout", files[1], "-out", folder / "server.csr", "-subj", "/CN=localhost")
    (folder / "names").write_text("subjectAltName=IP:127.0.0.1,DNS:localhost\n", encoding="utf-8")
    signed = ("-CA", files[2], "-CAkey", folder / "ca.key", "-CAcreateserial", "-days", 3650)
    openssl("x509", "-req", "-in", folder / "server.csr", *signed, "-out", files[0], "-extfile", folder / "names")
    if shutil.which("keytool"):  # Java does not read PEM
        store = ("-keystore", folder / "ca.p12", "-storetype", "PKCS12", "-storepass", "changeit")
        command = ["keytool", "-importcert", "-noprompt", "-alias", "ca", "-file", files[2], *store]
        subprocess.run([*map(str, command)], check=True, capture_output=True)
    return files


class Server:
    """A running cloudfetch-warehouse; a context manager that stops it."""

    def __init__(self, arguments=(), *, data=places.DATA, tls=False, processor=None, storage_port=0):
        data.mkdir(parents=True, exist_ok=True)
        command = [places.BUILD / "cloudfetch-warehouse", "--token", TOKEN, "--result-cache", "--data", data]
        command += ["--listen", "127.0.0.1:0", "--storage", f"127.0.0.1:{storage_port}", *arguments]
        authority = ""
        if tls:
            chain, key, authority = certificate()
            command += ["--tls-cert", chain, "--tls-key", key]
        self._context = ssl.create_default_context(cafile=authority) if tls else None
        self._process = subprocess.Popen(
            [*map(str, command)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        if processor is not None:
            os.sched_setaffinity(self._process.pid, {processor})
        words = self._process.stdout.readline().split()
        if len(words) != 2 or words[0] != "READY":
            self.stop()
            raise RuntimeError(f"the warehouse said {words} in place of READY and its address")
        port = int(words[1].split("@", 1)[1].split("/", 1)[0].rsplit(":", 1)[1])
        self.endpoint = Endpoint("https" if tls else "http", "127.0.0.1", port, str(authority))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def stop(self):
        self._process.terminate()
        self._process.wait(60)
        self._process.stdout.close()

    def _ask(self, what, method="GET", body=None):
        request = urllib.request.Request(
            f"{self.endpoint.base}/__warehouse__/{what}",
            data=None if body is None else json.dumps(body).encode(),
            method=method,
            headers={"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=60, context=self._context) as reply:
            return json.load(reply)

    def counters(self):
        """What is compared before and after a run."""
        stats = self._ask("stats")
        return {
            "server_cpu": stats["process"]["cpu_seconds"],
            "sent_bytes": stats["bytes"]["sent"],
            "connections": stats["connections"]["total"],
            "gets": stats["storage"]["gets"],
            "refused": stats["storage"]["refused"],
        }

    def requests(self, since=0):
        return self._ask(f"requests?since={since}")

    def set_faults(self, rules, seed=0):
        """Puts `rules` in place of earlier ones; their counts begin anew."""
        if rules:
            self._ask("faults", "POST", {"seed": seed, "rules": rules})
        else:
            self._ask("faults", "DELETE")


def data_folder(scale):
    return pathlib.Path(places.TPCDS_DATA if scale else places.DATA)
