# SPDX-License-Identifier: Apache-2.0
"""Databricks' connector for Python: Thrift, the Statement Execution API, and the kernel in Rust."""

import pytest

from .trial import Trial, python
from .work import ACTIONS

_PLAIN, _KERNEL = "python-connector", "python-kernel"

TRIALS = [
    Trial(
        "connector-thrift",
        "Python connector 4.9.0, Thrift",
        _PLAIN,
        python(_PLAIN, "connector.py"),
        {"backend": "thrift"},
    ),
    Trial(
        "connector-sea",
        "Python connector 4.9.0, SEA",
        _PLAIN,
        python(_PLAIN, "connector.py"),
        {"backend": "sea"},
        own={"cancel": "Invalid result format"},  # it does not know the state CANCELED
    ),
    Trial(
        "connector-sea-hybrid",
        "Python connector 4.9.0, SEA hybrid",
        _PLAIN,
        python(_PLAIN, "connector.py"),
        {"backend": "sea", "hybrid": True},
        own={"cancel": "Invalid result format"},
    ),
    Trial(
        "connector-thrift-tls",
        "Python connector 4.9.0, Thrift over TLS",
        _PLAIN,
        python(_PLAIN, "connector.py"),
        {"backend": "thrift"},
        tls=True,
    ),
    Trial(
        "connector-kernel-tls",
        "Python connector 4.9.0, kernel 1.3.0 over TLS",
        _KERNEL,
        python(_KERNEL, "connector.py"),
        {"backend": "kernel"},
        tls=True,
    ),
    Trial(
        "connector-kernel",
        "Python connector 4.9.0, kernel 1.3.0",
        _KERNEL,
        python(_KERNEL, "connector.py"),
        {"backend": "kernel"},
    ),
]


@pytest.mark.parametrize("action", ACTIONS)
@pytest.mark.parametrize("trial", TRIALS, ids=lambda trial: trial.name)
def test_connector(trial, action, passes):
    passes(trial, action)
