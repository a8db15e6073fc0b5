"""Clocks at online tables: who does not come, who does not move, and time that nobody is charged for."""

from datetime import timedelta

import pytest
from django.db import OperationalError
from django.test import Client

from engine.state import DRAWN
from games.models import Deal, Move, OnlineSettings, Pulse
from games.online.play import pulse
from games.online.play import sweep as sweeping
from games.online.play.deals import get_ready, open_deal
from games.online.play.places import ABSENT
from games.online.play.sweep import Sweeper, sweep
from league.access.signed_links import player_token
from league.day.entrants import drop_out
from league.day.substitutes import substitute
from league.log.in_words import in_words
from league.models import Entry, LogEntry, Table, Tournament
from league.rounds.pause import pause, resume
from league.rounds.steps import advance, next_step, start
from league.rounds.tables import close_table, open_table_again
from tests import cast
from tests.games.online_table import everybody_ready, next_move, put_online, standing
from tests.games.pages import said

pytestmark = pytest.mark.django_db


@pytest.fixture
def deal(clock, table):
    return put_online(table)


def settle(deal, **settings):
    """Settings of the deal's tournament."""
    OnlineSettings.objects.update_or_create(tournament=deal.table.round.tournament, defaults=settings)


def person(deal, at):
    return Entry.objects.get(pk=deal.places[at]["entry"])


def ready(deal, *places):
    for at in places:
        deal = get_ready(table_id=deal.table_id, deal_id=deal.pk, entry=person(deal, at))
    return deal


def now_at(deal):
    deal.refresh_from_db()
    return deal


# Sealed decks


def test_the_first_deck_of_an_online_table_is_sealed_by_itself(clock, table):
    Table.objects.filter(pk=table.pk).update(mode=Table.Mode.ONLINE)
    assert clock.run(1) == 1
    deal = open_deal(table)
    assert (deal.state, deal.number, clock.left(deal)) == (Deal.State.WAITING, 1, 180 - 1)


def test_where_nothing_is_played_online_a_sweep_costs_two_queries_a_second(clock, table, django_assert_num_queries):
    for queries in (2, 0, 2):
        with django_assert_num_queries(queries):
            clock.sweeper.sweep(clock.now)
        clock.pass_by(0.5)


def test_nothing_due_costs_one_query(clock, deal, django_assert_num_queries):
    everybody_ready(deal)
    clock.run(2)
    clock.pass_by(0.5)
    with django_assert_num_queries(1):
        clock.sweeper.sweep(clock.now)


def test_a_table_where_nothing_is_to_be_played_is_not_worked_out_again(clock, deal, monkeypatch):
    looked_at = []
    attend = sweeping.attend
    monkeypatch.setattr(
        sweeping, "attend", lambda table, *when, **what: looked_at.append(table) or attend(table, *when, **what)
    )
    clock.run(5)
    assert looked_at == [deal.table_id]
    cast.record(cast.table(deal.table.round.tournament, 1, 2), 1)  # the log has another row
    clock.run(5)
    assert looked_at == [deal.table_id] * 2


def test_a_deck_that_waits_is_sealed_anew_when_its_hand_comes_in_on_paper(clock, deal):
    clock.run(10)
    cast.record(deal.table, 1)
    clock.run(1)
    assert now_at(deal).state == Deal.State.ABANDONED
    assert open_deal(deal.table).number == 2


def test_a_deck_that_waits_keeps_its_time_when_another_hand_comes_in_on_paper(clock, deal):
    clock.run(10)
    left = clock.left(deal)
    cast.record(deal.table, 3)
    clock.run(1)
    assert (now_at(deal).state, clock.left(deal)) == (Deal.State.WAITING, left - 1)


def test_a_deck_that_waits_is_sealed_anew_for_a_substitute(clock, deal):
    clock.run(5)
    tournament = deal.table.round.tournament
    substitute(tournament=tournament, entry=person(deal, 2), name="Nadia", table=deal.table, by=tournament.owner)
    clock.run(1)
    assert now_at(deal).state == Deal.State.ABANDONED
    assert open_deal(deal.table).places[2]["played_by"]


