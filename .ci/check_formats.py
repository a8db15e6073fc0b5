#!/usr/bin/env python3
"""A format is known by its two halves alone: python3 .ci/check_formats.py [FOLDER]

Fails where anything but league/formats and league/format_pages names a format by its key: compares something that is
called `format` or `key` with it, passes it as `format`, or looks it up in FORMATS. Whoever needs to know something
about a format asks it (`league/formats/protocol.py`). Migrations, tests and benchmarks say which one they are about.
"""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HALVES = ("league/formats/", "league/format_pages/")
PACKAGES = ("config", "games", "league")
ABOUT_FORMATS = re.compile(r"(^|_)(format|plays|key)$")
IN_TEMPLATE = re.compile(r"(?:format|plays)\w*\s*(?:==|!=|in)\s*[\"']([\w ]+)[\"']|data-(?:of|plays)=\"([a-z ]+)\"")


def keys(root: Path) -> set[str]:
    """The keys of the formats: `key = "…"` in a class of league/formats."""
    found = set()
    for path in (root / "league" / "formats").glob("*.py"):
        found |= set(re.findall(r'^    key = "(\w+)"', path.read_text(encoding="utf-8"), re.M))
    return found


def faults(root: Path) -> Iterator[str]:
    known = keys(root)
    for package in PACKAGES:
        for path in sorted((root / package).rglob("*.py")):
            name = path.relative_to(root).as_posix()
            if not name.startswith(HALVES) and "/migrations/" not in name:
                yield from (f"{name}:{line}: {what}" for line, what in _in_module(path, known))
    for path in sorted((root / "templates").rglob("*.html")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            for match in IN_TEMPLATE.finditer(line):
                if known.intersection((match[1] or match[2]).split()):
                    yield f"{path.relative_to(root).as_posix()}:{number}: {match[0]}"


def _in_module(path: Path, known: set[str]) -> Iterator[tuple[int, str]]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        found: set[str] = set()
        if isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            if any(_is_about_formats(side) for side in sides):
                found = {text for side in sides for text in _texts(side)}
        elif isinstance(node, ast.keyword) and node.arg == "format":
            found = set(_texts(node.value))
        elif isinstance(node, ast.Subscript) and ast.unparse(node.value).endswith("FORMATS"):
            found = set(_texts(node.slice))
        elif isinstance(node, ast.Dict):
            named = [value for key, value in zip(node.keys, node.values, strict=True) if _texts(key) == ["format"]]
            found = {text for value in named for text in _texts(value)}
        if found & known:
            yield node.lineno if not isinstance(node, ast.keyword) else node.value.lineno, ast.unparse(node)[:100]


def _is_about_formats(node: ast.expr) -> bool:
    if isinstance(node, ast.Subscript):
        return any(ABOUT_FORMATS.search(text) for text in _texts(node.slice))
    name = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
    return bool(ABOUT_FORMATS.search(name))


def _texts(node: ast.AST | None) -> list[str]:
    """The strings that an expression is, or has in a list."""
    if isinstance(node, ast.Constant):
        return [node.value] if isinstance(node.value, str) else []
    if isinstance(node, ast.Tuple | ast.List | ast.Set):
        return [text for element in node.elts for text in _texts(element)]
    return []


def main(root: Path) -> int:
    found = list(faults(root))
    for fault in found:
        print(fault)
    if found:
        print(f"{len(found)} places know a format that they should ask about itself (league/formats/protocol.py).")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else ROOT))
