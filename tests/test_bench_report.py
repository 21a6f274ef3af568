# SPDX-License-Identifier: Apache-2.0
"""What the benchmark makes of its figures: ratios, baselines, marks, tables, chosen settings."""

import json
import sys

import pytest
from conftest import ROOT

sys.path.insert(0, str(ROOT / "bench"))

from harness import baseline, comment, datasets, estimates, knobs, matrix, peers, portrait, rates, sweep, tables
from harness.scenarios import SCENARIOS


def run(seconds, **more):
    return {
        "seconds": seconds,
        "rows": 1000,
        "first_batch": 0.01,
        "cpu_user": 0.2,
        "cpu_system": 0.1,
        "minor_faults": 10,
        "peak_kib": 2048,
        "server": {"server_cpu": 0.05, "sent_bytes": 4_000_000},
        **more,
    }


def result_of(times_by_client, *, scenario="P1", **case):
    """A stored result with one case, as the harness writes it."""
    return {
        "format": 1,
        "scenario": scenario,
        "title": "LAN",
        "passes": "",
        "time": "2026-12-01T00:00:00+00:00",
        "machine": {
            "processor": "P",
            "cores": 2,
            "memory_gib": 4,
            "kernel": "6",
            "page_fault_us": 2.0,
            "system_call_us": 0.1,
        },
        "runs": 7,
        "processors": "shared",
        "cases": [
            {
                "name": "N",
                "dataset": {"name": "N", "rows": 1000, "columns": 34},
                "decoded_bytes": 10_000_000,
                "link_rate": 0,
                "delay": None,
                "titles": {name: f"title of {name}" for name in times_by_client},
                "unable": {},
                "portraits": {},
                "records": {
                    name: [run(seconds) if isinstance(seconds, float) else seconds for seconds in times]
                    for name, times in times_by_client.items()
                },
                **case,
            }
        ],
    }


def test_the_ratio_is_that_of_each_round_so_that_drift_of_the_machine_cancels_out():
    ours = [1.0, 2.0, 4.0, 8.0]
    middle, low, high = estimates.paired_ratio([3 * seconds for seconds in ours], ours)
    assert (middle, low, high) == (3, 3, 3)


def test_rounds_without_a_time_on_both_sides_have_no_ratio():
    assert estimates.paired_ratio([2.0, None, 6.0], [1.0, 1.0, 3.0]) == (2, 2, 2)
    assert estimates.paired_ratio([None], [1.0]) is None


def test_an_interval_is_the_same_for_the_same_runs():
    first = estimates.paired_ratio([1.0, 1.2, 0.9, 1.4], [1.0, 1.0, 1.0, 1.0])
    assert first == estimates.paired_ratio([1.0, 1.2, 0.9, 1.4], [1.0, 1.0, 1.0, 1.0])
    assert first[1] < first[0] < first[2]


@pytest.mark.parametrize(
    ("ratio", "word"),
    [((0.9, 0.85, 0.96), "better"), ((0.9, 0.85, 0.98), ""), ((1.1, 1.04, 1.2), "worse"), ((1.1, 1.02, 1.2), "")],
)
def test_a_mark_needs_the_whole_interval_beyond_three_per_cent(ratio, word):
    assert estimates.verdict(ratio) == word


def test_a_baseline_of_another_day_is_compared_by_means():
    value, before, difference, word = baseline.compare([2.0, 2.02, 1.98], [1.0, 1.01, 0.99])
    assert (round(value, 2), round(before, 2), round(difference), word) == (2.0, 1.0, 100, "worse")


def test_without_a_baseline_there_is_neither_difference_nor_mark():
    assert baseline.compare([2.0, 2.0], []) == (2.0, None, None, "")


def test_a_baseline_comes_from_a_folder_or_a_file_and_foreign_files_are_left_out(tmp_path):
    (tmp_path / "P1.json").write_text(json.dumps(result_of({"ours": [1.0]})), encoding="utf-8")
    (tmp_path / "other.json").write_text("[1]", encoding="utf-8")
    assert list(baseline.load(tmp_path)) == ["P1"]
    assert list(baseline.load(tmp_path / "P1.json")) == ["P1"]
    assert baseline.load(tmp_path / "absent.json") == {}


def test_a_wrong_run_has_no_time_and_is_told():
    wrong = run(0.1, wrong="999 rows in place of 1000")
    result = result_of({"ours": [1.0, 1.0], "kernel": [wrong, 2.0]})
    case = result["cases"][0]
    assert tables.summary(case, "kernel")["seconds"] == 2.0
    assert tables.times(case, "kernel") == [None, 2.0]
    assert "(1 of 2 runs right: 999 rows in place of 1000)" in tables.case_table(case)
    assert tables.is_right(result)  # of ours all were