@pytest.mark.parametrize("begun", [False, True])
def test_a_hand_at_a_table_that_is_not_played_online_any_more_is_abandoned(clock, deal, begun):
    if begun:
        everybody_ready(deal)
    clock.run(1)
    Table.objects.filter(pk=deal.table_id).update(mode=Table.Mode.OFFLINE)
    clock.run(1)
    assert (now_at(deal).state, deal.reason) == (Deal.State.ABANDONED, "The table is no longer online.")
    assert open_deal(deal.table) is None


def test_a_hand_of_a_round_that_was_closed_without_it_is_abandoned(clock, deal):
    everybody_ready(deal)
    tournament = deal.table.round.tournament
    tables = deal.table.round.tables.values_list("pk", flat=True)
    advance(
        tournament=tournament,
        token=next_step(tournament).token,
        by=tournament.owner,
        without=list(tables),
        reason="Closing time",
    )
    clock.run(1)
    assert (now_at(deal).state, deal.reason) == (Deal.State.ABANDONED, "The round is over.")


def own_page(deal, at):
    client = Client()
    client.post(f"/me/{player_token(person(deal, at))}/")
    return client, said(client.get(f"/tables/{deal.table_id}/play/"))


def test_a_hand_at_a_table_that_is_closed_is_broken_off_at_once_and_everybody_is_told(clock, deal):
    everybody_ready(deal)
    clock.run(1)
    tournament = deal.table.round.tournament
    close_table(tournament=tournament, round_number=1, number=1, reason="The hall closes", by=tournament.owner)
    clock.pass_by(1)
    clock.sweep()
    why = "Table 1 was closed before hand 1."
    assert (now_at(deal).state, deal.reason) == (Deal.State.ABANDONED, why)
    row = LogEntry.objects.filter(tournament=tournament).latest("pk")
    assert in_words(row) == "Round 1, table 1, hand 1: stopped: it could no longer count"
    assert (row.reason, row.by) == (why, None)
    _client, text = own_page(deal, 0)
    assert "Table 1 is done The table was closed early. Hand 1 was stopped and doesn’t count." in text
    assert "“My table” will show where you play next" in text
    open_table_again(tournament=tournament, round_number=1, number=1, by=tournament.owner)
    clock.run(1)
    assert (open_deal(deal.table).number, open_deal(deal.table).state) == (1, Deal.State.WAITING)


def test_a_hand_of_the_last_two_at_a_table_of_more_is_broken_off_and_leads_to_their_own(clock):
    """Who leaves elsewhere leaves two in the event, so they meet head to head."""
    made = cast.challenge(6, table_size=3, target=100)
    start(tournament=made, by=made.owner)
    first, second = cast.table(made, 1, 1), cast.table(made, 1, 2)
    cast.record(first, 1, 0, (0, 10, 100))
    cast.record(second, 1, 0, (0, 100, 100))
    deal = everybody_ready(put_online(first))
    clock.run(1)
    assert (now_at(deal).state, len(deal.places)) == (Deal.State.PLAYING, 2)
    drop_out(tournament=made, entry=second.seats.get(number=0).entry, reason="A train", by=made.owner)
    clock.pass_by(1)
    clock.sweep()
    why = "Two players are left in the tournament. They meet head to head."
    assert (now_at(deal).state, deal.reason) == (Deal.State.ABANDONED, why)
    client, text = own_page(deal, 1)
    assert f"{why} Hand 2 was stopped and doesn’t count." in text
    Tournament.objects.filter(pk=made.pk).update(online="all")
    made.refresh_from_db()
    cast.go_on(made)
    assert "Play at table 1" in said(client.get(f"/tables/{first.pk}/play/"))


