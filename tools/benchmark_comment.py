#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The benchmark's comment on a pull request: finds the baseline, writes the text, posts it.

benchmark_comment.py baseline --into DIR          the results of the last successful benchmark of main
benchmark_comment.py report --output FILE         the text, from stored results and a baseline
benchmark_comment.py post --pull-request N FILE   as a comment, in place of the one before

`baseline` and `post` use the program gh, which finds its token in GH_TOKEN and the repository in GITHUB_REPOSITORY.
Needs nothing but Python.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "bench"))

from harness import baseline as baselines  # noqa: E402
from harness import comment, places  # noqa: E402
from harness.scenarios import SCENARIOS  # noqa: E402

WORKFLOW = "benchmark.yml"
ARTEFACT = "benchmark"
TRIED_RUNS = 10  # artefacts of older runs are gone sooner or later
LONGEST_COMMENT = 65_000  # characters; the service takes 65,536
AUTHOR = "github-actions[bot]"
CUT = "\nFurther scenarios are in the artefact's report.html.\n"
NO_BASELINE = "\nThere is no earlier result of main to compare with.\n"


class Refused(Exception):
    """What was wrong and how to mend it."""


def gh(*arguments):
    finished = subprocess.run(["gh", *arguments], capture_output=True, text=True, check=False)
    if finished.returncode != 0:
        raise Refused(f"gh {arguments[0]}: {finished.stderr.strip()}")
    return finished.stdout


def repository():
    name = os.environ.get("GITHUB_REPOSITORY", "")
    if name.count("/") != 1:
        raise Refused(f"GITHUB_REPOSITORY '{name}': must be OWNER/NAME")
    return name


def successful_runs(branch):
    """Numbers of the branch's successful runs, the newest first."""
    text = gh(
        "run", "list", "--repo", repository(), "--workflow", WORKFLOW, "--branch", branch, "--event", "push",
        "--status", "success", "--limit", str(TRIED_RUNS), "--json", "databaseId",
    )  # fmt: skip
    return [str(run["databaseId"]) for run in json.loads(text)]


def find_baseline(into, branch):
    """Puts the newest results that are still kept into a folder; False when there are none."""
    for number in successful_runs(branch):
        folder = into / number
        try:
            gh("run", "download", number, "--repo", repository(), "--name", ARTEFACT, "--dir", str(folder))
        except Refused as reason:
            print(f"benchmark_comment: run {number}: {reason}", file=sys.stderr)
            continue
        if baselines.load(folder):
            for file in folder.iterdir():
                file.replace(into / file.name)
            folder.rmdir()
            print(f"benchmark_comment: the baseline is run {number}")
            return True
    print(f"benchmark_comment: no run of {branch} has left results")
    return False


def within_limit(text, limit=LONGEST_COMMENT):
    """The text, without its last folded scenarios where it is too long to be posted."""
    if len(text) <= limit:
        return text
    cut = text.rfind("\n<details>", 0, limit - len(CUT))
    return text[: cut if cut >= 0 else limit - len(CUT)] + CUT


def make_report(results, baseline, commit):
    """The comment's text for a folder of results; `baseline` is a folder, or None."""
    found = baselines.load(results)
    ordered = {name: found[name] for name in SCENARIOS if name in found}
    if not ordered:
        raise Refused(f"--results '{results}': holds no results; run make bench first")
    before = baselines.load(baseline) if baseline else {}
    return within_limit(comment.comment(ordered, before, commit)) + ("" if before else NO_BASELINE)


def own_comment(pull_request):
    """The number of the comment that was posted before, or None. Another author's is left alone."""
    chosen = f'.[] | select(.user.login == "{AUTHOR}" and (.body | startswith("{comment.MARKER}"))) | .id'
    path = f"repos/{repository()}/issues/{pull_request}/comments"
    numbers = gh("api", "--paginate", path, "--jq", chosen).split()
    return numbers[0] if numbers else None


def post(pull_request, file):
    """Posts the file's text, or puts it in place of what was posted before."""
    before = own_comment(pull_request)
    place = f"repos/{repository()}/issues/" + (f"comments/{before}" if before else f"{pull_request}/comments")
    gh("api", "--method", "PATCH" if before else "POST", place, "--field", f"body=@{file}", "--silent")
    print(f"benchmark_comment: {'updated' if before else 'posted'}")


def parse(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    baseline = commands.add_parser("baseline")
    baseline.add_argument("--into", type=pathlib.Path, required=True)
    baseline.add_argument("--branch", default="main")
    report = commands.add_parser("report")
    report.add_argument("--results", type=pathlib.Path, default=places.RESULTS)
    report.add_argument("--baseline", type=pathlib.Path)
    report.add_argument("--commit", default="")
    report.add_argument("--output", type=pathlib.Path, required=True)
    poster = commands.add_parser("post")
    poster.add_argument("--pull-request", type=int, required=True)
    poster.add_argument("file", type=pathlib.Path)
    return parser.parse_args(arguments)


def main(arguments=None):
    chosen = parse(arguments)
    try:
        if chosen.command == "baseline":
            chosen.into.mkdir(parents=True, exist_ok=True)
            find_baseline(chosen.into, chosen.branch)
        elif chosen.command == "report":
            chosen.output.parent.mkdir(parents=True, exist_ok=True)
            text = make_report(chosen.results, chosen.baseline, chosen.commit)
            chosen.output.write_text(text, encoding="utf-8")
        else:
            post(chosen.pull_request, chosen.file)
    except Refused as reason:
        print(f"benchmark_comment: {reason}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
