# SPDX-License-Identifier: Apache-2.0
"""Stands between a Databricks client and the Thrift server of Apache Spark, which differ in two things.

Spark's server signs users in by name and takes no bearer token, and it insists on a version of its own in
the protocol's old field, which Databricks' clients fill with a number that is none."""

import base64
import http.client
import http.server
import threading

_BASIC = "Basic " + base64.b64encode(b"tester:any").decode()


_OPEN_SESSION = b"OpenSession"
_VERSION = 8 + len(_OPEN_SESSION) + 4 + 3  # where the request begins: after name and number of the message
_NO_VERSION = bytes.fromhex("08 0001 fffffff9")  # client_protocol, an i32, as Databricks' clients send it
_VERSION_10 = bytes.fromhex("08 0001 00000009")  # the newest that Spark knows


def _with_version(body):
    """`body` itself, unless it opens a session: then with a version that Spark knows."""
    end = _VERSION + len(_NO_VERSION)
    if body[8:].startswith(_OPEN_SESSION) and body[_VERSION:end] == _NO_VERSION:
        return body[:_VERSION] + _VERSION_10 + body[end:]
    return body


def _with_databricks_version(body, answer):
    """`answer` itself, unless it opened a session: then with the first of Databricks' versions, which adds nothing."""
    if not body[8:].startswith(_OPEN_SESSION):
        return answer
    return answer.replace(bytes.fromhex("08 0002 00000009"), bytes.fromhex("08 0002 0000a501"), 1)


class HiveProxy:
    """Listens on 127.0.0.1 and a free port, and passes each POST on to `path` of the port behind it."""

    def __init__(self, port_behind, path):
        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            behind = None

            def do_POST(self):
                body = _with_version(self.rfile.read(int(self.headers["Content-Length"])))
                if self.behind is None:
                    self.behind = http.client.HTTPConnection("127.0.0.1", port_behind, timeout=300)
                self.behind.request(
                    "POST", path, body, {"Authorization": _BASIC, "Content-Type": "application/x-thrift"}
                )
                reply = self.behind.getresponse()
                answer = _with_databricks_version(body, reply.read())
                self.send_response(reply.status)
                self.send_header("Content-Type", reply.headers.get("Content-Type", "application/x-thrift"))
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)

            def log_message(self, *_):
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.port = self._server.server_address[1]
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self):
        self._server.shutdown()
        self._server.server_close()
