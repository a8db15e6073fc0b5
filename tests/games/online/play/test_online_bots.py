"""Bots at online tables: they see what their seat may see, take their time, call UNO, catch and are caught."""

import random

import pytest

from engine.log import lines, read
from engine.replay import verify
from engine.rules import EDITIONS, OPTIONS
from engine.simulation.bots import BOTS
from games.hands.locks import lock_table
from games.models import Deal, Hand, Move
from games.online.play import bots
from games.online.play.deals import get_ready, open_deal
from games.online.play.moves import play
from games.online.play.places import ABSENT
from league.lib.translate import card_name
from league.models import Entry, HandScore, Seat, Stage, Table, Tournament
from league.rounds.steps import start
from tests import cast
from tests.games.online_table import everybody_ready, put_online, standing

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


@pytest.fixture(autouse=True)
def _seeded(monkeypatch):
    monkeypatch.setattr(bots, "whim", random.Random(11))


def table_of(players, *, edition="classic", options=(), bot="careful"):
    """A table at which bots alone sit, whose one hand is to be played online."""
    at_least = max(players, 3)
    made = cast.challenge(at_least, table_size=at_least, edition=edition, hands_per_round=1)
    Tournament.objects.filter(pk=made.pk).update(online="all")
    Stage.objects.filter(tournament=made).update(options=list(options))
    kinds = list(BOTS) if bot == "all" else [bot]
    for number, entry in enumerate(made.entries.all()):
        Entry.objects.filter(pk=entry.pk).update(bot=kinds[number % len(kinds)])
    made.refresh_from_db()
    start(tournament=made, by=made.owner)
    Seat.objects.filter(table__round__tournament=made, number__gte=players).delete()
    return cast.table(made, 1, 1)


def play_by_sweeping(clock, table):
    """To the end of the hand; returns its deal."""
    clock.sweep()
    deal = open_deal(table)
    for _sweep in range(4000):
        clock.pass_by(2)
        clock.sweep()
        deal.refresh_from_db()
        if deal.state == Deal.State.OVER:
            return deal
    raise AssertionError(deal)


GAMES = [
    (2, "classic", []),
    (3, "minecraft-2017", []),
    (4, "harry-potter-2018", []),
    (5, "harry-potter-unorules", []),
    (6, "harry-potter-fr", []),
    (7, "harry-potter-fr", ["stacking", "draw_until_playable"]),
    (8, "classic", ["stacking"]),
    (9, "harry-potter-2018", []),
    (10, "minecraft-2017", ["no_bluff"]),
    (2, "harry-potter-unorules", ["must_play"]),
    (3, "classic", ["penalise_wrong_card"]),
    (4, "harry-potter-fr", list(OPTIONS)),
]


def test_the_games_below_have_every_edition_and_every_option():
    assert {edition for _players, edition, _options in GAMES} == set(EDITIONS)
    assert {option for _players, _edition, options in GAMES for option in options} == set(OPTIONS)
    assert {players for players, _edition, _options in GAMES} == set(range(2, 11))


@pytest.mark.parametrize(("players", "edition", "options"), GAMES)
def test_bots_play_a_whole_hand_that_verify_accepts_and_that_is_recorded_once(clock, players, edition, options):
    table = table_of(players, edition=edition, options=options, bot="all")
    deal = play_by_sweeping(clock, table)
    assert deal.rules["options"] == options
    [logged] = read(list(lines(standing(deal).hand.log)))
    assert verify(logged).over
    assert Hand.objects.get(table=table) == deal.hand
    assert HandScore.objects.filter(table=table).living().count() == players
    assert set(Move.objects.filter(deal=deal).values_list("bot", flat=True)) <= set(BOTS)


@pytest.fixture
def deal(clock, table):
    """A hand in play: three bots, and a person at the second place."""
    entries = [seat.entry_id for seat in table.seats.order_by("number")]
    Entry.objects.filter(pk__in=[entry for at, entry in enumerate(entries) if at != 1]).update(bot="careful")
    deal = everybody_ready(put_online(table))
    deal.refresh_from_db()
    return deal


def person(deal, at=1):
    return Entry.objects.get(pk=deal.places[at]["entry"])


def rig(deal, monkeypatch, cards):
    """Give the places these cards, in every replay, and let the place with two of them play one."""
    from games.online.play import replay

    dealt = replay.deal_out

    def rigged(deal, names):
        played = dealt(deal, names)
        hand = played.hand
        for at, held in cards.items():
            hand.cards[at][:] = held
            hand.public.counts[at] = len(held)
        hand.public.discard[-1:] = ["R1"]
        hand.public.in_play, hand.public.step, hand.public.turn = "R1", "turn", next(iter(cards))
        return played

    monkeypatch.setattr(replay, "deal_out", rigged)
    Deal.objects.filter(pk=deal.pk).update(turn=next(iter(cards)))


def moves_of(deal):
    return [tuple(move.action) for move in Move.objects.filter(deal=deal)]


def test_a_bot_moves_after_a_human_moment_and_not_before(clock, table):
    Entry.objects.filter(tournament=table.round.tournament).update(bot="careful")
    deal = put_online(table)
    clock.sweep()
    deal.refresh_from_db()
    assert 0.9 <= (deal.bot_at - clock.now).total_seconds() <= 1.8
    clock.pass_by(0.8)
    clock.sweep()
    assert moves_of(deal) == []
    clock.pass_by(1.1)
    clock.sweep()
    assert len(moves_of(deal)) == 1


