#!/usr/bin/env python3
"""The rooms of the house: prints each with its storey and its files, and fails on what would make it a maze again.

    python3 .ci/check_house.py

A folder is a room. Where a package has rooms, each file beside them is a room of its own. The storey of a room is one
above the highest that it imports from. Fails on rooms that import each other in a circle, and on a folder of more than
20 modules. Migrations are nobody's room.
"""

import ast
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("config", "games", "league", "engine")
MOST_MODULES = 20


def modules() -> dict[str, Path]:
    """By their dotted names; a package by its own."""
    paths = [path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]
    return {_name(path): path for path in paths if "migrations" not in path.parts}


def _name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imported(path: Path, known: Mapping[str, Path]) -> Iterator[str]:
    """The modules of the house that a module asks for, wherever in it, but for what only a type checker reads."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    typing = {node for block in ast.walk(tree) if _is_for_types(block) for node in ast.walk(block)}
    for node in ast.walk(tree):
        if node in typing:
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in known)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for alias in node.names:
                asked = f"{node.module}.{alias.name}"
                if asked in known or node.module in known:
                    yield asked if asked in known else node.module


def _is_for_types(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def rooms(known: Mapping[str, Path]) -> dict[str, str]:
    """The room of each module."""
    folders = {path.parent for path in known.values()}
    with_rooms = {package for package in PACKAGES if any(ROOT / package in folder.parents for folder in folders)}

    def room(path: Path) -> str:
        within = path.relative_to(ROOT)
        alone = len(within.parts) == 2 and within.parts[0] in with_rooms and path.stem != "__init__"
        return str(within if alone else within.parent)

    return {name: room(path) for name, path in known.items()}


def circles(arrows: Mapping[str, set[str]]) -> list[list[str]]:
    """Rooms that lead to each other (Tarjan's strongly connected components)."""
    numbers: dict[str, int] = {}
    lowest: dict[str, int] = {}
    path: list[str] = []
    found: list[list[str]] = []

    def visit(room: str) -> None:
        numbers[room] = lowest[room] = len(numbers)
        path.append(room)
        for other in sorted(arrows[room]):
            if other not in numbers:
                visit(other)
                lowest[room] = min(lowest[room], lowest[other])
            elif other in path:
                lowest[room] = min(lowest[room], numbers[other])
        if lowest[room] == numbers[room]:
            at = path.index(room)
            if len(path) - at > 1:
                found.append(sorted(path[at:]))
            del path[at:]

    for room in sorted(arrows):
        if room not in numbers:
            visit(room)
    return found


def storeys(arrows: Mapping[str, set[str]]) -> dict[str, int]:
    """The storey of each room, 1 on the ground; of none that is in a circle or above one."""
    heights: dict[str, int] = {}
    while True:
        next_ones = {
            room: 1 + max((heights[other] for other in below), default=0)
            for room, below in arrows.items()
            if room not in heights and below <= heights.keys()
        }
        if not next_ones:
            return heights
        heights |= next_ones


def main() -> int:
    known = modules()
    room_of = rooms(known)
    arrows: dict[str, set[str]] = defaultdict(set)
    examples: dict[tuple[str, str], str] = {}
    for name, path in known.items():
        here = room_of[name]
        arrows[here] |= set()
        for asked in imported(path, known):
            # What a package hands on to its own rooms, and its sign, are no arrows.
            if room_of[asked] != here:
                arrows[here].add(room_of[asked])
                examples.setdefault((here, room_of[asked]), f"{name} asks {asked}")
    files = Counter(str(path.parent.relative_to(ROOT)) for path in known.values() if path.stem != "__init__")
    heights = storeys(arrows)
    for room in sorted(arrows, key=lambda one: (heights.get(one, 999), one)):
        count = files[room] if room in files and not room.endswith(".py") else 1
        if count and (room.endswith(".py") or files[room]):
            print(f"{heights.get(room, '–'):>3}  {count:>2}  {room}")
    faults = [
        f"{folder} has {count} modules, more than {MOST_MODULES}."
        for folder, count in sorted(files.items())
        if count > MOST_MODULES
    ]
    for circle in circles(arrows):
        faults.append(f"A circle: {', '.join(circle)}")
        faults += [f"    {said}" for (one, other), said in sorted(examples.items()) if {one, other} <= set(circle)]
    print("\n".join(faults) or f"{len(arrows)} rooms on {max(heights.values())} storeys, without a circle.")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