def test_hands_that_count_are_not_looked_at_again_until_something_is_in_the_log(clock, deal, monkeypatch):
    looked_at = []
    tables_now = sweeping.tables_now
    monkeypatch.setattr(sweeping, "tables_now", lambda played: looked_at.append(played.pk) or tables_now(played))
    everybody_ready(deal)
    clock.run(5)
    assert looked_at == [deal.table.round_id]
    cast.record(cast.table(deal.table.round.tournament, 1, 2), 1)
    clock.run(5)
    assert looked_at == [deal.table.round_id] * 2
    assert now_at(deal).state == Deal.State.PLAYING


# Players who do not come


def test_a_bot_plays_for_who_does_not_come_until_they_do(clock, deal):
    settle(deal, no_show="bot", bot="sharp")
    ready(deal, 0, 1)
    clock.run(170)
    assert now_at(deal).state == Deal.State.WAITING
    clock.run(15)
    assert now_at(deal).state == Deal.State.PLAYING
    assert [place["bot"] for place in deal.places] == ["", "", "sharp", "sharp"]
    ready(deal, 3)
    assert now_at(deal).places[3]["bot"] == ""


def test_who_does_not_come_may_forfeit_so_that_nobody_plays_their_cards(clock, deal):
    settle(deal, no_show="forfeit")
    ready(deal, 0, 1, 3)
    clock.run(185)
    assert now_at(deal).places[2]["bot"] == ABSENT
    while standing(deal).hand.public.turn != 2:
        next_move(deal)
    held = len(standing(deal).hand.cards[2])
    clock.run(10)
    moves = Move.objects.filter(deal=deal, bot=ABSENT)
    assert {move.action[0] for move in moves} <= {"draw", "pass", "accept", "color"}
    assert len(standing(deal).hand.cards[2]) >= held


def test_a_table_may_wait_for_a_substitute(clock, deal):
    settle(deal, no_show="wait")
    ready(deal, 0, 1, 2)
    clock.run(190)
    assert (now_at(deal).state, deal.due_at) == (Deal.State.WAITING, None)
    tournament = deal.table.round.tournament
    substitute(tournament=tournament, entry=person(deal, 3), name="Nadia", table=deal.table, by=tournament.owner)
    clock.run(1)
    assert clock.left(open_deal(deal.table)) > 170


def test_a_table_where_nobody_has_come_waits_for_the_first_and_then_anew(clock, deal):
    clock.run(190)
    assert (now_at(deal).state, deal.due_at) == (Deal.State.WAITING, None)
    ready(deal, 2)
    assert clock.left(deal) == 180
    clock.run(185)
    assert now_at(deal).state == Deal.State.PLAYING


def test_a_later_hand_is_dealt_although_somebody_is_not_ready(clock, deal):
    everybody_ready(deal)
    while next_move(deal).deal.state == Deal.State.PLAYING:
        pass
    second = open_deal(deal.table)
    ready(second, 1)
    assert clock.left(second) == 45
    clock.run(48)
    assert now_at(second).state == Deal.State.PLAYING
    assert not any(place["bot"] for place in second.places)


def test_a_table_of_bots_alone_waits_for_nobody(clock, table):
    Entry.objects.update(bot="careful")
    put_online(table)
    clock.run(3)
    assert open_deal(table).moves_made > 0


# Who does not move


def missing(clock, deal):
    """Everybody is there, and then nobody moves until the first of them has missed a move."""
    everybody_ready(deal)
    seat = now_at(deal).turn
    clock.run(clock.left(deal) + 3)
    return seat


def test_nobody_loses_their_turn_before_their_time_and_the_bank_are_over(clock, deal):
    everybody_ready(deal)
    assert clock.left(deal) == 90
    clock.run(90)
    assert not Move.objects.filter(deal=deal).exists()


