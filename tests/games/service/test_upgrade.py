"""Upgrades of the database: a backup of the old tables first, one process at a time, and never backwards."""

import json
import os
import sqlite3
import subprocess
import sys
import zipfile
from contextlib import closing
from pathlib import Path

import psycopg
import pytest
from django.conf import settings

from games.service import backup, upgrade
from games.service.file_lock import only_process
from league.lib.errors import Refused
from tests.games.service.test_backup import FILL, Site

pytestmark = pytest.mark.slow

LAST = "0037_member_cards"  # and what follows
BEFORE = "0036_labels_of_choices"
NEWER = "INSERT INTO django_migrations (app, name, applied) VALUES ('league', '0999_more', '2031-01-01')"


def make_older(site):
    """Take the newest tables away, as if the version before had made the database."""
    site.manage("migrate", "league", BEFORE, "--no-backup", "--verbosity=0")


def applied(site):
    return site.python("from games.service.backup import migrations; print('\\n'.join(migrations()))").split()


@pytest.fixture(scope="module")
def filled(tmp_path_factory):
    site = Site(tmp_path_factory.mktemp("upgrade") / "filled")
    site.python(FILL)
    return site


def copy_of(filled, folder):
    """A site with the same rows."""
    site = Site(folder)
    data = Path(filled.environment["WILD_DATA"])
    with (
        closing(sqlite3.connect(data / "wild.sqlite3")) as old,
        closing(sqlite3.connect(folder / "wild.sqlite3")) as new,
    ):
        old.backup(new)
    return site


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_an_upgrade_first_writes_the_old_tables_and_this_version_restores_them(kind, filled, request, tmp_path):
    if kind == "postgres":
        site = Site(tmp_path / "site", request.getfixturevalue("postgres_url"))
        filled.manage("backup", tmp_path / "wild.zip")
        site.manage("restore", tmp_path / "wild.zip")
    else:
        site = copy_of(filled, tmp_path / "site")
    make_older(site)
    done = site.run("migrate", "--verbosity=0")
    path = tmp_path / "site" / "backups" / f"before-{settings.VERSION}.zip"
    assert (done.returncode, done.stderr) == (0, f"The data from before the upgrade is in {path}.\n")
    assert path.stat().st_mode & 0o777 == 0o600
    with zipfile.ZipFile(path) as archive:
        manifest = json.loads(archive.read("manifest.json"))
    assert f"league.{BEFORE}" in manifest["migrations"]
    assert f"league.{LAST}" not in manifest["migrations"]
    assert [end["slug"] for end in manifest["logs"].values()] == ["autumn-pairs"]
    restored = Site(tmp_path / "restored")
    restored.manage("restore", path)
    exports, rows = restored.everything()
    # The upgrade marks a server in use (league/migrations/0038_server.py), which a new database is not.
    assert [row["fields"] for row in rows.pop("league.Server")] == [{"sign_up_open": True}]
    assert rows.pop("league.PlayerWarning") == []  # a table that the version before didn't have
    exports_before, rows_before = filled.everything()
    assert rows_before.pop("league.PlayerWarning")
    assert (exports, rows | {"league.Server": []}) == (exports_before, rows_before)
    assert site.run("migrate", "--verbosity=0").stderr == ""


def test_without_room_for_the_backup_nothing_is_upgraded_unless_it_is_unwanted(filled, tmp_path):
    site = copy_of(filled, tmp_path / "site")
    make_older(site)
    (tmp_path / "site" / "backups").write_text("a file")
    done = site.run("migrate", "--verbosity=0")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "The backup before the upgrade failed, so nothing was upgraded. File exists. Solve this, or add --no-backup.\n"
    )
    assert f"league.{LAST}" not in applied(site)
    site.manage("migrate", "--no-backup", "--verbosity=0")
    assert f"league.{LAST}" in applied(site)


