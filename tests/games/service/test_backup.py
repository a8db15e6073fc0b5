"""`manage.py backup` and `restore`: what comes back is what was there, on whichever database."""

import hashlib
import json
import os
import random
import shutil
import sqlite3
import subprocess
import sys
import zipfile
from contextlib import closing

import pytest
from django.conf import settings

from tests.served import migrated

pytestmark = pytest.mark.slow

EXPORTS = ("standings", "seating", "rounds", "hands", "adjustments")

# A tournament with everything in it: closed and open rounds, a correction, an adjustment, a role, a job's bytes, an
# account that was given permissions, text beyond ASCII.
FILL = """
from tests import cast
from django.contrib.auth.models import Group, Permission
from games.models import Hand
from games.hands.correct import void_hand
from league.access.viewer import Attribution
from league.models import Job, Role
from league.remarks.warn import warn
from league.rounds.adjustments import adjust
made = cast.play(cast.tournament(), rounds=2)
adjust(tournament=made, entry=cast.entry(made, "Đorđe"), points=-20, reason="Tip 🂠", round_number=1, by=made.owner)
dorde = cast.entry(made, "Đorđe")
warn(entry=dorde, person=dorde.player, reason="Tip 🂠", points=-5, round_number=2, by=made.owner)
hand = cast.record(cast.table(made, 3, 1), 1).hand
hand.table.refresh_from_db()
void_hand(hand_id=hand.pk, version=hand.table.version, reason="Typed twice", by=Attribution(made.owner))
Role.objects.create(tournament=made, user=cast.someone_else(), kind="scorer", created_by=made.owner)
Job.objects.create(kind="export", tournament=made, result=bytes(range(256)))
group = Group.objects.create(name="Staff")
group.permissions.add(Permission.objects.get(codename="add_tournament"))
made.owner.groups.add(group)
made.owner.user_permissions.add(Permission.objects.get(codename="change_hand"))
"""

EVERYTHING = f"""
import io, json
from django.core.management import call_command
from games.service import backup_rows
exports = {{}}
for table in {EXPORTS}:
    call_command("export", "autumn-pairs", table, "--all", stdout=(text := io.StringIO()))
    exports[table] = text.getvalue()
rows = {{model._meta.label: [json.loads(line) for lines in backup_rows.lines_of(model) for line in lines]
        for model in backup_rows.models_of()}}
print(json.dumps([exports, rows]))
"""


class Site:
    """A data directory with its own database, used by `manage.py` alone."""

    def __init__(self, folder, database_url=""):
        """With the tables and nothing in them."""
        folder.mkdir()
        self.environment = os.environ | {"WILD_DATA": str(folder), "DATABASE_URL": database_url}
        if not database_url:
            shutil.copy(migrated(), folder)

    def run(self, *arguments):
        command = [sys.executable, settings.BASE_DIR / "manage.py", *map(str, arguments)]
        return subprocess.run(command, env=self.environment, cwd=settings.BASE_DIR, capture_output=True, text=True)

    def manage(self, *arguments):
        done = self.run(*arguments)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def python(self, lines):
        return self.manage("shell", "-v", "0", "-c", lines)

    def everything(self):
        """What an export of each table says, and every row of every table that is backed up."""
        exports, rows = json.loads(self.python(EVERYTHING))
        assert exports["hands"].count("\n") > 60
        return exports, rows


@pytest.fixture(scope="module")
def filled(tmp_path_factory):
    site = Site(tmp_path_factory.mktemp("backup") / "filled")
    site.python(FILL)
    return site


@pytest.fixture(scope="module")
def backup(filled, tmp_path_factory):
    path = tmp_path_factory.mktemp("file") / "wild.zip"
    said = filled.manage("backup", path)
    assert said.startswith(f"{path}: ")
    assert said.endswith("rows, 1 of them tournaments.\n")
    return path


def test_a_backup_names_the_ends_of_the_logs_and_verify_takes_it(filled, backup):
    with zipfile.ZipFile(backup) as archive:
        [end] = json.loads(archive.read("manifest.json"))["logs"].values()
    assert filled.manage("audit", "verify") == f"autumn-pairs: ok, {end['number']} entries, {end['hash']}\n"
    assert filled.manage("audit", "verify", "--manifest", backup) == filled.manage("audit", "verify")


def test_sqlite_to_sqlite_to_postgresql_and_back_is_all_the_same(filled, backup, postgres_url, tmp_path):
    before = filled.everything()
    second = Site(tmp_path / "second")
    second.manage("restore", backup)
    assert second.everything() == before

    third = Site(tmp_path / "third", postgres_url)
    third.manage("restore", backup)
    assert third.everything() == before
    third.manage("backup", tmp_path / "from-postgresql.zip")

    fourth = Site(tmp_path / "fourth")
    fourth.manage("restore", tmp_path / "from-postgresql.zip")
    assert fourth.everything() == before


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_after_a_restore_the_evening_goes_on(kind, backup, request, tmp_path):
    site = Site(tmp_path / "site", request.getfixturevalue("postgres_url") if kind == "postgres" else "")
    site.manage("restore", backup)
    said = site.python(
        "from tests import cast; from league.models import Tournament\n"
        "made = cast.play(Tournament.objects.get(), rounds=3)\n"
        "print(cast.tournament(name='Another').pk > made.pk, made.owner.has_perm('games.change_hand'))"
    )
    assert said == "True True\n"
    assert site.manage("audit", "verify", "autumn-pairs").startswith("autumn-pairs: ok, ")


