"""A table that nobody confirms is confirmed by itself, unless somebody objects."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.models import Hand
from league.background import deadlines
from league.log.in_words import in_words
from league.models import Deadline, LogEntry, Table, Tournament
from league.rounds.pause import pause, resume
from league.rounds.steps import advance
from tests import cast
from tests.games import phones
from tests.games.pages import version

pytestmark = pytest.mark.django_db


@pytest.fixture
def reported(table):
    phones.report(phones.at(table, 0), table)
    return phones.fresh(table)


def due(table):
    return Deadline.objects.filter(table=table, kind=Deadline.Kind.CONFIRM).latest("pk").due_at


def test_it_is_confirmed_at_its_time_and_not_before_and_nobody_did_it(reported):
    at = due(reported)
    assert deadlines.sweep(at - timedelta(seconds=1)) == 0
    assert phones.fresh(reported).state == Table.State.REPORTED
    assert deadlines.sweep(at) == 1
    assert phones.fresh(reported).state == Table.State.CONFIRMED
    row = LogEntry.objects.latest("pk")
    assert in_words(row) == "Round 1, table 1: confirmed automatically after 15 minutes"
    assert (row.by, row.player, row.scorer_link, row.who) == (None, "", None, "")
    assert deadlines.sweep(at + timedelta(days=1)) == 0


def test_a_page_that_was_open_before_it_confirmed_itself_is_told_so(reported):
    seen = version(reported)
    deadlines.sweep(due(reported))
    hand = Hand.objects.living().filter(table=reported).first()
    data = {"went_out": "0", "cards_1": "R7", "cards_3": "W", "version": seen}
    assert phones.at(reported, 1).post(f"/hands/{hand.pk}/dispute/", data).status_code == 409
    assert phones.at(reported, 1).post(f"/tables/{reported.pk}/agree/", {"version": seen}).status_code == 303


def test_nothing_happens_at_the_time_of_a_table_that_was_disputed_meanwhile(reported):
    at = due(reported)
    hand = Hand.objects.living().filter(table=reported).first()
    data = {"went_out": "0", "cards_1": "R7", "cards_3": "W", "version": reported.version}
    assert phones.at(reported, 1).post(f"/hands/{hand.pk}/dispute/", data).status_code == 303
    assert deadlines.sweep(at + timedelta(days=1)) == 0
    assert phones.fresh(reported).state == Table.State.DISPUTED


def test_a_hand_that_was_taken_back_and_reported_anew_starts_the_time_again(reported):
    before, north = due(reported), phones.at(reported, 0)
    last = Hand.objects.living().filter(table=reported).latest("pk")
    assert north.post(f"/hands/{last.pk}/void/", {"version": reported.version}).status_code == 303
    phones.report(north, reported, phones.HANDS[3])
    assert due(reported) > before
    assert deadlines.sweep(before) == 0
    assert phones.fresh(reported).state == Table.State.REPORTED
    assert deadlines.sweep(due(reported)) == 1
    assert phones.fresh(reported).state == Table.State.CONFIRMED


def test_a_pause_takes_nothing_of_the_time_in_which_somebody_may_object(clock, reported):
    tournament, at = reported.round.tournament, due(reported)
    pause(tournament=tournament, reason="Fire alarm", by=tournament.owner)
    clock.pass_by(600)
    resume(tournament=tournament, by=tournament.owner)
    assert due(reported) == at + timedelta(seconds=600)
    assert deadlines.sweep(at) == 0
    assert deadlines.sweep(due(reported)) == 1


def test_a_hand_that_starts_and_ends_no_clock_costs_no_query_for_clocks():
    made = cast.tournament(rounds=1)
    for step in ("draw", "publish-1"):
        advance(tournament=made, token=step, by=made.owner)
    with CaptureQueriesContext(connection) as asked:
        cast.record(cast.table(made, 1, 1), 1)
    assert not [one for one in asked if "league_deadline" in one["sql"]]


def test_with_final_standings_nothing_is_confirmed_any_more():
    made = cast.tournament(rounds=1)
    for step in ("draw", "publish-1"):
        advance(tournament=made, token=step, by=made.owner)
    for number in (1, 2):
        table = cast.table(made, 1, number)
        phones.report(phones.at(table, 0), table)
    at = due(cast.table(made, 1, 2))
    for step in ("close-1", "finish"):
        advance(tournament=made, token=step, by=made.owner)
    rows = LogEntry.objects.count()
    deadlines.sweep(at)
    assert not LogEntry.objects.filter(pk__gt=rows, action="confirm-by-itself").exists()
    assert cast.table(made, 1, 1).state == Table.State.REPORTED


def test_a_time_that_was_taken_away_in_the_settings_holds_for_reported_tables_too(reported, olga):
    at, slug = due(reported), reported.round.tournament.slug
    assert olga.post(f"/t/{slug}/settings/", {"form": "reporting", "players_report": "on"}).status_code == 302
    assert Tournament.objects.get(slug=slug).confirm_after is None
    assert deadlines.sweep(at) == 0
    assert phones.fresh(reported).state == Table.State.REPORTED
