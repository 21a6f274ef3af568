# SPDX-License-Identifier: Apache-2.0
"""One client at work: where it lies, how it is run, and what came of it."""

import collections.abc
import dataclasses
import json
import os
import pathlib
import subprocess
import threading

from . import judging, work

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
CLIENTS = ROOT / ".deps/clients"
REPORTS = ROOT / "build/clients"
RUNNERS = pathlib.Path(__file__).resolve().parent / "runners"


@dataclasses.dataclass(frozen=True)
class Trial:
    """A client over one protocol. `name` names its report, `title` its row in the table."""

    name: str
    title: str
    folder: str  # in .deps/clients
    command: collections.abc.Callable  # (configuration) -> arguments
    settings: dict = dataclasses.field(default_factory=dict)  # added to the configuration
    environment: collections.abc.Callable = lambda config: {}
    own: dict = dataclasses.field(default_factory=dict)  # see judging.judge
    tls: bool = False
    seconds: int = 300

    def missing(self):
        folder = CLIENTS / self.folder
        return "" if folder.exists() else f"{folder} is missing: run tools/setup_clients {self.folder}"


def python(folder, script):
    return lambda config: [CLIENTS / folder / "bin/python", RUNNERS / script, json.dumps(config)]


def run(trial, server):
    """Runs the client through all its actions; {action: {"verdict", "why"}}, which is also written as its report."""
    REPORTS.mkdir(parents=True, exist_ok=True)
    report_file = REPORTS / f"{trial.name}.json"
    report_file.unlink(missing_ok=True)
    config = {
        "base": server.base,
        "host": server.host,
        "port": server.port,
        "path": "/sql/1.0/warehouses/local",
        "token": server.token,
        "ca": server.ca,
        "sql": work.statements(trial.name.replace("-", "_")),
        "large_columns": work.LARGE_COLUMNS,
        "uri": server.uri,
        **trial.settings,
    }
    lines, ending = _output(trial, config)
    verdicts = {action: _verdict(trial, action, lines.get(action), ending) for action in work.ACTIONS}
    report = {"name": trial.name, "title": trial.title, "actions": verdicts}
    report_file.write_text(json.dumps(report, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return verdicts


def _output(trial, config):
    log = REPORTS / f"{trial.name}.log"
    lines = {}
    with log.open("w", encoding="utf-8") as errors:
        process = subprocess.Popen(
            [str(part) for part in trial.command(config)],
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            env={**os.environ, "CLOUDFETCH_REPORTS": str(REPORTS), **trial.environment(config)},
        )
        late = threading.Timer(trial.seconds, process.kill)
        late.start()
        for line in process.stdout:
            if line.startswith("@{"):
                outcome = json.loads(line[1:])
                lines[outcome["action"]] = outcome
            errors.write(line)
            errors.flush()
        process.wait()
        process.stdout.close()
        ending = f"ended with {process.returncode}" if late.is_alive() else f"not done in {trial.seconds} s"
        late.cancel()
    return lines, ending


def _verdict(trial, action, outcome, ending):
    if outcome is None:
        return {"verdict": "FAILED", "why": f"no report: the runner {ending}"}
    if "not_offered" in outcome:
        return {"verdict": "not offered", "why": outcome["not_offered"]}
    if "failed" in outcome:
        return {"verdict": "FAILED", "why": outcome["failed"]}
    try:
        why = judging.judge(action, outcome["value"], trial.own)
    except (TypeError, ValueError, AttributeError, KeyError, IndexError) as failure:
        why = f"{outcome['value']!r:.300}: {failure}"
    return {"verdict": "FAILED" if why else "ok", "why": why}
