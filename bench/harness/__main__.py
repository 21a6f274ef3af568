# SPDX-License-Identifier: Apache-2.0
"""python -m harness run|sweep|report|list …, from the folder bench/."""

import argparse
import os
import pathlib
import signal
import sys

from . import matrix, peers, places
from .scenarios import SCENARIOS


def _list(_arguments):
    for scenario in SCENARIOS.values():
        print(f"{scenario.name:13} {scenario.title}; passes: {scenario.passes or '-'}")
    for peer in peers.ALL.values():
        print(f"{peer.name:20} {peer.kind:8} {peer.title}: {peer.missing() or 'can run'}")


def _unknown_cases(arguments):
    """Those of --case that no scenario of the call has."""
    known = {case.name for name in arguments.scenario for case in SCENARIOS[name].cases(arguments.quick)}
    return [name for name in arguments.case if name not in known], known


def _run(arguments):
    from . import tables

    unknown, known = _unknown_cases(arguments)
    if unknown:
        print(f"run: --case {', '.join(unknown)}: there are {', '.join(sorted(known))}", file=sys.stderr)
        return 2
    failed = False
    for name in arguments.scenario:
        result = matrix.run_scenario(
            name,
            names=arguments.peer,
            case_names=arguments.case,
            runs=arguments.runs,
            quick=arguments.quick,
            pin=arguments.pin,
            portraits=arguments.portraits,
            seed=arguments.seed,
        )
        if not result["cases"]:
            continue
        print(tables.scenario_table(result))
        if not arguments.dry:
            print(f"stored in {os.path.relpath(matrix.store(result), places.ROOT)}\n", flush=True)
        failed = failed or not tables.is_right(result)
    return 1 if failed else 0


def _sweep(arguments):
    from .sweep import sweep

    for name in arguments.scenario:
        sweep(name, names=arguments.peer, runs=arguments.runs, quick=not arguments.full)


def _report(arguments):
    from . import baseline, comment

    folder = places.RESULTS
    found = baseline.load(folder)
    results = {name: found[name] for name in SCENARIOS if name in found}
    if not results:
        print("report: there are no results yet", file=sys.stderr)
        return 1
    baselines = baseline.load(arguments.baseline) if arguments.baseline else {}
    text = comment.comment(results, baselines, arguments.commit)
    (arguments.output / "comment.md").write_text(text, encoding="utf-8")
    if not arguments.no_page:
        from . import knobs, page

        (arguments.output / "report.html").write_text(page.render(results, knobs.load()), encoding="utf-8")
    print(f"written to {arguments.output}: comment.md" + ("" if arguments.no_page else ", report.html"))
    return 0


def _parser():
    parser = argparse.ArgumentParser(prog="harness", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("list", help="scenarios and clients").set_defaults(call=_list)
    run = commands.add_parser("run", help="run scenarios and store what they gave")
    run.add_argument("scenario", nargs="+", choices=SCENARIOS)
    run.add_argument("--peer", action="append", default=[], choices=peers.ALL, help="may be repeated; default: all")
    run.add_argument("--case", action="append", default=[], help="cases of these names alone; may be repeated")
    run.add_argument("--runs", type=int, help="rounds behind the warm-up")
    run.add_argument("--quick", action="store_true", help="a quarter of the data, three rounds")
    run.add_argument("--pin", action="store_true", help="one core for the server, one for the clients")
    run.add_argument("--portraits", action="store_true", help="one more run each: memory, transfers, allocations")
    run.add_argument("--seed", type=int, default=1)
    run.add_argument("--dry", action="store_true", help="print, store nothing")
    run.set_defaults(call=_run)
    sweep = commands.add_parser("sweep", help="try the settings of each client, keep the best")
    sweep.add_argument("scenario", nargs="+", choices=SCENARIOS)
    sweep.add_argument("--peer", action="append", default=[], choices=peers.ALL)
    sweep.add_argument("--runs", type=int, default=3)
    sweep.add_argument("--full", action="store_true", help="the whole data, not a quarter")
    sweep.set_defaults(call=_sweep)
    report = commands.add_parser("report", help="the stored results as a comment and as a page")
    report.add_argument("--baseline", type=pathlib.Path, help="a folder or file of earlier results")
    report.add_argument("--commit", default="", help="to be named in the comment")
    report.add_argument("--output", type=pathlib.Path, default=places.RESULTS)
    report.add_argument("--no-page", action="store_true", help="the comment alone")
    report.set_defaults(call=_report)
    return parser


def main():
    # Ended from outside, it still ends the server and the client that it runs.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    arguments = _parser().parse_args()
    return arguments.call(arguments)


if __name__ == "__main__":
    sys.exit(main())
