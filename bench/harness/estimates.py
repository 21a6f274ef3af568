# SPDX-License-Identifier: Apache-2.0
"""What repeated runs say: medians, and intervals of the ratio between two clients that took turns."""

import random
import statistics

RESAMPLES = 4000


def median(values):
    return statistics.median(values)


def paired_ratio(numerators, denominators, seed=1):
    """Median of the ratios pair by pair with its 95 % bootstrap interval: (median, low, high).

    The two lists are of the same rounds, so that what slowed a round down slowed both. Rounds in which one of them has
    no time (None) are left out; without a pair there is no ratio.
    """
    ratios = [
        above / below
        for above, below in zip(numerators, denominators, strict=False)
        if above is not None and below is not None and below > 0
    ]
    if not ratios:
        return None
    if len(ratios) == 1:
        return ratios[0], ratios[0], ratios[0]
    draw = random.Random(seed)
    medians = sorted(statistics.median(draw.choices(ratios, k=len(ratios))) for _ in range(RESAMPLES))
    return statistics.median(ratios), medians[int(0.025 * RESAMPLES)], medians[int(0.975 * RESAMPLES) - 1]


def verdict(ratio, margin=0.03):
    """ "better", "worse" or "" for a ratio of times (new to old): a mark only where the whole interval lies outside."""
    if ratio is None:
        return ""
    _, low, high = ratio
    if high < 1 - margin:
        return "better"
    return "worse" if low > 1 + margin else ""
