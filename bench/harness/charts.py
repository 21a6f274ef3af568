# SPDX-License-Identifier: Apache-2.0
"""Charts of results, as Vega-Lite made by Altair."""

import altair

from .tables import summary

WIDTH = 1130
BELOW = altair.Legend(title=None, orient="bottom", columns=2, labelLimit=320)
PALETTE = {"ours": "#0b7a75", "bound": "#9aa5b1", "peer": "#d97706"}


def _role(name):
    if name.startswith("ours"):
        return "ours"
    return "bound" if name in ("lower-bound", "curl") else "peer"


def _colour():
    return altair.Color(
        "role:N",
        scale=altair.Scale(domain=list(PALETTE), range=list(PALETTE.values())),
        legend=None,
    )


def throughput(result, case):
    """Decoded GB/s of each client: the median as a bar, every run as a tick."""
    bars, ticks = [], []
    for name, runs in case["records"].items():
        of = summary(case, name)
        if of is None or name == "curl" or not of["gigabytes_per_second"]:
            continue
        label = case["titles"][name]
        bars.append({"client": label, "rate": of["gigabytes_per_second"], "role": _role(name)})
        ticks += [
            {"client": label, "rate": case["decoded_bytes"] / run["seconds"] / 1e9}
            for run in runs
            if "error" not in run and "wrong" not in run
        ]
    if not bars:
        return None
    fastest_first = [bar["client"] for bar in sorted(bars, key=lambda bar: -bar["rate"])]
    place = altair.Y("client:N", sort=fastest_first, title=None, axis=altair.Axis(labelLimit=280))
    rate = altair.X("rate:Q", title="decoded GB/s")
    bar = altair.Chart(altair.Data(values=bars)).mark_bar(opacity=0.85).encode(x=rate, y=place, color=_colour())
    text = bar.mark_text(align="left", dx=4, color="#334155").encode(
        text=altair.Text("rate:Q", format=".2f"), color=altair.value("#334155")
    )
    tick = altair.Chart(altair.Data(values=ticks)).mark_tick(color="#111827", thickness=1).encode(x="rate:Q", y=place)
    title = f"{result['scenario']} {case['name']}: {result['title']}"
    return (bar + tick + text).properties(width=WIDTH - 290, height=28 * len(bars), title=title)


def memory_over_time(case):
    """Resident memory of each client in one run."""
    values = [
        {"client": case["titles"][name], "seconds": seconds, "mebibytes": size}
        for name, portrait in case["portraits"].items()
        for seconds, size in portrait["memory"]
    ]
    if not values:
        return None
    return (
        altair.Chart(altair.Data(values=values))
        .mark_line(interpolate="step-after")
        .encode(
            x=altair.X("seconds:Q", title="seconds since the process began"),
            y=altair.Y("mebibytes:Q", title="resident MiB"),
            color=altair.Color("client:N", legend=BELOW),
        )
        .properties(width=WIDTH - 90, height=260, title="Memory over time")
    )


def transfers(case, name="ours"):
    """Which connection carried a file when: a bar a file."""
    portrait = case["portraits"].get(name)
    if not portrait or not portrait["transfers"]:
        return None
    values = [
        {"slot": str(slot), "start": start, "end": max(end, start + 0.001), "mebibytes": size / (1 << 20)}
        for slot, start, end, size in portrait["transfers"]
    ]
    slots = len({value["slot"] for value in values})
    return (
        altair.Chart(altair.Data(values=values))
        .mark_bar(height={"band": 0.8}, stroke="white", strokeWidth=0.6)
        .encode(
            x=altair.X("start:Q", title="seconds since the first request"),
            x2="end:Q",
            y=altair.Y("slot:O", title="connection", sort=[str(i + 1) for i in range(slots)]),
            color=altair.Color("mebibytes:Q", title="MiB", scale=altair.Scale(scheme="teals")),
        )
        .properties(width=WIDTH - 150, height=max(120, 14 * slots), title=f"Transfers of {case['titles'][name]}")
    )


def sweep(scenario, tables):
    """Rate against the number of connections, for each client that has such a knob. `tables`: best_knobs' entry."""
    values = []
    for client, entry in tables.items():
        for row in entry["table"]:
            numbers = [v for k, v in row["knobs"].items() if k in CONNECTION_KNOBS and str(v).isdigit()]
            others = {k for k in row["knobs"] if k not in CONNECTION_KNOBS}
            if numbers and row["seconds"] and not others:
                values.append({"client": client, "connections": int(numbers[0]), "rate": 1 / row["seconds"]})
    if not values:
        return None
    best = max(value["rate"] for value in values)
    for value in values:
        value["rate"] /= best
    return (
        altair.Chart(altair.Data(values=values))
        .mark_line(point=True)
        .encode(
            x=altair.X("connections:Q", scale=altair.Scale(type="log", base=2), title="connections"),
            y=altair.Y("rate:Q", title="rate, the best of all is 1", scale=altair.Scale(domain=[0, 1])),
            color=altair.Color("client:N", legend=BELOW),
        )
        .properties(width=WIDTH - 90, height=260, title=f"{scenario}: throughput by connections")
    )


CONNECTION_KNOBS = {"connections", "databricks.cloudfetch.parallel_downloads", "max_download_threads", "concurrency"}