def test_a_bot_catches_a_person_who_forgot_to_call_uno(clock, deal, monkeypatch):
    rig(deal, monkeypatch, {1: ["R2", "B9"]})
    play(
        table_id=deal.table_id,
        deal_id=deal.pk,
        entry=person(deal),
        action=("play", "R2", None, None, False),
        answers=0,
    )
    deal.refresh_from_db()
    assert (deal.bot_at - clock.now).total_seconds() >= 3.2  # a person may be faster
    clock.run(5)
    assert moves_of(deal)[1][0::2] == ("catch", 1)
    assert standing(deal).hand.public.counts[1] > 1


def test_a_person_who_calls_uno_in_time_is_not_caught(clock, deal, monkeypatch):
    rig(deal, monkeypatch, {1: ["R2", "B9"]})
    for what in (("play", "R2", None, None, False), ("uno",)):
        number = standing(deal).windows.get(1, 0)
        play(table_id=deal.table_id, deal_id=deal.pk, entry=person(deal), action=what, answers=number)
        clock.run(2)
    clock.run(5)
    assert all(action[0] != "catch" for action in moves_of(deal))


def test_a_person_can_catch_a_bot_that_forgot_before_it_moves_on(clock, deal, monkeypatch):
    Entry.objects.filter(pk=deal.places[0]["entry"]).update(bot="random")
    monkeypatch.setattr(bots.BOTS["random"], "choose", lambda *seen: ("play", 0, "R2", None, None, False))
    monkeypatch.setattr(bots.BOTS["random"], "interrupt", lambda *seen: None)
    for place in deal.places:
        place["bot"] = "random" if place["bot"] else ""
    deal.bot_at = clock.now
    deal.save()
    rig(deal, monkeypatch, {0: ["R2", "B9"]})
    clock.run(2)
    assert moves_of(deal) == [("play", 0, "R2", None, None, False)]
    open_since = standing(deal).windows[0]
    play(table_id=deal.table_id, deal_id=deal.pk, entry=person(deal), action=("catch", 0), answers=open_since)
    assert moves_of(deal)[-1] == ("catch", 1, 0)


def test_bots_that_let_it_pass_are_not_asked_again_and_again(clock, deal, monkeypatch):
    asked = []
    monkeypatch.setattr(bots, "interruptions", lambda deal, hand: asked.append(1) or ())
    rig(deal, monkeypatch, {0: ["R2", "B9"], 1: ["R3", "R4", "R5"]})
    monkeypatch.setattr(bots.BOTS["careful"], "choose", lambda *seen: ("play", 0, "R2", None, None, False))
    deal.refresh_from_db()
    deal.bot_at = clock.now
    deal.save()
    clock.run(20)
    assert standing(deal).hand.public.turn == 1
    assert (len(asked), open_deal(deal.table).bot_at) == (1, None)


def test_a_bot_never_catches_its_partner(deal):
    hand = standing(deal).hand
    hand.public.uno = (0,)
    seats = {action[1] for _try in range(20) for action in bots.interruptions(deal, hand) if action[0] == "catch"}
    assert seats == {3}  # 1 is a person's, 2 is the partner of 0


def test_a_bot_is_shown_its_own_cards_and_what_all_may_know(deal, monkeypatch):
    shown = []

    class Watched:
        def __init__(self, rng):
            self.bot = BOTS["careful"](rng)

        def choose(self, *seen):
            shown.append(seen)
            return self.bot.choose(*seen)

    monkeypatch.setattr(bots, "BOTS", {"careful": Watched})
    hand = standing(deal).hand
    seat = hand.public.turn
    bots.answer(hand, "careful")
    [(public, at, cards, drawn)] = shown
    assert (public, at, cards, drawn) == (hand.public, seat, tuple(hand.cards[seat]), None)


def test_a_bot_that_wants_what_is_not_allowed_does_the_least_that_is(clock, deal, monkeypatch, caplog):
    missing = next(card for card in EDITIONS["classic"].deck if card not in standing(deal).hand.cards[deal.turn])
    wanted = ("play", deal.turn, missing, None, None, False)
    monkeypatch.setattr(bots.BOTS["careful"], "choose", lambda self, *seen: wanted)
    deal.places[deal.turn]["bot"] = "careful"
    deal.bot_at = clock.now
    deal.save()
    clock.sweep()
    assert [action[0] for action in moves_of(deal)] in (["draw"], ["color"])
    assert "what the rules refuse: not-held" in caplog.text
    assert missing not in caplog.text and card_name(missing, EDITIONS["classic"]) not in caplog.text


def test_nobody_is_asked_to_interrupt_for_a_seat_that_is_forfeited(deal):
    hand = standing(deal).hand
    for place in deal.places:
        place["bot"] = ABSENT
    hand.public.uno = (1,)
    assert list(bots.interruptions(deal, hand)) == []


def test_whoever_comes_late_has_their_place_back_and_bots_go_on(clock, deal):
    deal.places[1].update(bot="careful")
    deal.save()
    get_ready(table_id=deal.table_id, deal_id=deal.pk, entry=person(deal))
    assert open_deal(lock_table(deal.table_id)).places[1]["bot"] == ""


def test_bots_of_an_online_tournament_sit_at_online_tables(clock):
    table = table_of(4)
    assert table.mode == Table.Mode.ONLINE
