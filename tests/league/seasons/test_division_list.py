"""Divisions, as a file and from a list: what messy lists mean, and that a fault changes nothing."""

import csv
import io

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from league.models import Season
from league.seasons.divisions.placing_list import place_list
from league.seasons.seasons import DivisionWanted, create_season, place_players
from tests import cast
from tests.games.pages import said

pytestmark = pytest.mark.django_db

THREE = [DivisionWanted("Division A", down=1), DivisionWanted("Division B", up=1, down=1), DivisionWanted("Beginners")]


@pytest.fixture(scope="module", autouse=True)
def season_once(module_world):
    club = cast.club(members=8)
    return create_season(club=club, by=club.owner, name="League", divisions=THREE)


@pytest.fixture
def season(season_once):
    return cast.again(season_once)


@pytest.fixture
def olga(client):
    client.force_login(cast.organiser())
    return client


def page(season):
    return f"{season.get_absolute_url()}players/"


def send(browser, season, text="", **more):
    return browser.post(f"{page(season)}list/", {"names": text, **more}, follow=True)


def placed(season):
    return dict(season.placed.values_list("player__name", "division__number"))


@pytest.mark.parametrize(
    "text",
    [
        "Farah; A\nChidi; B\n",
        "farah,division a\r\nCHIDI,Division B",
        "1. Farah\tA\n2. Chidi\t2",
        "name,division\nFarah,Division A\n\n  Chidi , B\nZoë,\n",
        "Division;Vorname;Nachname\nA;Farah;\nB;;Chidi",
        "Division A:\nFarah\n\nDivision B:\n- Chidi",
    ],
)
def test_lists_as_people_keep_them_place_everyone_on_them(season, text):
    place_list(season=season, text=text, by=None)
    assert placed(season) == {"Farah": 1, "Chidi": 2}


def test_a_list_is_placed_at_once_and_undone_at_once(olga, season):
    place_players(season=season, places={cast.member(season.club, "Zoë"): season.divisions.get(number=1)}, by=None)
    answer = send(olga, season, "Zoë;–\nFarah;Beginners\nLucía, Ana;B")
    assert "3 people were placed: Zoë, Farah and Ana Lucía. Divisions: A 0, B 1, 3 1, 6 in no division." in said(answer)
    assert placed(season) == {"Farah": 3, "Ana Lucía": 2}
    (message,) = answer.context["messages"]
    olga.post(message.extra_tags)
    assert placed(season) == {"Zoë": 1}
    assert "No changes: everyone was already placed like this." in said(send(olga, season, "Zoë;A"))


def test_with_a_fault_nothing_changes_and_the_list_stays_to_be_corrected(olga, season):
    season.club.members.filter(name="Chidi").update(name="Zoë")
    text = "Farah;A\nFara;A\nZoë;A\nBenoît;C\nÉmilie;\nFarah;B"
    answer = send(olga, season, text)
    assert answer.status_code == 422 and placed(season) == {}
    shown = said(answer)
    for fault in (
        "No one was placed. Correct these lines and send the list again.",
        "Line 2: “Fara” isn",
        "Line 3: 2 people are called “Zoë”.",
        "Line 4: This season has no division “C”.",
        "Line 5: “Émilie” has no division.",
        "Line 6: “Farah” is also on line 1, in another division.",
    ):
        assert fault in shown
    assert answer.context["form"]["names"].value() == text
    assert 'id="list" open' in answer.content.decode()


def test_a_file_with_a_fault_is_shown_in_the_box(olga, season):
    file = SimpleUploadedFile("divisions.csv", b"Farah;A\nNobody;B")
    answer = send(olga, season, file=file)
    assert answer.status_code == 422 and answer.context["form"]["names"].value() == "Farah;A\nNobody;B"
    for empty in ("", " \n", "name;division"):
        answer = send(olga, season, empty)
        assert answer.status_code == 422 and "The list is empty." in said(answer)
    both = send(olga, season, "Farah;A", file=SimpleUploadedFile("divisions.csv", b"Farah;A"))
    assert "Use one of the two." in said(both) and placed(season) == {}


def test_the_file_that_is_saved_is_a_list_that_can_be_sent_again_with_namesakes(olga, season):
    season.club.members.filter(name="Chidi").update(name="Zoë")
    one, other = season.club.members.filter(name="Zoë").order_by("pk")
    place_players(season=season, places={one: season.divisions.get(number=2)}, by=None)
    saved = olga.get(f"{page(season)}divisions.csv").content.decode()
    rows = list(csv.DictReader(io.StringIO(saved)))
    assert len(rows) == 8 and [row["division"] for row in rows if row["name"] == "Zoë"] in (
        ["Division B", ""],
        ["", "Division B"],
    )
    assert "No changes" in said(send(olga, season, saved))
    changed = saved.replace(f"{other.public_id},", f"{other.public_id},Beginners")
    file = SimpleUploadedFile("divisions.csv", changed.encode())
    send(olga, season, file=file)
    assert dict(season.placed.values_list("player", "division__number")) == {one.pk: 2, other.pk: 3}


def test_a_season_that_has_ended_takes_no_list_and_still_gives_its_file(olga, season):
    Season.objects.update(closed_at=timezone.now())
    assert send(olga, season, "Farah;A").status_code == 409 and placed(season) == {}
    assert "Place players from a list" not in said(olga.get(page(season)))
    assert olga.get(f"{page(season)}divisions.csv").status_code == 200