def test_a_backup_goes_to_standard_output_alone_and_is_restored_from_standard_input(filled, backup, tmp_path):
    command = [sys.executable, settings.BASE_DIR / "manage.py"]
    done = subprocess.run([*command, "backup", "-"], env=filled.environment, capture_output=True)
    assert done.stderr.endswith(b"rows, 1 of them tournaments.\n")
    site = Site(tmp_path / "site")
    done = subprocess.run([*command, "restore", "-"], env=site.environment, input=done.stdout, capture_output=True)
    assert (done.returncode, done.stderr) == (0, b"")
    assert site.everything() == filled.everything()


def test_a_backup_is_for_its_owner_only_and_replaces_nothing(filled, backup):
    assert backup.stat().st_mode & 0o777 == 0o600
    before = backup.read_bytes()
    done = filled.run("backup", backup)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"{backup} already exists. Choose another name.\n"
    assert backup.read_bytes() == before
    assert list(backup.parent.iterdir()) == [backup]


def test_its_manifest_says_what_is_in_it(backup):
    with zipfile.ZipFile(backup) as archive:
        manifest = json.loads(archive.read("manifest.json"))
        assert manifest["version"] == settings.VERSION
        assert "league.0001_initial" in manifest["migrations"]
        assert manifest["models"]["league.tournament"]["rows"] == 1
        assert not any("session" in name for name in manifest["models"])
        for label, part in manifest["models"].items():
            content = archive.read(f"{label}.jsonl")
            assert (content.count(b"\n"), hashlib.sha256(content).hexdigest()) == (part["rows"], part["sha256"])


def test_a_database_that_holds_something_is_left_as_it_is(filled, backup):
    before = filled.everything()
    done = filled.run("restore", backup)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("The database isn’t empty (")
    assert filled.everything() == before


