"""A club's lists are read as its organiser chose last time, and no name is lost by it."""

import pytest

from league.entries.roster.column_memory import MOST_MEMORIES, recall, remember
from league.entries.roster.rows import Column
from league.models import ColumnMemory, Player
from tests import cast
from tests.games.pages import said

pytestmark = pytest.mark.django_db

TWO = "Spieler\tVerein\nNora Blum\tSV Lokstedt\nOtto Klar\tTSV Bergen"
OWN = "Aktiver,Heimat\nNora,Lokstedt\nOtto,Bergen"  # no heading is known
WITHOUT = "Nora Blum;SV Lokstedt;A1\nOtto Klar;TSV Bergen;A2\nPia Zorn;TSV Bergen;A3"
DAYS = "name,birthday\nNora,03/04/1988\nOtto,05/06/1990"


@pytest.fixture
def club():
    return cast.club()


@pytest.fixture
def olga(client):
    client.force_login(cast.organiser())
    return client


@pytest.fixture
def at(club):
    return f"/clubs/{club.slug}/players/"


def choose(olga, at, text, uses, **more):
    """Send a list, choose its columns in the preview, and add it."""
    shown = olga.post(at, {"players": text, "look": "1"})
    data = {"players": text, "use": uses, "seen": shown.context["preview"].seen}
    answer = olga.post(at, data | more)
    assert answer.status_code == 302, said(answer)


def facts(club):
    return {one.name: (one.club_name, one.email, one.birthday) for one in club.members.all()}


def test_a_list_without_headings_is_asked_about_once(olga, club, at):
    assert "preview" in olga.post(at, {"players": WITHOUT}).context
    choose(olga, at, WITHOUT, ["name", "club", "ignore"])
    again = WITHOUT.replace("Nora", "Rosa").replace("Otto", "Quirin").replace("Pia", "Sven")
    added = olga.post(at, {"players": again}, follow=True)
    assert "3 members added." in said(added) and "Columns as in the club’s last list." in said(added)
    assert facts(club)["Rosa Blum"] == ("SV Lokstedt", "", None)


def test_a_column_that_was_left_out_is_left_out_next_time(olga, club, at):
    choose(olga, at, TWO, ["name", "ignore"])
    again = TWO.replace("Nora", "Rosa").replace("Otto", "Quirin").replace("Verein", "VEREIN")
    olga.post(at, {"players": again})
    assert facts(club)["Rosa Blum"] == ("", "", None)


def test_the_preview_says_that_it_is_as_last_time_and_can_be_changed(olga, club, at):
    choose(olga, at, TWO, ["name", "ignore"])
    again = TWO.replace("Nora", "Rosa")
    shown = olga.post(at, {"players": again, "look": "1"})
    assert "As last time. Change what differs" in said(shown)
    assert [column.is_off for column in shown.context["preview"].columns] == [False, True]
    choose(olga, at, again, ["name", "club"])
    assert facts(club)["Rosa Blum"][0] == "SV Lokstedt"
    olga.post(at, {"players": TWO.replace("Nora", "Sven")})
    assert facts(club)["Sven Blum"][0] == "SV Lokstedt"


def test_which_comes_first_in_a_birthday_is_asked_once(olga, club, at):
    choose(olga, at, DAYS, ["name", "birthday"], day_first="month")
    assert facts(club)["Nora"][2] == (3, 4)
    again = DAYS.replace("Nora", "Rosa").replace("Otto", "Quirin")
    assert "2 members added." in said(olga.post(at, {"players": again}, follow=True))
    assert facts(club)["Rosa"][2] == (3, 4)


def test_days_that_can_be_read_in_one_way_only_are_read_so(olga, club, at):
    choose(olga, at, DAYS, ["name", "birthday"], day_first="month")
    olga.post(at, {"players": "name,birthday\nRosa,24/12/1988\nSven,05/06/1990"})
    assert facts(club)["Rosa"][2] == (12, 24) and facts(club)["Sven"][2] == (6, 5)


def test_a_day_as_last_time_survives_a_preview_for_another_reason(olga, club, at):
    choose(olga, at, DAYS, ["name", "birthday"], day_first="month")
    again = "name,birthday\nRosa,03/04/1988\n"
    shown = olga.post(at, {"players": again, "look": "1"})
    asked = {
        one.name: [option.value for option in one.options if option.picked]
        for one in shown.context["preview"].questions
    }
    assert asked == {"day_first": ["month"]}


