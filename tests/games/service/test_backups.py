"""The folder of backups: what it has, and when the next one is due."""

import os
from datetime import UTC, datetime, timedelta

import pytest

from games.service import backups

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)


@pytest.fixture
def folder(tmp_path, settings):
    settings.DATA_DIR = tmp_path
    (tmp_path / "backups").mkdir()
    return tmp_path / "backups"


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


def test_without_a_folder_there_are_no_backups(tmp_path, settings):
    settings.DATA_DIR = tmp_path
    assert backups.backups() == []