def damaged(backup, path):
    """Copies of the file, each damaged in another way."""
    good = backup.read_bytes()
    yield "empty", b""
    yield "text", b"not a backup"
    yield "half", good[: len(good) // 2]
    yield "last byte lost", good[:-1]
    chance = random.Random(8)
    with zipfile.ZipFile(backup) as archive:
        parts = [one for one in archive.infolist() if one.compress_size > 200]
    for _flip in range(6):
        part = chance.choice(parts)
        at = part.header_offset + 30 + len(part.filename) + 100 + chance.randrange(part.compress_size - 150)
        yield f"byte {at}", good[:at] + bytes([good[at] ^ 0x40]) + good[at + 1 :]
    with zipfile.ZipFile(backup) as archive, zipfile.ZipFile(path, "w") as forged:
        for one in archive.namelist():
            content = archive.read(one)
            forged.writestr(one, content.replace(b'"points": -20', b'"points":  20'))
    yield "a row rewritten", path.read_bytes()
    with zipfile.ZipFile(backup) as archive:
        contents = {one: archive.read(one) for one in archive.namelist()}
    manifest = json.loads(contents.pop("manifest.json"))
    models = manifest["models"]
    rows = {name: b'{"model": "league.user"}\n' if name == "league.user.jsonl" else it for name, it in contents.items()}
    digest = hashlib.sha256(rows["league.user.jsonl"]).hexdigest()
    climbing = models | {"../league.user": models["league.user"]}
    bomb = b" " * 300_000_000
    forgeries = {
        "a part above the folder": (
            contents | {"../league.user.jsonl": contents["league.user.jsonl"]},
            manifest | {"models": climbing},
        ),
        "a part more": (contents | {"../../evil.sh": b"rm"}, manifest),
        "a line that never ends": (
            contents | {"league.user.jsonl": bomb},
            manifest | {"models": models | {"league.user": {"rows": 1, "sha256": hashlib.sha256(bomb).hexdigest()}}},
        ),
        "another program's": ({"data.json": b"[]"}, {"format": 1, "version": "12", "tables": []}),
        "migrations without names": (contents, manifest | {"migrations": [1, 2]}),
        "a list for a manifest": (contents, [manifest]),
        "rows without fields": (rows, manifest | {"models": models | {"league.user": {"rows": 1, "sha256": digest}}}),
        "no version": (contents, {key: value for key, value in manifest.items() if key != "version"}),
        "no accounts": (contents, manifest | {"models": {key: models[key] for key in models if key != "league.user"}}),
    }
    for name, (parts, said) in forgeries.items():
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as forged:
            for part, content in (parts | {"manifest.json": json.dumps(said).encode()}).items():
                forged.writestr(part, content)
        yield name, path.read_bytes()


TRY_EACH = """
from pathlib import Path
from games.service import older_backup as archive
from league.lib.errors import Refused
from league.models import User
for path in sorted(Path(%r).iterdir()):
    try:
        archive.restore(path)
    except Refused as refused:
        print(refused, User.objects.count())
"""


def test_a_damaged_file_is_refused_and_nothing_of_it_is_kept(backup, tmp_path):
    site = Site(tmp_path / "site")
    bad = tmp_path / "bad"
    bad.mkdir()
    for name, content in damaged(backup, tmp_path / "forged.zip"):
        (bad / name).write_bytes(content)
    said = site.python(TRY_EACH % str(bad)).splitlines()
    assert said == [f"{path} isn’t a Wild League backup, or it is damaged. 0" for path in sorted(bad.iterdir())]
    assert len(said) == 20
    done = site.run("restore", bad / "half")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"{bad / 'half'} isn’t a Wild League backup, or it is damaged.\n"
    site.manage("restore", backup)


def test_a_file_of_a_newer_version_is_refused_and_names_what_is_unknown(backup, tmp_path):
    other = tmp_path / "other.zip"
    with zipfile.ZipFile(backup) as archive, zipfile.ZipFile(other, "w") as written:
        for name in archive.namelist():
            content = archive.read(name)
            if name == "manifest.json":
                manifest = json.loads(content)
                content = json.dumps(
                    manifest | {"version": "9.1", "migrations": [*manifest["migrations"], "league.0999_more"]}
                )
            written.writestr(name, content)
    done = Site(tmp_path / "site").run("restore", other)
    assert done.returncode == 2
    assert done.stderr == (
        "A newer version of Wild League (9.1) made this file: this one doesn’t know league.0999_more. "
        "Update Wild League, then restore.\n"
    )


def test_a_file_in_a_newer_format_asks_for_an_update(backup, tmp_path):
    other = tmp_path / "other.zip"
    with zipfile.ZipFile(other, "w") as written:
        written.writestr("manifest.json", json.dumps({"format": 2, "version": "9.1"}))
    done = Site(tmp_path / "site").run("restore", other)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == ("A newer version of Wild League (9.1) made this file. Update Wild League, then restore.\n")


@pytest.mark.parametrize(
    ("made_by", "tournaments", "hands"),
    [
        ("d846af7", 6, 136),  # the first version with backups
        ("925c85c8", 7, 136),
    ],
)
def test_a_file_of_an_earlier_version_is_restored_as_it_was_and_can_be_backed_up(made_by, tournaments, hands, tmp_path):
    old = settings.BASE_DIR / "tests" / "games" / "service" / "backups" / f"{made_by}.zip"
    site = Site(tmp_path / "site")
    assert site.manage("restore", old).endswith(
        f"rows restored, {tournaments} of them tournaments.\n"
        "E-mails and timed actions wait: “wild-league resume” lets them go.\n"
    )
    site.manage("audit", "verify")  # every log is whole, and each result follows from it
    assert int(site.python("from games.models import Hand; print(Hand.objects.count())")) == hands
    site.manage("backup", tmp_path / "new.zip")
    Site(tmp_path / "other").manage("restore", tmp_path / "new.zip")


def test_a_damaged_file_of_an_earlier_version_changes_nothing(tmp_path):
    old = settings.BASE_DIR / "tests" / "games" / "service" / "backups" / "925c85c8.zip"
    broken = tmp_path / "broken.zip"
    with zipfile.ZipFile(old) as archive, zipfile.ZipFile(broken, "w") as written:
        manifest = json.loads(archive.read("manifest.json"))
        hands = archive.read("games.hand.jsonl").replace(b'"went_out": ', b'"went": ')
        assert hands != archive.read("games.hand.jsonl")
        manifest["models"]["games.hand"]["sha256"] = hashlib.sha256(hands).hexdigest()
        for name in archive.namelist():
            content = {"manifest.json": json.dumps(manifest), "games.hand.jsonl": hands}.get(name, archive.read(name))
            written.writestr(name, content)
    site = Site(tmp_path / "site")
    done = site.run("restore", broken)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"{broken} isn’t a Wild League backup, or it is damaged.\n"
    assert site.python("from league.models import User; print(User.objects.count())") == "0\n"


def test_while_somebody_writes_it_takes_what_was_committed_and_waits_for_nobody(tmp_path):
    site = Site(tmp_path / "site")
    site.python("from tests import cast; cast.tournament()")
    with closing(sqlite3.connect(tmp_path / "site" / "wild.sqlite3", isolation_level=None)) as scorer:
        scorer.execute("BEGIN IMMEDIATE")
        scorer.execute("UPDATE league_tournament SET name = 'Half done'")
        site.manage("backup", tmp_path / "wild.zip")
        scorer.execute("ROLLBACK")
    with zipfile.ZipFile(tmp_path / "wild.zip") as archive:
        assert json.loads(archive.read("league.tournament.jsonl"))["fields"]["name"] == "Autumn Pairs"