@pytest.mark.parametrize(
    "text",
    [
        "1;Nora Blum;SV Lokstedt\n2;Otto Klar;TSV Bergen\n3;Pia Zorn;TSV Bergen",  # the names moved
        "n@example.org;Nora Blum;x1\no@example.org;Otto Klar;x2\np@example.org;Pia Zorn;x3",
        ";Nora Blum;SV Lokstedt\n;Otto Klar;TSV Bergen\nPia Zorn;;TSV Bergen",
    ],
)
def test_a_memory_that_does_not_fit_loses_no_name(olga, club, at, text):
    remember(club, [Column("", use) for use in ("name", "club", "ignore")], of_teams=False, day_first=None)
    before = olga.post(at, {"players": text, "look": "1"})
    ColumnMemory.objects.all().delete()
    without = olga.post(at, {"players": text, "look": "1"})
    names = [person.name for person in without.context["preview"].people]
    assert [person.name for person in before.context["preview"].people] == names


def test_each_club_has_its_own_memory_and_teams_another_one(olga, club, at):
    choose(olga, at, WITHOUT, ["name", "club", "ignore"])
    other = cast.club(name="Other")
    assert "preview" in olga.post(f"/clubs/{other.slug}/players/", {"players": WITHOUT}).context
    columns = [Column("", "name")] * 3
    assert recall(club, columns, of_teams=False) and recall(club, columns, of_teams=True) is None


def test_a_tournament_of_the_club_uses_it_and_another_organiser_does_not(olga, club, at):
    choose(olga, at, WITHOUT, ["name", "club", "ignore"])
    evening = cast.tournament(club=club)
    again = WITHOUT.replace("Nora", "Rosa").replace("Otto", "Quirin").replace("Pia", "Sven")
    answer = olga.post(f"/t/{evening.slug}/players/", {"players": again})
    assert answer.status_code == 302 and cast.entry(evening, "Rosa Blum").player.club_name == "SV Lokstedt"


def test_a_new_tournament_of_the_club_uses_it_too(olga, club, at):
    choose(olga, at, WITHOUT, ["name", "club", "ignore"])
    again = WITHOUT + "\nRosa Maus;SV Lokstedt;A4"
    data = {
        "name": "New Pairs", "format": "pairs", "edition": "classic", "hands_per_round": "4", "rounds": "",
        "starts_on": "2026-11-24", "time_zone": "Europe/Paris", "visibility": "public", "order": "list",
        "players": again, "club": club.slug,
    }  # fmt: skip
    assert olga.post("/new/", data).status_code == 302
    assert Player.objects.get(name="Rosa Maus").club_name == "SV Lokstedt"


def test_an_ordinary_list_leaves_no_memory(olga, at):
    olga.post(at, {"players": "name,club\nNora,X\nOtto,Y"})
    shown = olga.post(at, {"players": "name,club\nPia,X", "look": "1"})
    olga.post(at, {"players": "name,club\nPia,X", "use": ["name", "club"], "seen": shown.context["preview"].seen})
    assert not ColumnMemory.objects.exists()


def test_a_club_keeps_the_latest_memories_only(club):
    for number in range(MOST_MEMORIES + 3):
        remember(club, [Column(f"Heading {number}", "name")], of_teams=False, day_first=None)
    assert ColumnMemory.objects.count() == MOST_MEMORIES
    assert recall(club, [Column("heading 52", "name")], of_teams=False)


def test_a_memory_that_would_lose_a_name_is_not_used(olga, club, at):
    choose(olga, at, "Spieler\tMotto\nNora Blum\tNo\nOtto Klar\tOtto", ["ignore", "name"])
    assert set(facts(club)) == {"No", "Otto"}
    shown = olga.post(at, {"players": "Spieler\tMotto\nRosa Blum\tRo\nQuirin Klar\t", "look": "1"})
    preview = shown.context["preview"]
    assert [person.name for person in preview.people] == ["Rosa Blum", "Quirin Klar"]
    assert not preview.as_last_time
