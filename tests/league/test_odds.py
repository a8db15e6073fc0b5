"""What is said beside a name: by arithmetic where it can be, else from the simulations; and the page."""

import csv
import io
from collections import Counter

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from league.forecast import Position, Seated
from league.models import Forecast
from league.odds import _enough, _needs, interval, odds_of
from league.services import start
from league.services.forecasting import forecast_what_is_asked_for
from tests import cast
from tests.games.pages import said
from tests.league.test_forecast import quick as quick

NAMES = {"a": "Ana", "b": "Ben", "c": "Chidi", "d": "Dora", "e": "Elif"}


def position(totals, tables=((0, 1, 2, 3),), hands=4, **more):
    """Five players, of whom the fifth has no hand left."""
    seated = tuple(Seated(3, players, hands) for players in tables)
    return Position(tuple("abcde"), 5, totals, seated, **({"scoring": "winner-takes"} | more))


def needs(where, at, enough=None):
    return list(_needs(where, at, NAMES, enough))


def test_who_has_hands_left_is_told_what_passes_the_best_of_those_who_have_none():
    where = position((10, 60, 96, 97, 96))
    assert needs(where, 1, 120) == [
        "Needs at least 37 points in the last 4 hands to pass Elif, who has none left.",
        "In half of the endings 120 points in the last 4 hands were enough.",
    ]
    assert needs(where, 3) == []
    assert needs(position((10, 60, 96, 97, 96), hands=1), 2) == [
        "Needs at least 1 point in the last hand to pass Elif, who has none left."
    ]


def test_who_has_no_hand_left_and_is_behind_cannot_win_any_more():
    assert needs(position((10, 60, 96, 97, 96)), 4) == ["Cannot win any more: Dora is ahead for good."]
    assert needs(position((10, 60, 96, 96, 96)), 4) == ["No hand left: the others play on."]


def test_where_the_lowest_wins_points_are_to_spare_and_who_is_behind_stays_there():
    low = {"lowest_wins": True, "scoring": "lowest-total"}
    where = position((10, 60, 96, 97, 50), **low)
    assert needs(where, 0, 12) == [
        "Stays ahead of Elif, who has no hand left, with less than 40 points in the last 4 hands.",
        "In half of the endings up to 12 points in the last 4 hands were few enough.",
    ]
    assert needs(where, 1) == ["Cannot win any more: Elif is ahead for good."]
    assert needs(where, 4) == ["No hand left: the others play on."]


def test_in_a_challenge_the_next_hand_is_known():
    where = Position(("a", "b"), 2, (438, 499), (), out_at=500)
    assert needs(where, 0) == ["Out if caught with more than 61."]
    assert needs(where, 1) == ["Out if caught with more than 0."]


def test_in_games_to_a_target_nobody_knows_how_many_hands_are_left():
    where = Position(("a", "b"), 2, (5, 9), (Seated(1, (0, 1), None, 100, (5, 9)),), scoring="winner-takes")
    assert where.hands_left is None
    assert needs(where, 0, 150) == ["In half of the endings 150 more points were enough."]


def test_what_was_enough_would_have_won_at_least_half_of_the_endings():
    others = Counter({100: 3, 110: 2, 130: 5})  # the best total of the others, to the next lower 5
    assert _enough(position((0,) * 5), 80, others) == 115 - 80  # more than any of 110 to 114
    low = position((0,) * 5, lowest_wins=True, scoring="lowest-total")
    assert _enough(low, 80, others) == 129 - 80
    assert _enough(position((0,) * 5), 80, Counter()) is None


def test_the_interval_is_wilson_s():
    low, high = interval(10, 100)  # as in every table of it
    assert (round(low, 4), round(high, 4)) == (0.0552, 0.1744)
    assert interval(0, 0) == (0.0, 1.0)
    assert interval(0, 20_000)[0] == 0.0
    assert interval(0, 20_000)[1] < 0.001


@pytest.mark.django_db
def test_the_page_fills_while_one_looks_and_has_the_figures_of_the_csv(quick, client):
    tournament = cast.play(cast.tournament(4, hands_per_round=2), rounds=2)
    page = f"/t/{tournament.slug}/odds/"
    first = client.get(page)
    assert "The first figures are here in a few seconds." in said(first)
    assert b'hx-trigger="every 3s"' in first.content
    assert 'href="/t/autumn-pairs/odds/" aria-current="page"' in first.content.decode()
    assert "The rest of the tournament" not in said(client.get(f"/t/{tournament.slug}/standings/"))
    forecast_what_is_asked_for()
    full = client.get(page)
    assert "From 1200 simulated endings" in said(full)
    assert b"hx-trigger" not in full.content
    assert b" style=" not in full.content
    lines = odds_of(tournament).lines
    rows = csv.DictReader(io.StringIO(client.get(f"/t/{tournament.slug}/odds.csv").content.decode()))
    assert [row["won"] for row in rows] == [str(line.won) for line in lines]
    part = client.get(page, headers={"HX-Request": "true"}).content.decode()
    assert part.lstrip().startswith('<div class="cols" id="odds">')
    Forecast.objects.filter(chunk__gt=0).delete()
    assert "More are being counted." in said(client.get(page))


@pytest.mark.django_db
def test_the_odds_of_a_private_tournament_are_for_its_people_and_nobody_has_them_counted(quick, client):
    tournament = cast.play(cast.tournament(4, visibility="private"), rounds=1)
    assert client.get(f"/t/{tournament.slug}/odds/").status_code == 404
    assert not Forecast.objects.exists()
    client.force_login(tournament.owner)
    assert "Who will win" in said(client.get(f"/t/{tournament.slug}/odds/"))


@pytest.mark.django_db
def test_looking_costs_as_many_queries_in_a_larger_hall(client):
    counts = []
    for players in (4, 12):
        tournament = cast.tournament(players)
        start(tournament=tournament, by=tournament.owner)
        client.get(f"/t/{tournament.slug}/odds/")
        with CaptureQueriesContext(connection) as asked:
            client.get(f"/t/{tournament.slug}/odds/")
        counts.append(len(asked))
    assert counts[0] == counts[1] <= 20
