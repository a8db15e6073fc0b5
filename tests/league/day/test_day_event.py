"""The day, for the whole event: a pause, rules that change after the start, an end before its time."""

import re
from collections import Counter, defaultdict

import pytest
from django.utils import timezone

from games.hands.repairs import undo_round
from league.background import deadlines
from league.day.entrants import drop_out
from league.erasure.erase import erase_player
from league.lib.errors import Conflict, Refused
from league.models import Deadline, HandScore, Round, Seat, Table, Tournament
from league.rounds import pause
from league.rounds.clock import resume_clock, start_clock
from league.rounds.steps import advance, end_early, next_step, reopen_tournament, start
from league.rounds.tables import close_table, open_table_again
from league.rounds.time_left import clock_of
from league.setup.amend import amend_rules
from league.setup.create import clone_tournament
from league.standings import read as ledger
from tests import cast
from tests.games.pages import said
from tests.league.day.test_day_tables import do, post, shown, totals
from tests.league.prints.test_prints import text

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module", autouse=True)
def pairs_once(module_world):
    """Round 1 of eight is running: table 1 has two hands, table 2 none."""
    made = cast.tournament()
    start(tournament=made, by=made.owner)
    for hand in (1, 2):
        cast.record(cast.table(made, 1, 1), hand)
    made.refresh_from_db()
    return made


@pytest.fixture
def pairs(pairs_once):
    return cast.again(pairs_once)


@pytest.fixture
def olga(client):
    client.force_login(cast.organiser())
    return client


# Pause.


def test_a_pause_shows_on_every_page_and_stops_the_clock(olga, client, pairs):
    start_clock(tournament=pairs, minutes=40, shown=clock_of(pairs.rounds.get(number=1)).shown, by=pairs.owner)
    assert post(olga, pairs, "pause", do="pause", reason="Fire alarm").status_code == 302
    client.logout()
    for page in ("", "standings/", "seating/", "hands/"):
        assert "Fire alarm" in said(client.get(f"/t/{pairs.slug}/{page}")), page
    clock = clock_of(pairs.rounds.get(number=1))
    assert clock.state == "stands"
    with pytest.raises(Conflict, match="Play is paused"):
        resume_clock(tournament=pairs, shown=clock.shown, by=pairs.owner)
    cast.record(cast.table(pairs, 1, 1), 3)


def test_going_on_lets_the_clock_run_with_what_it_had(olga, pairs):
    played = pairs.rounds.get(number=1)
    start_clock(tournament=pairs, minutes=40, shown=clock_of(played).shown, by=pairs.owner)
    pause.pause(tournament=pairs, reason="Fire alarm", by=pairs.owner)
    left = clock_of(pairs.rounds.get(number=1)).seconds
    assert post(olga, pairs, "pause", do="resume").status_code == 302
    clock = clock_of(pairs.rounds.get(number=1))
    assert clock.state == "runs"
    assert left - 5 <= clock.seconds <= left
    assert "Fire alarm" not in said(olga.get(f"/t/{pairs.slug}/standings/"))


def test_a_clock_that_stood_before_the_pause_stands_after_it(pairs):
    played = pairs.rounds.get(number=1)
    Round.objects.filter(pk=played.pk).update(seconds_left=600)
    pause.pause(tournament=pairs, reason="Fire alarm", by=pairs.owner)
    pause.resume(tournament=pairs, by=pairs.owner)
    assert clock_of(pairs.rounds.get(number=1)).state == "stands"


def test_nothing_publishes_or_confirms_itself_meanwhile(pairs):
    table, now = cast.table(pairs, 1, 1), timezone.now()
    Table.objects.filter(pk=table.pk).update(state=Table.State.REPORTED)
    clock = Deadline.objects.create(
        kind="confirm-table", tournament=pairs, round=table.round, table=table, due_at=now, created_at=now
    )
    pause.pause(tournament=pairs, reason="Fire alarm", by=pairs.owner)
    later = timezone.now()
    assert deadlines.sweep(later) == 0
    clock.refresh_from_db()
    assert clock.reason == "Play is paused. This happens when play resumes."
    assert deadlines.lag(later).total_seconds() == 0
    pause.resume(tournament=pairs, by=pairs.owner)
    assert deadlines.sweep(timezone.now() + timezone.timedelta(hours=1)) == 1


