# SPDX-License-Identifier: Apache-2.0
"""Runs a scenario: clients in turn, one round to warm up, rows and checksums compared, every figure kept."""

import contextlib
import datetime
import itertools
import json
import pathlib
import sys
import tempfile
import threading

from . import knobs as best_knobs
from . import links, machine, peers, places, portrait, rates
from .nginx import Proxy
from .running import measured_run
from .scenarios import SCENARIOS
from .server import Server, data_folder

FORMAT = 1


def say(text):
    print(text, file=sys.stderr, flush=True)


def able_peers(scenario, case, names):
    """The clients that take part in a case, and why others do not: ([peer], {name: reason})."""
    able, unable = [], {}
    for name in names or scenario.only or peers.ALL:
        peer = peers.ALL[name]
        if peer.kind not in scenario.kinds:
            continue
        if not case.needs <= peer.can:
            unable[name] = f"cannot: {', '.join(sorted(case.needs - peer.can))}"
        elif peer.needs_tls and not case.tls:
            unable[name] = "speaks https alone"
        elif reason := peer.missing():
            unable[name] = reason
        else:
            able.append(peer)
    return able, unable


def arithmetic_sums(rows):
    """(sum, ordered sum) of a column that holds the row's number."""
    return rows * (rows - 1) // 2 % (1 << 64), (rows - 1) * rows * (rows + 1) // 3 % (1 << 64)


def faults_of(report, case, expected):
    """What is wrong with a run's answer, or "". `expected` learns from the first run of a case."""
    if case.stop_after_batches or "rows" not in report or report.get("streams"):
        return ""
    if case.dataset.rows is not None and report["rows"] != case.dataset.rows:
        return f"{report['rows']} rows in place of {case.dataset.rows}"
    if case.dataset.rows is not None and (report["sums"][0], report["ordered_sums"][0]) != arithmetic_sums(
        report["rows"]
    ):
        return "rows are not in order"
    answer = (report["rows"], tuple(report["sums"]), tuple(report["ordered_sums"]))
    if expected.setdefault(case.dataset.name, answer) != answer:
        return "rows or sums differ from those of another client"
    return ""


@contextlib.contextmanager
def outage(server, seconds):
    """The faults in force end after `seconds`."""
    if not seconds:
        yield
        return
    timer = threading.Timer(seconds, server.set_faults, ([],))
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()


class CaseRunner:
    """All runs of one case on a server that is up."""

    def __init__(self, scenario, case, server, folder, *, seed, pin):
        self._scenario, self._case, self.server = scenario, case, server
        self.extra_environment = {}
        self._seed, self._pin = seed, pin
        self._links_file = folder / f"{abs(hash(case.name))}.links"

    def prepare_links(self):
        server_links = links.of_result(self.server.endpoint, self._case.dataset.sql)
        self._links_file.write_text("".join(link + "\n" for link in server_links), encoding="utf-8")

    def task(self, peer, knobs):
        case = self._case
        return peers.Task(
            endpoint=self.server.endpoint,
            dataset=case.dataset,
            links_file=self._links_file,
            delay=case.delay,
            knobs=knobs,
            streams=case.streams,
            stop_after_batches=case.stop_after_batches,
            options=case.options if peer.name.startswith("ours") else {},
        )

    def run(self, peer, knobs, round_number, on_start=None):
        with outage(self.server, self._case.outage_seconds), self._watch() as watch:
            report = measured_run(
                self.server,
                peer,
                self.task(peer, knobs),
                rules=self._case.rules,
                seed=self._seed + round_number,
                processor=1 if self._pin else None,
                on_start=on_start,
                extra_environment=self.extra_environment,
            )
        if watch and "error" not in report:
            report["steady_bytes_per_second"] = rates.steady_rate(watch.samples)
        return report

    def _watch(self):
        return rates.SentWatch(self.server) if self._case.link_rate else contextlib.nullcontext()


