# SPDX-License-Identifier: Apache-2.0
"""Writes the table of docs/compatibility.md from the reports of a run: `python -m tests.clients.compatibility`.

What stands outside of the two marks of the page is written by hand and stays."""

import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
REPORTS = ROOT / "build/clients"
PAGE = ROOT / "docs/compatibility.md"
BEGIN, END = "<!-- table: written by make clients -->", "<!-- end of the table -->"


def reports(folder):
    """The reports of the trials that ran, by title."""
    found = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.json"))]
    return sorted((report for report in found if "actions" in report), key=lambda report: report["title"].lower())


def cell(outcome):
    return {"ok": "ok", "not offered": "–"}.get(outcome["verdict"], "FAILED")


def table(found, actions):
    """One row a client, one column an action; below it, what every dash and every failure means."""
    lines = [
        "| client | " + " | ".join(actions.values()) + " |",
        "|---|" + "---|" * len(actions),
    ]
    for report in found:
        lines.append(
            f"| {report['title']} | " + " | ".join(cell(report["actions"][action]) for action in actions) + " |"
        )
    outcomes = [outcome for report in found for outcome in report["actions"].values()]
    verdicts = [outcome["verdict"] for outcome in outcomes]
    lines += ["", f"{verdicts.count('ok')} ok, {verdicts.count('not offered')} not offered by the client (–), "]
    lines[-1] += f"{verdicts.count('FAILED')} failed."
    for heading, verdict in (("Not offered", "not offered"), ("Failed", "FAILED")):
        reasons = _reasons(found, actions, verdict)
        if reasons:
            lines += ["", f"**{heading}**", "", *reasons]
    return "\n".join(lines)


def _reasons(found, actions, verdict):
    lines = []
    for report in found:
        by_reason = {}
        for action, heading in actions.items():
            outcome = report["actions"][action]
            if outcome["verdict"] == verdict:
                by_reason.setdefault(_short(outcome["why"]), []).append(heading)
        lines += [f"- {report['title']}: {', '.join(names)}: {reason}" for reason, names in by_reason.items()]
    return lines


def _short(reason):
    """The first words of a reason, without addresses, ports and ids of one run."""
    reason = re.sub(r"\s+", " ", reason).replace("|", "\\|")
    reason = re.sub(r"[0-9a-f]{8}-[0-9a-f-]{27}", "<id>", reason)
    reason = re.sub(r"(127\.0\.0\.1|localhost):\d+", r"\1:<port>", reason)
    return reason.replace(f"{ROOT}/", "")[:240].strip()


def write(page, text):
    """Puts `text` between the marks of `page`; the marks have to be there."""
    before, rest = page.read_text(encoding="utf-8").split(BEGIN)
    after = rest.split(END)[1]
    page.write_text(f"{before}{BEGIN}\n\n{text}\n\n{END}{after}", encoding="utf-8")


def main():
    from .work import ACTIONS

    found = reports(REPORTS)
    if not found:
        sys.exit("no reports in build/clients: make clients makes them")
    write(PAGE, table(found, ACTIONS))
    print(f"{PAGE.relative_to(ROOT)}: {len(found)} clients")


if __name__ == "__main__":
    main()
