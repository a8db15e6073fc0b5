"""A list that this service exports, in each of its forms, is read as the same names again."""

import shutil
import subprocess
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from league.clubs.clubs import found_club
from league.clubs.members import add_members
from league.entries.roster.files import read_file
from league.entries.roster.parse import parse
from league.entries.roster.rows import RosterRow
from league.models import Club, Player
from league.pages.table_files import Form, Table, table_file
from tests import cast

NAMES = (
    "=1+1", "'=1", "''=1", "+49", "'+49", "007", "1E5", "@home", "'@home", "-x", "'-x", "-", "'Ana'", "3. Ana",
    "Ruiz, Ana", "a;b", 'Ann "Ace" Lee', "TRUE", "1/2", "Đorđe", "Total Eclipse",
)  # fmt: skip


def names_in(content: bytes) -> list[str]:
    result = parse(read_file(content)[0])
    assert not result.errors, [error.message for error in result.errors]
    return [row.name for row in result.rows]


def exported(form: Form, header: list[str], names: tuple[str, ...] = NAMES) -> bytes:
    return table_file(form, Table(header, [{"name": name, "club": "Café Ludo"} for name in names]))


@pytest.mark.parametrize("header", [["name", "club"], ["name", "club", "email", "birthday"]])
@pytest.mark.parametrize("form", list(Form))
def test_every_form_of_an_export_brings_the_same_names_back(form: Form, header: list[str]) -> None:
    assert names_in(exported(form, header)) == list(NAMES)


@pytest.mark.parametrize("form", list(Form))
def test_a_single_column_brings_the_same_names_back(form: Form) -> None:
    names = tuple(name for name in NAMES if ";" not in name)  # which could be a second column
    assert names_in(exported(form, ["name"], names)) == list(names)


@pytest.mark.skipif(shutil.which("soffice") is None, reason="LibreOffice is not installed")
@pytest.mark.parametrize("suffix", ["ods", "xlsx"])
def test_an_export_that_libreoffice_saves_again_has_the_same_names(suffix: str, tmp_path: Path) -> None:
    (tmp_path / "list.xlsx").write_bytes(exported(Form.XLSX, ["name", "club"]))
    command = ["soffice", f"-env:UserInstallation=file://{tmp_path}/profile", "--headless", "--convert-to", suffix]
    command += ["--outdir", str(tmp_path / "saved"), str(tmp_path / "list.xlsx")]
    subprocess.run(command, check=True, capture_output=True, timeout=240)
    assert names_in((tmp_path / "saved" / f"list.{suffix}").read_bytes()) == list(NAMES)


@pytest.mark.django_db
@pytest.mark.parametrize("form", list(Form))
def test_the_members_of_a_club_become_those_of_another_one_by_its_export(form: Form) -> None:
    olga = cast.organiser()
    [first, second] = [found_club(owner=olga, name=name, time_zone="UTC") for name in ("Ludo", "Dado")]
    add_members(club=first, players=[RosterRow(line, name) for line, name in enumerate(NAMES, 1)], by=olga)
    browser = Client()
    browser.force_login(olga)
    content = browser.get(f"/clubs/{first.slug}/players.csv?format={form}").getvalue()
    file = SimpleUploadedFile(f"players{form.suffix}", content)
    shown = browser.post(f"/clubs/{second.slug}/players/", {"players_file": file})
    if shown.status_code != 302:  # shown first
        form_fields = {"players": shown.context["form"].text, "seen": shown.context["form"].digest}
        assert browser.post(f"/clubs/{second.slug}/players/", form_fields).status_code == 302
    assert members_of(second) == members_of(first)


def members_of(club: Club) -> set[str]:
    return set(Player.objects.filter(club=club).values_list("name", flat=True))
