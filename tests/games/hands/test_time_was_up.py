"""A hand that time was up for: its slot is closed, nobody scores, and it is undone like every other."""

import pytest

from games.hands.correct import correct_hand
from games.hands.disputes import may_confirm, report_of
from games.hands.judge import HandInput
from games.hands.record import record_hand
from games.hands.repairs import undo_round
from games.models import Hand
from league.access.viewer import Attribution
from league.ledger.dealer import next_dealer
from league.ledger.progress import COMPLETE, table_now
from league.lib.errors import Conflict, Refused
from league.log.audit import verify
from league.models import HandScore, LogEntry, Table
from league.public import tables as exports
from league.rounds.steps import start
from tests import cast
from tests.api import Program
from tests.games.pages import form, living, post, said, version

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module", autouse=True)
def table_once(module_world):
    return cast.first_table()


@pytest.fixture
def table(table_once):
    return cast.again(table_once)


def time_was_up(table, hand, **settings):
    by = table.round.tournament.owner
    return record_hand(table_id=table.pk, hand=HandInput(hand, counts=False), by=Attribution(by), **settings)


def test_it_closes_its_slot_and_the_next_hand_follows(olga, table):
    assert post(olga, table, form(olga, table, went_out="time")).status_code == 303
    text = said(olga.get(f"/tables/{table.pk}/"))
    assert "Hand 1 saved: time was up, so it doesn’t count." in text
    assert "Round 1, hand 2 of 4" in text
    assert "Time was up: it doesn’t count No one scores." in text
    assert not HandScore.objects.exists()
    assert [hand.counts for hand in living(table)] == [False]


def test_what_was_typed_before_the_bell_is_not_asked_to_be_possible(olga, table):
    """Half of the cards had been entered."""
    assert post(olga, table, form(olga, table, went_out="time", cards_1="W W W W W W")).status_code == 303
    assert not living(table)[0].counts


def test_the_table_is_done_when_all_its_slots_are_closed(table):
    for hand in (1, 2, 3):
        cast.record(table, hand)
    time_was_up(table, 4)
    table.refresh_from_db()
    assert (table.state, table_now(table).state) == (Table.State.CONFIRMED, COMPLETE)


def test_undo_opens_its_slot_again(olga, table):
    made = time_was_up(table, 1).hand
    olga.post(f"/hands/{made.pk}/void/", {"version": version(table)})
    table.refresh_from_db()
    assert (table.not_counted, table.state) == ({}, Table.State.SCHEDULED)
    text = said(olga.get(f"/tables/{table.pk}/"))
    assert "Round 1, hand 1 of 4" in text and not living(table)


def test_saved_twice_it_is_one_and_another_result_is_a_conflict(table):
    first = time_was_up(table, 1, key="one")
    assert time_was_up(table, 1, key="one").replayed and not time_was_up(table, 1).created
    with pytest.raises(Conflict) as raised:
        cast.record(table, 1)
    assert raised.value.current == first.hand
    cast.record(table, 2)
    with pytest.raises(Conflict, match="with another result"):
        time_was_up(table, 2)


def test_cards_with_it_are_refused(table):
    with pytest.raises(Refused, match="Leave them empty"):
        record_hand(table_id=table.pk, hand=HandInput(1, 0, counts=False), by=Attribution(cast.organiser()))


def test_a_correction_makes_it_count(olga, table):
    made = time_was_up(table, 1).hand
    page = said(olga.get(f"/hands/{made.pk}/correct/"))
    assert "Time ran out" not in page.split("Who went out?")[1]
    correct_hand(
        hand_id=made.pk,
        version=None,
        hand=HandInput(made.number),
        reason="They had finished",
        by=Attribution(cast.organiser()),
    )
    table.refresh_from_db()
    assert table.not_counted == {} and HandScore.objects.living().count() == 4
    assert verify(table.round.tournament).faults == []


def test_a_correction_cannot_say_that_time_was_up(olga, table):
    made = cast.record(table, 1).hand
    typed = {"went_out": "time", "reason": "Late", "version": version(table)}
    response = olga.post(f"/hands/{made.pk}/correct/", typed)
    assert response.status_code == 422 and "Choose who went out, or that no one did." in said(response)