def test_an_empty_database_is_upgraded_without_a_backup(tmp_path):
    site = Site(tmp_path / "site")
    make_older(site)
    site.manage("migrate", "--verbosity=0")
    assert not (tmp_path / "site" / "backups").exists()


def waiting(site):
    """A `migrate` that has said that it waits."""
    command = [sys.executable, settings.BASE_DIR / "manage.py", "migrate", "--verbosity=0"]
    process = subprocess.Popen(command, env=site.environment, cwd=settings.BASE_DIR, stderr=subprocess.PIPE, text=True)
    assert process.stderr.readline() == "Another process is upgrading the database. Waiting for it.\n"
    assert process.poll() is None
    return process


def test_a_second_start_waits_for_the_first(tmp_path):
    site = Site(tmp_path / "site")
    with only_process(tmp_path / "site" / upgrade.LOCK, wait=False):
        second = waiting(site)
    assert second.wait(60) == 0


def test_on_postgresql_a_start_on_another_machine_waits_too(postgres_url, tmp_path):
    site = Site(tmp_path / "site", postgres_url)
    with psycopg.connect(postgres_url) as other:
        other.execute("SELECT pg_advisory_xact_lock(%s)", [upgrade.ADVISORY_LOCK])
        second = waiting(site)
    assert second.wait(60) == 0


def test_an_older_program_refuses_a_newer_database_with_what_to_do(tmp_path):
    site = Site(tmp_path / "site")
    with closing(sqlite3.connect(tmp_path / "site" / "wild.sqlite3", isolation_level=None)) as database:
        database.execute(NEWER)
    sentence = (
        "A newer version of Wild League upgraded this database: "
        f"version {settings.VERSION} doesn’t know league.0999_more. "
        "Install the newer version, or restore the backup from before the upgrade "
        f"({tmp_path / 'site' / 'backups' / 'before-….zip'}) into a new data folder.\n"
    )
    for arguments in (["migrate"], ["serve", "--port", "0"], ["backup", tmp_path / "wild.zip"]):
        done = site.run(*arguments)
        assert (done.returncode, done.stdout, done.stderr) == (2, "", sentence), arguments
    for verb in ("web", "beat"):
        command = [sys.executable, "-m", "config.verbs", verb]
        done = subprocess.run(
            command, env=os.environ | site.environment, cwd=settings.BASE_DIR, capture_output=True, text=True
        )
        assert (done.returncode, done.stdout, done.stderr) == (2, "", sentence), verb


@pytest.mark.django_db
def test_readyz_refuses_what_was_newer_at_the_start_and_lets_running_processes_go_on(client, monkeypatch):
    monkeypatch.setattr(upgrade._Start, "fitted", None)
    assert client.get("/readyz").status_code == 200
    monkeypatch.setattr(upgrade, "unknown_migrations", lambda: ["league.0999_more"])
    assert client.get("/readyz").status_code == 200
    with pytest.raises(Refused):
        upgrade.check_not_newer()
    answer = client.get("/readyz")
    assert answer.status_code == 503
    assert "doesn’t know league.0999_more" in answer.json()["checks"]["schema"]["why"]


def test_a_file_with_other_tables_is_not_replaced_by_the_next_upgrade(tmp_path, settings, monkeypatch):
    settings.DATA_DIR = tmp_path
    folder = tmp_path / "backups"
    folder.mkdir()
    assert upgrade._free_name(["league.0001"]).name == f"before-{settings.VERSION}.zip"
    with zipfile.ZipFile(folder / f"before-{settings.VERSION}.zip", "w") as archive:
        manifest = {"format": 1, "version": "0.9", "migrations": ["league.0001"], "models": {}}
        archive.writestr(backup.MANIFEST, json.dumps(manifest))
    assert upgrade._free_name(["league.0001"]).name == f"before-{settings.VERSION}.zip"
    assert upgrade._free_name(["league.0001", "league.0002"]).name == f"before-{settings.VERSION}-2.zip"
