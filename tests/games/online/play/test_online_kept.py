"""What is kept in memory of online tables is what the database would say: hands, seats, who may play."""

import random
import re
from datetime import datetime, timedelta

import pytest
from django.db import connection, transaction
from django.forms import model_to_dict
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from engine.simulation.bots import BOTS
from engine.state import DRAWN, TURN
from engine.view import view_for
from games.hands.correct import void_hand
from games.hands.judge import HandInput
from games.hands.record import record_hand
from games.models import Deal, Move
from games.online.director.services import moves_that_stand, seat_bot, undo_to
from games.online.play.deals import latest_deal
from games.online.play.moves import play
from games.online.play.places import names_of, places_of
from games.online.play.pulse import take
from games.online.play.replay import forget, replay
from games.online.play.sweep import sweep
from league.access import Visitor, playing_for, table_rows
from league.access.viewer import Attribution
from league.lib.errors import Conflict
from league.lib.versioned_cache import VersionedCache
from league.live.stream import version_of, version_of_table
from league.models import Entry, Round, Table, Tournament
from league.rounds.adjustments import adjust
from league.rounds.pause import pause, resume
from league.rounds.steps import start
from tests import cast
from tests.games.online_table import (
    everybody_ready,
    next_move,
    play_out_one_by_one,
    put_online,
    says_ready,
    standing,
)
from tests.served import together

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def deal():
    forget()
    VersionedCache.forget_all()
    tournament = cast.tournament()
    start(tournament=tournament, by=tournament.owner)
    return everybody_ready(put_online(cast.table(tournament, 1, 1)))


def as_kept(deal):
    return replay(Deal.objects.get(pk=deal.pk), "ABCD")


def as_stored(deal, moves=None):
    """From the deck and the moves alone."""
    fresh = Deal.objects.get(pk=deal.pk)
    if moves is not None:
        fresh.moves_made = moves
    with transaction.atomic():  # so that it is not kept
        forget()
        return replay(fresh, "ABCD")


def whole(played):
    views = [view_for(played.hand, seat) for seat in (None, 0, 1, 2, 3)]
    return views, played.hand.log, played.hand.pile, played.moves, played.decision, played.windows


def moves_read(queries):
    return [one["sql"] for one in queries if 'FROM "games_move"' in one["sql"]]


def test_at_every_move_the_kept_hand_is_that_of_the_stored_moves(deal):
    for _ in range(400):
        moved = next_move(deal)
        with CaptureQueriesContext(connection) as asked:
            kept = as_kept(deal)
        assert moves_read(asked) == [], "no move is read again"
        assert whole(kept) == whole(as_stored(deal))
        if moved.deal.state != Deal.State.PLAYING:
            break
    assert kept.hand.over


def test_whoever_has_a_hand_may_go_on_with_it_and_nobody_else_sees_that(deal):
    next_move(deal)
    while as_kept(deal).hand.public.step != TURN:  # a card that is aimed at somebody wants another answer
        next_move(deal)
    mine, before = as_kept(deal), whole(as_kept(deal))
    mine.follow(("draw", mine.hand.public.turn))
    assert whole(as_kept(deal)) == before != whole(mine)


def test_a_move_that_is_rolled_back_was_never_there(deal):
    next_move(deal)
    before = whole(as_kept(deal))

    def fails():
        with transaction.atomic():
            next_move(deal)
            assert whole(as_kept(deal)) != before
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fails()
    assert whole(as_kept(deal)) == before == whole(as_stored(deal))
    next_move(deal)
    assert whole(as_kept(deal)) == whole(as_stored(deal)) != before


def test_a_move_of_another_process_is_followed(deal):
    next_move(deal)
    behind, there = whole(as_kept(deal)), as_kept(deal).hand
    public = there.public
    drawn = there.drawn if public.step == DRAWN else None
    action = BOTS["careful"](random.Random(1)).choose(public, public.turn, there.cards[public.turn], drawn)
    Move.objects.create(deal=deal, number=2, action=list(action))
    Deal.objects.filter(pk=deal.pk).update(moves_made=2)
    assert whole(as_kept(deal)) == whole(as_stored(deal)) != behind


def test_an_undo_is_followed_and_its_reason_is_read_anew(deal):
    for _ in range(6):
        next_move(deal)
    olga = cast.organiser()
    deal.refresh_from_db()
    to = moves_that_stand(deal)[1].line
    undo_to(table_id=deal.table_id, deal_id=deal.pk, to=to, moves_made=6, reason="Ana saw a card", by=olga)
    assert whole(as_kept(deal)) == whole(as_stored(deal))
    undone = Move.objects.get(deal=deal, number=7)
    assert undone.action[0] == "undo"
    as_kept(deal)
    Move.objects.filter(pk=undone.pk).update(action=["undo", undone.action[1], "Somebody saw a card"])
    assert as_kept(deal).hand.log[-1][2] == "Somebody saw a card"


