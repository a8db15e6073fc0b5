"""Actions as a broken or hostile client would send them, at every sort of table: nothing but `Refused`, and no harm.

`WILD_FUZZ=1000000` is the full size.
"""

import os
import random
from collections import Counter
from typing import Any

import pytest

from engine.hand import apply
from engine.refused import Refused
from engine.replay import replay
from engine.rules import EDITIONS, OPTIONS
from engine.state import Hand, Public
from tests.engine.played import (
    Game,
    all_games,
    any_action,
    check_invariants,
    every_action,
    fields_of,
    next_action,
    snapshot,
)

pytestmark = pytest.mark.slow

ACTIONS = int(os.environ.get("WILD_FUZZ") or 20_000)
AFTER_THE_END = 20  # actions that are tried on a hand that is over
PUBLIC = [name for name in fields_of(Public) if name not in ("rules", "names", "discard", "counts")]


def checksum(hand: Hand) -> tuple[Any, ...]:
    """Quickly: what would show nearly every change. `snapshot`, which is slow, is taken now and then."""
    public = hand.public
    return (
        len(hand.log),
        *[getattr(public, name) for name in PUBLIC],
        tuple(public.counts),
        len(public.discard),
        public.discard[-1],
        hand.drawn,
        hand.guilty,
        len(hand.pile),
        hand.pile[-1:],
        [cards[-1:] for cards in hand.cards],
    )


def fuzz(hand: Hand, rng: random.Random, actions: int, refused: Counter[str]) -> int:
    """Throw actions at the hand until it is over, and some more; returns how many. Every third is a legal one."""
    ended = 0
    for done in range(actions):
        if hand.over:
            ended += 1
            if ended > AFTER_THE_END:
                return done
        legal = not hand.over and rng.random() < 0.35
        action = next_action(hand, rng, "any") if legal else any_action(hand, rng)
        thoroughly = rng.random() < 0.02
        before = snapshot(hand) if thoroughly else checksum(hand)
        try:
            apply(hand, action)
        except Refused as refusal:
            assert not legal, (action, refusal.code)
            assert before == (snapshot(hand) if thoroughly else checksum(hand)), action
            assert str(refusal).endswith((".", ":")) and "{" not in str(refusal)
            refused[refusal.code] += 1
        else:
            assert ended == 0, f"{action} was accepted after the end"
            if thoroughly or hand.over:
                check_invariants(hand)
    return actions


@pytest.mark.timeout(3600)
def test_no_action_does_more_than_be_refused() -> None:
    left, refused = ACTIONS, Counter[str]()
    for game in all_games(seed=4):
        if left <= 0:
            break
        hand, rng = game.dealt(), game.rng()
        check_invariants(hand)
        left -= fuzz(hand, rng, min(left, 500), refused)
        check_invariants(hand)
        assert snapshot(replay(hand.log, hand.seed)) == snapshot(hand), game
    assert len(refused) > 20  # of the reasons that there are; rare ones are met below


@pytest.mark.parametrize("options", [(), ("must_play",), ("penalise_wrong_card", "stacking"), tuple(OPTIONS)])
@pytest.mark.parametrize("edition", EDITIONS)
def test_every_action_is_tried_on_a_hand_at_every_moment(edition: str, options: tuple[str, ...]) -> None:
    game = Game(edition, players=3, options=frozenset(options), seed=11, style="stubborn")
    hand, rng = game.dealt(), game.rng()
    for step in range(40):
        if step % 4 == 0:
            harmless(hand)
        if not hand.over:
            apply(hand, next_action(hand, rng, game.style))
    harmless(hand)


def harmless(hand: Hand) -> None:
    """Every action is refused without a trace or, on a copy that a replay makes, accepted without harm."""
    before = checksum(hand)
    copy = replay(hand.log, hand.seed)
    for action in every_action(hand):
        try:
            apply(copy, action)
        except Refused:
            assert checksum(copy) == before, action
        else:
            check_invariants(copy)
            copy = replay(hand.log, hand.seed)


