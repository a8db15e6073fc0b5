"""The first page: what is on stands open, the demo and what is over are folded."""

from datetime import date

import pytest
from django.test import Client

from league.day.entrants import drop_out
from league.models import Role, Server
from league.rounds.steps import close_tournament, start
from tests import cast
from tests.games.pages import said

pytestmark = pytest.mark.django_db


@pytest.fixture
def olga() -> Client:
    client = Client()
    client.force_login(cast.organiser())
    return client


def test_own_and_other_events_are_on_the_page_and_the_demo_folds(olga: Client) -> None:
    over = cast.play(cast.tournament(4, name="October", starts_on=date(2026, 10, 3)))
    close_tournament(tournament=over, by=over.owner)
    cast.tournament(name="To come", starts_on=date(2036, 1, 1))
    cast.tournament(name="Made up", is_demo=True)
    shelves = olga.get("/").context["home"].mine.shelves
    assert [(shelf.title, [line.tournament.name for line in shelf.lines]) for shelf in shelves] == [
        ("", ["To come"]),
        ("October 2026", ["October"]),
        ("Demo", ["Made up"]),
    ]
    page = olga.get("/").content.decode().partition("Your tournaments")[2].partition("</section>")[0]
    assert page.count("<details>") == 2
    assert "Made up" in said(Client().get("/"))


def test_headers_count_the_players_of_today(olga: Client) -> None:
    """One dropped out and a stand-in took the seats: the first page counted nine, the event's own head still eight."""
    made = cast.tournament()
    start(tournament=made, by=made.owner)
    drop_out(tournament=made, entry=cast.entry(made, "Zoë"), by=made.owner)
    assert made.entries.filter(status="standin").exists()
    assert "Round 1 of 7 · 7 players" in said(olga.get("/"))
    for page in ("", "standings/", "odds/"):
        assert "Individual pairs, 7 players, 7 rounds" in said(olga.get(f"/t/{made.slug}/{page}")), page
    cast.play(made)
    close_tournament(tournament=made, by=made.owner)
    assert "Individual pairs, 8 players" in said(olga.get(f"/t/{made.slug}/"))


def test_the_head_counts_the_tables_of_today_where_they_can_change(olga: Client) -> None:
    made = cast.tournament(8, format="points", rounds=2)
    start(tournament=made, by=made.owner)
    page = said(olga.get(f"/t/{made.slug}/standings/"))
    assert "Points race, 8 players at 2 tables, 2 rounds of 4 hands" in page


def test_an_organiser_begins_with_what_is_on_and_a_visitor_with_a_choice(olga: Client) -> None:
    assert "Run a tournament" in said(olga.get("/")).partition("Play a hand now")[0]
    Server.objects.create()  # an owner has set it up
    assert said(Client().get("/")).index("Run a tournament") < said(Client().get("/")).index("Play a hand")
    cast.play(cast.tournament(name="Made up", is_demo=True), rounds=1)
    assert olga.get("/").context["home"].on_now.title == "Made up · 8 hands to go in round 2"
    mine = cast.play(cast.tournament(name="Mine", starts_on=date(2026, 10, 3)), rounds=1)
    shown = olga.get("/").context["home"].on_now
    assert shown.title == "Mine · 8 hands to go in round 2"
    assert shown.links[0].url == cast.table(mine, 2, 1).get_absolute_url()
    assert Client().get("/").context["home"].on_now is None


def test_the_event_on_top_is_one_that_the_account_runs(olga: Client) -> None:
    other = cast.play(cast.tournament(name="Other", owner=cast.someone_else()), rounds=1)
    Role.objects.create(tournament=other, user=cast.organiser(), kind=Role.Kind.SCORER)
    assert olga.get("/").context["home"].on_now is None
