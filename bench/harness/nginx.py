# SPDX-License-Identifier: Apache-2.0
"""nginx in front of storage: it keeps each file after the first request and hands it out itself from then on."""

import os
import pathlib
import shutil
import socket
import subprocess
import tempfile

_CONFIGURATION = """
{user} daemon off; worker_processes 2; pid {folder}/pid; error_log {folder}/error.log;
events {{ worker_connections 1024; }}
http {{
  access_log off; sendfile on; tcp_nopush on; keepalive_requests 100000;
  client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
  proxy_cache_path {folder}/cache keys_zone=files:10m max_size=20g inactive=1d use_temp_path=off;
  server {{
    listen 127.0.0.1:{port};
    location / {{
      proxy_pass http://127.0.0.1:{storage_port};
      proxy_http_version 1.1; proxy_set_header Host $http_host;
      proxy_cache files; proxy_cache_key $uri; proxy_cache_valid 200 1d; proxy_cache_lock on;
    }}
  }}
}}
"""


def free_port():
    """A port that is free now. nginx cannot say which one it was given, so it must be told."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Proxy:
    """A running nginx; a context manager."""

    def __init__(self):
        self.port, self.storage_port = free_port(), free_port()
        program = shutil.which("nginx") or "/usr/sbin/nginx"
        if not pathlib.Path(program).exists():
            raise RuntimeError("nginx is not installed: apt-get install nginx-light")
        self._folder = tempfile.TemporaryDirectory()
        configuration = pathlib.Path(self._folder.name) / "nginx.conf"
        configuration.write_text(
            _CONFIGURATION.format(
                user="user root;" if os.geteuid() == 0 else "",  # else its workers may not write where it keeps files
                folder=self._folder.name,
                port=self.port,
                storage_port=self.storage_port,
            ),
            encoding="utf-8",
        )
        self._process = subprocess.Popen(
            [program, "-c", str(configuration)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._process.terminate()
        self._process.wait(30)
        self._folder.cleanup()
