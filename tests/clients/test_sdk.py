# SPDX-License-Identifier: Apache-2.0
"""databricks-sdk: its statement execution API."""

import pytest

from .trial import Trial, python
from .work import ACTIONS

TRIAL = Trial(
    "sdk",
    "databricks-sdk 0.162.0, SEA",
    "databricks-sdk",
    python("databricks-sdk", "sdk.py"),
    own={"types.x": "AP8Q"},  # rows are text, and binary in it is base64
)


@pytest.mark.parametrize("action", ACTIONS)
def test_sdk(action, passes):
    passes(TRIAL, action)
