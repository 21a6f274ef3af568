# SPDX-License-Identifier: Apache-2.0
"""Ray's read_databricks_tables: the statement API with links, without compression."""

import pytest

from .trial import Trial, python
from .work import ACTIONS

TRIAL = Trial("ray", "Ray 2.60.0, read_databricks_tables", "ray", python("ray", "ray_run.py"), seconds=400)


@pytest.mark.parametrize("action", ACTIONS)
def test_ray(action, passes):
    passes(TRIAL, action)
