"""The compiled engine is the engine: the same logs, views and verdicts as the sources it was made of.

`WILD_LOGS=100000` plays so many hands by both instead of some hundred.
"""

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from tests.requirements import missing

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
HANDS = int(os.environ.get("WILD_LOGS") or 600)
AT_A_TABLE = 5
PLAY = """
import json, random, sys
from hashlib import sha256

from engine.log import lines, read
from engine.replay import replay, verify
from engine.rules import EDITIONS, OPTIONS, SCORINGS
from engine.simulation.bots import BOTS
from engine.simulation.guess import consistent_hand
from engine.simulation.simulate import Setting, hands
from engine.state import Rules
from engine.view import view_for

tables, at_a_table = map(int, sys.argv[1:])
for table in range(tables):
    dice = random.Random(table)
    teams = dice.random() < 0.2
    options = [option for option in OPTIONS if dice.random() < 0.4]
    edition = [*EDITIONS.values()][table % len(EDITIONS)]
    rules = Rules(edition, scoring=dice.choice([*SCORINGS]), teams=teams, options=options, log=dice.choice([1, 2, 2]))
    bots = dice.choice([["random"], ["careful"], ["sharp"], [*BOTS]])
    found = sha256()
    for hand in hands(Setting(rules, 4 if teams else dice.randint(2, 10), bots, str(table)), at_a_table):
        text = [line + "\\n" for line in lines(hand.log)]
        found.update("".join(text).encode())
        assert verify(next(read(text))).log == hand.log
        earlier = replay(hand.log[: dice.randrange(len(hand.log) // 2, len(hand.log))], hand.seed)
        if not earlier.over:
            seat = dice.randrange(earlier.public.players)
            view = view_for(earlier, seat)
            guess = consistent_hand(view, random.Random(table))
            found.update(json.dumps([view, guess.cards, guess.pile]).encode())
    print(rules.edition.key, rules.scoring, *options, found.hexdigest())
"""


@pytest.fixture(scope="module")
def compiled(tmp_path_factory) -> Path:
    """A folder with a copy of the engine that was compiled there."""
    if shutil.which("gcc") is None or not Path(sysconfig.get_path("include"), "Python.h").exists():
        missing("compiler", "there is no gcc, or no Python.h")
    folder = tmp_path_factory.mktemp("compiled")
    shutil.copytree(ROOT / "engine", folder / "engine", ignore=shutil.ignore_patterns("__pycache__"))
    done = run(folder, "-m", "engine.compiled.make", MYPYC_OPT_LEVEL="0")
    assert done.returncode == 0 and done.stdout.endswith("The engine is compiled.\n"), done.stdout + done.stderr
    return folder


def run(folder: Path, *arguments: object, **environment: str) -> subprocess.CompletedProcess[str]:
    environment = {"PYTHONUTF8": "1", "PATH": os.environ["PATH"]} | environment
    command = [sys.executable, *map(str, arguments)]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, encoding="utf-8")


def runs(folder: Path, **environment: str) -> str:
    return run(folder, "-m", "engine", "show", **environment).stdout.splitlines()[-1]


def test_it_writes_the_same_logs_and_tells_everybody_the_same(compiled: Path) -> None:
    assert runs(compiled) == "The rules run compiled."
    assert sorted(path.name for path in compiled.iterdir()) == ["engine", "var"]
    assert [path.name for path in (compiled / "var").iterdir()] == ["engine"]
    play = ("-c", PLAY, HANDS // AT_A_TABLE, AT_A_TABLE)
    by_compiled, by_sources = run(compiled, *play), run(compiled, *play, WILD_ENGINE="pure")
    assert by_compiled.stderr == by_sources.stderr == ""
    assert len(by_sources.stdout.splitlines()) == HANDS // AT_A_TABLE
    assert by_compiled.stdout.splitlines() == by_sources.stdout.splitlines()


def test_it_is_left_out_when_told_so_and_when_its_sources_have_changed(compiled: Path, tmp_path: Path) -> None:
    assert runs(compiled, WILD_ENGINE="pure") == "The rules run as Python."
    changed = shutil.copytree(compiled, tmp_path / "changed")
    assert runs(changed) == "The rules run compiled."
    (changed / "engine" / ".#cards.py").symlink_to("somebody@editing.1")  # an editor's lock
    assert runs(changed) == "The rules run compiled."
    with (changed / "engine" / "cards.py").open("a") as source:
        source.write("# another\n")
    assert runs(changed) == "The rules run as Python."


def test_an_installed_package_finds_it_in_its_data_folder(compiled: Path, tmp_path: Path) -> None:
    shutil.copytree(compiled / "engine", tmp_path / "app" / "engine")
    shutil.copytree(compiled / "var" / "engine", tmp_path / "data" / "engine")
    assert runs(tmp_path / "app") == "The rules run as Python."
    assert runs(tmp_path / "app", WILD_DATA=str(tmp_path / "data")) == "The rules run compiled."
    (tmp_path / "data" / "engine" / "fingerprint").write_text("of an earlier version")
    assert runs(tmp_path / "app", WILD_DATA=str(tmp_path / "data")) == "The rules run as Python."


def test_what_cannot_be_compiled_says_so_and_leaves_what_was_there(compiled: Path, tmp_path: Path) -> None:
    changed = shutil.copytree(compiled, tmp_path / "changed")
    there = (changed / "var" / "engine" / "fingerprint").read_text()
    for source in [*(changed / "engine").glob("*.py"), *(changed / "engine").glob("*/*.py")]:
        if source.parent.name != "compiled" and source.name != "__init__.py":
            source.unlink()  # a fault is found where there is little else, and sooner
    (changed / "engine" / "cards.py").write_text("nothing: int = 'no number'\n")
    done = run(changed, "-m", "engine.compiled.make")
    assert done.returncode == 1 and "Incompatible types" in done.stdout + done.stderr
    assert "runs as before" in done.stderr and "Traceback" not in done.stderr
    assert (changed / "var" / "engine" / "fingerprint").read_text() == there
