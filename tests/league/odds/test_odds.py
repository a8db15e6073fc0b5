"""What is said beside a name: by arithmetic where it can be, else from the simulations; and the page."""

import csv
import io
from collections import Counter

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from league.models import Forecast, Tournament
from league.odds.compute import run_forecasts
from league.odds.page_rows import _ahead_for_good, _enough_points, _needs, interval, odds_of
from league.odds.simulate import Position, Seated
from league.rounds.steps import start
from league.setup.create import change_details
from tests import cast
from tests.api import Program
from tests.games.pages import said
from tests.league.odds.test_forecast import quick as quick

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
        "Needs at least 37 points in the 4 hands left to pass Elif, who has no hands left.",
        "120 points in the 4 hands left: an even chance to win.",
    ]
    assert needs(where, 3) == []
    assert needs(position((10, 60, 96, 97, 96), hands=1), 2) == [
        "Needs at least 1 point in the last hand to pass Elif, who has no hands left."
    ]


def test_who_has_no_hand_left_and_is_behind_cannot_win_any_more():
    where = position((10, 60, 96, 97, 96))
    assert [_ahead_for_good(where, place) for place in range(5)] == [None, None, None, None, 3]
    where = position((10, 60, 96, 96, 96))
    assert _ahead_for_good(where, 4) is None and needs(where, 4) == ["No hands left; other players play on."]


def test_where_the_lowest_wins_points_are_to_spare_and_who_is_behind_stays_there():
    low = {"lowest_wins": True, "scoring": "lowest-total"}
    where = position((10, 60, 96, 97, 50), **low)
    assert needs(where, 0, 12) == [
        "Stays ahead of Elif, who has no hands left, with less than 40 points in the 4 hands left.",
        "Up to 12 points in the 4 hands left: an even chance to win.",
    ]
    assert [_ahead_for_good(where, place) for place in range(5)] == [None, 4, 4, 4, None]
    assert needs(where, 4) == ["No hands left; other players play on."]


def test_in_a_challenge_the_next_hand_is_known():
    where = Position(("a", "b"), 2, (438, 499), (), out_at=500)
    assert needs(where, 0) == ["Eliminated with more than 61 penalty points."]
    assert needs(where, 1) == ["Eliminated with more than 0 penalty points."]


def test_in_games_to_a_target_nobody_knows_how_many_hands_are_left():
    where = Position(("a", "b"), 2, (5, 9), (Seated(1, (0, 1), None, 100, (5, 9)),), scoring="winner-takes")
    assert where.hands_left is None
    assert needs(where, 0, 150) == ["150 more points: an even chance to win."]


def test_what_was_enough_would_have_won_at_least_half_of_the_endings():
    others = Counter({100: 3, 110: 2, 130: 5})  # the best total of the others, to the next lower 5
    assert _enough_points(position((0,) * 5), 80, others) == 115 - 80  # more than any of 110 to 114
    low = position((0,) * 5, lowest_wins=True, scoring="lowest-total")
    assert _enough_points(low, 80, others) == 129 - 80
    assert _enough_points(low, 129, others) == 0 and _enough_points(low, 130, others) is None, "never below zero"
    assert _enough_points(position((0,) * 5), 200, others) == 0
    assert _enough_points(position((0,) * 5), 80, Counter()) is None


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
    assert "Working out the chances." in said(first)
    assert b'hx-trigger="every 3s"' in first.content
    assert 'href="/t/autumn-pairs/odds/" aria-current="page"' in first.content.decode()
    assert "The rest of the tournament" not in said(client.get(f"/t/{tournament.slug}/standings/"))
    run_forecasts()
    full = client.get(page)
    assert "1200 simulations. Margin of error" in said(full)
    assert b"hx-trigger" not in full.content
    assert b" style=" not in full.content
    lines = odds_of(tournament).lines
    rows = csv.DictReader(io.StringIO(client.get(f"/t/{tournament.slug}/odds.csv").content.decode()))
    assert [row["won"] for row in rows] == [str(line.won) for line in lines]
    part = client.get(page, headers={"HX-Request": "true"}).content.decode()
    assert part.lstrip().startswith('<div class="cols" id="odds">')
    Forecast.objects.filter(chunk__gt=0).delete()
    assert "Still counting." in said(client.get(page))


@pytest.mark.django_db
def test_the_odds_of_a_private_tournament_are_for_its_people_and_nobody_has_them_counted(quick, client):
    tournament = cast.play(cast.tournament(4, visibility="private"), rounds=1)
    assert client.get(f"/t/{tournament.slug}/odds/").status_code == 404
    assert not Forecast.objects.exists()
    client.force_login(tournament.owner)
    assert "Chances of winning" in said(client.get(f"/t/{tournament.slug}/odds/"))


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


