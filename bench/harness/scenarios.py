# SPDX-License-Identifier: Apache-2.0
"""The scenarios by name: what is read, over which network, with which trouble, and what passes.

A scenario has cases; cases with the same server settings share one server, and all clients take turns within a case.
"""

import dataclasses

from . import datasets
from .datasets import Dataset, made_up

MEGABYTE = 1_000_000
KIB, MIB = 1 << 10, 1 << 20
GIGABIT = 125 * MEGABYTE  # bytes a second
LINKS_ALONE = ("--inline-limit", "0", "--link-lifetime", "86400")


@dataclasses.dataclass(frozen=True)
class Case:
    """One result to be read under one set of conditions."""

    name: str
    dataset: Dataset
    server: tuple = ()  # arguments of the warehouse
    tls: bool = False
    rules: tuple = ()  # faults, put anew before each run
    outage_seconds: float = 0  # the rules end so long after the run began
    delay: dict | None = None  # of the consumer
    options: dict = dataclasses.field(default_factory=dict)  # of our driver
    streams: int = 1
    stop_after_batches: int = 0
    link_rate: int = 0  # bytes a second that the network has in all, 0: no limit
    needs: frozenset = frozenset()  # what a client must be able to do
    through_proxy: bool = False  # nginx hands out the files

    @property
    def server_arguments(self):
        chunk = ("--chunk-bytes", str(self.dataset.chunk_bytes))
        scale = ("--tpcds", str(self.dataset.scale)) if self.dataset.scale else ()
        return (*self.server, *chunk, *scale)


@dataclasses.dataclass(frozen=True)
class Scenario:
    """A row of the table."""

    name: str
    title: str
    passes: str
    cases: object  # quick: bool -> [Case]
    kinds: tuple = ("batches", "links")
    only: tuple = ()  # names of the clients that it is about; empty: all
    runs: int = 7


def network(first_byte_ms, rate_per_connection=0, rate_total=0):
    """Arguments for a way to storage that is so long and so wide; a round trip is as long as the first byte takes."""
    arguments = (*LINKS_ALONE, "--first-byte-ms", str(first_byte_ms), "--round-trip-ms", str(first_byte_ms))
    if rate_per_connection:
        arguments += ("--rate-per-connection", str(rate_per_connection))
    if rate_total:
        arguments += ("--rate-total", str(rate_total))
    return arguments


def storage_rule(action, **match):
    return {"match": {"point": "storage", **match}, "action": action}


REGION = network(20, 50 * MEGABYTE)


