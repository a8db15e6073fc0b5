"""What *Now* shows when an event is over: read from the value, and once as organisers and visitors see it."""

from datetime import date

import pytest
from django.test import Client

from league.models import Stage, Tournament
from league.rounds.steps import NextStep, close_tournament
from league.setup.overview.end_of_event import EndOfEvent, Step, end_of_event
from league.setup.overview.facts import NowFacts
from league.standings.ranking import Entrant, Standing
from tests import cast
from tests.games.pages import said


def standing(rank: int, name: str, total: int) -> Standing:
    counted = dict.fromkeys(("rounds_played", "hands_played", "hands_won", "points_for", "points_against"), 0)
    counted |= dict.fromkeys(("difference", "points_caught", "adjustments"), 0)
    return Standing(
        rank, False, Entrant(name, name, "", "active", 1), **counted, total=total, tie_breaks=(), decided_by=None,
        best_partner=None, by_round={},
    )  # fmt: skip


def end(*ranked: tuple[int, str, int], state: str = "closed", organises: bool = True) -> EndOfEvent | None:
    tournament = Tournament(slug="cup", state=state, starts_on=date(2026, 11, 28))
    lines = [standing(*line) for line in ranked]
    facts = NowFacts(tournament, Stage(format="pairs"), NextStep("done"), standings=lines)
    return end_of_event(facts, "https://cup.example/standings/", organises=organises)


def test_the_first_three_stand_on_the_podium_with_what_they_came_to() -> None:
    over = end((1, "Zoë", 1381), (2, "Farah", 1204), (3, "Ana", 1166), (4, "Chidi", 900))
    assert over is not None
    assert over.podium == [Step(1, "Zoë", "1381"), Step(2, "Farah", "1204"), Step(3, "Ana", "1166")]
    assert over.again == "Repeat on Saturday 5 December"
    shared = end((1, "Zoë", 9), (1, "Farah", 9), (3, "Ana", 7), organises=False)
    assert shared is not None and [step.rank for step in shared.podium] == [1, 1, 3] and shared.again == ""


def test_nothing_is_at_its_end_while_it_goes_on_or_without_results() -> None:
    assert end((1, "Zoë", 9), (2, "Farah", 8), state="running") is None
    assert end() is None
    alone = end((1, "Zoë", 9))
    assert alone is not None and alone.podium == []


@pytest.mark.django_db
def test_an_event_that_is_over_offers_its_results_and_to_organisers_the_next_time() -> None:
    made = cast.play(cast.tournament(4, format="points", rounds=1))
    close_tournament(tournament=made, by=made.owner)
    olga = Client()
    olga.force_login(made.owner)
    for client, organises in ((olga, True), (Client(), False)):
        page = said(client.get(f"/t/{made.slug}/"))
        assert "The standings are final." in page and "Share the results" in page
        assert ("Repeat on Tuesday 1 December" in page) is organises
        assert f'value="http://testserver/t/{made.slug}/standings/"' in client.get(f"/t/{made.slug}/").content.decode()
        assert client.get(f"/t/{made.slug}/prints/standings.pdf").status_code == 200
