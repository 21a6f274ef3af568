# SPDX-License-Identifier: Apache-2.0
"""databricks-sqlalchemy, over the connector's Thrift backend."""

import pytest

from .trial import Trial, python
from .work import ACTIONS

TRIAL = Trial(
    "sqlalchemy",
    "databricks-sqlalchemy 2.0.10",
    "sqlalchemy",
    python("sqlalchemy", "alchemy.py"),
    {"kernel": False},
    own={"types.a": ["1.0", "nan", "3.0"], "types.st": {"a": "1.0", "b": "x"}},  # its rows pass through pandas
)


@pytest.mark.parametrize("action", ACTIONS)
def test_sqlalchemy(action, passes):
    passes(TRIAL, action)
