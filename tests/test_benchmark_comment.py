# SPDX-License-Identifier: Apache-2.0
"""tools/benchmark_comment.py with a program in the place of gh that says what it was asked and answers from files."""

import json
import os
import subprocess
import sys

import pytest
from conftest import ROOT
from test_bench_report import result_of

SCRIPT = ROOT / "tools/benchmark_comment.py"
MARKER = "<!-- cloudfetch benchmark -->"

GH = f"""#!{sys.executable}
import json, pathlib, shutil, sys
here = pathlib.Path(__file__).resolve().parent
with open(here / "asked.jsonl", "a") as asked:
    asked.write(json.dumps(sys.argv[1:]) + "\\n")
match sys.argv[1:]:
    case ["run", "list", *_]:
        print((here / "runs.json").read_text())
    case ["run", "download", number, *rest]:
        kept = here / "artefacts" / number
        if not kept.exists():
            sys.exit("no valid artifacts found to download")
        shutil.copytree(kept, rest[rest.index("--dir") + 1])
    case ["api", "--paginate", *_]:
        print((here / "comments.txt").read_text())
    case ["api", "--method", _, _, "--field", field, "--silent"]:
        (here / "posted.md").write_text(pathlib.Path(field.removeprefix("body=@")).read_text())
    case other:
        sys.exit(f"unknown: {{other}}")
"""


class Hub:
    """What the stand-in for gh answers and was asked."""

    def __init__(self, folder):
        self.folder = folder
        self.say(runs=[], comments="")
        (folder / "gh").write_text(GH)
        (folder / "gh").chmod(0o755)

    def say(self, *, runs=None, comments=None):
        if runs is not None:
            (self.folder / "runs.json").write_text(json.dumps([{"databaseId": number} for number in runs]))
        if comments is not None:
            (self.folder / "comments.txt").write_text(comments)

    def keep(self, number, *results):
        folder = self.folder / "artefacts" / str(number)
        folder.mkdir(parents=True)
        for result in results:
            (folder / f"{result['scenario']}.json").write_text(json.dumps(result))

    def asked(self):
        path = self.folder / "asked.jsonl"
        return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []

    def posted(self):
        return (self.folder / "posted.md").read_text()

    def call(self, *arguments, repository="owner/name"):
        path = f"{self.folder}{os.pathsep}{os.environ['PATH']}"
        return subprocess.run(
            [sys.executable, SCRIPT, *map(str, arguments)],
            env={**os.environ, "PATH": path, "GITHUB_REPOSITORY": repository},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )


@pytest.fixture
def hub(tmp_path):
    folder = tmp_path / "hub"
    folder.mkdir()
    return Hub(folder)


def queries_of(seconds):
    return result_of({"ours": seconds}, scenario="queries", name="customer")


def test_the_baseline_is_the_newest_run_of_main_whose_results_are_still_there(hub, tmp_path):
    hub.say(runs=[30, 20, 10])
    hub.keep(20, queries_of([1.0, 1.0]))
    hub.keep(10, queries_of([9.0, 9.0]))
    finished = hub.call("baseline", "--into", tmp_path / "before")
    assert finished.returncode == 0, finished.stderr
    assert os.listdir(tmp_path / "before") == ["queries.json"]
    stored = json.loads((tmp_path / "before/queries.json").read_text())
    assert stored["cases"][0]["records"]["ours"][0]["seconds"] == 1.0
    listing = hub.asked()[0]
    assert listing[listing.index("--branch") + 1] == "main"
    assert listing[listing.index("--status") + 1] == "success"
    assert listing[listing.index("--repo") + 1] == "owner/name"


def test_without_an_earlier_run_there_is_no_baseline_and_no_error(hub, tmp_path):
    finished = hub.call("baseline", "--into", tmp_path / "before")
    assert finished.returncode == 0
    assert "no run of main has left results" in finished.stdout
    assert os.listdir(tmp_path / "before") == []


@pytest.fixture
def report(hub, tmp_path):
    """Makes a report of results and perhaps a baseline, and returns its text."""

    def make(*results, before=(), arguments=()):
        for name, stored in (("now", results), ("before", before)):
            (tmp_path / name).mkdir()
            for result in stored:
                (tmp_path / name / f"{result['scenario']}.json").write_text(json.dumps(result))
        output = tmp_path / "out/comment.md"
        finished = hub.call(
            "report", "--results", tmp_path / "now", "--baseline", tmp_path / "before", "--output", output, *arguments
        )
        assert finished.returncode == 0, finished.stderr
        return output.read_text()

    return make


def test_the_report_sets_a_run_beside_the_baseline(report):
    text = report(queries_of([2.0, 2.02, 1.98]), before=[queries_of([1.0, 1.01, 0.99])], arguments=["--commit", "abc"])
    assert text.startswith(MARKER)
    assert "Commit abc" in text
    assert "2,000.0 (1,000.0) +100.0 % 🔴" in text
    assert "no earlier result" not in text


def test_the_report_says_when_there_is_nothing_to_compare_with(report):
    assert "There is no earlier result of main" in report(queries_of([2.0, 2.0]))


def test_a_report_that_is_too_long_loses_whole_scenarios(report):
    long = result_of({f"client{i}": [1.0] * 3 for i in range(900)}, scenario="P2")
    text = report(queries_of([2.0, 2.0]), result_of({"ours": [1.0]}), long)
    assert len(text) < 65_536
    assert text.count("<details>") == text.count("</details>") == 1
    assert "Further scenarios are in the artefact" in text


def test_a_report_without_results_says_what_to_do(hub, tmp_path):
    finished = hub.call("report", "--results", tmp_path, "--output", tmp_path / "comment.md")
    assert finished.returncode == 1
    assert "run make bench first" in finished.stderr


@pytest.mark.parametrize(
    ("comments", "method", "path"),
    [
        ("", "POST", "repos/owner/name/issues/7/comments"),
        ("501\n502\n", "PATCH", "repos/owner/name/issues/comments/501"),
    ],
)
def test_the_comment_is_posted_once_and_then_updated(hub, tmp_path, comments, method, path):
    hub.say(comments=comments)
    (tmp_path / "comment.md").write_text(f"{MARKER}\ntext")
    finished = hub.call("post", "--pull-request", "7", tmp_path / "comment.md")
    assert finished.returncode == 0, finished.stderr
    asked, sent = hub.asked()
    assert asked[2] == "repos/owner/name/issues/7/comments"
    assert MARKER in asked[-1] and "github-actions[bot]" in asked[-1]
    assert sent[2:4] == [method, path]
    assert hub.posted() == f"{MARKER}\ntext"


def test_a_refusal_of_the_service_is_told(hub, tmp_path):
    (hub.folder / "runs.json").unlink()
    finished = hub.call("baseline", "--into", tmp_path / "before")
    assert finished.returncode == 1
    assert "gh run: " in finished.stderr
    assert "OWNER/NAME" in hub.call("baseline", "--into", tmp_path / "before", repository="none").stderr