def test_no_row_of_an_export_and_no_number_of_hands_tells_of_it(table):
    cast.record(table, 1)
    time_was_up(table, 2)
    made = table.round.tournament
    assert {row["hand"] for row in exports.hands_rows(made, exports.Wanted())} == {1}
    assert {row["hands_played"] for row in exports.standings_rows(made, exports.Wanted())} == {0, 1}


def test_everybody_reads_of_it_below_the_hands_of_the_table(client, table):
    time_was_up(table, 2)
    line = "Hand 2: time was up, so it doesn’t count."
    assert line in said(client.get(f"/t/{table.round.tournament.slug}/hands/"))
    page = said(client.get(f"/tables/{table.pk}/"))
    assert line in page and "No hands recorded yet." not in page


def test_the_deal_goes_on_round_the_table(db):
    made = cast.tournament(4, format="points", table_size=4, hands_per_round=4)
    start(tournament=made, by=made.owner)
    table = cast.table(made, 1, 1)
    table.first_deal = {"dealer": 2, "by": "word", "draws": [], "deal": None, "seating": table.seating_version}
    table.save()
    time_was_up(table, 1)
    table.refresh_from_db()
    assert next_dealer(table, 2) == 3


def test_in_a_challenge_the_round_comes_to_its_end_with_it(db):
    made = cast.challenge(4, hands_per_round=2)
    start(tournament=made, by=made.owner)
    table = cast.table(made, 1, 1)
    cast.record(table, 1)
    time_was_up(table, 2)
    table.refresh_from_db()
    assert table_now(table).state == COMPLETE


def test_the_log_tells_of_it_and_proves_it(table):
    made = table.round.tournament
    time_was_up(table, 1)
    told = LogEntry.objects.get(tournament=made, action="record")
    assert told.new["counts"] is False
    assert verify(made).faults == []
    Table.objects.filter(pk=table.pk).update(not_counted={})
    assert [str(fault) for fault in verify(made).faults] == [
        f"round 1, table 1, hand 1: does not count by entry {told.number}, and is not closed"
    ]
    Table.objects.filter(pk=table.pk).update(not_counted={"2": [0, 1, 2, 3]})
    assert len(verify(made).faults) == 2


def test_a_round_that_is_undone_keeps_no_closed_slot(table):
    made = table.round.tournament
    time_was_up(table, 1)
    undo_round(tournament=made, round_number=1, reason="Wrong seats", by=made.owner)
    table.refresh_from_db()
    assert table.not_counted == {} and not Hand.objects.living().exists()
    assert verify(made).faults == []


def test_over_the_api_its_state_says_so(table):
    olga = Program(cast.organiser())
    made = olga.post(f"/api/v1/tables/{table.pk}/hands/", {"hand": 1, "state": "not_counted"}, status=201)
    assert (made["state"], made["went_out"], made["seats"]) == ("not_counted", None, [])
    shown = olga.get(f"/api/v1/tables/{table.pk}/")
    assert [hand["state"] for hand in shown["hands"]] == ["not_counted"] and shown["next_hand"] == 2
    missing = olga.post(f"/api/v1/tables/{table.pk}/hands/", {"hand": 2}, status=400)
    assert {error["field"] for error in missing["errors"]} == {"went_out", "seats"}


def test_a_player_reports_it_and_the_other_side_confirms(db):
    """Nobody of the side that said so vouches for it."""
    made = cast.tournament()
    start(tournament=made, by=made.owner)
    table = cast.table(made, 1, 1)
    who = table.seats.get(number=1).entry
    for hand in (1, 2, 3, 4):
        record_hand(
            table_id=table.pk,
            hand=HandInput(hand, counts=False),
            by=Attribution(player=who, source=HandScore.Source.PLAYER, corrects=False),
        )
    table.refresh_from_db()
    assert table.state == Table.State.REPORTED
    assert [may_confirm(report_of(table), seat) for seat in table.seats.order_by("number")] == [
        True,
        False,
        True,
        False,
    ]