def test_a_pause_needs_a_reason_and_a_tournament_that_runs(pairs):
    with pytest.raises(Refused, match="Give a reason"):
        pause.pause(tournament=pairs, reason="  ", by=pairs.owner)
    with pytest.raises(Conflict, match="Only a running tournament"):
        pause.pause(tournament=cast.tournament(), reason="x", by=pairs.owner)


# Rules changed after the start.


def amend(tournament, **changes):
    stage = tournament.stages.get()
    wanted = {"hands_per_round": stage.hands_per_round, "reason": "We have to leave by eleven"} | changes
    return amend_rules(tournament=tournament, by=tournament.owner, **wanted)


def test_a_lower_target_is_shown_done_and_told_under_the_standings(olga, client):
    made = cast.play_challenge(cast.challenge(players=8), rounds=1)
    highest = max(totals(made).values())
    fields = {
        "form": "amend",
        "hands_per_round": "4",
        "table_size": "4",
        "target": str(highest),
        "reason": "We have to leave by eleven",
    }
    preview = olga.post(f"/t/{made.slug}/settings/", fields)
    assert preview.status_code == 200
    assert "Still in" not in said(preview) or "Eliminated in round 1" in said(preview)
    assert olga.post(f"/t/{made.slug}/settings/", shown(preview)).status_code == 302
    client.logout()
    page = said(client.get(f"/t/{made.slug}/standings/"))
    assert re.search(rf"Since \d\d:\d\d: target {highest} instead of 500\. We have to leave by eleven\.", page)


def test_what_was_changed_is_printed_under_the_standings(client):
    made = cast.play(cast.tournament(), rounds=1)
    amend(made, hands_per_round=2)
    page = text(client, "standings", made)
    assert re.search(r"Since \d\d:\d\d: 2 hands a round instead of 4\. We have to leave by eleven\.", page)


def test_hands_hold_for_rounds_to_come_and_not_for_the_one_that_is_played(pairs):
    amend(pairs, hands_per_round=2)
    wanted = dict(Table.objects.filter(round__tournament=pairs).values_list("round__number", "hands_wanted"))
    assert wanted == {1: 4, **dict.fromkeys(range(2, 8), 2)}
    assert next_step(pairs).missing_numbers == "1, 2"


def test_a_table_closed_early_still_opens_with_the_hands_of_its_round(pairs):
    close_table(tournament=pairs, round_number=1, number=1, reason="x", by=pairs.owner)
    amend(pairs, hands_per_round=6)
    open_table_again(tournament=pairs, round_number=1, number=1, by=pairs.owner)
    assert cast.table(pairs, 1, 1).hands_wanted == 4
    row = pairs.log.get(action="open-table")
    assert (row.round, row.table, row.by) == (1, 1, pairs.owner)


def test_a_draft_of_a_challenge_is_drawn_anew_for_another_table_size():
    challenge = cast.challenge(players=12)
    start(tournament=challenge, by=challenge.owner)
    undo_round(tournament=challenge, round_number=1, reason="x", by=challenge.owner)
    amend(challenge, table_size=6)
    assert [table.seats.count() for table in challenge.rounds.living().get().tables.all()] == [6, 6]


def met(tournament):
    """How often each two were partners in the living rounds."""
    sides = defaultdict(list)
    for seat in Seat.objects.filter(round__in=tournament.rounds.living()).exclude(table=None):
        sides[seat.table_id, seat.number % 2].append(seat.entry_id)
    return Counter(frozenset(side) for side in sides.values())


def test_rounds_are_taken_off_the_end_of_a_schedule_and_added_to_it(pairs, olga):
    amend(pairs, rounds=5)
    assert list(pairs.rounds.living().values_list("number", flat=True)) == [1, 2, 3, 4, 5]
    amend(pairs, rounds=9)
    assert pairs.rounds.living().count() == 9
    assert max(met(pairs).values()) == 2 and len(met(pairs)) == 28  # all met, and few of them again
    assert "more rounds drawn" in said(olga.get(f"/t/{pairs.slug}/log/")).lower()
    assert "9 rounds instead of 5. We have to leave by eleven." in said(olga.get(f"/t/{pairs.slug}/standings/"))
    amend(pairs, rounds=None)
    assert pairs.rounds.living().count() == 7


