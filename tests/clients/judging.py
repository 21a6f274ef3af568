# SPDX-License-Identifier: Apache-2.0
"""Compares what a client saw with what it had to see. Returns a reason, or "" if all is well."""

import json
import re

from . import work

TPCDS_TABLES = 24
CUSTOMER_COLUMNS = 18
NULL_ROW = [None] * len(work.TYPE_COLUMNS)


def judge(action, value, own):
    """`own`: what this client shows in a form of its own, by action or, for types, by column."""
    return _CHECKS[action](value, own)


def _same(value, expected):
    return "" if value == expected else f"saw {str(value)[:300]} in place of {expected}"


def _rows(*expected):
    wanted = [[None if cell is None else str(cell) for cell in row] for row in expected]
    return lambda value, _: _same([[None if cell is None else str(cell) for cell in row] for row in value], wanted)


def _texts(value):
    """Values in depth as text: numbers and booleans in a client's own form are the same as their digits."""
    if isinstance(value, dict):
        return {str(key): _texts(item) for key, item in value.items()}
    if isinstance(value, list):
        if value and all(isinstance(item, list) and len(item) == 2 for item in value):
            return _texts(dict(value))  # a map as its entries
        return [_texts(item) for item in value]
    if isinstance(value, bool):
        return str(value).lower()
    return None if value is None else str(value)


def _cell(expected, seen):
    if isinstance(expected, list | dict) and isinstance(seen, str):
        try:
            seen = json.loads(seen)
        except ValueError:
            return False
    if isinstance(expected, list | dict):
        return _texts(seen) == expected
    if seen is None or isinstance(seen, list | dict):
        return False
    seen = _texts(seen)
    if re.match(r"\d{4}-\d\d-\d\d \d\d:", expected):
        seen = re.sub(r"(Z|\+00:00)$", "", seen.replace("T", " "))
        seen = re.sub(r"(\.\d{6})0*$", r"\1", seen)
    return seen == expected


def _types(value, own):
    if len(value) != 2:
        return f"{len(value)} rows in place of 2"
    for column, expected, seen in zip(work.TYPE_COLUMNS, work.TYPE_VALUES, value[0], strict=True):
        expected = own.get(f"types.{column}", expected)
        if not _cell(expected, seen):
            return f"{column} {work.TYPE_COLUMNS[column]}: saw {seen!r} in place of {expected!r}"
    return _same(value[1], own.get("types.nulls", NULL_ROW))


def _intervals(value, own):
    return _same(value, own.get("intervals", [["1-2", "3 04:05:06.500000000"]]))


def _ddl(value, _):
    count, failure = value
    return _same(str(count), "0") or _failure(failure, "TABLE_OR_VIEW_NOT_FOUND")


def _dml(value, _):
    counts, rows = value
    if counts is not None:
        return _same([int(count) for count in counts], [3, 2, 1]) or _remaining(rows)
    return _remaining(rows)


def _remaining(rows):
    return _rows([1, "one"], [2, "more"])(rows, {})


def _names(*needed):
    def check(value, _):
        missing = [name for name in needed if name not in value]
        return f"{missing} not among {str(value)[:200]}" if missing else ""

    return check


def _counted(count, *needed):
    return lambda value, own: _same(len(set(value)), count) or _names(*needed)(value, own)


def _large(value, _):
    return _same([int(number) for number in value], [work.LARGE_ROWS, *work.LARGE_SUMS])


def _failure(failure, *words):
    whole = f"{failure.get('text')} {failure.get('sqlstate')}"
    missing = [word for word in words if word not in whole]
    return f"{missing} not in the error: {whole[:300]}" if missing else ""


def _cancelled(failure, own):
    whole = f"{failure.get('text')} {failure.get('type')} {failure.get('sqlstate')}"
    words = own.get("cancel", "cancel|closed|HY008")
    return "" if re.search(words, whole, re.IGNORECASE) else f"no word of it in: {whole[:300]}"


def _lost(value, _):
    failure, after = value
    return _rows([1])(after, {}) or ("" if failure.get("text") else "an error without text")


_CHECKS = {
    "connect": lambda value, own: "",
    "select_one": _rows([1]),
    "types": _types,
    "intervals": _intervals,
    "named": _rows([7, "it's"]),
    "positional": _rows([7, "it's"]),
    "null": _rows([None]),
    "ddl": _ddl,
    "dml": _dml,
    "catalogs": _names("main", "system"),
    "schemas": _names("default", "tpcds_sf1_delta", "information_schema"),
    "tables": _counted(TPCDS_TABLES, "catalog_sales", "customer"),
    "columns": _counted(CUSTOMER_COLUMNS, "c_customer_sk", "c_email_address"),
    "large": _large,
    "error": lambda value, _: _failure(value, "TABLE_OR_VIEW_NOT_FOUND", "42P01"),
    "cancel": _cancelled,
    "two": lambda value, _: _rows([1])(value[0], {}) or _rows([2])(value[1], {}),
    "lost": _lost,
}
