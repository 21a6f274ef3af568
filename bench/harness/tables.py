# SPDX-License-Identifier: Apache-2.0
"""Results as Markdown tables for a terminal, a comment, a page of documentation."""

from . import machine
from .estimates import median, paired_ratio

OURS = "ours"


def good_runs(records):
    return [run for run in records if "error" not in run and "wrong" not in run]


def is_right(result):
    """True when none of our own runs was wrong or failed."""
    return all(
        len(good_runs(runs)) == len(runs)
        for case in result["cases"]
        for name, runs in case["records"].items()
        if name.startswith(OURS)
    )


def summary(case, name):
    """The medians of a client's good runs in a case, or None without one."""
    runs = good_runs(case["records"].get(name, []))
    if not runs:
        return None
    of = {
        key: median([run[key] for run in runs])
        for key in runs[0]
        if all(isinstance(run.get(key), int | float) for run in runs)
    }
    cpu = median([run["cpu_user"] + run["cpu_system"] for run in runs])
    decoded = case["decoded_bytes"] or 0
    wire = median([run["server"]["sent_bytes"] for run in runs])
    return {
        "seconds": of["seconds"],
        "minimum": min(run["seconds"] for run in runs),
        "gigabytes_per_second": decoded / of["seconds"] / 1e9 if decoded else 0,
        "wire_megabytes_per_second": wire / of["seconds"] / 1e6,
        "wire_bytes": wire,
        "rows_per_second": (of.get("rows") or case["dataset"]["rows"] or 0) / of["seconds"],
        "first_batch": of.get("first_batch", 0),
        "cpu": cpu,
        "cpu_per_gigabyte": cpu / (decoded / 1e9) if decoded else 0,
        "server_cpu": median([run["server"]["server_cpu"] for run in runs]),
        "peak_mib": of["peak_kib"] / 1024,
        "minor_faults": of["minor_faults"],
        "delay_seconds": of.get("delay_seconds", 0),
        "close_seconds": of.get("close_seconds", 0),
        "fairness": of.get("fairness", 0),
        "good": len(runs),
        "all": len(case["records"][name]),
    }


def times(case, name):
    """Seconds of each round, None where a run does not count."""
    return [None if "error" in run or "wrong" in run else run["seconds"] for run in case["records"].get(name, [])]


def ratio_text(ratio):
    return "" if ratio is None else f"{ratio[0]:.2f} ({ratio[1]:.2f}–{ratio[2]:.2f})"


def _reason(runs):
    first = next((run for run in runs if "error" in run or "wrong" in run), {})
    return (first.get("wrong") or first.get("error") or "").strip().splitlines()[-1:] or [""]


def case_table(case, baseline=OURS):
    """One row a client, the fastest first; the last column is the paired ratio of its times to ours."""
    lines = [
        "| client | median s | min s | decoded GB/s | wire MB/s | rows/s | first batch ms "
        "| CPU s/GB | server CPU s | peak MiB | faults | × our time (95 %) |",
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]
    found = {name: summary(case, name) for name in case["records"]}
    for name, of in sorted(found.items(), key=lambda item: item[1]["seconds"] if item[1] else float("inf")):
        title = case["titles"][name]
        if of is None:
            lines.append(f"| {title} | no right run: {_reason(case['records'][name])[0][:120]} |" + " |" * 10)
            continue
        count = (
            ""
            if of["good"] == of["all"]
            else f" ({of['good']} of {of['all']} runs right: {_reason(case['records'][name])[0][:80]})"
        )
        ratio = paired_ratio(times(case, name), times(case, baseline)) if name != baseline else None
        lines.append(
            f"| {title}{count} | {of['seconds']:.3f} | {of['minimum']:.3f} | {of['gigabytes_per_second']:.2f} "
            f"| {of['wire_megabytes_per_second']:,.0f} | {of['rows_per_second']:,.0f} "
            f"| {of['first_batch'] * 1000:.0f} | {of['cpu_per_gigabyte']:.2f} | {of['server_cpu']:.2f} "
            f"| {of['peak_mib']:,.0f} | {of['minor_faults']:,.0f} | {ratio_text(ratio)} |"
        )
    return "\n".join(lines)


def case_heading(case):
    rows = case["dataset"]["rows"]
    size = f", {case['decoded_bytes'] / 1e9:.2f} GB decoded" if case["decoded_bytes"] else ""
    return f"{case['name']}: {rows:,} rows{size}" if rows else case["name"]


def scenario_table(result):
    """Everything of a scenario for a person."""
    lines = [f"### {result['scenario']}: {result['title']}", ""]
    if result["passes"]:
        lines.append(f"Passes when: {result['passes']}. ")
    rounds = f"{result['runs']} rounds behind a warm-up, processors {result['processors']}"
    lines.append(f"{rounds}; {machine.line(result['machine'])}.")
    for case in result["cases"]:
        lines += ["", f"**{case_heading(case)}**", "", case_table(case)]
        lines += remarks(case)
        if case["unable"]:
            lines += [
                "",
                "Not there: " + "; ".join(f"{n} ({r.splitlines()[-1][:100]})" for n, r in case["unable"].items()),
            ]
    return "\n".join(lines) + "\n"


def remarks(case):
    """What the scenario is about, for each client, where the table does not say it."""
    lines = []
    for name in case["records"]:
        of = summary(case, name)
        if of is None:
            continue
        title = case["titles"][name]
        if case["link_rate"]:
            share = of["wire_bytes"] / of["seconds"] / case["link_rate"]
            steady = [run.get("steady_bytes_per_second") for run in good_runs(case["records"][name])]
            known = [rate for rate in steady if rate]
            later = f", {median(known) / case['link_rate']:.1%} after the first second" if known else ""
            lines.append(f"- {title}: {share:.1%} of the link in all{later}")
        if case["delay"] and of["delay_seconds"]:
            lines.append(f"- {title}: {of['seconds'] / of['delay_seconds']:.3f} × the time that the reader takes")
        if of["fairness"]:
            lines.append(f"- {title}: slowest to fastest {of['fairness']:.2f}")
        if case.get("stop_after_batches") and of["close_seconds"]:
            lines.append(f"- {title}: closed in {of['close_seconds'] * 1000:.1f} ms")
    return ["", *lines] if lines else []
