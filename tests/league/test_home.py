"""The first page: what is on stands open, the demo and what is over are folded."""

from datetime import date

import pytest
from django.test import Client

from league.rounds.steps import close_tournament
from tests import cast
from tests.games.pages import said

pytestmark = pytest.mark.django_db


@pytest.fixture
def olga() -> Client:
    client = Client()
    client.force_login(cast.organiser())
    return client


def test_what_is_over_folds_by_month_and_the_demo_apart(olga: Client) -> None:
    for name, day in (("October", date(2026, 10, 3)), ("September", date(2026, 9, 12))):
        over = cast.play(cast.tournament(4, name=name, starts_on=day))
        close_tournament(tournament=over, by=over.owner)
    cast.tournament(name="To come", starts_on=date(2036, 1, 1))
    cast.tournament(name="Made up", is_demo=True)
    shelves = olga.get("/").context["mine"]
    assert [line.tournament.name for line in shelves.going] == ["To come"]
    assert [(month.month, [line.tournament.name for line in lines]) for month, lines in shelves.over] == [
        (10, ["October"]),
        (9, ["September"]),
    ]
    assert [line.tournament.name for line in shelves.demo] == ["Made up"]
    page = olga.get("/").content.decode().partition("Your tournaments")[2].partition("</section>")[0]
    assert page.count("<details>") == 3 and "October 2026" in page


def test_where_there_is_nothing_else_the_demo_stands_open(olga: Client) -> None:
    cast.tournament(name="Made up", is_demo=True)
    assert "<details open>" in olga.get("/").content.decode()
    assert "Made up" in said(Client().get("/"))
