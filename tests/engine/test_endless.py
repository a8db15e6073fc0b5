"""PLAY-8: a hand from which little can come ends, whatever players and bots do. And `must_play`, which was a cause."""

import json
import random
import subprocess
import sys
from collections.abc import Callable, Sequence
from functools import cache
from itertools import combinations
from pathlib import Path

import pytest

from engine.hand import apply, deal
from engine.log import LoggedHand, as_object, lines, read
from engine.replay import Fault, replay, undo, verify
from engine.rules import EDITIONS, OPTIONS
from engine.simulation import simulate
from engine.simulation.bots import BOTS, RandomBot
from engine.simulation.simulate import Endless, play_out
from engine.state import Event, Hand, Rules
from tests.engine.played import Game, check_invariants
from tests.engine.rigged import assert_second_referee_agrees, rigged
from tests.second.referee import Fault as RefereesFault
from tests.second.referee import referee, referee_hand

ROOT = Path(__file__).parents[2]
NAMES = ("Ana", "Benoît", "Chidi")


def logged(hand: Hand) -> LoggedHand:
    return next(read(line + "\n" for line in lines(hand.log)))


def drawn_and_played(hand: Hand) -> None:
    """A turn of who does nothing but draw a card and play it."""
    seat = hand.public.turn
    apply(hand, ("draw", seat))
    assert hand.drawn is not None
    apply(hand, ("play", seat, hand.drawn, None, None, False))


def turns_until_blocked(hand: Hand, take_turn: Callable[[Hand], None] = drawn_and_played, most: int = 10_000) -> int:
    """How many turns come up, one that is replaced by the end not counted."""
    taken = 0
    while not hand.over and taken < most:
        take_turn(hand)
        taken += 1
    assert hand.over and hand.log[-1][:2] == ("end", None)
    return taken


SEED_AT = 4  # of the fields of an end


def reversing(players: int, pile: str, **told: object) -> Hand:
    """Everybody holds numbers and the rest of the deck, and Reverses lie on the table: a red one on top."""
    held = {name: ["R1"] for name in NAMES[: players - 1]} | {"Farah": ["B2"]}
    return rigged(Rules(EDITIONS["classic"], **told), held, top="RR", pile=pile.split(), rest="Farah")


@pytest.mark.parametrize(
    ("players", "pile", "turns"),
    [(3, "RR GR GR BR", 29), (2, "RS BS BS GS", 19), (2, "BR", 19), (2, "BS RR GS BR", 19)],
)
def test_the_same_reverses_and_skips_drawn_and_played_for_ever_block_the_hand(players, pile, turns):
    """Six Reverses of three colours between three: five lie there when a turn comes up, and one is held."""
    stood, hand = (reversing(players, pile) for _ in range(2))
    if players == 2 and "S" in pile.split()[0]:
        hand.public.discard[-1] = stood.public.discard[-1] = hand.public.in_play = stood.public.in_play = "RR"
    assert turns_until_blocked(hand, reversed_or_skipped) == turns
    assert hand.public.turns == 10 * players - 1
    assert_second_referee_agrees(hand, stood)


def reversed_or_skipped(hand: Hand) -> None:
    seat = hand.public.turn
    apply(hand, ("draw", seat))
    drawn = str(hand.drawn)
    fits = drawn[0] == hand.public.color or drawn[1] == hand.public.discard[-1][1]
    apply(hand, ("play", seat, drawn, None, None, False) if fits else ("pass", seat))


def test_with_more_cards_on_the_table_the_number_of_turns_ends_it():
    """Six Reverses lie there when a turn comes up: the row never begins, and 1 500 turns are the end."""
    stood, hand = (reversing(3, "RR GR GR BR BR") for _ in range(2))
    assert turns_until_blocked(hand) == 1500
    assert_second_referee_agrees(hand, stood)


def test_the_table_says_so_from_ten_turns_before():
    hand = reversing(3, "RR GR GR BR")
    told = []
    while not hand.over:
        told.append(hand.public.turns_left)
        drawn_and_played(hand)
    assert told == [None] * 19 + [10, 9, 8, 7, 6, 5, 4, 3, 2, 1]
    assert hand.public.turns_left is None


