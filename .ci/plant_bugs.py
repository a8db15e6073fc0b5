"""Plant small bugs, one at a time, and count those that the tests catch.

    .venv/bin/python .ci/plant_bugs.py --seed 19 --count 100 --junit reached.xml > bugs.txt

CONTRIBUTING.md says how to record which tests reach which line (.coverage) and how long each takes (reached.xml).

A bug is one change in a function of FOLDERS: a comparison, a condition, a sum or a number is turned, or a call left
out. The seed draws them. Each is held against the tests that reach its line, the quick ones first, until one fails or
--seconds are over. The work is done in copies of the tracked files; the checkout stays as it is.

The last line says how many were caught; before it a line a bug: caught, missed, slow (the time was over) or unreached.
"""

import argparse
import ast
import random  # noqa: TID251
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from xml.etree import ElementTree

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = (
    "engine", "league/ledger", "league/standings", "league/rounds", "league/access", "games/hands", "games/online/play",
)  # fmt: skip
COMPARISONS = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
SUMS = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.FloorDiv: ast.Mult, ast.Mod: ast.FloorDiv}


@dataclass(frozen=True)
class Site:
    """Where a bug may be planted: the n-th place of its file that can be changed."""

    path: str
    number: int
    lines: tuple[int, ...]  # of the place, and of the statement that it is in
    function: str
    change: str


def sites(path: Path) -> list[Site]:
    name = path.relative_to(ROOT).as_posix()
    found = []
    for number, (function, statement, node) in enumerate(_places(ast.parse(path.read_text(encoding="utf-8")))):
        before = ast.unparse(node)
        _turn(node)
        lines = tuple(dict.fromkeys((node.lineno, statement.lineno)))
        found.append(Site(name, number, lines, function, f"{_short(before)}  ->  {_short(ast.unparse(node))}"))
    return found


def planted(text: str, number: int) -> str:
    """The module with its n-th place changed."""
    module = ast.parse(text)
    _turn(list(_places(module))[number][2])
    return ast.unparse(module) + "\n"


def _places(module: ast.Module) -> Iterator[tuple[str, ast.stmt, ast.expr | ast.stmt]]:
    """The function, the statement and the node of each place, from top to bottom."""
    seen: set[ast.AST] = set()
    for function in ast.walk(module):
        if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        inner = [
            (statement, node)
            for statement in function.body
            for node in ast.walk(statement)
            if isinstance(node, ast.expr | ast.stmt) and node not in seen and _can_turn(node)
        ]
        seen.update(node for _, node in inner)
        for statement, node in sorted(inner, key=lambda place: (place[1].lineno, place[1].col_offset)):
            yield function.name, statement, node


def _can_turn(node: ast.AST) -> bool:
    match node:
        case ast.Compare(ops=[operator]):
            return type(operator) in COMPARISONS
        case ast.BoolOp() | ast.UnaryOp(op=ast.Not()) | ast.IfExp():
            return True
        case ast.BinOp(op=operator, left=left):
            return type(operator) in SUMS and not isinstance(left, ast.Constant | ast.JoinedStr)
        case ast.Constant(value=bool() | int()):
            return True
        case ast.Expr(value=ast.Call()):
            return True
    return False


def _turn(node: ast.AST) -> None:
    match node:
        case ast.Compare(ops=[operator]):
            node.ops = [COMPARISONS[type(operator)]()]
        case ast.BoolOp(op=operator):
            node.op = ast.Or() if isinstance(operator, ast.And) else ast.And()
        case ast.UnaryOp(op=ast.Not()):
            node.op = ast.UAdd()  # `+x` of a truth is as true as x
            node.operand = ast.Call(ast.Name("bool", ast.Load()), [node.operand], [])
        case ast.IfExp(body=body, orelse=other):
            node.body, node.orelse = other, body
        case ast.BinOp(op=operator):
            node.op = SUMS[type(operator)]()
        case ast.Constant(value=bool() as value):
            node.value = not value
        case ast.Constant(value=int() as value):
            node.value = value + 1
        case ast.Expr():
            node.value = ast.Constant(None)
    ast.fix_missing_locations(node)


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= 70 else text[:67] + "..."