def test_a_spectator_who_sees_later_gets_the_hand_as_it_was(deal):
    for _ in range(5):
        next_move(deal)
    now = Deal.objects.get(pk=deal.pk)
    for _looks_twice in range(2):
        assert whole(replay(now, "ABCD", but_last=3)) == whole(as_stored(deal, moves=2))
    assert whole(as_kept(deal)) == whole(as_stored(deal))


def test_readers_and_players_at_one_moment_all_have_the_hand_of_the_moves_they_know(deal):
    seen = []

    def plays():
        try:
            for _ in range(12):
                next_move(deal)
        finally:
            connection.close()

    def reads():
        try:
            for _ in range(40):
                played = as_kept(deal)
                seen.append((played.moves, played.hand.log))
        finally:
            connection.close()

    assert together(plays, reads, reads, reads) == [None] * 4
    logs = {moves: as_stored(deal, moves=moves).hand.log for moves in range(13)}
    assert all(log == logs[moves] for moves, log in seen)
    assert whole(as_kept(deal)) == whole(as_stored(deal))


def test_two_hands_of_one_table_are_two_hands(deal):
    first = as_kept(deal)
    with transaction.atomic():
        other = Deal.objects.get(pk=deal.pk)
        other.commitment, other.seed = "f" * 64, bytes(72)
        assert replay(other, "ABCD").hand.deck != first.hand.deck


# Whose table it is


def seated(deal, *held):
    _access, table, mine = playing_for(Visitor(cast.someone_else(), held), deal.table_id)
    return table, [entry.public_id for entry in mine]


def link_of(deal, at):
    entry = Entry.objects.get(pk=deal.places[at]["entry"])
    return entry.public_id, entry.link_generation


def test_a_table_that_did_not_change_is_read_by_one_small_query(deal):
    viewer, held = cast.someone_else(), (link_of(deal, 0),)
    viewer.is_superuser = False
    playing_for(Visitor(viewer, held), deal.table_id)
    with CaptureQueriesContext(connection) as asked:
        table_rows.at_table(deal.table_id)
    assert len(asked) == 1
    table, mine = seated(deal, *held)
    assert (table.pk, mine) == (deal.table_id, [held[0][0]])


def rows_read(table_id):
    """Whether the rows of a table were read again, and the table as it is now."""
    with CaptureQueriesContext(connection) as asked:
        here = table_rows.at_table(table_id)
    return len(asked) > 1, here.table


def test_a_hand_is_no_reason_to_read_the_rows_again_and_what_it_changed_is_known(deal):
    tournament = deal.table.round.tournament
    other = cast.table(tournament, 1, 2)
    cast.record(other, 1)  # with it the round begins, which is told at every table
    rows_read(deal.table_id)
    rows_read(other.pk)
    for hand in (2, 3, 4):
        cast.record(other, hand)
    again, table = rows_read(deal.table_id)
    assert not again
    assert version_of_table(table) == f"{version_of(tournament)}.{table.play_version}"
    again, table = rows_read(other.pk)
    assert (again, table.version, table.state) == (False, 4, Table.State.CONFIRMED)


def test_a_hand_that_does_not_count_has_the_rows_of_its_table_read_again(deal):
    other = cast.table(deal.table.round.tournament, 1, 2)
    cast.record(other, 1)
    rows_read(deal.table_id)
    rows_read(other.pk)
    by = Attribution(deal.table.round.tournament.owner)
    record_hand(table_id=other.pk, hand=HandInput(2, counts=False), by=by)
    again, table = rows_read(other.pk)
    assert (again, table.not_counted) == (True, {"2": [0, 1, 2, 3]})
    assert not rows_read(deal.table_id)[0]


def sides_shown(client, deal):
    page = client.get(f"/tables/{deal.table_id}/play/").content.decode()
    return sorted(map(int, re.findall(r'<b class="num">(\d+)', page)))


def test_after_a_hand_its_table_shows_the_new_points_and_the_next_deck_and_no_row_is_read_again(deal):
    client = Client()
    cast.record(cast.table(deal.table.round.tournament, 1, 2), 1)  # with it the round begins
    assert sides_shown(client, deal) == [0, 0]
    play_out_one_by_one(deal)
    with CaptureQueriesContext(connection) as asked:
        following = latest_deal(table_rows.at_table(deal.table_id).table)
    assert len(asked) == 1
    stored = Deal.objects.get(table=deal.table, state=Deal.State.WAITING)
    assert following.number == 2
    assert model_to_dict(following) == model_to_dict(stored)
    assert sides_shown(client, deal) == sorted({score.score for score in deal.table.scores.all()})


def test_in_a_race_an_earlier_rounds_table_shows_what_was_caught_since():
    VersionedCache.forget_all()
    made = cast.challenge(4, table_size=4, target=5000, hands_per_round=1)
    start(tournament=made, by=made.owner)
    made.refresh_from_db()
    first = everybody_ready(put_online(cast.table(made, 1, 1)))
    play_out_one_by_one(first)
    cast.go_on(made)
    before = sides_shown(Client(), first)
    cast.record(cast.table(made, 2, 1), 1)
    after = sides_shown(Client(), first)
    assert sum(after) == sum(before) + 60
    VersionedCache.forget_all()
    assert sides_shown(Client(), first) == after


