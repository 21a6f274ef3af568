# SPDX-License-Identifier: Apache-2.0
"""Databricks' driver for Node: Thrift over TLS, and the kernel."""

import json

import pytest

from .trial import CLIENTS, RUNNERS, Trial
from .work import ACTIONS


def _command(config):
    return ["node", RUNNERS / "node.js", json.dumps({"modules": str(CLIENTS / "node"), **config})]


def _trust(config):
    return {"NODE_EXTRA_CA_CERTS": config["ca"]} if config["ca"] else {}


_SETTINGS = {"kernel": False, "large_seconds": 300}
# A number of JavaScript has 53 bits, its only date is a moment in milliseconds.
_OWN = {
    "types.dt": "1582-10-15 00:00:00.000",
    "types.ts": "2021-03-04 05:06:07.123",
    "types.tn": "2021-03-04 05:06:07.123",
    "types.i64": "9223372036854776000",
    "types.d": "-12345678901234.568",
}

TRIALS = [
    Trial(
        "node-thrift", "Node 2.1.0, Thrift over TLS", "node", _command, _SETTINGS, _trust, _OWN, tls=True, seconds=400
    ),
    Trial("node-kernel", "Node 2.1.0, kernel", "node", _command, {**_SETTINGS, "kernel": True}, own=_OWN, seconds=400),
]


@pytest.mark.parametrize("action", ACTIONS)
@pytest.mark.parametrize("trial", TRIALS, ids=lambda trial: trial.name)
def test_node(trial, action, passes):
    passes(trial, action)