@pytest.mark.django_db
def test_where_odds_are_not_shown_there_is_no_page_of_them_and_nothing_is_counted(quick, client):
    tournament = cast.play(cast.tournament(4, hands_per_round=2), rounds=1)
    page = f"/t/{tournament.slug}/odds/"
    assert page in client.get(f"/t/{tournament.slug}/standings/").content.decode()
    client.get(page)
    run_forecasts()
    assert Forecast.objects.filter(finished_at__isnull=False).exists()
    change_details(tournament=tournament, by=tournament.owner, shows_odds=False)
    for address in (page, f"/t/{tournament.slug}/odds.csv"):
        assert client.get(address).status_code == 404
    for other in ("", "standings/", "seating/"):
        assert page not in client.get(f"/t/{tournament.slug}/{other}").content.decode()
    still_open = client.get(page, headers={"HX-Request": "true"}).content.decode()
    assert "Chances of winning are turned off for this tournament." in still_open
    assert "hx-trigger" not in still_open
    assert not Forecast.objects.exists()


@pytest.mark.django_db
def test_the_api_says_why_there_are_no_odds_where_none_are_shown(quick):
    tournament = cast.play(cast.tournament(4, hands_per_round=2, shows_odds=False), rounds=1)
    program = Program(tournament.owner)
    answer = program.get(f"/api/v1/tournaments/{tournament.slug}/odds/")
    assert (answer["why_not"], answer["odds"], answer["complete"]) == (
        "Chances of winning are turned off for this tournament.", [], True,
    )  # fmt: skip
    assert not Forecast.objects.exists()
    assert program.get(f"/api/v1/tournaments/{tournament.slug}/")["shows_odds"] is False
    made = {"name": "Quiet", "players": [{"name": name} for name in cast.CAST], "shows_odds": False}
    assert program.post("/api/v1/tournaments/", made, status=201)["shows_odds"] is False


@pytest.mark.django_db
def test_the_settings_say_whether_odds_are_shown_and_a_copy_keeps_it(client):
    tournament = cast.tournament(4)
    client.force_login(tournament.owner)
    page = f"/t/{tournament.slug}/settings/"
    assert 'name="shows_odds"' in client.get(page).content.decode()
    assert client.post(page, {"form": "odds"}).status_code == 302
    assert "Chances are shown: yes to no" in said(client.get(f"/t/{tournament.slug}/log/"))
    client.post(f"/t/{tournament.slug}/again/")
    copy = Tournament.objects.latest("pk")
    assert (copy.pk == tournament.pk, copy.shows_odds) == (False, False)
    assert client.post(page, {"form": "odds", "shows_odds": "on"}).status_code == 302
    tournament.refresh_from_db()
    assert tournament.shows_odds


@pytest.mark.django_db
def test_a_tournament_without_odds_is_made_by_command(tmp_path, capsys):
    names = tmp_path / "names"
    names.write_text("\n".join(cast.CAST), encoding="utf-8")
    call_command("create_tournament", "--name", "Quiet", "--no-odds", "--players", str(names))
    assert not Tournament.objects.get(slug=capsys.readouterr().out.strip()).shows_odds


@pytest.mark.django_db
def test_who_cannot_win_any_more_is_not_listed_but_counted(quick, client):
    """Five play, one sits out each round: who sits out the last one and is behind has no hand left."""
    made = cast.tournament(5, hands_per_round=1)
    start(tournament=made, by=made.owner)
    last = made.rounds.order_by("number").last()
    sits_out = last.seats.get(table=None).entry
    for played in made.rounds.order_by("number"):
        if played.number < last.number:
            table = played.tables.get()
            seats = [seat.entry_id for seat in table.seats.order_by("number")]
            loses = seats.index(sits_out.pk) if sits_out.pk in seats else 0
            cast.record(table, 1, (loses + 1) % 4, points=(20,) * 4)
            cast.go_on(made)
    while run_forecasts() or not client.get(f"/t/{made.slug}/odds/").context["odds"].is_complete:
        pass
    odds = odds_of(cast.again(made))
    listed = {line.standing.entrant.id for line in odds.lines}
    assert sits_out.public_id not in listed and odds.out == 5 - len(listed) >= 1
    page = said(client.get(f"/t/{made.slug}/odds/"))
    assert "Cannot win any more" not in page and f"{odds.out} more player" in page
    rows = csv.DictReader(io.StringIO(client.get(f"/t/{made.slug}/odds.csv").content.decode(), newline=""))
    assert {row["player_id"] for row in rows} == listed