def pause_for_ten_minutes(deal):
    """Pause the tournament, look at the table, and let the time pass; returns when that is."""
    now, made = timezone.now(), Tournament.objects.get(pk=deal.table.round.tournament_id)
    take(now)
    pause(tournament=made, reason="Lunch", by=made.owner)
    Client().get(f"/tables/{deal.table_id}/play/")
    for seconds in range(0, 601, 2):
        take(now + timedelta(seconds=seconds))
    return made, now + timedelta(seconds=601)


@pytest.mark.parametrize("says", [False, True])
def test_a_deck_that_waits_in_a_pause_waits_as_long_after_it(deal, says):
    play_out_one_by_one(deal)
    waiting = Deal.objects.get(state=Deal.State.WAITING)
    made, then = pause_for_ten_minutes(waiting)
    if says:
        says_ready(waiting, 0)
    resume(tournament=made, by=made.owner)
    sweep(then)
    waiting.refresh_from_db()
    assert waiting.state == Deal.State.WAITING


def test_who_comes_back_in_a_pause_leaves_the_others_their_time(deal):
    other = (standing(deal).hand.public.turn + 1) % 4
    made = deal.table.round.tournament
    seat_bot(table_id=deal.table_id, deal_id=deal.pk, at=other, by=made.owner)
    made, then = pause_for_ten_minutes(deal)
    due = Deal.objects.get(pk=deal.pk).due_at
    table = f"/tables/{deal.table_id}/play/"
    shown = Client().get(table, headers={"Accept": "application/json"}).json()["play"]
    says_ready(deal, other)
    assert Deal.objects.get(pk=deal.pk).due_at == due
    resume(tournament=made, by=made.owner)
    sweep(then)
    assert not Move.objects.filter(deal=deal).exists()
    assert datetime.fromisoformat(shown["clock"]["due_at"]) == due


def test_whatever_else_the_log_says_has_the_rows_read_again(deal):
    tournament = deal.table.round.tournament
    rows_read(deal.table_id)
    hand = cast.record(cast.table(tournament, 1, 2), 1).hand
    void_hand(hand_id=hand.pk, version=1, reason="The wrong table", by=Attribution(tournament.owner))
    assert rows_read(deal.table_id)[0]
    assert not rows_read(deal.table_id)[0]
    entry = Entry.objects.get(pk=deal.places[0]["entry"])
    adjust(tournament=tournament, entry=entry, points=-20, reason="Late", round_number=None, by=tournament.owner)
    assert rows_read(deal.table_id)[0]


def test_a_new_name_is_shown_at_once(deal):
    from league.entries.list_order import rename_entry

    entry = Entry.objects.get(pk=deal.places[0]["entry"])
    table, _mine = seated(deal)
    of_table = Deal.objects.get(pk=deal.pk)
    of_table.table = table
    assert names_of(places_of(of_table))[0] == entry.player.name
    rename_entry(entry=entry, name="Somebody New", club="", by=cast.organiser())
    of_table.table, _mine = seated(deal)
    assert names_of(places_of(of_table))[0] == "Somebody New"


def test_a_link_that_was_ended_opens_no_seat_from_then_on(deal):
    from league.by_link.player_links import end_player_link

    held = link_of(deal, 0)
    assert seated(deal, held)[1] == [held[0]]
    end_player_link(entry=Entry.objects.get(public_id=held[0]), by=cast.organiser())
    assert seated(deal, held)[1] == []


def test_a_round_that_is_closed_or_a_pause_stops_the_next_move(deal):
    turn = as_kept(deal).hand.public.turn
    entry = Entry.objects.get(pk=deal.places[turn]["entry"])
    sent = {"table_id": deal.table_id, "deal_id": deal.pk, "entry": entry, "action": ("draw",), "answers": 0}
    seated(deal)
    Tournament.objects.update(paused_at=timezone.now() - timedelta(minutes=1))
    with pytest.raises(Conflict, match="paused"):
        play(**sent)
    Tournament.objects.update(paused_at=None)
    Round.objects.filter(pk=deal.table.round_id).update(state=Round.State.CLOSED, closed_at=timezone.now())
    with pytest.raises(Conflict, match="closed"):
        play(**sent)
    assert not Move.objects.filter(deal=deal).exists()


def test_what_a_transaction_that_failed_had_read_is_not_kept(deal):
    VersionedCache.forget_all()

    def fails():
        with transaction.atomic():
            Tournament.objects.update(name="Never So Called")
            assert table_rows.at_table(deal.table_id).table.round.tournament.name == "Never So Called"
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fails()
    assert table_rows.at_table(deal.table_id).table.round.tournament.name == "Autumn Pairs"


def test_what_somebody_does_to_their_table_is_nobody_elses(deal):
    mine = table_rows.at_table(deal.table_id)
    mine.table.round.tournament.name = mine.table.round.note = "Changed"
    mine.seated[0].number = 99
    other = table_rows.at_table(deal.table_id)
    assert other.table.round.tournament.name == "Autumn Pairs"
    assert other.seated[0].number != 99
