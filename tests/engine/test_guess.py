"""Hands that could be the real one: they fit all that a seat knows, and come from nothing else.

`WILD_HANDS=10000` tries a tenth as many tables in each test instead of some dozen.
"""

import json
import os
import random
from collections import Counter
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.cards import holds_color
from engine.hand import apply
from engine.legal import legal
from engine.replay import standing_events, undo
from engine.rules import EDITIONS
from engine.simulation.bots import BOTS, RandomBot
from engine.simulation.guess import HIDDEN, consistent_hand
from engine.simulation.simulate import play_out
from engine.state import MATCHES, Hand, Rules
from engine.view import view_for
from tests.engine.played import Game, all_games, check_invariants, games, next_action, snapshot
from tests.engine.rigged import rigged
from tests.engine.test_views import other_world, viewers

pytestmark = pytest.mark.slow

HANDS = int(os.environ.get("WILD_HANDS") or 0)


def tables(count: int):
    """At least so many tables."""
    return settings(max_examples=max(HANDS // 10, count), suppress_health_check=[HealthCheck.too_slow])


def guessed(hand: Hand, viewer: int | None, seed: int = 0) -> Hand:
    return consistent_hand(json.loads(json.dumps(view_for(hand, viewer))), random.Random(seed))


def moments(seed: int, actions: int) -> Iterator[tuple[Hand, random.Random]]:
    """Hands of every sort of table, after each action; the same hand goes on."""
    for game in all_games(seed):
        hand, rng = game.dealt(), game.rng()
        for _ in range(actions):
            yield hand, rng
            apply(hand, next_action(hand, rng, game.style))
            if hand.over:
                break


def check_guess(hand: Hand, viewer: int | None, seed: int) -> Hand:
    """It looks the same to the viewer, in every line, and is a whole hand in itself."""
    guess = guessed(hand, viewer, seed)
    check_invariants(guess)
    assert view_for(guess, viewer) == view_for(hand, viewer)
    assert guess.public.turns == hand.public.turns
    if viewer is not None:
        assert legal(guess, viewer) == legal(hand, viewer)
        assert guess.out_of_turn() == hand.out_of_turn()
    return guess


@tables(80)
@given(games(), st.integers(0, 250))
def test_a_guess_looks_to_the_viewer_as_the_hand_does(game: Game, count: int) -> None:
    hand = game.part_way(count)
    for viewer in viewers(hand):
        check_guess(hand, viewer, game.seed)


def test_a_guess_looks_the_same_at_every_moment_of_long_hands() -> None:
    for (hand, rng), _ in zip(moments(3, 400), range(4000), strict=False):
        check_guess(hand, rng.choice([None, *range(hand.public.players)]), rng.randrange(1000))


@tables(40)
@given(games(), st.integers(0, 250), st.sampled_from(sorted(BOTS)))
def test_a_guess_can_be_played_to_its_end_and_copied(game: Game, count: int, bots: str) -> None:
    hand = game.part_way(count)
    for viewer in (None, hand.public.turn, game.rng().randrange(game.players)):
        guess = guessed(hand, viewer)
        before = snapshot(guess)
        copy = guess.copy()
        play_out(copy, [BOTS[bots](random.Random(1)) for _ in range(game.players)])
        check_invariants(copy)
        assert copy.over and snapshot(guess) == before


@tables(60)
@given(games(), st.integers(0, 250))
def test_hands_that_look_the_same_give_the_same_guesses(game: Game, count: int) -> None:
    """So nothing that is hidden is read, and the guess is that of its dice alone."""
    hand, rng = game.part_way(count), game.rng()
    for viewer in viewers(hand):
        assert snapshot(guessed(hand, viewer, 7)) == snapshot(guessed(other_world(hand, viewer, rng), viewer, 7))


@tables(40)
@given(games(), st.integers(0, 250))
def test_from_a_guess_another_seat_can_guess_in_turn(game: Game, count: int) -> None:
    """What the first seat did not see stands in the log as hidden, and the second seat reads it as not seen."""
    guess = guessed(game.part_way(count), 0)
    for viewer in viewers(guess):
        check_guess(guess, viewer, 1)


# What the seat knows


def shown_and_not_played(hand: Hand, viewer: int | None, seat: int) -> Counter[str]:
    """Cards that the seat must hold, as the viewer saw them, from the hand's own log."""
    held: Counter[str] = Counter()
    for _, event in standing_events(hand.log):
        if event[0] == "show" and event[1] == seat and event[2] in ("all", viewer):
            held = Counter(event[3]) + (held if event[4] == "creeper" else Counter())
        elif event[0] == "play" and event[1] == seat:
            held -= Counter([event[2]])
    return held


def test_who_was_shown_cards_that_are_still_held_guesses_them() -> None:
    met: Counter[str] = Counter()
    for hand, rng in moments(4, 150):
        if met["creeper"] > 200 and met["howler"] > 50 and met["challenge"] > 50:
            return
        shows = [event for event in hand.log[-12:] if event[0] == "show"]
        for viewer in viewers(hand) if shows else ():
            guess = guessed(hand, viewer, rng.randrange(1000))
            for seat in range(hand.public.players):
                assert seat == viewer or not shown_and_not_played(hand, viewer, seat) - Counter(guess.cards[seat])
            met.update(event[4] for event in shows if event[2] in ("all", viewer))


def test_after_a_reshuffle_only_what_lay_on_the_discard_pile_is_drawn() -> None:
    met: Counter[str] = Counter()
    for seed in range(60):
        players = 2 + seed % 3
        hand = Game(seed=seed, players=players).part_way(260)
        at = max((n for n, event in enumerate(hand.log) if event[0] == "reshuffle"), default=0)
        if at < players + 2:  # it is that of OPEN-6
            continue
        reshuffled = Counter(hand.log[at][1])
        since = [event for event in hand.log[at:] if event[0] == "draw"]
        for viewer in range(players):
            could_be = reshuffled - Counter(card for event in since if event[1] == viewer for card in event[2])
            guess = guessed(hand, viewer, seed)
            assert not Counter(guess.pile) - could_be
            met["pile"] += len(guess.pile) > 2
            if guess.drawn and viewer != guess.public.turn and since and since[-1][3] == "turn":
                assert could_be[guess.drawn]
                met["drawn"] += 1
    assert met["pile"] > 50 and met["drawn"] > 20


def drawing(**told: object) -> Hand:
    """Ana has drawn a card, and Benoît looks on."""
    held = {"Ana": ["R1", "G1", "B1", "Y1"], "Benoît": ["B2", "B3"]}
    hand = rigged(Rules(EDITIONS["minecraft-2017"], **told), held, top="R7", **({} if told else {"pile": ["G9"]}))
    apply(hand, ("draw", 0))
    assert hand.drawn is not None
    return hand


def test_another_players_drawn_card_is_one_of_theirs_and_no_creeper_that_nobody_saw() -> None:
    for dice in range(60):
        guess = guessed(drawing(), 1, dice)
        assert guess.drawn in guess.cards[0] and guess.drawn != "WC"


def test_a_creeper_that_was_drawn_on_the_turn_is_the_drawn_card() -> None:
    held = {"Ana": ["R1", "G1"], "Benoît": ["B2", "B3"]}
    hand = rigged(Rules(EDITIONS["minecraft-2017"]), held, pile=["WC", "G9", "B9", "Y9"])
    apply(hand, ("draw", 0))
    guess = guessed(hand, 1)
    assert guess.drawn == "WC" and len(guess.cards[0]) == 6


def test_who_draws_until_a_card_fits_has_drawn_one_that_fits() -> None:
    for dice in range(30):
        assert guessed(drawing(options=["draw_until_playable"]), 1, dice).drawn in MATCHES["R7"]


def answered(held: dict[str, list[str]], **told: object) -> Hand:
    """Ana has played a Wild Draw Four on a red card, and Benoît is to answer."""
    hand = rigged(Rules(EDITIONS["classic"], **told), held)
    hand.log.append(("turn_up", "R7", False))  # so that the colour is in the log
    apply(hand, ("play", 0, "WD", "B", None, False))
    return hand


def test_whether_there_was_a_bluff_follows_from_the_cards_that_are_guessed() -> None:
    hand = answered({"Ana": ["WD", "G1", "G2", "G3"], "Benoît": ["B2", "B3"], "Chidi": ["B4"]})
    guilty = Counter()
    for dice in range(200):
        guess = guessed(hand, 1, dice)
        assert guess.guilty == holds_color(guess.cards[0], "R")
        guilty[guess.guilty] += 1
    assert min(guilty[True], guilty[False]) > 40
    assert not any(guessed(hand, 0, dice).guilty for dice in range(5)), "Ana knows that she did not bluff"


def test_a_card_drawn_after_a_wild_draw_four_makes_no_bluff_of_it() -> None:
    hand = answered({"Ana": ["WD", "G1"], "Benoît": ["B2", "B3"], "Chidi": ["B4"]})
    apply(hand, ("catch", 2, 0))
    met = set()
    for viewer in (0, 1):
        for dice in range(200):
            guess = guessed(hand, viewer, dice)
            assert guess.guilty == holds_color(guess.cards[0][:1], "R")
            met.add((viewer, guess.guilty, holds_color(guess.cards[0], "R")))
    assert (1, False, True) in met and (1, True, True) in met


def test_where_bluffs_are_forbidden_nobody_is_guessed_to_have_bluffed() -> None:
    hand = answered({"Ana": ["WD", "G1", "G2", "G3", "Y5"], "Benoît": ["B2", "B3"]}, options=["no_bluff"])
    for dice in range(100):
        guess = guessed(hand, 1, dice)
        assert not guess.guilty and not holds_color(guess.cards[0], "R")


def test_every_way_of_dealing_what_is_hidden_is_as_likely() -> None:
    """Three cards are hidden, one of them with Chidi: each is there in a third of the guesses."""
    hand = rigged(
        Rules(EDITIONS["classic"]), {"Ana": ["R1"], "Benoît": ["G1", "G2"], "Chidi": []}, rest="Chidi", pile=["B1"]
    )
    hidden = Counter(guessed(hand, 0, dice).pile[0] for dice in range(3000))
    copies = Counter([*hand.cards[1], *hand.cards[2], *hand.pile])
    assert set(hidden) == set(copies)
    for card, times in hidden.items():
        assert abs(times - 3000 * copies[card] / copies.total()) < 60, card


def test_what_was_taken_back_is_not_remembered() -> None:
    met = 0
    for seed in range(400):
        hand = Game("minecraft-2017", players=3, seed=seed).part_way(40)
        shows = [n for n, event in enumerate(hand.log) if event[0] == "show"]
        drawn = [n for n, event in enumerate(hand.log) if event[0] == "pass" and shows and n < shows[0]]
        if not drawn:
            continue
        back = undo(hand, drawn[-1], "misread")
        check_guess(back, 0, seed)
        met += 1
    assert met > 10


# What cannot be guessed


def test_a_hand_that_is_over_and_a_part_of_a_view_are_refused() -> None:
    hand = Game(seed=3).dealt()
    with pytest.raises(ValueError, match="all of its events"):
        consistent_hand(view_for(hand, 0, since=5), random.Random(1))
    view = view_for(hand, 0)
    with pytest.raises(ValueError, match="No cards"):
        consistent_hand(view | {"cards": ["R0"] * 7}, random.Random(1))
    play_out(hand, [RandomBot(random.Random(1)) for _ in range(4)])
    with pytest.raises(ValueError, match="is over"):
        consistent_hand(view_for(hand, 0), random.Random(1))


def test_what_the_seat_did_not_see_stands_hidden_in_the_log() -> None:
    guess = guessed(Game(seed=5, players=3).part_way(30), 1)
    deals = {event[1]: set(event[2]) for event in guess.log if event[0] == "deal"}
    assert deals[0] == deals[2] == {HIDDEN} and HIDDEN not in deals[1]