def test_a_round_more_after_the_last_is_played_and_the_copy_begins_with_the_whole_schedule():
    made = cast.play(cast.tournament(4))
    assert next_step(made).token == "finish"
    amend(made, rounds=4)
    advance(tournament=made, token="publish-4", by=made.owner)
    cast.play_round(made.rounds.get(number=4))
    advance(tournament=made, token="close-4", by=made.owner)
    assert next_step(made).token == "finish"
    copy = clone_tournament(tournament=made, by=made.owner)
    assert copy.stage.values["rounds"] is None


def test_who_plays_in_rounds_that_are_added_are_those_who_are_in_now(pairs):
    drop_out(tournament=pairs, entry=cast.entry(pairs, "Zoë"), came=True, stand_in="Ingrid", reason="", by=pairs.owner)
    amend(pairs, rounds=8)
    names = set(pairs.rounds.get(number=8).seats.values_list("entry__player__name", flat=True))
    assert names == {*cast.CAST, "Ingrid"} - {"Zoë"}


def test_the_whole_schedule_is_that_of_those_who_play_stand_ins_too(pairs):
    for name in ("Zoë", "Farah"):
        drop_out(tournament=pairs, entry=cast.entry(pairs, name), came=True, stand_in="", reason="", by=pairs.owner)
    amend(pairs, rounds=5)
    amend(pairs, rounds=None)
    assert pairs.rounds.living().count() == 7


def test_teams_get_rounds_more_too_and_none_that_was_published_is_taken_off():
    teams = cast.play(cast.teams(4), rounds=2)
    amend(teams, rounds=4)
    assert teams.rounds.living().count() == 4
    with pytest.raises(Refused, match="Rounds already published: 3"):
        amend(teams, rounds=2)
    assert teams.rounds.living().count() == 4
    amend(teams, rounds=3)
    assert teams.rounds.living().count() == 3


def test_nothing_different_or_no_reason_changes_nothing(pairs):
    assert amend(pairs) == []
    with pytest.raises(Refused, match="Give a reason"):
        amend(pairs, hands_per_round=2, reason=" ")
    with pytest.raises(Refused, match="choose 1 to 20, not 0"):
        amend(pairs, hands_per_round=0)
    assert pairs.stages.get().amendments == []


def test_before_the_start_the_rules_themselves_are_changed():
    with pytest.raises(Conflict, match="Change the rules instead"):
        amend(cast.tournament(), hands_per_round=2)


def test_the_reasons_lose_a_name_that_is_erased(pairs):
    amend(pairs, hands_per_round=2, reason="Zoë has to catch a train")
    pause.pause(tournament=pairs, reason="Zoë fainted", by=pairs.owner)
    erase_player(player=cast.entry(pairs, "Zoë").player, by=pairs.owner)
    pairs.refresh_from_db()
    assert "Zoë" not in pairs.pause_reason + str(pairs.stages.get().amendments)


# The end before its time.


def test_an_event_can_end_early_with_the_standings_as_they_are(olga):
    made = cast.play_challenge(cast.challenge(players=8), rounds=1)
    before = totals(made)
    preview = do(olga, made, "end", reason="The hall closes")
    assert "lowest total first" in said(preview)
    made.refresh_from_db()
    assert made.state == Tournament.State.CLOSED
    assert totals(made) == before
    lines = ledger.read(made).standings()
    assert [line.total for line in lines if line.entrant.status == "active"] == sorted(
        line.total for line in lines if line.entrant.status == "active"
    )
    reopen_tournament(tournament=made, reason="They let us stay", by=made.owner)
    made.refresh_from_db()
    assert next_step(made).token == "draw-2"


def test_what_was_to_publish_itself_does_not_afterwards(pairs):
    in_an_hour = timezone.now() + timezone.timedelta(hours=1)
    Deadline.objects.create(kind="publish-round", tournament=pairs, round=pairs.rounds.get(number=2), due_at=in_an_hour)
    end_early(tournament=pairs, reason="The hall closes", by=pairs.owner)
    deadlines.sweep(in_an_hour)
    assert pairs.rounds.get(number=2).state == Round.State.DRAFT
    assert HandScore.objects.living().filter(table__round__tournament=pairs).count() == 8


def test_an_early_end_needs_a_beginning_and_no_reason(pairs):
    assert end_early(tournament=pairs, reason="", by=pairs.owner).ended_early
    with pytest.raises(Conflict, match="Nothing has been played"):
        end_early(tournament=cast.tournament(), reason="x", by=pairs.owner)