def test_a_client_without_a_right_run_is_shown_with_its_reason():
    result = result_of({"ours": [{"error": "status 1: no route"}]})
    assert "no right run: status 1: no route" in tables.case_table(result["cases"][0])
    assert not tables.is_right(result)


def test_the_fastest_client_stands_first():
    rows = tables.case_table(result_of({"ours": [2.0], "other": [1.0]})["cases"][0]).splitlines()
    assert rows[2].startswith("| title of other") and "0.50 (0.50–0.50)" in rows[2]
    assert rows[3].startswith("| title of ours")


def test_the_share_of_the_link_counts_what_the_server_sent():
    result = result_of({"ours": [0.04]}, link_rate=125_000_000)
    assert "80.0% of the link in all" in tables.scenario_table(result)


def test_the_comment_shows_value_baseline_difference_and_mark_for_each_front_end():
    new = {"queries": result_of({"ours": [2.0, 2.0], "ours-python": [3.0, 3.0]}, scenario="queries")}
    old = {"queries": result_of({"ours": [1.0, 1.0]}, scenario="queries")}
    text = comment.comment(new, old)
    assert text.startswith(comment.MARKER)
    assert "| N | 1,000 | 34 | 2,000.0 (1,000.0) +100.0 % 🔴 | 2.0 (2.0) +0.0 % |  |" in text
    assert "| N | 1,000 | 34 | 3,000.0 | 2.0 |  |" in text  # no baseline, no mark
    assert text.index("### C++") < text.index("### Python")


def test_an_answer_out_of_order_is_wrong():
    rows = 10
    in_order = matrix.arithmetic_sums(rows)
    assert in_order == (45, sum((number + 1) * number for number in range(rows)))
    case = SCENARIOS["P1"].cases(True)[0]
    rows = case.dataset.rows
    sums, ordered = matrix.arithmetic_sums(rows)
    good = {"rows": rows, "sums": [sums, 7], "ordered_sums": [ordered, 8]}
    expected = {}
    assert matrix.faults_of(good, case, expected) == ""
    assert matrix.faults_of({**good, "ordered_sums": [ordered - 1, 8]}, case, expected) == "rows are not in order"
    assert matrix.faults_of({**good, "rows": rows - 1}, case, expected).startswith(f"{rows - 1} rows in place of")
    assert matrix.faults_of({**good, "sums": [sums, 9]}, case, expected).startswith("rows or sums differ")


def test_the_best_settings_are_those_with_the_lowest_time_that_had_a_right_run(tmp_path):
    table = [
        {"knobs": {"connections": 4}, "seconds": 2.0, "peak_mib": 1},
        {"knobs": {"connections": 8}, "seconds": None, "peak_mib": None},
        {"knobs": {"connections": 16}, "seconds": 1.0, "peak_mib": 1},
    ]
    assert sweep.best_of(table) == {"connections": 16}
    assert sweep.best_of(table[1:2]) is None
    file = tmp_path / "best.json"
    knobs.store("P1", "curl", sweep.best_of(table), table, file)
    stored = knobs.load(file)
    assert knobs.best(peers.ALL["curl"], "P1", stored) == {"connections": 16}
    assert knobs.best(peers.ALL["curl"], "P2", stored) == peers.ALL["curl"].defaults


def test_transfers_are_told_by_connection_from_the_first_request_on():
    requests = [
        {"kind": "thrift.OpenSession", "time": "2026-12-01T00:00:00.000Z", "connection": 1},
        *(
            {
                "kind": "storage.get",
                "time": f"2026-12-01T00:00:0{second}.500Z",
                "connection": connection,
                "milliseconds": 250,
                "sent_bytes": 7,
            }
            for second, connection in ((1, 9), (2, 12), (3, 9))
        ),
    ]
    assert portrait.transfers(requests) == [[1, 0, 0.25, 7], [2, 1, 1.25, 7], [1, 2, 2.25, 7]]


def test_the_steady_rate_leaves_out_the_start_of_connections_and_the_silence_behind_the_last_byte():
    samples = [(0, 0), (1, 200_000)]  # the first bytes come, slowly
    samples += [(2 + step / 10, 200_000 + step * 1_000_000) for step in range(11)]
    samples += [(4, 10_200_000), (5, 10_200_000)]
    assert round(rates.steady_rate(samples)) == 10_000_000
    assert rates.steady_rate(samples[:4]) is None  # over before the start was


def test_every_scenario_can_be_laid_out_and_every_made_up_result_names_its_columns():
    for scenario in SCENARIOS.values():
        cases = scenario.cases(True)
        assert cases, scenario.name
        assert len({case.name for case in cases}) == len(cases), scenario.name
    for shape in datasets.SHAPES:
        dataset = datasets.made_up(shape, 2)
        # Each CAST has an AS of its own, which names a type.
        assert dataset.columns == dataset.sql.count(" AS ") - dataset.sql.count("CAST(")
