# SPDX-License-Identifier: Apache-2.0
"""The Markdown comment for a pull request: the queries by front end beside the baseline, then every other scenario."""

from . import machine
from .baseline import compare, runs_of
from .tables import good_runs, scenario_table

MARKER = "<!-- cloudfetch benchmark -->"  # by which a bot finds its own comment again
MARKS = {"better": " 🟢", "worse": " 🔴", "": ""}
FRONT_ENDS = {"ours": "C++", "ours-python": "Python"}


def _cell(new, old, scale, digits):
    """ "1,234 (1,200) +2.8 % 🔴": value, baseline, difference, mark."""
    value, before, difference, word = compare(new, old)
    text = f"{value * scale:,.{digits}f}"
    if before is None:
        return text
    return f"{text} ({before * scale:,.{digits}f}) {difference:+.1f} %{MARKS[word]}"


def _row(case, client, baseline):
    runs = good_runs(case["records"][client])
    old = runs_of(baseline, case["name"], client)
    portrait = case["portraits"].get(client, {})
    allocated = portrait.get("allocated_bytes")
    cells = [
        case["name"],
        f"{case['dataset']['rows']:,}",
        str(case["dataset"]["columns"] or ""),
        _cell([run["seconds"] for run in runs], [run["seconds"] for run in old], 1000, 1),
        _cell([run["peak_kib"] for run in runs], [run["peak_kib"] for run in old], 1 / 1024, 1),
        f"{allocated / (1 << 20):,.1f}" if allocated is not None else "",
    ]
    return "| " + " | ".join(cells) + " |"


def front_end_table(result, client, baseline):
    lines = [
        "| query | rows | columns | mean ms (baseline) | peak memory MiB (baseline) | allocated MiB |",
        "|---|---:|---:|---:|---:|---:|",
    ]
    for case in result["cases"]:
        if good_runs(case["records"].get(client, [])):
            lines.append(_row(case, client, baseline))
    return "\n".join(lines)


def comment(results, baselines, commit=""):
    """All results as one text. `results` and `baselines`: {scenario: result}."""
    lines = [MARKER, "## CloudFetch benchmark", ""]
    first = next(iter(results.values()))
    lines.append(f"{machine.line(first['machine'])}." + (f" Commit {commit}." if commit else ""))
    queries = results.get("queries")
    if queries:
        lines += ["", _legend(queries, baselines.get("queries"))]
        for client, front_end in FRONT_ENDS.items():
            if any(good_runs(case["records"].get(client, [])) for case in queries["cases"]):
                lines += ["", f"### {front_end}", "", front_end_table(queries, client, baselines.get("queries"))]
    for name, result in results.items():
        if name == "queries":
            continue
        lines += [
            "",
            f"<details><summary>{name}: {result['title']}</summary>",
            "",
            scenario_table(result),
            "</details>",
        ]
    return "\n".join(lines) + "\n"


def _legend(result, baseline):
    text = (
        f"Means of {result['runs']} runs behind a warm-up. Peak memory is that of the whole process; allocated is what "
        "it asked for in pieces of 64 KiB and more."
    )
    if not baseline:
        return text
    return (
        f"{text} In brackets the baseline of {baseline['time'][:10]}. 🟢 faster or smaller, 🔴 slower or larger: only "
        "where the whole 95 % interval of the ratio lies beyond 3 %."
    )
