"""Stages of the time when each setting had a column: brought up to date, they say the same; and back again."""

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from tests.served import migrated

pytestmark = pytest.mark.slow  # four processes

ROOT = Path(__file__).resolve().parents[3]
# What the columns of 0016 held. A format's row has the defaults of those that are not its own.
COLUMNS = ("format", "hands_per_round", "rounds_wanted", "cycles", "table_size", "target", "bye_points")
STAGES = (
    ("pairs", 4, 5, 1, 4, None, 20),
    ("teams", 3, None, 2, 4, None, 0),
    ("challenge", None, None, 1, 6, 300, 0),
    ("points", 4, 4, 1, 5, None, 0),
    ("points", None, 3, 1, 4, 200, 0),
)
SETTINGS = (
    {"hands_per_round": 4, "rounds": 5, "cycles": 1, "bye_points": 20},
    {"hands_per_round": 3, "rounds": None, "cycles": 2, "bye_points": 0},
    {"hands_per_round": None, "target": 300, "table_size": 6},
    {"hands_per_round": 4, "target": None, "rounds": 4, "table_size": 5},
    {"hands_per_round": None, "target": 200, "rounds": 3, "table_size": 4},
)
MAKE = f"""
from datetime import date
from league.models import Stage, Tournament, User
from league.setup.create import create_tournament
from league.setup.stages.way import PlannedStage
owner = User.objects.create_user("olga@example.org", name="Olga")
for format, settings in zip({[stage[0] for stage in STAGES]}, {list(SETTINGS)}):
    made = Tournament(owner=owner, name=format, starts_on=date(2026, 11, 24))
    create_tournament(made, [PlannedStage(format, settings=settings)])
changed = {{"at": "2026-11-24T20:00:00+00:00", "field": "rounds", "old": 3, "new": 4, "reason": "x"}}
Stage.objects.filter(format="points").update(amendments=[changed])
"""
MAKE_HEATS = """
from datetime import date
from league.models import Tournament, User
from league.setup.create import create_tournament
from league.setup.stages.way import PlannedStage
owner = User.objects.create_user("olga@example.org", name="Olga")
for settings in %s:
    made = Tournament(owner=owner, name="Heats", starts_on=date(2026, 11, 24))
    create_tournament(made, [PlannedStage("heats", settings=settings)])
"""


def test_settings_are_what_the_columns_were_there_and_back(tmp_path: Path) -> None:
    shutil.copy(migrated(), tmp_path)
    manage(tmp_path, "shell", "--verbosity=0", "--command", MAKE)
    before = rows(tmp_path, "id", "settings", "amendments")
    assert [json.loads(settings) for _id, settings, _amendments in before] == list(SETTINGS)
    manage(tmp_path, "migrate", "league", "0016", "--verbosity=0")
    assert rows(tmp_path, *COLUMNS) == list(STAGES)
    assert json.loads(rows(tmp_path, "amendments")[3][0])[0]["field"] == "rounds_wanted"
    manage(tmp_path, "migrate", "league", "0017", "--verbosity=0")
    assert [parsed(row) for row in rows(tmp_path, "id", "settings", "amendments")] == [parsed(row) for row in before]


def test_what_heats_do_after_round_1_is_joined_and_parted(tmp_path: Path) -> None:
    shutil.copy(migrated(), tmp_path)
    make = MAKE_HEATS % [{"after_round_1": after, "byes": after // 2} for after in range(3)]
    manage(tmp_path, "shell", "--verbosity=0", "--command", make)
    before = rows(tmp_path, "settings")
    manage(tmp_path, "migrate", "league", "0022", "--verbosity=0")
    old = [json.loads(settings) for (settings,) in rows(tmp_path, "settings")]
    assert [(one["ladders"], one["repechage"], one["byes"]) for one in old] == [(1, 0, 0), (1, 1, 0), (2, 0, 1)]
    assert not any("after_round_1" in one for one in old)
    manage(tmp_path, "migrate", "league", "0023", "--verbosity=0")
    assert [json.loads(settings) for (settings,) in rows(tmp_path, "settings")] == [
        json.loads(row) for (row,) in before
    ]


def parsed(row: tuple[int, str, str]) -> tuple[int, object, object]:
    return row[0], json.loads(row[1]), json.loads(row[2])


def manage(folder: Path, *words: str) -> None:
    environment = os.environ | {"WILD_DATA": str(folder), "DATABASE_URL": ""}
    command = [sys.executable, str(ROOT / "manage.py"), *words]
    done = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def rows(folder: Path, *columns: str) -> list:
    with sqlite3.connect(folder / "wild.sqlite3") as database:
        return database.execute(f"SELECT {', '.join(columns)} FROM league_stage ORDER BY id").fetchall()
