# SPDX-License-Identifier: Apache-2.0
"""arrowbricks: Thrift and the Statement Execution API."""

import pytest

from .trial import Trial, python
from .work import ACTIONS

_COMMAND = python("arrowbricks", "bricks.py")

TRIALS = [
    Trial("arrowbricks-thrift", "arrowbricks 6.2.0, Thrift", "arrowbricks", _COMMAND, {"protocol": "thrift"}),
    Trial(
        "arrowbricks-sea",
        "arrowbricks 6.2.0, SEA",
        "arrowbricks",
        _COMMAND,
        {"protocol": "sea"},
        own={"intervals": [["months", "3 days, 4:05:06.500000"]]},  # Arrow's own intervals; Thrift has text
    ),
]


@pytest.mark.parametrize("action", ACTIONS)
@pytest.mark.parametrize("trial", TRIALS, ids=lambda trial: trial.name)
def test_arrowbricks(trial, action, passes):
    passes(trial, action)