def test_who_misses_a_move_draws_and_keeps(clock, deal):
    seat = missing(clock, deal)
    moves = list(Move.objects.filter(deal=deal))
    assert {move.bot for move in moves} == {"time"}
    assert {move.action[1] for move in moves} == {seat}
    played = standing(deal)
    assert played.hand.public.turn != seat and played.hand.public.step != DRAWN
    assert (deal.places[seat]["misses"], deal.places[seat]["bank"], deal.places[seat]["bot"]) == (1, 0, "")


def test_a_bot_may_make_the_move_that_was_missed(clock, deal):
    settle(deal, absent="bot", bot="sharp")
    seat = missing(clock, deal)
    assert {move.bot for move in Move.objects.filter(deal=deal)} == {"sharp"}
    assert now_at(deal).places[seat]["bot"] == ""


def test_after_some_misses_a_bot_sits_in_until_they_return(clock, deal):
    settle(deal, misses=2, move_seconds=5)
    everybody_ready(deal)
    seat = now_at(deal).turn
    while not now_at(deal).places[seat]["bot"]:
        deal.places[deal.turn]["bank"] = 0
        deal.due_at = clock.now
        deal.save()
        clock.run(2)
    assert (deal.places[seat]["bot"], deal.places[seat]["misses"]) == ("careful", 2)
    ready(deal, seat)
    assert now_at(deal).places[seat]["bot"] == ""
    while now_at(deal).turn != seat:
        next_move(deal)
    assert clock.left(deal) == 5


def test_who_comes_back_with_a_move_of_their_own_is_waited_for_again(clock, deal):
    everybody_ready(deal)
    now_at(deal)
    seat = deal.turn
    deal.places[seat].update(bot="careful")
    deal.due_at = None
    deal.save()
    next_move(deal)
    assert now_at(deal).places[seat]["bot"] == ""
    assert clock.left(deal) == 90


@pytest.mark.parametrize("options", [[], ["must_play", "stacking", "draw_until_playable"]])
def test_a_whole_hand_in_which_nobody_moves_is_legal(clock, deal, options):
    """Nobody ever plays a card unless they must; so the pile runs out, and all pass until the hand is blocked."""
    settle(deal, misses=9999, move_seconds=1, bank_seconds=0)
    Deal.objects.filter(pk=deal.pk).update(rules=deal.rules | {"options": options})
    everybody_ready(now_at(deal))
    for _turn in range(900):
        clock.pass_by(3)
        clock.sweep()
        if now_at(deal).state != Deal.State.PLAYING:
            break
    assert deal.state == Deal.State.OVER
    played = {move.action[0] for move in Move.objects.filter(deal=deal)}
    assert ("play" in played) == ("must_play" in options)


# Time that does not count


def test_a_move_beyond_its_time_is_taken_out_of_the_bank(clock, deal):
    everybody_ready(deal)
    seat = now_at(deal).turn
    clock.run(50)
    next_move(deal)
    assert now_at(deal).places[seat]["bank"] == 40_000


@pytest.mark.parametrize("what", ["everything", "the web process", "the sweeper"])
def test_time_in_which_the_service_was_down_is_not_charged(clock, deal, what):
    everybody_ready(deal)
    clock.run(10)
    if what == "the web process":
        clock.web = False
        clock.run(60)
    elif what == "the sweeper":
        for _second in range(60):
            clock.pass_by(1)
            pulse.alive(clock.now)
    else:
        clock.pass_by(3600)
    clock.web = True
    clock.run(1)
    assert not Move.objects.filter(deal=deal).exists()
    assert 79 <= clock.left(deal) <= 81
    clock.run(76)
    assert not Move.objects.filter(deal=deal).exists()
    clock.run(10)
    assert Move.objects.filter(deal=deal).exists()


def test_a_move_right_after_an_outage_does_not_empty_the_bank(clock, deal):
    everybody_ready(deal)
    seat = now_at(deal).turn
    clock.run(35)
    clock.pass_by(600)
    next_move(deal)
    assert 54_000 <= now_at(deal).places[seat]["bank"] <= 56_000
    clock.run(2)
    assert clock.left(deal) > 87


