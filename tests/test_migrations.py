"""A database that was made step by step, as every one before the migrations were squashed, is as one that is new."""

import json
import os
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.served import migrate, migrated

pytestmark = pytest.mark.slow  # thirty migrations

ROOT = Path(__file__).resolve().parents[1]

# Stages of the time when each setting had a column, a stage of heats from before two settings became one, and all else.
STEPS = """
import json
from datetime import date
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.state import ProjectState

def migrate_to(*targets):
    executor = MigrationExecutor(connection)
    executor.loader.replace_migrations = False  # the steps, and not what sums them up
    executor.loader.build_graph()
    executor.migrate(targets)
    return executor.loader.project_state(targets).apps

then = migrate_to(("league", "0016_what_does_not_go_on"))
olga = then.get_model("league", "User").objects.create(email="olga@example.org", name="Olga")
def stage(format, **columns):
    of = dict(owner_id=olga.pk, name=format, slug=f"{format}-{columns}", starts_on=date(2026, 11, 24))
    made = then.get_model("league", "Tournament").objects.create(**of)
    changed = {"field": "rounds_wanted", "old": 3, "new": 4}
    then.get_model("league", "Stage").objects.create(
        tournament=made, number=1, format=format, amendments=[changed], **columns)
stage("pairs", hands_per_round=4, rounds_wanted=5, bye_points=20)
stage("teams", hands_per_round=3, cycles=2)
stage("challenge", hands_per_round=None, table_size=6, target=300)
stage("points", hands_per_round=4, rounds_wanted=4, table_size=5)
then = migrate_to(("league", "0022_finals_by_place"))
Stage = then.get_model("league", "Stage")
for settings in ({"ladders": 1, "repechage": 0}, {"ladders": 1, "repechage": 1}, {"ladders": 2, "repechage": 0}):
    made = then.get_model("league", "Tournament").objects.create(
        owner_id=olga.pk, name="Heats", slug=f"heats-{settings}", starts_on=date(2026, 11, 24))
    Stage.objects.create(tournament=made, number=1, format="heats", settings=settings)
migrate_to(("league", "0033_guests_who_join"), ("games", "0007_not_counted"))
"""


@pytest.fixture(scope="module")
def stepped(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a database that took every step, and then what `manage.py migrate` does today."""
    folder = tmp_path_factory.mktemp("stepped")
    environment = os.environ | {"WILD_DATA": str(folder), "DATABASE_URL": ""}
    command = [sys.executable, "manage.py", "shell", "--verbosity=0", "--command", STEPS]
    subprocess.run(command, env=environment, cwd=ROOT, check=True)
    migrate(folder)
    return folder


def ask(database: Path, statement: str) -> list[Any]:
    with sqlite3.connect(database) as connection:
        return connection.execute(statement).fetchall()


def tables(database: Path) -> dict[str, tuple[Any, ...]]:
    """Of each table its columns, indexes and foreign keys, in no order, and the conditions that are checked."""
    return {name: _table(database, name, sql) for name, sql in ask(database, TABLES)}


TABLES = "SELECT name, sql FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"


def _table(database: Path, name: str, sql: str) -> tuple[Any, ...]:
    columns = {row[1:] for row in ask(database, f"PRAGMA table_info({name})")}
    keys = {row[2:] for row in ask(database, f"PRAGMA foreign_key_list({name})")}
    indexes = []
    for _at, index, unique, origin, partial in ask(database, f"PRAGMA index_list({name})"):
        of = tuple(row[2] for row in ask(database, f"PRAGMA index_info({index})"))
        where = ask(database, f"SELECT sql FROM sqlite_master WHERE name = '{index}'")[0][0] or ""
        indexes.append((of, unique, origin, partial, where.partition(" WHERE ")[2]))
    return columns, keys, sorted(indexes), sql.count(" CHECK "), sql.count("CONSTRAINT")


def test_the_tables_are_those_of_a_new_database(stepped: Path) -> None:
    assert tables(stepped / "wild.sqlite3") == tables(migrated())


def test_it_has_run_whatever_a_new_database_has_run(stepped: Path) -> None:
    applied = "SELECT app, name FROM django_migrations ORDER BY app, name"
    assert ask(stepped / "wild.sqlite3", applied) == ask(migrated(), applied)


def test_settings_of_stages_are_what_the_columns_were(stepped: Path) -> None:
    stages = ask(stepped / "wild.sqlite3", "SELECT settings, amendments FROM league_stage ORDER BY id")
    assert [json.loads(settings) for settings, _amendments in stages] == [
        {"hands_per_round": 4, "rounds": 5, "cycles": 1, "bye_points": 20},
        {"hands_per_round": 3, "rounds": None, "cycles": 2, "bye_points": 0},
        {"hands_per_round": None, "target": 300, "table_size": 6},
        {"hands_per_round": 4, "target": None, "rounds": 4, "table_size": 5},
        {"after_round_1": 0},
        {"after_round_1": 1},
        {"after_round_1": 2},
    ]
    assert json.loads(stages[0][1]) == [{"field": "rounds", "old": 3, "new": 4}]
