"""The check that migrations only add (.ci/check_migrations.py), on made-up migrations after the newest one."""

import importlib.util
from types import ModuleType

import pytest
from django.conf import settings
from django.db import migrations, models
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState

from tests.real_migrations import load_migrations


@pytest.fixture(scope="module")
def check() -> ModuleType:
    spec = importlib.util.spec_from_file_location("check_migrations", settings.BASE_DIR / ".ci/check_migrations.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def state() -> ProjectState:
    return load_migrations().project_state()


def faults(check: ModuleType, state: ProjectState, *operations: Operation) -> list[str]:
    migration = migrations.Migration("0999_next", "league")
    migration.operations = list(operations)
    return list(check.faults_of(migration, state.clone(), {"1.0.0"}))


NAME = models.CharField(max_length=120)


@pytest.mark.parametrize(
    "operation",
    [
        migrations.AddField("tournament", "colour", models.CharField(db_default="", max_length=10)),
        migrations.AddField("tournament", "colour", models.CharField(null=True, max_length=10)),
        migrations.AddField("tournament", "fans", models.ManyToManyField("league.User")),
        migrations.AlterField("player", "name", models.CharField(max_length=500, choices=[("a", "Ana")])),
        migrations.AddIndex("tournament", models.Index(fields=["name"], name="by_name")),
        migrations.CreateModel("Fan", [("id", models.BigAutoField(primary_key=True)), ("name", NAME)]),
    ],
    ids=lambda operation: operation.describe(),
)
def test_what_older_processes_survive_passes(check: ModuleType, state: ProjectState, operation: Operation) -> None:
    assert faults(check, state, operation) == []


@pytest.mark.parametrize(
    "operation",
    [
        migrations.AddField("tournament", "colour", models.CharField(default="", max_length=10)),
        migrations.AlterField("player", "name", models.CharField(max_length=3)),
        migrations.AlterField("player", "name", models.IntegerField()),
        migrations.RemoveField("player", "name"),
        migrations.RenameField("player", "name", "title"),
        migrations.DeleteModel("LogHead"),
        migrations.RenameModel("LogHead", "LogEnd"),
        migrations.AddConstraint("player", models.UniqueConstraint(fields=["name"], name="one_name")),
        migrations.AlterUniqueTogether("player", {("name",)}),
        migrations.RunSQL("DROP TABLE league_player"),
        migrations.SeparateDatabaseAndState([migrations.RunSQL("DROP TABLE league_player")]),
    ],
    ids=lambda operation: operation.describe(),
)
def test_what_breaks_older_processes_is_named(check: ModuleType, state: ProjectState, operation: Operation) -> None:
    [sentence] = faults(check, state, operation)
    assert sentence.startswith("league.0999_next: ")


def test_a_new_table_may_get_anything(check: ModuleType, state: ProjectState) -> None:
    table = migrations.CreateModel("Fan", [("id", models.BigAutoField(primary_key=True)), ("name", NAME)])
    once = migrations.AddConstraint("fan", models.UniqueConstraint(fields=["name"], name="one_fan"))
    assert faults(check, state, table, once) == []


def test_a_column_leaves_the_code_in_one_release_while_its_table_keeps_it(
    check: ModuleType, state: ProjectState
) -> None:
    unused = migrations.SeparateDatabaseAndState(state_operations=[migrations.RemoveField("player", "name")])
    assert "new rows lack a value" in faults(check, state, unused)[0]
    default = migrations.AlterField("player", "name", models.CharField(max_length=500, db_default=""))
    assert faults(check, state, default, unused) == []


def test_a_removal_names_the_release_that_no_longer_used_it(
    check: ModuleType, state: ProjectState, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = check.sys.modules[migrations.Migration.__module__]
    removal = migrations.RemoveField("player", "name")
    monkeypatch.setattr(module, "UNUSED_SINCE", "1.0.0", raising=False)
    assert faults(check, state, removal) == []
    monkeypatch.setattr(module, "UNUSED_SINCE", "1.1.0")
    [sentence] = faults(check, state, removal)
    assert "1.1.0" in sentence


def test_an_empty_database_applies_few_of_our_migrations() -> None:
    ours = [key for key in load_migrations().graph.nodes if key[0] in ("league", "games")]
    assert len(ours) <= 12
