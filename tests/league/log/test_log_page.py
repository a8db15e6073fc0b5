"""The log page: what it says, how it is searched, and that its CSV has the same rows."""

import csv
import io

import pytest

from engine.paper import SeatReport
from games.hands.correct import correct_hand
from games.hands.judge import HandInput
from league.access.viewer import Attribution
from league.entries.list_order import rename_entry
from league.log.in_words import in_words
from league.models import LogEntry, Table
from league.roles.roles import invite
from league.rounds.adjustments import adjust
from league.setup.create import change_details
from tests import cast
from tests.games.pages import said

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module", autouse=True)
def made_once(module_world):
    """Two rounds, a hand corrected, points, a name and a place changed, an invitation."""
    made = cast.play(cast.tournament(), rounds=1)
    hand = cast.record(cast.table(made, 2, 1), 1, went_out=0, points=(0, 10, 20, 30)).hand
    correct_hand(
        hand_id=hand.pk,
        version=Table.objects.get(pk=hand.table_id).version,
        hand=HandInput(
            hand.number, 0, [SeatReport(seat, points_left=points) for seat, points in ((1, 10), (2, 20), (3, 33))]
        ),
        reason="Counted again",
        by=Attribution(cast.organiser("maud@example.org", "Maud")),
    )
    adjust(tournament=made, entry=cast.entry(made, "Zoë"), points=-20, reason="Late", round_number=1, by=made.owner)
    rename_entry(entry=cast.entry(made, "Chidi"), name="Chidi O.", club="", by=made.owner)
    change_details(tournament=made, by=made.owner, place="Hall 2")
    invite(to=made, kind="scorer", by=made.owner, email="sven@example.org")
    return made


@pytest.fixture
def made(made_once):
    return cast.again(made_once)


@pytest.fixture
def log(client, made):
    """Return a function that asks for the log and returns the page's text and the rows of its CSV."""
    client.force_login(made.owner)

    def log(**query):
        page = client.get(f"/t/{made.slug}/log/", {"all": "1"} | query)
        assert page.status_code == 200
        text = client.get(f"/t/{made.slug}/log.csv", query).content.decode()
        rows = list(csv.DictReader(io.StringIO(text, newline="")))
        assert page.content.decode().count('<span class="who3">') == len(rows)
        return said(page), rows

    return log


def test_old_and_new_stand_side_by_side(log, made):
    page, _rows = log()
    third = cast.table(made, 2, 1).seats.get(number=3).entry.player.name
    assert f"{third}, points left: 30 to 33" in page and "Counted again" in page
    assert "Place: nothing to Hall 2" in page
    assert "Name: Chidi to Chidi O." in page
    assert "Invited sven@example.org: Scorer" in page


def test_every_action_has_words_of_its_own(made):
    for row in LogEntry.objects.filter(tournament=made):
        assert in_words(row).rpartition(": ")[2].lower() != row.action


def test_a_table_shows_its_own_rows(log, made):
    _page, rows = log(table="2.1")
    assert [(row["action"], row["round"], row["table"]) for row in rows] == [
        ("correct", "2", "1"),
        ("record", "2", "1"),
    ]


def test_a_person_is_found_by_what_they_did(log, made):
    maud = cast.organiser("maud@example.org")
    _page, rows = log(person=f"by-{maud.pk}")
    assert [(row["action"], row["by"]) for row in rows] == [("correct", "Maud")]


def test_a_player_is_found_where_they_sat_and_where_they_are_named(log, made):
    zoe = cast.entry(made, "Zoë")
    at = zoe.seats.get(round__number=1).table
    _page, rows = log(person=zoe.public_id)
    assert {"adjust"} <= {row["action"] for row in rows}
    assert len([row for row in rows if (row["round"], row["table"]) == ("1", str(at.number))]) == 4
    assert not [row for row in rows if row["round"] == "1" and row["table"] not in ("", str(at.number))]


def test_words_are_found_in_reasons_names_and_what_was_done(log, made):
    assert [row["action"] for row in log(q="counted AGAIN")[1]] == ["correct"]
    assert [row["action"] for row in log(q="chidi o.")[1]] == ["rename-player"]
    assert [row["action"] for row in log(q="late", table="")[1]] == ["adjust"]
    assert {row["action"] for row in log(q="closed")[1]} == {"close-round"}


@pytest.mark.parametrize(
    "query", [{"table": "2"}, {"table": "x.y"}, {"person": "by-Olga"}, {"person": "nobody"}, {"q": "Ω"}]
)
def test_what_fits_nothing_finds_nothing(log, query):
    page, rows = log(**query)
    assert rows == [] and "No lines found" in page and "Show all" in page


def test_the_newest_rows_stand_and_the_earlier_ones_are_asked_for(client, made, log):
    rows = made.log.count()
    assert rows > 14
    page = client.get(f"/t/{made.slug}/log/")
    assert len(page.context["lines"]) == 14 and f"Show {rows - 14} earlier line" in said(page)
    assert len(client.get(f"/t/{made.slug}/log/?all=1").context["lines"]) == rows
