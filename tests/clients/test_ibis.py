# SPDX-License-Identifier: Apache-2.0
"""ibis, over the connector's Thrift backend."""

import pytest

from .trial import Trial, python
from .work import ACTIONS

TRIAL = Trial("ibis", "ibis 12.0.0", "ibis", python("ibis", "ibis_run.py"))


@pytest.mark.parametrize("action", ACTIONS)
def test_ibis(action, passes):
    passes(TRIAL, action)