def drawn(seed: int, count: int) -> list[Site]:
    files = [path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*.py"))]
    all_sites = [site for path in files for site in sites(path)]
    return sorted(random.Random(seed).sample(all_sites, count), key=lambda site: (site.path, site.number))


def tests_that_reach(chosen: list[Site], coverage_file: str, junit: str) -> dict[Site, list[str]]:
    """The tests of each site, those that took the least time first."""
    from coverage import CoverageData

    data = CoverageData(coverage_file)
    data.read()
    seconds = _seconds(junit)
    reach = {}
    for site in chosen:
        by_line = next(
            (data.contexts_by_lineno(path) for path in data.measured_files() if path.endswith(f"/{site.path}")), {}
        )
        contexts = next((found for line in site.lines if (found := [one for one in by_line.get(line, []) if one])), [])
        tests = {context.split("|")[0] for context in contexts}
        reach[site] = sorted(tests, key=lambda test: (seconds.get(test, 1.0), test))
    return reach


def _seconds(junit: str) -> dict[str, float]:
    """How long each test took. JUnit names modules with dots."""
    return {
        f"{case.get('classname', '').replace('.', '/')}.py::{case.get('name')}": float(case.get("time", 0))
        for case in ElementTree.parse(junit).getroot().iter("testcase")
    }


def verdict(site: Site, tests: list[str], folder: Path, seconds: int) -> str:
    """What the tests say of the bug: caught (by which), missed, slow or unreached."""
    if not tests:
        return "unreached"
    target = folder / site.path
    text = target.read_text(encoding="utf-8")
    target.write_text(planted(text, site.number), encoding="utf-8")
    arguments = folder / "tests-that-reach.txt"
    arguments.write_text("\n".join(tests), encoding="utf-8")
    began = time.monotonic()
    command = [sys.executable, "-m", "pytest", "-x", "-q", "--no-header", "--tb=no", "-p", "no:randomly"]
    try:
        done = subprocess.run(
            [*command, "-p", "no:cacheprovider", f"@{arguments}"],
            cwd=folder, capture_output=True, text=True, timeout=seconds, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return f"slow       of {len(tests)} tests"
    finally:
        target.write_text(text, encoding="utf-8")
    took = f"{time.monotonic() - began:.0f} s"
    if done.returncode == 0:
        return f"missed     by {len(tests)} tests, {took}"
    by = [line.split(" - ")[0] for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    return f"caught     by {by[0].split(' ', 1)[1] if by else 'what imports it'}, {took}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--seed", type=int, default=19)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--coverage", default=".coverage", help="coverage with contexts, of the same files")
    parser.add_argument("--junit", required=True, help="how long each test took")
    parser.add_argument("--seconds", type=int, default=60, help="for each bug")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    chosen = drawn(options.seed, options.count)
    reach = tests_that_reach(chosen, options.coverage, options.junit)
    with tempfile.TemporaryDirectory() as place:
        folders: SimpleQueue[Path] = SimpleQueue()
        for number in range(options.jobs):
            folders.put(_copy(Path(place) / str(number)))

        def judged(site: Site) -> str:
            folder = folders.get()
            try:
                return verdict(site, reach[site], folder, options.seconds)
            finally:
                folders.put(folder)

        with ThreadPoolExecutor(options.jobs) as pool:
            verdicts = []
            for site, said in zip(chosen, pool.map(judged, chosen), strict=True):
                verdicts.append(said)
                print(
                    f"{said.split()[0]:9s} {site.path}:{site.lines[0]} {site.function}: {site.change}  ({said})",
                    flush=True,
                )
    caught = sum(said.startswith("caught") for said in verdicts)
    print(f"{caught} of {len(chosen)} caught, seed {options.seed}")
    return 0


def _copy(folder: Path) -> Path:
    """The tracked files as they are in the checkout, and its environment."""
    tracked = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in tracked.split("\0"):
        if name and (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)
    (folder / ".venv").symlink_to(ROOT / ".venv")
    return folder


if __name__ == "__main__":
    sys.exit(main())