def run_case(runner, case, able, chosen_knobs, runs, expected):
    """Every client once to warm up, then `runs` rounds in which they take turns."""
    records = {peer.name: [] for peer in able}
    dropped = {}
    for round_number in range(runs + 1):
        order = able[round_number % len(able) :] + able[: round_number % len(able)] if able else []
        for peer in order:
            if peer.name in dropped:
                continue
            report = runner.run(peer, chosen_knobs[peer.name], round_number)
            if wrong := "" if "error" in report else faults_of(report, case, expected):
                report["wrong"] = wrong
            if round_number > 0:
                records[peer.name].append(report)
            elif "error" in report and not case.rules:
                dropped[peer.name] = report["error"]  # it would fail in each round
                say(f"  {peer.name}: {report['error'].splitlines()[-1][:150]}")
    return records, dropped


def server_groups(cases):
    """Cases with the same server settings, in their order."""
    ordered = {}
    for case in cases:
        key = (case.server_arguments, case.tls, case.through_proxy, case.dataset.scale)
        ordered.setdefault(key, []).append(case)
    return ordered


@contextlib.contextmanager
def running_server(key, pin):
    arguments, tls, through_proxy, scale = key
    with contextlib.ExitStack() as stack:
        proxy = stack.enter_context(Proxy()) if through_proxy else None
        behind = ("--link-port", str(proxy.port)) if proxy else ()
        yield stack.enter_context(
            Server(
                (*arguments, *behind),
                data=data_folder(scale),
                tls=tls,
                processor=0 if pin else None,
                storage_port=proxy.storage_port if proxy else 0,
            )
        )


def run_scenario(name, *, names=(), case_names=(), runs=None, quick=False, pin=False, portraits=False, seed=1):
    """All cases of a scenario as a dictionary that can be stored as JSON."""
    scenario = SCENARIOS[name]
    runs = runs or (3 if quick else scenario.runs)
    result = {
        "format": FORMAT,
        "scenario": name,
        "title": scenario.title,
        "passes": scenario.passes,
        "time": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        "machine": machine.describe(),
        "quick": quick,
        "runs": runs,
        "seed": seed,
        "processors": "server on the first, clients on the second" if pin else "shared",
        "cases": [],
    }
    expected = {}
    wanted = [case for case in scenario.cases(quick) if not case_names or case.name in case_names]
    with tempfile.TemporaryDirectory() as folder:
        for key, cases in server_groups(wanted).items():
            with running_server(key, pin) as server:
                for case in cases:
                    result["cases"].append(
                        _run_one_case(
                            scenario,
                            case,
                            server,
                            folder,
                            names,
                            runs,
                            expected,
                            seed=seed,
                            pin=pin,
                            portraits=portraits,
                        )
                    )
    return result


def _run_one_case(scenario, case, server, folder, names, runs, expected, *, seed, pin, portraits):
    able, unable = able_peers(scenario, case, names)
    chosen = {peer.name: best_knobs.best(peer, scenario.name) for peer in able}
    say(f"{scenario.name} {case.name}: {', '.join(peer.name for peer in able)}")
    runner = CaseRunner(scenario, case, server, pathlib.Path(folder), seed=seed, pin=pin)
    if any(peer.kind == "links" for peer in able):
        runner.prepare_links()
    records, dropped = run_case(runner, case, able, chosen, runs, expected)
    taken = {p.name: portrait.take(runner, p, chosen[p.name]) for p in able if portraits and p.name not in dropped}
    reports = list(itertools.chain.from_iterable(records.values()))
    return {
        "name": case.name,
        "dataset": {
            "name": case.dataset.name,
            "rows": _known(reports, "rows"),
            "columns": _known(reports, "columns") or case.dataset.columns,
        },
        "decoded_bytes": _known(reports, "decoded_bytes"),
        "server_arguments": list(case.server_arguments),
        "tls": case.tls,
        "link_rate": case.link_rate,
        "delay": case.delay,
        "stop_after_batches": case.stop_after_batches,
        "rules": list(case.rules),
        "knobs": chosen,
        "titles": {peer.name: peer.title for peer in able},
        "kinds": {peer.name: peer.kind for peer in able},
        "unable": {**unable, **dropped},
        "portraits": {name: seen for name, seen in taken.items() if seen},
        "records": {name: runs for name, runs in records.items() if runs},
    }


def _known(reports, key):
    """What a report says of the result itself; clients with an error or a wrong answer are not asked."""
    return next((report[key] for report in reports if key in report and "wrong" not in report), None)


def store(result, folder=places.RESULTS):
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{result['scenario']}.json"
    path.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    return path