@pytest.mark.parametrize("hours", [-5, -0.01, 0.01, 5])
def test_a_clock_that_jumps_ends_no_turn_early(clock, deal, hours):
    everybody_ready(deal)
    clock.run(20)
    clock.pass_by(hours * 3600)
    clock.run(3)
    assert not Move.objects.filter(deal=deal).exists()
    assert 65 <= clock.left(deal) <= 71
    clock.run(75)
    assert Move.objects.filter(deal=deal).exists()


def test_a_deck_that_waits_is_not_charged_either(clock, deal):
    clock.run(100)
    clock.pass_by(900)
    clock.run(2)
    assert 78 <= clock.left(deal) <= 81


def test_a_pause_of_the_tournament_stops_every_clock(clock, deal):
    everybody_ready(deal)
    clock.run(20)
    tournament = deal.table.round.tournament
    pause(tournament=tournament, reason="Fire alarm", by=tournament.owner)
    clock.run(60)
    resume(tournament=tournament, by=tournament.owner)
    clock.run(2)
    assert not Move.objects.filter(deal=deal).exists()
    assert 67 <= clock.left(deal) <= 69


def test_a_hand_that_is_paused_by_itself_stands_while_others_go_on(clock, deal):
    everybody_ready(deal)
    other = put_online(cast.table(deal.table.round.tournament, 1, 2))
    everybody_ready(other)
    clock.run(10)
    Deal.objects.filter(pk=deal.pk).update(paused_at=clock.now)
    clock.run(120)
    assert not Move.objects.filter(deal=deal).exists()
    assert Move.objects.filter(deal=other).exists()


def test_a_service_that_never_had_a_web_process_is_not_asked_for_one(clock, deal):
    clock.web = False
    everybody_ready(deal)
    clock.run(95)
    assert Move.objects.filter(deal=deal).exists()


def test_two_sweepers_put_a_gap_off_once(clock, deal):
    everybody_ready(deal)
    clock.run(10)
    clock.pass_by(600)
    pulse.alive(clock.now)
    for _sweeper in range(3):
        sweep(clock.now)
    assert clock.left(deal) == 80


def test_web_processes_say_that_they_live_only_while_hands_are_open(clock, table):
    pulse.alive(clock.now)
    assert not Pulse.objects.exists()
    put_online(table)
    pulse.alive(clock.now)
    assert Pulse.objects.get().web_at == clock.now


# What goes wrong


def test_a_table_that_fails_holds_up_no_other(clock, deal, monkeypatch, caplog):
    other = put_online(cast.table(deal.table.round.tournament, 1, 2))
    for one in (deal, other):
        everybody_ready(one)
    attend = sweeping.attend

    def fail(table, *when, **what):
        if table == deal.table_id:
            raise RuntimeError("broken")
        return attend(table, *when, **what)

    monkeypatch.setattr(sweeping, "attend", fail)
    clock.run(95)
    assert Move.objects.filter(deal=other).exists()
    assert caplog.text.count("RuntimeError: broken") == 1  # not again within five seconds
    monkeypatch.setattr(sweeping, "attend", attend)
    clock.run(8)
    assert Move.objects.filter(deal=deal).exists()


def test_a_database_that_is_gone_is_for_the_caller(clock, deal, monkeypatch):
    def gone(*when, **what):
        raise OperationalError("gone")

    monkeypatch.setattr(sweeping, "attend", gone)
    with pytest.raises(OperationalError):
        Sweeper().sweep(clock.now)


def test_time_that_is_over_while_a_move_is_made_counts_for_the_move(clock, deal):
    everybody_ready(deal)
    clock.run(91)
    next_move(deal)
    clock.run(5)
    assert [move.bot for move in Move.objects.filter(deal=deal)] == [""]
    assert now_at(deal).places[standing(deal).hand.public.turn]["misses"] == 0
    assert timedelta(0) < timedelta(seconds=clock.left(deal))
