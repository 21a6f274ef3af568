# SPDX-License-Identifier: Apache-2.0
"""dbt-databricks: debug, models as tables and views, a merge, what its adapter lists."""

import pytest

from .trial import Trial, python
from .work import ACTIONS

TRIAL = Trial("dbt", "dbt-databricks 1.12.7", "dbt", python("dbt", "dbt_run.py"), seconds=400)


@pytest.mark.parametrize("action", ACTIONS)
def test_dbt(action, passes):
    passes(TRIAL, action)
