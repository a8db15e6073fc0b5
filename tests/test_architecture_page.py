"""The files that docs/, CONTRIBUTING.md and README.md name are there, and the picture of the house shows the house."""

import ast
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import pytest

ROOT = Path(__file__).parents[1]
PAGES = [
    ROOT / "CONTRIBUTING.md",
    ROOT / "README.md",
    *sorted((ROOT / "docs").rglob("*.md")),
]
PICTURE = ROOT / "docs/architecture/house.svg"
FOLDERS = (
    "config",
    "games",
    "league",
    "engine",
    "templates",
    "tests",
    "docs",
    "docker",
    "locks",
    "benchmarks",
    "package",
    ".ci",
)
# Files of a data folder, of a build and of a release.
MADE_LATER = {"wild.toml", "constraints.txt", "tests/games/service/backups/1.0.0.zip"}
QUOTED = re.compile(r"`([^`\n]+)`")
LINK = re.compile(r"\]\(([^)\s]+)\)")
CODE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
# A path from the root, wherever it stands, or the end of one: `seasons/table.py`, `live.js`, `table.py:season_table`.
FROM_THE_ROOT = re.compile(rf"(?<![\w./-])(?:{'|'.join(map(re.escape, FOLDERS))})/[\w./-]*(?::\w+)?")
A_FILE = re.compile(r"[\w./-]+\.(?:py|js|css|html|svg|md|toml|lock|txt)(?::\w+)?")
# What stands between the rooms and has none of its own, and what Django asks for.
NO_ROOMS = {"api_urls", "apps", "design", "management", "migrations", "tasks", "urls"}


@cache
def files() -> frozenset[str]:
    beside = [path for path in ROOT.iterdir() if path.is_file()]
    inside = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*") if path.is_file()]
    return frozenset(path.relative_to(ROOT).as_posix() for path in (*beside, *inside))


def named_in(text: str) -> Iterator[str]:
    """The paths that a page names. None is what has a placeholder (`docs/rules.<language>.md`), or is an address."""
    for path in FROM_THE_ROOT.finditer(text):
        if text[path.end() : path.end() + 1] not in ("<", "*"):
            yield path.group().rstrip(".")
    for quoted in QUOTED.findall(text):
        if A_FILE.fullmatch(quoted) and not quoted.startswith("/"):
            yield quoted


def is_there(named: str) -> bool:
    path, _, name = named.partition(":")
    if path.split("/")[0] in FOLDERS:
        found = [path] if (ROOT / path).exists() else []
    else:
        found = [one for one in files() if one == path or one.endswith(f"/{path}")]
    return any(not name or name in names_of(one) for one in found)


def names_of(path: str) -> set[str]:
    """What a module defines: functions, classes, and what is given a name at its top."""
    names = set()
    for node in ast.parse((ROOT / path).read_text(encoding="utf-8")).body:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                names.add(node.name)
            case ast.Assign():
                names |= {target.id for target in node.targets if isinstance(target, ast.Name)}
            case ast.AnnAssign(target=ast.Name(id=name)):
                names.add(name)
    return names


@pytest.mark.parametrize("document", PAGES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_every_file_that_a_page_names_exists(document: Path) -> None:
    text = document.read_text(encoding="utf-8")
    assert [named for named in sorted(set(named_in(text)) - MADE_LATER) if not is_there(named)] == []


@pytest.mark.parametrize("document", PAGES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_every_link_of_a_page_leads_somewhere(document: Path) -> None:
    text = CODE.sub("", document.read_text(encoding="utf-8"))
    links = {link for link in LINK.findall(text) if "://" not in link}
    assert [link for link in sorted(links) if not leads_somewhere(document, link)] == []


def leads_somewhere(document: Path, link: str) -> bool:
    path, _, heading = link.partition("#")
    target = document.parent / path if path else document
    return target.exists() and (not heading or heading in headings_of(target))


def headings_of(document: Path) -> set[str]:
    """As GitHub makes addresses of them."""
    headings = re.findall(r"^#+ (.*)$", document.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_a_path_that_is_not_there_is_found() -> None:
    text = "`league/views/no.py`, `live.js`, `nowhere.js`, `engine/view.py:view_for`, `engine/view.py:no`"
    missing = {named for named in named_in(text) if not is_there(named)}
    assert missing == {"league/views/no.py", "nowhere.js", "engine/view.py:no"}


def test_27_questions_have_a_file_each() -> None:
    page = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
    questions = re.findall(r"^\| ([^|*]+\?) \| (.+) \|$", page, re.MULTILINE)
    assert len({question for question, _files in questions}) == len(questions) == 27
    assert all(any(map(A_FILE.fullmatch, QUOTED.findall(answer))) for _question, answer in questions)


def test_every_page_of_a_storey_is_in_the_list() -> None:
    page = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
    assert {link for link in LINK.findall(page) if link.startswith("architecture/") and link.endswith(".md")} == {
        f"architecture/{storey.name}" for storey in (ROOT / "docs/architecture").glob("*.md")
    }


@pytest.mark.parametrize("package", ["league", "games"])
def test_the_picture_shows_every_room_on_its_storey(package: str) -> None:
    """In the order of the contracts, top first."""
    shown = drawn(package)
    storeys = contracted(package)
    assert sorted(shown) == sorted(room for storey in storeys for room in storey)
    storey_of = {room: number for number, storey in enumerate(storeys) for room in storey}
    assert [storey_of[room] for room in shown] == sorted(storey_of.values())


@pytest.mark.parametrize("package", ["config", "engine"])
def test_the_picture_shows_no_room_that_is_not_there(package: str) -> None:
    places = {room: ROOT / package / room for room in drawn(package)}
    assert [
        room for room, place in places.items() if not place.is_dir() and not place.with_suffix(".py").is_file()
    ] == []


def drawn(package: str) -> list[str]:
    texts = ElementTree.parse(PICTURE).iterfind(f".//*[@id='{package}']/*[@class='room']")
    return [text.text or "" for text in texts]


def contracted(package: str) -> list[set[str]]:
    """The rooms of a package by storey; those of `games.online` in the place that the contracts give them."""
    pyproject = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = pyproject["tool"]["importlinter"]["contracts"]
    [layers] = [one["layers"] for one in contracts if one.get("containers") == [package]]
    storeys = [set(re.split(r" [|:] ", layer)) - NO_ROOMS for layer in layers]
    if package == "games":
        [split] = [one["layers"] for one in contracts if "games.entry" in one.get("layers", [])]
        online = [{room.rpartition(".")[2] for room in layer.split(" | ")} for layer in split]
        at = storeys.index({"entry", "online"})
        storeys[at : at + 1] = online
    return [storey for storey in storeys if storey]
