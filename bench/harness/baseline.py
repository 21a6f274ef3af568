# SPDX-License-Identifier: Apache-2.0
"""A result beside an older one of the same scenario: another day, so rounds cannot be paired."""

import json
import pathlib
import random
import statistics

from .estimates import RESAMPLES, verdict
from .tables import good_runs

MARGIN = 0.03


def load(path):
    """{scenario: result} of a file with one result, or of all result files of a folder; a missing path: nothing."""
    path = pathlib.Path(path)
    files = sorted(path.glob("*.json")) if path.is_dir() else [path] if path.exists() else []
    found = {}
    for file in files:
        content = json.loads(file.read_text(encoding="utf-8"))
        if isinstance(content, dict) and content.get("format") == 1:
            found[content["scenario"]] = content
    return found


def runs_of(result, case_name, client):
    """The good runs of a client in a case of a result, [] when they are not there."""
    for case in (result or {}).get("cases", []):
        if case["name"] == case_name:
            return good_runs(case["records"].get(client, []))
    return []


def ratio_of_means(new, old, seed=1):
    """(ratio, low, high): new to old with its 95 % bootstrap interval; None without two runs on either side."""
    if len(new) < 2 or len(old) < 2 or statistics.fmean(old) <= 0:
        return None
    draw = random.Random(seed)

    def resampled(values):
        return statistics.fmean(draw.choices(values, k=len(values)))

    ratios = sorted(resampled(new) / resampled(old) for _ in range(RESAMPLES))
    low, high = ratios[int(0.025 * RESAMPLES)], ratios[int(0.975 * RESAMPLES) - 1]
    return statistics.fmean(new) / statistics.fmean(old), low, high


def compare(new, old, seed=1):
    """(mean of new, mean of old or None, difference in per cent or None, "better", "worse" or "")."""
    mean = statistics.fmean(new)
    ratio = ratio_of_means(new, old, seed)
    if ratio is None:
        return mean, None, None, ""
    return mean, statistics.fmean(old), (ratio[0] - 1) * 100, verdict(ratio, MARGIN)