def test_a_turn_with_more_cards_on_the_table_begins_the_row_anew():
    held = {"Ana": ["R1", "G1", "B1"], "Farah": ["B2"]}
    hand = rigged(Rules(EDITIONS["classic"]), held, top="RR", pile=["RR", "GR", "GR", "BR"], rest="Farah")
    for _ in range(15):
        drawn_and_played(hand)
    assert (hand.public.scarce, hand.public.turns_left) == (16, 4)
    apply(hand, ("play", 0, f"{hand.public.color}1", None, None, False))
    assert (hand.public.scarce, hand.public.turns_left) == (0, None)


def test_what_is_no_turn_counts_for_none():
    """A Skip passes a seat by; an answer, a call, a catch and a hint are nobody's turn."""
    rules = Rules(EDITIONS["classic"], options=["penalise_wrong_card"])
    held = {"Ana": ["RS", "RD", "R5"], "Benoît": ["R2"], "Chidi": ["R3", "WD", "B3"], "Farah": ["G4"]}
    hand = rigged(rules, held, pile=["Y1", "Y2", "Y3", "Y4", "Y5", "Y6", "Y7", "Y8"])
    seen = [hand.public.turns]

    def then(*action: object) -> None:
        apply(hand, action)
        seen.append(hand.public.turns)

    then("play", 0, "RS", None, None, False)  # past Benoît
    then("play", 2, "WD", "R", None, False)  # a bluff, to be answered
    then("suggestion", 1)
    then("challenge", 3)  # guilty: Farah's turn
    then("draw", 3)
    then("pass", 3)
    then("play", 0, "RD", None, None, False)  # Ana has one card left; Benoît draws and misses the turn
    then("catch", 1, 0)
    then("wrong-card", 2)
    assert seen == [1, 2, 2, 2, 3, 3, 4, 5, 5, 6]


def test_an_end_stands_in_the_place_of_a_turn_and_nowhere_else():
    """Both referees refuse it a turn earlier and a turn later, and so does a log that says it is of version 1."""
    log = [{"hand": 1, "n": n} | as_object(event) for n, event in enumerate(blocked_by_few_cards())]
    referee_hand(log)
    last = max(n for n, line in enumerate(log[:-2]) if line["type"] == "play")  # of the turn before the last
    early = [*log[: last + 1], log[-1] | {"n": last + 1}]
    late = [*log[:-1], {"hand": 1, "n": len(log) - 1, "type": "draw", "seat": 0, "cards": ["R1"], "reason": "turn"}]
    for wrong in (early, [*late, log[-1] | {"n": len(log)}], [log[0] | {"log": 1}, *log[1:]]):
        with pytest.raises(RefereesFault):
            referee_hand(wrong)
        with pytest.raises(Fault):
            verify(next(read(json.dumps(line) + "\n" for line in wrong)))


@cache
def blocked_by_few_cards() -> tuple[Event, ...]:
    """The log of a hand in which careful bots draw and play the same Reverses: with `must_play` they have no choice."""
    rules = Rules(EDITIONS["harry-potter-unorules"], options=OPTIONS)
    *_, hand = simulate.hands(simulate.Setting(rules, 5, ("careful",), "h4-18"), 2)
    assert (hand.public.scarce, hand.log[-1][:2]) == (50, ("end", None))
    return tuple(hand.log)


def seed_of(log: Sequence[Event]) -> bytes:
    return bytes.fromhex(log[-1][SEED_AT])


def test_a_hand_of_version_1_goes_on_where_a_newer_one_ends():
    log = blocked_by_few_cards()
    assert replay(log[:-1], seed_of(log)).over, "an end follows from what stands before it"
    kind, _version, *fields, _promised, entropy = log[0]
    old = replay([(kind, 1, *fields, None, entropy), *log[1:-1]], seed_of(log))
    assert not old.over and old.public.turns_left is None
    start = as_object(old.log[0])
    assert start["log"] == 1 and "promised" not in start


