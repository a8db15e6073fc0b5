"""A table calls the director: taps, answers, muting, and what the log keeps of them."""

from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from league.access import tournament_for
from league.access.viewer import Attribution
from league.calls import inbox
from league.calls.answer import COMING, DONE, come_to_call, finish_call, undo_answer
from league.calls.call import Effect, Tap, call_director, withdraw_call
from league.calls.mute import mute_caller, unmute_caller
from league.calls.read import call_at
from league.ledger.locks import lock_tournament
from league.lib.errors import Conflict, Refused
from league.log.in_words import in_words
from league.models import Call, CallTap, Entry, LogEntry, Role, Round, Seat
from league.rounds.steps import start
from tests import cast

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module", autouse=True)
def world_once(module_world):
    made = cast.tournament()
    start(tournament=made, by=made.owner)
    return SimpleNamespace(table=cast.table(made, 1, 1))


@pytest.fixture
def table(world_once):
    return cast.again(world_once.table)


def players(table):
    return [seat.entry for seat in table.seats.select_related("entry__player").order_by("number")]


def player(table, seat=0):
    return Attribution(player=players(table)[seat])


def tap(table, key="one", seat=0, **more):
    return call_director(table=table, tap=Tap(key, **more), by=player(table, seat))


def log(table):
    rows = LogEntry.objects.filter(tournament=table.round.tournament, table=table.number).order_by("number")
    return [in_words(row).partition(": ")[2] for row in rows]


def test_a_tap_that_is_sent_again_is_one_call_and_none_after_its_end(table):
    assert [tap(table, reason="rules", text="Last card?") for _sent in range(3)] == [
        Effect.CALLED,
        Effect.SAME,
        Effect.SAME,
    ]
    assert tap(table, "another tap") == Effect.SAME
    assert Call.objects.count() == 1
    withdraw_call(call=Call.objects.get(), by=player(table))
    assert tap(table) == tap(table, "another tap") == Effect.OVER
    assert call_at(table) is None
    assert tap(table, "new") == Effect.CALLED
    assert log(table) == ["director called: Rules question", "call cancelled", "director called"]
    assert LogEntry.objects.get(action="call-director", new__about="rules").reason == "Last card?"


def test_a_key_is_its_callers_own(table):
    assert tap(table, "same") == Effect.CALLED
    assert tap(table, "same", seat=1) == Effect.JOINED


def test_a_table_has_one_open_call_and_a_caller_can_leave_it(table):
    assert (tap(table), tap(table, seat=1)) == (Effect.CALLED, Effect.JOINED)
    call = Call.objects.get()
    with pytest.raises(IntegrityError), transaction.atomic():
        Call.objects.create(table=table)
    with pytest.raises(Refused) as refused:
        withdraw_call(call=call, by=player(table, 2))
    assert refused.value.code == "not-caller"
    withdraw_call(call=call, by=player(table))
    assert [str(one) for one in call_at(table).callers] == [players(table)[1].name]
    withdraw_call(call=call, by=player(table, 1))
    withdraw_call(call=call, by=player(table, 1))
    assert Call.objects.get().state == Call.State.CANCELLED
    assert log(table)[-3:] == ["joined the call of the table", "left the call of the table", "call cancelled"]


@pytest.mark.parametrize(("minutes", "is_late"), [(9, False), (12, True)])
def test_a_call_from_a_phone_that_was_offline_has_the_time_of_its_tap(table, minutes, is_late):
    Round.objects.update(published_at=timezone.now() - timedelta(hours=1))
    tap(table, ago=timedelta(minutes=minutes))
    now = call_at(table)
    waits = now.taps[0].sent_at - now.call.opened_at
    assert waits == timedelta(minutes=minutes)
    assert (inbox.item_of(now, "here").line.startswith("Sent late, the phone was offline. ")) == is_late
    assert log(table) == [f"director called{', sent 12 minutes late' if is_late else ''}"]


def test_no_tap_is_older_than_its_round(table):
    tap(table, ago=timedelta(days=1))
    assert call_at(table).call.opened_at == table.round.published_at


def test_a_call_ends_with_its_round(table):
    tap(table)
    call = Call.objects.get()
    cast.play_round(table.round)
    cast.go_on(table.round.tournament)
    table.refresh_from_db()
    assert call_at(table) is None
    assert tap(table) == Effect.OVER
    for refused_step in (
        lambda: come_to_call(call=call, by=table.round.tournament.owner),
        lambda: tap(table, "later"),
        lambda: undo_answer(call=call, by=table.round.tournament.owner),
    ):
        with pytest.raises(Conflict) as refused:
            refused_step()
        assert refused.value.code == "closed"
    assert Call.objects.count() == CallTap.objects.count() == 1


