"""Lists as files over the API: what is certain is taken, the rest is in `notes`; `strict` refuses instead."""

import io
from pathlib import Path

import pytest
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from xlsxwriter import Workbook

from league.clubs.clubs import found_club
from league.models import Player, Tournament
from tests import cast
from tests.api import Program

pytestmark = pytest.mark.django_db

LISTS = Path(__file__).parents[1] / "entries" / "lists"
TOURNAMENTS, CLUB = "/api/v1/tournaments/", "/api/v1/clubs/cafe-ludo/"
MEMBERS, TEAMS = f"{CLUB}players/", f"{CLUB}teams/"
DOUBTFUL = "name,email,birthday\n" + "\n".join(f"{name},no address,03/04/1990" for name in cast.CAST)


@pytest.fixture(autouse=True)
def fresh_limits():
    cache.clear()


@pytest.fixture
def olga():
    found_club(owner=cast.organiser(), name="Café Ludo", time_zone="UTC")
    return Program(cast.organiser())


def named(file):
    return SimpleUploadedFile(file, (LISTS / file).read_bytes())


def workbook(rows):
    file = io.BytesIO()
    with Workbook(file, {"in_memory": True}) as book:
        sheet = book.add_worksheet()
        for line, row in enumerate(rows):
            sheet.write_row(line, 0, row)
    return SimpleUploadedFile("list.xlsx", file.getvalue())


def text(content, name="list.csv"):
    return SimpleUploadedFile(name, content.encode())


def send(program, address, file, status=201, key="", **parts):
    headers = program.headers() | ({"Idempotency-Key": key} if key else {})
    file.seek(0)
    return program._json(program.client.post(address, {"file": file, **parts}, headers=headers), status)


@pytest.mark.parametrize("file", ["04-plain.xlsx", "04-plain.xls", "04-title-and-total.ods", "13-semicolon-bom.csv"])
def test_a_spreadsheet_makes_a_tournament_and_the_notes_say_how_it_was_read(file, olga):
    made = send(olga, TOURNAMENTS, named(file), name="Friday", format="points", hands="2", then="[]")
    assert len(made["players"]) >= 4
    assert made["stages"][0]["settings"]["hands"] == 2
    assert isinstance(made["notes"], list)


def test_a_title_and_a_total_are_left_out_and_reported(olga):
    made = send(olga, TOURNAMENTS, named("04-title-and-total.xlsx"), name="Friday")
    assert any("left out" in note for note in made["notes"])


def test_doubts_are_reported_or_refused(olga):
    made = send(olga, MEMBERS, text(DOUBTFUL))
    assert [one["name"] for one in made["added"]] == list(cast.CAST)
    assert sum("“no address” is not an e-mail address" in note for note in made["notes"]) == 8
    assert sum("the birthday is left out" in note for note in made["notes"]) == 8
    Player.objects.all().delete()
    problem = send(olga, MEMBERS, text(DOUBTFUL), 422, strict="true")
    assert (problem["type"], problem["code"]) == ("/api/problems/refused", "doubtful-list")
    assert problem["detail"].startswith("No one was added")
    assert "order of day and month" in problem["errors"][0]["message"]
    assert not Player.objects.exists()
    certain = text("name,birthday\n" + "\n".join(f"{name},1990-04-03" for name in cast.CAST))
    assert len(send(olga, MEMBERS, certain, strict="true")["added"]) == 8


def test_teams_come_as_a_file_too(olga):
    made = send(
        olga, TEAMS, workbook([("team", "name"), ("Foxes", "Ana"), ("Foxes", "Ben"), ("Owls", "Cy"), ("Owls", "Di")])
    )
    assert [team["name"] for team in made["teams"]] == ["Foxes", "Owls"]
    sheet = workbook([("team", "name"), *((f"T{at // 2}", name) for at, name in enumerate(cast.CAST))])
    evening = send(olga, TOURNAMENTS, sheet, name="Teams", format="teams")
    assert [len(entry["members"]) for entry in evening["players"]] == [2, 2, 2, 2]


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"<html><table><tr><td>Ana</td></tr></table></html>", "This file is a web page"),
        (b"PK\x03\x04 no archive", "is damaged"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 no workbook", "is damaged"),
        (b"name\n" + b"Ana\n" * 300_000, "larger than 1 MB"),
    ],
)
def test_a_file_that_is_no_list_is_a_problem_with_a_sentence_and_adds_no_one(content, sentence, olga):
    problem = send(olga, MEMBERS, SimpleUploadedFile("list.xls", content), 400)
    assert problem["type"] == "/api/problems/malformed"
    assert sentence in problem["detail"]
    assert problem["errors"] == [{"field": "file", "message": problem["detail"]}]
    assert not Player.objects.exists()


def test_faulty_lines_are_named_with_their_numbers(olga):
    problem = send(olga, MEMBERS, text("name,club\nAna,Ludo\n" + "x" * 81 + ",Ludo\n"), 400)
    assert [(error["line"], error["field"]) for error in problem["errors"]] == [(3, "file.name")]
    assert not Player.objects.exists()


def test_parts_are_checked_as_fields_are(olga):
    unknown = send(olga, TOURNAMENTS, text("Ana\nBen"), 400, name="Friday", visibilty="private")
    assert unknown["code"] == "unknown-field" and "“visibility”" in unknown["detail"]
    assert (
        send(olga, TOURNAMENTS, text("Ana\nBen"), 400, name="Friday", players="[]")["errors"][0]["field"] == "players"
    )
    assert send(olga, MEMBERS, text("Ana\nBen"), 400, strict="perhaps")["errors"][0]["field"] == "strict"
    assert send(olga, TOURNAMENTS, text("Ana"), 400, name=["A", "B"])["errors"][0]["field"] == "name"
    answer = olga.client.post(MEMBERS, {"strict": "true"}, headers=olga.headers())
    assert olga._json(answer, 400)["errors"][0]["field"] == "file"
    assert not Tournament.objects.exists() and not Player.objects.exists()


def test_a_file_sent_again_under_its_key_adds_no_one_twice_and_another_file_is_refused(olga):
    file = named("04-plain.xlsx")
    first = send(olga, MEMBERS, file, key="list-1")
    assert send(olga, MEMBERS, file, key="list-1") == first
    assert send(olga, MEMBERS, text("Ana\nBen"), 422, key="list-1")["code"] == "key-reused"
    assert Player.objects.count() == len(first["added"])


def test_a_file_from_the_browser_needs_the_csrf_token_and_no_stranger_adds_anyone(olga):
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(cast.organiser())
    assert browser.post(MEMBERS, {"file": text("Ana\nBen")}).status_code == 403
    browser.get("/new/")
    sent = {"X-CSRFToken": browser.cookies["csrftoken"].value}
    assert browser.post(MEMBERS, {"file": text("Ana\nBen")}, headers=sent).status_code == 201
    send(Program(cast.someone_else()), MEMBERS, text("Cy\nDi"), 404)
    assert Player.objects.count() == 2


def test_the_openapi_document_has_the_file(client):
    paths = client.get("/api/schema/?format=json").json()
    for address in ("clubs/{club_slug}/players/", "clubs/{club_slug}/teams/", "tournaments/"):
        body = paths["paths"][f"/api/v1/{address}"]["post"]["requestBody"]["content"]
        name = body["multipart/form-data"]["schema"]["$ref"].rpartition("/")[2]
        shape = paths["components"]["schemas"][name]
        assert shape["properties"]["file"]["format"] == "binary"
        assert "strict" in shape["properties"] and "players" not in shape["properties"]
