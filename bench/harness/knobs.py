# SPDX-License-Identifier: Apache-2.0
"""The best settings of each client, as `make bench-sweep` found them and keeps them in a file."""

import json

from . import places

FILE = places.BENCH / "best_knobs.json"


def load(file=FILE):
    """{scenario: {client: {"knobs": {…}, "table": […]}}}"""
    return json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}


def best(peer, scenario, stored=None):
    """What to run `peer` with in a scenario: what the sweep of this scenario found, else its own defaults."""
    stored = load() if stored is None else stored
    found = stored.get(scenario, {}).get(peer.name)
    return dict(found["knobs"]) if found else dict(peer.defaults)


def store(scenario, peer_name, knobs, table, file=FILE):
    stored = load(file)
    stored.setdefault(scenario, {})[peer_name] = {"knobs": knobs, "table": table}
    file.write_text(json.dumps(stored, indent=1, sort_keys=True) + "\n", encoding="utf-8")