def test_one_director_comes_and_each_answer_can_be_undone(table):
    tap(table, reason="slow")
    call, mara, jon = Call.objects.get(), cast.organiser(), cast.someone_else()
    come_to_call(call=call, by=mara)
    come_to_call(call=call, by=mara)
    with pytest.raises(Conflict) as refused:
        come_to_call(call=call, by=jon)
    assert str(refused.value) == "Olga is already on the way to table 1."
    finish_call(call=call, by=mara)
    finish_call(call=call, by=jon)
    undo_answer(call=call, by=mara)
    assert call_at(table).call.coming == mara
    undo_answer(call=call, by=mara)
    assert call_at(table).call.coming is None
    with pytest.raises(Conflict):
        undo_answer(call=call, by=mara)
    finish_call(call=call, by=player(table))
    tap(table, "again")
    with pytest.raises(Conflict) as refused:
        undo_answer(call=call, by=mara)
    assert refused.value.code == "called-again"
    assert log(table)[1:-1] == [
        "on the way to the table",
        "call done",
        "call open again",
        "no longer on the way to the table",
        "call done",
    ]


def test_a_second_tap_on_undo_leaves_the_director_on_the_way(table):
    tap(table)
    call, olga, jon = Call.objects.get(), cast.organiser(), cast.someone_else()
    come_to_call(call=call, by=olga)
    finish_call(call=call, by=olga)
    for _twice in range(2):
        undo_answer(call=call, by=olga, answer=DONE)
    assert call_at(table).call.coming == olga
    with pytest.raises(Conflict) as refused:
        undo_answer(call=call, by=jon, answer=COMING)
    assert refused.value.code == "coming"
    for _twice in range(2):
        undo_answer(call=call, by=olga, answer=COMING)
    assert call_at(table).call.coming is None


def test_undo_after_the_round_is_refused_if_the_table_had_called_again(table):
    tap(table)
    first, olga = Call.objects.get(), cast.organiser()
    finish_call(call=first, by=olga)
    tap(table, "again")
    Round.objects.filter(pk=table.round_id).update(state=Round.State.CLOSED)
    with pytest.raises(Conflict) as refused:
        undo_answer(call=first, by=olga, answer=DONE)
    assert refused.value.code == "done"


def test_the_calls_of_a_muted_caller_are_refused_until_that_is_undone(table):
    tap(table)
    mara = cast.organiser()
    muted = mute_caller(tap=CallTap.objects.get(), by=mara)
    assert mute_caller(tap=CallTap.objects.get(), by=mara) == muted
    assert call_at(table) is not None, "the open call stays"
    withdraw_call(call=Call.objects.get(), by=player(table))
    with pytest.raises(Refused) as refused:
        tap(table, "again")
    assert refused.value.code == "muted"
    assert tap(table, "other", seat=1) == Effect.CALLED
    unmute_caller(muted=muted, by=mara)
    unmute_caller(muted=muted, by=mara)
    assert tap(table, "again") == Effect.JOINED
    name = players(table)[0].name
    rows = LogEntry.objects.filter(action__endswith="mute-caller").order_by("number")
    assert [in_words(row) for row in rows] == [f"Calls of {name} muted", f"Calls of {name} no longer muted"]


def test_a_link_is_checked_again_under_the_lock(table):
    by = player(table)
    Entry.objects.filter(pk=by.player.pk).update(link_generation=2)
    with pytest.raises(Conflict) as refused:
        call_director(table=table, tap=Tap("late"), by=by)
    assert refused.value.code == "link-ended"
    by.player.refresh_from_db()
    Seat.objects.filter(entry=by.player, table=table).update(table=None, number=None)
    with pytest.raises(Conflict) as refused:
        call_director(table=table, tap=Tap("late"), by=by)
    assert refused.value.code == "not-seated"
    assert not Call.objects.exists()


def test_a_call_says_who_called_and_what_about_to_whoever_may_direct(table):
    tap(table, reason="rules", text="Is <b> allowed?")
    tap(table, seat=1, reason="rules")
    tap(table, seat=2, reason="slow")
    tournament, names = lock_tournament(table.round.tournament_id), [entry.name for entry in players(table)]
    [item] = inbox.items(tournament, tournament_for(cast.organiser(), tournament.slug))
    assert item.title == "Table 1: Rules question"
    assert item.line == f"{names[0]}: <q>Is &lt;b&gt; allowed?</q>; {names[1]}; {names[2]}: Slow play"
    assert [action.label for action in item.actions] == ["I’m coming", "Done"]
    come_to_call(call=Call.objects.get(), by=cast.organiser())
    [item] = inbox.items(tournament, tournament_for(cast.organiser(), tournament.slug))
    assert item.line.startswith(f"Olga is coming. {names[0]}: ")
    assert [action.label for action in item.actions] == ["Done", "Details"]
    Role.objects.create(tournament=tournament, user=cast.someone_else(), kind=Role.Kind.SCORER)
    assert inbox.items(tournament, tournament_for(cast.someone_else(), tournament.slug)) == []