def over(edition: str, players: int, seed: int) -> Hand:
    hand = Game(edition, players, seed=seed).dealt()
    rng = random.Random(seed)
    while not hand.over:
        apply(hand, next_action(hand, rng, "eager"))
    return hand


@pytest.mark.parametrize("edition", EDITIONS)
def test_nothing_can_be_done_when_the_hand_is_over(edition: str) -> None:
    """Not even by a seat that Python takes for the last one: the hand then waits for seat -1."""
    for players in (2, 5):
        hand = over(edition, players, seed=players)
        before = snapshot(hand)
        for action in every_action(hand):
            with pytest.raises(Refused):
                apply(hand, action)
        assert snapshot(hand) == before


def test_a_stale_answer_is_refused() -> None:
    """A double tap, or a page that was left open: the same action a second time."""
    stale = Counter[str]()
    for game, _ in zip(all_games(seed=6), range(45), strict=False):
        hand, rng = game.dealt(), game.rng()
        for _step in range(60):
            action = next_action(hand, rng, "eager")
            apply(hand, action)
            if hand.over:
                break
            if hand.public.turn == action[1] or action[0] == "suggestion":
                continue  # that may be done twice
            before = snapshot(hand)
            with pytest.raises(Refused) as refused:
                apply(hand, action)
            stale[refused.value.code] += 1
            assert snapshot(hand) == before
    assert sum(stale.values()) > 300


def test_a_refused_answer_to_a_wild_draw_four_does_not_make_the_bluff_forgotten() -> None:
    """WD4-2: found guilty as if the challenger had not tried to put a card on it first."""
    bluffs = 0
    for seed in range(300):
        game = Game(players=2, seed=seed, style="eager")
        hand, rng = game.dealt(), game.rng()
        for _ in range(60):
            if hand.over or (hand.public.step == "answer" and hand.guilty):
                break
            apply(hand, next_action(hand, rng, "eager"))
        if hand.over or not hand.guilty or hand.public.step != "answer":
            continue
        bluffs += 1
        seat = hand.public.turn
        with pytest.raises(Refused, match="answer this card"):
            apply(hand, ("play", seat, hand.cards[seat][0], "R", None, False))
        apply(hand, ("challenge", seat))
        assert next(event for event in reversed(hand.log) if event[0] == "challenge") == ("challenge", seat, True)
    assert bluffs > 20


@pytest.mark.parametrize(("aimed", "answer"), [("WD", "RD"), ("RD", "WD")])
def test_a_draw_two_and_a_wild_draw_four_are_not_stacked_on_each_other(aimed: str, answer: str) -> None:
    tried = 0
    for seed in range(400):
        game = Game(players=2, options=frozenset({"stacking"}), seed=seed)
        hand, rng = game.dealt(), game.rng()
        for _ in range(40):
            public, seat = hand.public, hand.public.turn
            if hand.over:
                break
            if public.step == "answer" and public.aimed == aimed and answer in hand.cards[seat]:
                tried += 1
                with pytest.raises(Refused, match="answer this card"):
                    apply(hand, ("play", seat, answer, "R" if answer == "WD" else None, None, False))
                break
            apply(hand, next_action(hand, rng, "any"))
    assert tried > 5


def test_the_colour_of_a_turned_up_wild_is_chosen_before_anything_is_played() -> None:
    """OPEN-5."""
    waiting = 0
    for seed in range(300):
        hand = Game("harry-potter-2018", players=3, seed=seed).dealt()
        if hand.public.step != "color":
            continue
        waiting += 1
        seat = hand.public.turn
        for card in ("WD", "XX", *hand.cards[seat]):
            with pytest.raises(Refused) as refused:
                apply(hand, ("play", seat, card, None, None, False))
            assert refused.value.code == ("choose-color-first" if card in hand.cards[seat] else "not-held")
        for action in (("draw", seat), ("pass", seat), ("wrong-card", seat), ("suggestion", seat)):
            with pytest.raises(Refused, match="Choose a colour first"):
                apply(hand, action)
    assert waiting > 5