def _fewer(files, quick):
    return max(2, files // 4) if quick else files


def _plain(quick):
    return [Case("N", made_up("N", _fewer(150, quick)), LINKS_ALONE)]


def _tls(quick):
    return [Case("N", made_up("N", _fewer(150, quick)), LINKS_ALONE, tls=True)]


def _path(first_byte_ms, rate_per_connection, rate_total, files):
    def cases(quick):
        arguments = network(first_byte_ms, rate_per_connection, rate_total)
        return [Case("N", made_up("N", _fewer(files, quick)), arguments, link_rate=rate_total)]

    return cases


def _consumer(milliseconds, integer_rule=False):
    return {"milliseconds": milliseconds, "integer_rule": integer_rule}


def _queries_with_consumer(quick):
    names = ["customer", "catalog_sales"] if quick else datasets.tpcds_names()
    need = frozenset({"delay"})
    exact = [Case(n, datasets.tpcds(n), LINKS_ALONE, delay=_consumer(5), needs=need) for n in names]
    whole = [
        Case(f"{n}, whole ms", datasets.tpcds(n), LINKS_ALONE, delay=_consumer(5, True), needs=need) for n in names
    ]
    return exact + whole


def _queries(quick):
    names = ["customer", "catalog_sales"] if quick else datasets.tpcds_names()
    return [Case(name, datasets.tpcds(name), LINKS_ALONE) for name in names]


def _queries_of_scale_10(_quick):
    return [Case(name, datasets.tpcds(name), LINKS_ALONE) for name in datasets.tpcds_names((10,))]


def _slow_consumer(quick):
    dataset = made_up("N", _fewer(40, quick))
    return [Case("N", dataset, LINKS_ALONE, delay=_consumer(50), needs=frozenset({"delay"}))]


def _stragglers(quick):
    files = _fewer(100, quick)
    dataset = made_up("N", files)
    slow = {"bytes_per_second": 50 * MEGABYTE // 20}
    late = tuple(storage_rule(slow, chunk=chunk, attempt=1) for chunk in range(files // 3, files, 50))
    return [Case("without", dataset, REGION), Case("with", dataset, REGION, rules=late)]


def _dead_connection(quick):
    rule = storage_rule({"stall_after": 10 * KIB}, nth=5)
    return [Case("N", made_up("N", _fewer(40, quick)), REGION, rules=(rule,))]


def _unavailable(quick):
    refusal = {"status": 503, "headers": {"Retry-After": "1"}}
    dataset = made_up("N", _fewer(80, quick))
    tenth = storage_rule(refusal, probability=0.1, attempt=1)
    return [
        Case("without", dataset, REGION),
        Case("a tenth refused", dataset, REGION, rules=(tenth,)),
        Case("outage of 6 s", dataset, REGION, rules=(storage_rule(refusal),), outage_seconds=6),
    ]


def _expiring(_quick):
    dataset = made_up("S", 200, MIB)  # 10 s of reading, whatever the machine
    arguments = ("--inline-limit", "0", "--link-lifetime", "5")
    return [Case("S", dataset, arguments, delay=_consumer(10), needs=frozenset({"delay"}))]


def _skewed_clock(quick):
    rule = storage_rule({"expire_link": True}, probability=0.2, attempt=1)
    return [Case("N", made_up("N", _fewer(40, quick)), LINKS_ALONE, rules=(rule,))]


def _broken_bodies(quick):
    anywhere = {"random": [0, 100 * MEGABYTE]}
    actions = {
        "truncated": {"truncate_after": anywhere},
        "reset": {"reset_after": anywhere},
        "stated too long": {"content_length_delta": 1000},
        "stated too short": {"content_length_delta": -1000},
    }
    dataset = made_up("N", _fewer(24, quick), MIB)
    return [
        Case(name, dataset, LINKS_ALONE, rules=(storage_rule(action, probability=0.3, attempt=1),))
        for name, action in actions.items()
    ]


def _few_large(_quick):
    return [
        Case("1 × 100 MB", made_up("N", 1, 100 * MIB), REGION),
        Case("3 × 20 MB", made_up("N", 3, 20 * MIB), REGION),
    ]


def _many_tiny(quick):
    return [Case("N", made_up("N", _fewer(1000, quick), 100 * KIB), network(20))]


def _wide(quick):
    dataset = made_up("W", _fewer(80, quick))
    joined = {"databricks.result.batch_rows": "8000"}
    return [Case("W", dataset, LINKS_ALONE), Case("W, joined", dataset, LINKS_ALONE, options=joined)]


def _one_link_a_page(quick):
    slow_control = (
        {"match": {"point": "thrift", "method": "FetchResults"}, "action": {"delay_ms": 20}},
        {"match": {"point": "http", "path": "/result/chunks"}, "action": {"delay_ms": 20}},
    )
    dataset = made_up("N", _fewer(60, quick))
    return [
        Case("32 links", dataset, REGION, rules=slow_control),
        Case("1 link", dataset, (*REGION, "--links-per-page", "1"), rules=slow_control),
    ]


def _small(_quick):
    cases = []
    for label, num_bytes in (("1 KB", KIB), ("1 MB", MIB), ("25 MB", 25 * MIB)):
        dataset = dataclasses.replace(made_up("N", 1, num_bytes), name=label, chunk_bytes=10 * MIB)
        inline = ("--inline-limit", str(1 << 30))
        cases += [Case(f"{label} inline", dataset, inline), Case(f"{label} links", dataset, LINKS_ALONE)]
    return cases


def _early_close(quick):
    options = {"databricks.cloudfetch.parallel_downloads": "64", "databricks.cloudfetch.prefetch_count": "64"}
    arguments = network(20, 5 * MEGABYTE)
    dataset = made_up("N", _fewer(100, quick))
    need = frozenset({"early_close"})
    return [Case("N", dataset, arguments, options=options, stop_after_batches=1, needs=need)]


def _several_at_once(quick):
    dataset = made_up("N", _fewer(40, quick))
    return [Case("8 × N", dataset, LINKS_ALONE, streams=8, needs=frozenset({"streams"}))]


def _neutral(quick):
    return [Case("N", made_up("N", _fewer(150, quick)), LINKS_ALONE, through_proxy=True)]


def _rows(quick):
    return [Case("N", made_up("N", 4 if quick else 8), LINKS_ALONE)]


def _shapes(quick):
    return [Case(shape, made_up(shape, _fewer(80, quick)), LINKS_ALONE) for shape in datasets.SHAPES]


SCENARIOS = {
    scenario.name: scenario
    for scenario in [
        Scenario("P1", "LAN", "≥ 85 % of the lower bound, ≥ 1.5 × the kernel", _plain),
        Scenario("P2", "LAN, TLS 1.3", "CPU ≤ 1.2 × a TLS lower bound's, first in rate", _tls),
        Scenario(
            "P3",
            "region: 20 ms, 50 MB/s a connection, 1 Gbit/s",
            "≥ 95 % of the link",
            _path(20, 50 * MEGABYTE, GIGABIT, 100),
        ),
        Scenario(
            "P4",
            "far: 80 ms, 25 MB/s a connection, 1 Gbit/s",
            "≥ 90 % of the link",
            _path(80, 25 * MEGABYTE, GIGABIT, 100),
        ),
        Scenario(
            "P5",
            "far and thin: 80 ms, 5 MB/s a connection, 1 Gbit/s",
            "≥ 85 % of the link, peak ≤ budget + 32 MB",
            _path(80, 5 * MEGABYTE, GIGABIT, 100),
        ),
        Scenario(
            "P6", "home: 20 ms, 50 Mbit/s in all", "≥ 97 % of the link", _path(20, 0, 50 * MEGABYTE // 8, 6), runs=5
        ),
        Scenario(
            "P7",
            "a reader of 5 ms for 10,000 rows",
            "≤ 1.03 × the time it sleeps",
            _queries_with_consumer,
            ("batches",),
            runs=5,
        ),
        Scenario(
            "P8", "a reader of 50 ms for 10,000 rows", "peak ≤ budget + 32 MB", _slow_consumer, ("batches",), runs=3
        ),
        Scenario("P9", "2 % of the files 20 times slower", "≤ 1.15 × without, ≤ 5 % more bytes", _stragglers),
        Scenario(
            "P10", "a connection dies after 10 KB", "≤ stall timeout + 1 s", _dead_connection, ("batches",), runs=3
        ),
        Scenario(
            "P11", "503 bursts and an outage", "no error, ≤ 1.3 × the lost time", _unavailable, ("batches",), runs=3
        ),
        Scenario("P12", "links of 5 s, slow reader", "all rows", _expiring, ("batches",), runs=3),
        Scenario("P13", "403 for links that state to be valid", "all rows", _skewed_clock, ("batches",), runs=5),
        Scenario("P14", "broken bodies", "all rows, or an error", _broken_bodies, ("batches",), runs=7),
        Scenario("P15", "few large files", "≥ 1.7 × one connection", _few_large),
        Scenario("P16", "1,000 × 100 KB, 20 ms", "≥ 80 % of files × delay ÷ connections", _many_tiny, runs=5),
        Scenario("P17", "89 columns", "≤ 1.2 × P1 a byte", _wide, ("batches",)),
        Scenario("P18", "one link a page, 20 ms", "≤ 1.2 × with 32 links", _one_link_a_page, ("batches",), runs=5),
        Scenario("P19", "small results", "first batch ≤ 1.2 × curl", _small),
        Scenario("P20", "closed after the first batch", "closed in < 50 ms", _early_close, ("batches",)),
        Scenario("P21", "8 results at once", "fairness within 20 %", _several_at_once, ("batches",), runs=5),
        Scenario("queries", "the queries at scale 1", "", _queries, ("batches",)),
        Scenario("queries-sf10", "the queries at scale 10", "", _queries_of_scale_10, ("batches",), runs=3),
        Scenario("shapes", "results of five shapes", "", _shapes, runs=5),
        Scenario("neutral", "LAN, files from nginx", "the same order as P1", _neutral),
        Scenario("rows", "row by row", "", _rows, ("rows",), runs=3),
    ]
}
