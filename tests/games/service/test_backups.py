"""The folder of backups: what it has, and when the next one is due."""

import errno
import logging
import os
import subprocess
import sys
import zipfile
from datetime import UTC, datetime, timedelta

import pytest
from django.core.cache import caches
from django.utils import timezone

from games.service import backup, backups
from league.lib.errors import Refused
from tests import cast

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)


@pytest.fixture
def folder(tmp_path, settings):
    settings.DATA_DIR, settings.BACKUPS = tmp_path, 14
    (tmp_path / "backups").mkdir()
    return tmp_path / "backups"


@pytest.fixture(autouse=True)
def forget():
    yield
    caches["default"].delete(backups.FAILURE)


def put(folder, name, before):
    (folder / name).write_bytes(b"zip")
    os.utime(folder / name, times=((NOW - before).timestamp(),) * 2)


def test_the_folder_is_listed_by_kind_with_the_newest_first(folder):
    put(folder, "wild-2026-11-29-120000.zip", timedelta(hours=24))
    put(folder, "before-1.0.0.zip", timedelta(hours=3))
    put(folder, "wild-2026-11-24.zip", timedelta(hours=5))
    put(folder, ".wild-2026-11-30-110000.zip.x7", timedelta(hours=1))
    put(folder, "notes.txt", timedelta(hours=1))
    assert [(one.name, one.kind) for one in backups.backups()] == [
        ("before-1.0.0.zip", "upgrade"),
        ("wild-2026-11-24.zip", "other"),
        ("wild-2026-11-29-120000.zip", "automatic"),
    ]
    first = backups.backups()[0]
    assert (first.size, first.time) == (3, NOW - timedelta(hours=3))


def test_the_age_is_that_of_the_newest_backup_that_we_wrote(folder):
    assert backups.age(NOW) is None
    put(folder, "wild-2026-11-24.zip", timedelta(hours=1))
    assert backups.age(NOW) is None
    put(folder, "wild-2026-11-29-120000.zip", timedelta(hours=24))
    put(folder, "wild-2031-11-29-120000.zip", timedelta(days=-1800))
    assert backups.age(NOW) == timedelta(hours=24)
    put(folder, "backup-2026-11-30-110000-by-hand.zip", timedelta(hours=1))
    assert backups.age(NOW) == timedelta(hours=1)


@pytest.mark.parametrize(
    ("hours", "is_due"), [(0, False), (23.9, False), (24.1, True), (90, True), (-0.5, False), (-9000, True)]
)
def test_a_backup_is_due_a_day_after_the_last_automatic_one(folder, hours, is_due):
    put(folder, "wild-2026-11-29-120000.zip", timedelta(hours=hours))
    put(folder, "before-1.0.0.zip", timedelta(hours=1))
    put(folder, "backup-2026-11-30-110000-by-hand.zip", timedelta(hours=1))
    assert backups.is_due(NOW) is is_due


def test_the_first_backup_is_due_at_once_unless_none_are_wanted(folder, settings):
    assert backups.is_due(NOW)
    settings.BACKUPS = 0
    assert not backups.is_due(NOW)


@pytest.mark.django_db
def test_an_automatic_backup_is_whole_for_its_owner_only_and_the_newest_ones_stay(folder, settings):
    settings.BACKUPS = 2
    for day in (20, 21, 22):
        put(folder, f"wild-2026-11-{day}-120000.zip", timedelta(days=30 - day))
    put(folder, "wild-2026-11-01.zip", timedelta(days=29))
    put(folder, "before-1.0.0.zip", timedelta(days=29))
    put(folder, ".wild-2026-11-29-120000.zip.killed", timedelta(days=1))
    put(folder, ".backup-2026-11-29-120000-by-hand.zip.killed", timedelta(days=1))
    path = backups.back_up_now(timezone.now())
    assert path.stat().st_mode & 0o777 == 0o600
    assert zipfile.ZipFile(path).testzip() is None
    assert {one.name for one in folder.iterdir()} == {
        path.name,
        "wild-2026-11-22-120000.zip",
        "wild-2026-11-01.zip",
        "before-1.0.0.zip",
        ".lock",
    }
    assert not backups.is_due(timezone.now())


@pytest.mark.django_db
def test_of_two_workers_one_writes(folder):
    lines = f"""
from pathlib import Path
from games.service.file_lock import only_process
with only_process(Path({str(folder / ".lock")!r}), wait=False) as free:
    print(free, flush=True)
    input()
"""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-c", lines], **pipes, text=True) as other:
        assert other.stdout.readline() == "True\n"
        assert backups.back_up_now(NOW) is None
        other.kill()
    assert backups.back_up_now(NOW) is not None


def no_space(file, **options):
    raise OSError(errno.ENOSPC, "No space left on device")


def test_a_full_disk_is_a_sentence_and_leaves_no_file(folder, monkeypatch):
    monkeypatch.setattr(backup, "write", no_space)
    with pytest.raises(Refused, match="can’t be written: No space left on device"):
        backups.back_up_now(NOW)
    assert [one.name for one in folder.iterdir()] == [".lock"]


def test_a_folder_that_cannot_be_written_is_a_sentence(tmp_path, settings):
    settings.DATA_DIR = tmp_path
    (tmp_path / "backups").write_text("a file")
    with pytest.raises(Refused, match="The folder of backups can’t be used: "):
        backups.back_up_now(NOW)


def run(writer, now):
    """Let the writer start a process, and report how it ended."""
    writer.check(now)
    writer._process.wait()
    writer.check(now)


@pytest.mark.django_db
def test_a_failure_is_logged_once_told_by_readyz_and_forgotten_after_a_success(folder, monkeypatch, caplog, client):
    failing = [sys.executable, "-c", "import sys; sys.stderr.write('The disk is full.\\n'); sys.exit(2)"]
    cast.someone_else()
    start, commands = subprocess.Popen, [failing, failing, *[[sys.executable, "-c", ""]] * 2]
    monkeypatch.setattr(subprocess, "Popen", lambda command, **options: start(commands.pop(0), **options))
    writer = backups.Writer()
    with caplog.at_level(logging.ERROR):
        run(writer, NOW)
        assert client.get("/readyz").json()["checks"]["backups"] == {
            "ok": True,
            "warning": "The last automatic backup failed: The disk is full.",
        }
        writer.check(NOW + timedelta(minutes=5))
        assert writer._process is None  # it tries again after an hour
        run(writer, NOW + timedelta(hours=2))
    assert [record.getMessage() for record in caplog.records] == ["The automatic backup failed: The disk is full."]
    run(writer, NOW + timedelta(hours=4))
    assert backups.last_failure() == ""


@pytest.mark.django_db
def test_a_server_without_accounts_has_nothing_to_back_up(folder):
    writer = backups.Writer()
    writer.check(NOW)
    assert writer._process is None


def test_without_a_folder_there_are_no_backups(tmp_path, settings):
    settings.DATA_DIR = tmp_path
    assert backups.backups() == []