def test_what_an_undo_made_void_was_never_counted():
    log = blocked_by_few_cards()
    plays = [n for n, event in enumerate(log) if event[0] == "play"]
    back = undo(replay(log[: plays[-3] + 1], seed_of(log)), plays[-13], "misread")
    again = replay(log[: plays[-13] + 1], seed_of(log))
    assert (back.public.turns, back.public.scarce) == (again.public.turns, again.public.scarce)
    play_out(back, [BOTS["careful"](random.Random(1)) for _ in range(5)])
    assert len(back.log) == len(log) + plays[-3] - plays[-13] + 1, "as many turns came after it as before"
    assert verify(logged(back)).over
    assert referee(lines(back.log)) == 1


OPTION_PAIRS = [frozenset(pair) for pair in combinations(sorted(OPTIONS), 2)]


@pytest.mark.parametrize("options", OPTION_PAIRS, ids=["+".join(sorted(pair)) for pair in OPTION_PAIRS])
def test_stubborn_players_come_to_an_end_with_every_pair_of_options(options):
    for at, edition in enumerate(EDITIONS):
        game = Game(edition=edition, players=8 + at % 3, options=options, seed=at)
        hand = game.dealt()
        play_out(hand, [RandomBot(game.rng(), stubborn=True) for _ in range(game.players)])
        check_invariants(hand)
        assert referee(lines(hand.log)) == 1


@pytest.mark.parametrize("players", [8, 9])
def test_careful_bots_end_hands_that_went_round_for_ever(players):
    """The setting with which the odds of a tournament filled the memory."""
    rules = Rules(EDITIONS["harry-potter-2018"], options=["draw_until_playable"])
    for hand in simulate.hands(simulate.Setting(rules, players, ("careful",), "forecast"), 60):
        assert hand.over and hand.public.turns <= 500 * players


def test_a_hand_with_one_legal_move_at_each_turn_ends():
    options = "stacking,draw_until_playable,no_bluff,must_play,penalise_wrong_card"
    table = ["--edition", "harry-potter-unorules", "--players", "5", "--bots", "careful", "--options", options]
    command = [sys.executable, "-m", "engine", "simulate", *table, "--seed", "h4-18", "--hands", "2", "--log", "-"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert referee(done.stdout.splitlines()) == 2


def test_bots_that_come_to_no_end_are_stopped(monkeypatch):
    monkeypatch.setattr(simulate, "MOST_MOVES", 50)
    rng = random.Random(1)
    hand = deal(Rules(EDITIONS["classic"]), simulate.NAMES, dealer=0, seed=rng.randbytes(72))
    with pytest.raises(Endless, match="given up after 50 moves"):
        play_out(hand, [RandomBot(rng, stubborn=True) for _ in range(10)])


# must_play


def must(held: dict[str, list[str]], **told: object) -> Hand:
    return rigged(Rules(EDITIONS["classic"], options=["must_play"]), held, **told)


def test_nobody_has_to_bluff_with_a_drawn_wild_draw_four():
    """Caught after drawing it, Ana holds a red card beside it, so it would be a bluff (WD4-2)."""
    stood, hand = (
        must({"Ana": ["B1", "B2"], "Benoît": ["R3", "R4"]}, pile=["WD", "R8", "G9"], turn=1) for _ in range(2)
    )
    apply(hand, ("play", 1, "R3", None, None, False))
    apply(hand, ("draw", 0))
    apply(hand, ("suggestion", 0))
    assert "R8" in hand.cards[0] and hand.drawn == "WD"
    apply(hand, ("pass", 0))
    assert_second_referee_agrees(hand, stood)


def test_an_honest_wild_draw_four_has_to_be_played():
    hand = must({"Ana": ["B1", "B2"], "Benoît": ["R3", "R4"]}, pile=["WD", "G9"])
    apply(hand, ("draw", 0))
    with pytest.raises(ValueError, match="must"):
        apply(hand, ("pass", 0))
