#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails on an include that the layers forbid.

A room is a folder of src/. It may include itself and what the USES of its dbx_module() names: the
same list that CMake links, and not what a used room uses in turn. Tests and test supports may
include what TEST_USES names as well. The two programs of apps/ see their own folder and what APPS
gives them, and some third-party libraries belong to one room.
"""

import pathlib
import re
import sys

# What a folder outside src/ may include of ours, by the first part of the path.
APPS = {
    "apps/cli": set(),
    "apps/warehouse": {"base"},
}

# Third-party headers that only some folders may include.
OWNED_HEADERS = (
    (re.compile(r"curl/"), ("src/http",), "libcurl belongs to http"),
    (
        re.compile(r"thrift/|thrift_generated/"),
        ("src/wire", "src/warehouse/thrift", "apps/warehouse"),
        "Thrift belongs to wire, warehouse/thrift and the local warehouse",
    ),
    (
        re.compile(r"lz4(frame|hc)?\.h"),
        ("src/arrow", "apps/warehouse"),
        "LZ4 belongs to arrow and the local warehouse",
    ),
    (
        re.compile(r"duckdb\.h(pp)?$"),
        ("apps/cli", "apps/warehouse"),
        "DuckDB belongs to the two programs",
    ),
)

SUFFIXES = {".h", ".cc", ".inc"}
INCLUDE = re.compile(r'\s*#\s*include\s*([<"])([^>"]+)[>"]')
KEYWORDS = {
    "SOURCES",
    "USES",
    "LIBRARIES",
    "PRIVATE_LIBRARIES",
    "TEST_SUPPORT",
    "TEST_USES",
    "TESTS",
}


class Room:
    """The arguments of one dbx_module() call."""

    def __init__(self, arguments):
        self.name = arguments[0]
        self.lists = {keyword: [] for keyword in KEYWORDS}
        current = None
        for word in arguments[1:]:
            if word in KEYWORDS:
                current = self.lists[word]
            elif current is not None:
                current.append(word)

    def may_include(self, file_in_room):
        allowed = {self.name, *self.lists["USES"]}
        if self.is_test(file_in_room):
            allowed |= {name.removesuffix("_testing") for name in self.lists["TEST_USES"]}
        return allowed

    def is_test(self, file_in_room):
        support = {pathlib.PurePath(name).stem for name in self.lists["TEST_SUPPORT"]}
        path = pathlib.PurePath(file_in_room)
        return path.stem.endswith("_test") or path.stem in support


def read_rooms(root):
    """Room by folder name, and complaints about build files that break the rule themselves."""
    rooms, complaints = {}, []
    for file in sorted((root / "src").glob("*/CMakeLists.txt")):
        text = re.sub(r"#[^\n]*", "", file.read_text(encoding="utf-8"))
        for call in re.findall(r"dbx_module\(([^)]*)\)", text):
            room = Room(call.split())
            rooms[room.name] = room
            if room.name != file.parent.name:
                complaints.append(f"{file.relative_to(root)}: dbx_module({room.name}) is not the folder's name")
    return rooms, complaints


def find_cycle(rooms):
    """A list of rooms that use each other in a circle, or None."""
    state = {}

    def visit(name, path):
        if state.get(name) == "done" or name not in rooms:
            return None
        if name in path:
            return [*path[path.index(name) :], name]
        for used in rooms[name].lists["USES"]:
            cycle = visit(used, [*path, name])
            if cycle:
                return cycle
        state[name] = "done"
        return None

    for name in rooms:
        cycle = visit(name, [])
        if cycle:
            return cycle
    return None


def includes_of(path):
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        match = INCLUDE.match(line)
        if match:
            yield number, match.group(2)


def owner_complaint(place, include):
    for pattern, owners, reason in OWNED_HEADERS:
        if pattern.match(include) and not any(place.is_relative_to(owner) for owner in owners):
            return reason
    return None


def room_complaint(root, place, include, rooms, room_names):
    """Why the file at `place` (a path from the root) may not include `include`, or None."""
    target = include.split("/")[0]
    if "/" not in include or target not in room_names:
        return None
    if place.parts[0] == "src":
        own = place.parts[1]
        room = rooms.get(own)
        if room is None:
            return None if target == own else f"src/{own} has no dbx_module() that says it uses {target}"
        if target in room.may_include("/".join(place.parts[2:])):
            return None
        return f"{own} does not list {target} in its USES"
    folder = "/".join(place.parts[:2])
    if folder in APPS and target not in APPS[folder]:
        # A program may have a folder of its own that is named as a room is.
        own = any((base / include).exists() for base in (root / folder, root / "apps"))
        return None if own else f"{folder} may not see src/{target}"
    return None


def main():
    root = pathlib.Path(__file__).resolve().parent.parent
    rooms, complaints = read_rooms(root)
    room_names = {folder.name for folder in (root / "src").iterdir() if folder.is_dir()}
    cycle = find_cycle(rooms)
    if cycle:
        complaints.append("src: rooms use each other in a circle: " + " -> ".join(cycle))

    num_files = num_includes = 0
    for top in ("src", "apps"):
        for path in sorted((root / top).rglob("*")):
            if path.suffix not in SUFFIXES:
                continue
            num_files += 1
            place = path.relative_to(root)
            for number, include in includes_of(path):
                num_includes += 1
                reason = owner_complaint(place, include) or room_complaint(root, place, include, rooms, room_names)
                if reason:
                    complaints.append(f'{place}:{number}: #include "{include}": {reason}')

    if complaints:
        print("\n".join(complaints))
        print(f"check_layers: {len(complaints)} faults")
        return 1
    print(f"check_layers: OK: {len(rooms)} rooms, {num_files} files, {num_includes} includes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
