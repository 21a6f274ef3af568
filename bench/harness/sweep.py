# SPDX-License-Identifier: Apache-2.0
"""Tries the settings of each client, one knob after the other, and keeps the best."""

import pathlib
import tempfile

from . import knobs as best_knobs
from .estimates import median
from .matrix import CaseRunner, able_peers, running_server, say, server_groups
from .scenarios import SCENARIOS


def best_of(table):
    """The settings with the lowest median; None when none had a right run."""
    timed = [row for row in table if row["seconds"] is not None]
    return min(timed, key=lambda row: row["seconds"])["knobs"] if timed else None


def try_settings(runner, peer, settings, runs):
    """A row of the table: median seconds and peak of `runs` runs behind a warm-up."""
    reports = [runner.run(peer, settings, number) for number in range(runs + 1)][1:]
    good = [report for report in reports if "error" not in report]
    return {
        "knobs": settings,
        "seconds": median([report["seconds"] for report in good]) if good else None,
        "peak_mib": round(median([report["peak_kib"] for report in good]) / 1024) if good else None,
    }


def sweep_peer(runner, peer, scenario_name, runs):
    """One pass over each knob: the best value of one is kept while the next is tried."""
    chosen = dict(peer.defaults)
    table = []
    for knob, values in peer.knobs.items():
        rows = [
            try_settings(runner, peer, {**chosen, knob: value}, runs)
            for value in [chosen.get(knob), *values]
            if value is not None
        ]
        table += rows
        for row in rows:
            say(f"  {peer.name} {row['knobs']}: {row['seconds'] and round(row['seconds'], 3)} s, {row['peak_mib']} MiB")
        chosen = best_of(rows) or chosen
    if table:
        best_knobs.store(scenario_name, peer.name, best_of(table) or chosen, table)


def sweep(scenario_name, names=(), runs=3, quick=True):
    """Sweeps every client with knobs on the first case of a scenario."""
    scenario = SCENARIOS[scenario_name]
    case = scenario.cases(quick)[0]
    key = next(iter(server_groups([case])))
    able, _ = able_peers(scenario, case, names)
    with tempfile.TemporaryDirectory() as folder, running_server(key, pin=False) as server:
        runner = CaseRunner(scenario, case, server, pathlib.Path(folder), seed=1, pin=False)
        runner.prepare_links()
        for peer in able:
            if peer.knobs:
                say(f"{scenario_name}: {peer.name}")
                sweep_peer(runner, peer, scenario_name, runs)
