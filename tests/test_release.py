"""What a program can compare of a release (CONTRIBUTING.md): version, changelog, golden backups, metadata."""

import json
import re
import tomllib
import zipfile
from collections.abc import Iterator, Set
from pathlib import Path

import pytest
from django.conf import settings

from config.version import VERSION
from tests.real_migrations import load_migrations

ROOT = Path(settings.BASE_DIR)
BACKUPS = ROOT / "tests/games/service/backups"
ENTRY = re.compile(r"^## (.*)$", re.MULTILINE)
RELEASED = re.compile(r"\[(\d+\.\d+\.\d+)\] - (\d{4}-\d\d-\d\d)")
NUMBER = re.compile(r"(\d+)\.(\d+)\.(\d+)(\.dev\d+)?")


def version_faults(version: str, entries: list[str]) -> Iterator[str]:
    """Yield what is wrong about a version and the headings of the changelog, newest first."""
    if not (number := NUMBER.fullmatch(version)):
        yield f"{version} is no version"
        return
    newest, *older = entries
    ready = {f"[{version.partition('.dev')[0]}] - unreleased", "[Unreleased]"}
    if number[4] and newest not in ready and not RELEASED.fullmatch(newest):
        yield f"{newest} is not the entry of {version}"
    if not number[4] and not (newest.startswith(f"[{version}] - ") and RELEASED.fullmatch(newest)):
        yield f"{newest} is not the entry of release {version}"
    if undated := [entry for entry in older if not RELEASED.fullmatch(entry)]:
        yield f"{undated} have no date"
    dated = [tuple(map(int, found[1].split("."))) for entry in entries if (found := RELEASED.fullmatch(entry))]
    if dated != sorted(set(dated), reverse=True):
        yield "the newest release is not on top"
    if number[4] and dated and tuple(map(int, number.groups()[:3])) <= dated[0]:
        yield f"{version} is older than the newest release"


def test_the_version_is_that_of_the_newest_entry_of_the_changelog() -> None:
    entries = ENTRY.findall((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"))
    assert list(version_faults(VERSION, entries)) == []


FIRST, SECOND = "[1.0.0] - 2026-12-01", "[1.1.0] - 2027-02-01"


@pytest.mark.parametrize(
    ("version", "entries", "fault"),
    [
        ("1.0.0.dev0", ["[1.0.0] - unreleased"], ""),
        ("1.0.0", [FIRST], ""),
        ("1.1.0.dev0", [FIRST], ""),
        ("1.1.0.dev0", ["[Unreleased]", FIRST], ""),
        ("1.1.0", [SECOND, FIRST], ""),
        ("1.0.0", ["[1.0.0] - unreleased"], "not the entry of release"),
        ("1.1.0", [FIRST], "not the entry of release"),
        ("1.0.0.dev0", ["[1.1.0] - unreleased"], "not the entry of"),
        ("1.0.0.dev0", [FIRST], "older than"),
        ("1.2.0.dev0", ["[Unreleased]", FIRST, SECOND], "on top"),
        ("1.1.0", [SECOND, "[1.0.0] - unreleased"], "no date"),
        ("one", [FIRST], "no version"),
    ],
)
def test_a_version_that_is_not_in_the_changelog_is_a_fault(version: str, entries: list[str], fault: str) -> None:
    faults = " ".join(version_faults(version, entries))
    assert fault in faults and bool(faults) is bool(fault)


def test_the_changelog_has_only_the_sections_of_keep_a_changelog() -> None:
    sections = re.findall(r"^### (.*)$", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert {*sections} <= {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}


def ours(migrations: Set[str]) -> set[str]:
    return {name for name in migrations if name.startswith(("league.", "games.")) and "_squashed_" not in name}


def test_a_release_has_a_golden_backup_with_its_newest_migrations() -> None:
    """Between releases, those of released versions are enough."""
    manifests = [json.loads(zipfile.ZipFile(path).read("manifest.json")) for path in BACKUPS.glob("*.zip")]
    assert manifests
    today = ours({f"{app}.{name}" for app, name in load_migrations().disk_migrations})
    schemas = [ours({*manifest["migrations"]}) for manifest in manifests]
    assert all(schema <= today for schema in schemas), "each can be upgraded"
    if ".dev" not in VERSION:
        assert today in schemas


def test_each_golden_backup_is_restored_by_a_test() -> None:
    restored = (ROOT / "tests/games/service/test_backup.py").read_text(encoding="utf-8")
    assert [path.name for path in BACKUPS.glob("*.zip") if f'"{path.stem}"' not in restored] == []


def test_the_wheel_says_which_pythons_and_packages_it_needs() -> None:
    """tests/test_wheel.py installs it; this is about what pip reads before."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    oldest = re.search(
        r"^OLDEST_PYTHON = \((\d+), (\d+)\)$", (ROOT / "dev.py").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert oldest and project["requires-python"] == f">={oldest[1]}.{oldest[2]}"
    assert "version" in project["dynamic"]
    assert all((ROOT / name).is_file() for name in (project["readme"], *project["license-files"]))


def test_the_description_of_the_package_has_no_link_into_the_repository() -> None:
    assert "](" not in (ROOT / "package/README.md").read_text(encoding="utf-8")
