# SPDX-License-Identifier: Apache-2.0
"""The made-up results that clients read: what a query of each set looks like, and its size.

Each is a query over a range, so that every run of every machine sees the same rows. The first column is the row's
number; numbers that look random come from products of remainders, which LZ4 finds as hard as those of real tables.
"""

import dataclasses
import json
import pathlib

QUERIES_FILE = pathlib.Path(__file__).resolve().parent.parent / "queries.json"


@dataclasses.dataclass(frozen=True)
class Dataset:
    """A result to be read."""

    name: str
    sql: str
    rows: int | None  # None: as many as the server says
    columns: int
    check_columns: tuple[int, int]  # two columns of whole numbers whose sums are compared
    scale: int = 0  # of TPC-DS, 0: none is needed
    chunk_bytes: int = 10 << 20  # raw size of a file


def noise(seed, below):
    """SQL of a whole number in [0, below) that depends on the row's number without any order."""
    first, second = 99991 + 2 * seed, 104729 + 4 * seed
    return f"((id % {first}) * (id % {second}) + id * {seed + 3}) % {below}"


def int_column(index, below):
    return f"CAST({noise(index, below)} AS INT) AS i{index}"


def decimal_column(index, below):
    return f"CAST({noise(index, below)} / 100.0 AS DECIMAL(7,2)) AS d{index}"


def text_column(index, below):
    return f"concat('customer-group-', {noise(index, below)}, ' / standard delivery, unpaid') AS t{index}"


def _select(columns, rows):
    return f"SELECT CAST(id AS INT) AS row_number, {', '.join(columns)} FROM range({rows})"


def _sales_columns():
    """34 columns of 316 bytes a row as Arrow, as those of catalog_sales: 19 INT, 15 DECIMAL(7,2)."""
    ints = [int_column(index, (90, 30_000, 2_000_000)[index % 3]) for index in range(18)]
    return ints + [decimal_column(20 + index, 900_000) for index in range(15)]


def _wide_columns():
    """89 columns of 1,9 KB a row, so that a batch holds some hundred rows."""
    texts = [text_column(index, 5000) for index in range(22)]
    decimals = [decimal_column(30 + index, 99999) for index in range(40)]
    return texts + decimals + [int_column(80 + index, 50000) for index in range(26)]


def _text_columns():
    return [int_column(1, 100)] + [text_column(2 + index, (300, 20_000, 1_000_000)[index % 3]) for index in range(10)]


def _dense_columns():
    """Texts of random hexadecimal digits, which LZ4 cannot make shorter."""
    return [int_column(1, 1 << 30)] + [f"sha2(concat('{letter}', id), 256) AS h{letter}" for letter in "abcdef"]


# name: columns behind the row's number, their bytes a row in Arrow, what it looks like
SHAPES = {
    "N": (_sales_columns, 316, "like catalog_sales: 19 INT, 15 DECIMAL"),
    "S": (lambda: [int_column(1, 1823), int_column(2, 18000), int_column(3, 5), int_column(4, 1000)], 20, "narrow"),
    "W": (_wide_columns, 1865, "89 columns"),
    "T": (_text_columns, 505, "texts that LZ4 makes five times shorter"),
    "R": (_dense_columns, 416, "nothing for LZ4 to find"),
}


def made_up(shape, files, file_bytes=10 << 20):
    """`files` files of about `file_bytes` each of the shape N, S, W, T or R."""
    columns, row_bytes, _ = SHAPES[shape]
    rows = max(1, files * file_bytes // row_bytes)
    selected = columns()
    return Dataset(
        name=f"{shape}×{files}",
        sql=_select(selected, rows),
        rows=rows,
        columns=len(selected) + 1,
        check_columns=(0, len(selected)) if shape == "S" else (0, 1) if shape != "W" else (0, len(selected)),
        chunk_bytes=file_bytes,
    )


def tpcds(name):
    """One of the nine queries."""
    entry = next(entry for entry in json.loads(QUERIES_FILE.read_text(encoding="utf-8")) if entry["name"] == name)
    return Dataset(
        name=name,
        sql=entry["sql"],
        rows=None,
        columns=0,
        check_columns=tuple(entry["check_columns"]),
        scale=entry["scale"],
        chunk_bytes=20 << 20,
    )


def tpcds_names(scales=(1,)):
    entries = json.loads(QUERIES_FILE.read_text(encoding="utf-8"))
    return [entry["name"] for entry in entries if entry["scale"] in scales]
