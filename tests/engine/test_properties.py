"""What holds for every hand, whatever is done in it: Hypothesis chooses the table and the play, of all sorts.

`WILD_HANDS=10000` tries a tenth as many tables in each test instead of some dozen.
"""

import json
import os
import random
import re
from collections import Counter
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.hand import apply, deal
from engine.legal import legal, playable
from engine.log import FIELDS, LoggedHand, as_event, as_object, lines, read
from engine.refused import REFUSALS, Refused
from engine.replay import replay, undo, verify
from engine.result import result_of
from engine.rules import EDITIONS
from engine.simulation.bots import BOTS, Bot, RandomBot
from engine.simulation.simulate import play_out
from engine.state import Action, Hand, Rules
from tests.engine.played import (
    Game,
    accepted,
    all_games,
    as_listed,
    check_invariants,
    clone,
    every_action,
    games,
    listed,
    next_action,
    snapshot,
)
from tests.second.referee import referee
from tests.second.referee_cards import EDITIONS as REFEREE_EDITIONS
from tests.second.referee_cards import deck_of
from tests.second.referee_cards import points as printed_points

pytestmark = pytest.mark.slow

HANDS = int(os.environ.get("WILD_HANDS") or 0)
# Bots do not go round in circles, since every turn may end the hand or come nearer to its end: of 7 200 hands of every
# sort the longest took 2 600 decisions, and 7 000 when ten stubborn players drew whenever they could.
ACTIONS = 50_000


def tables(count: int):
    """At least so many tables."""
    checks = (HealthCheck.too_slow, HealthCheck.filter_too_much)
    return settings(max_examples=max(HANDS // 10, count), suppress_health_check=checks)


def steps(most: int = 150) -> st.SearchStrategy[int]:
    return st.integers(0, most)


def played_out(hand: Hand, rng: random.Random) -> Hand:
    play_out(hand, [RandomBot(rng) for _ in range(hand.public.players)])
    return hand


def logged(hand: Hand) -> LoggedHand:
    return next(read(line + "\n" for line in lines(hand.log)))


@tables(60)
@given(games())
def test_no_card_is_lost_or_doubled_and_what_is_said_of_the_cards_is_true(game: Game) -> None:
    hand, rng = game.dealt(), game.rng()
    assert Counter(hand.deck) == Counter(deck_of(REFEREE_EDITIONS[game.edition]))
    for _ in range(300):
        check_invariants(hand)
        if hand.over:
            break
        apply(hand, next_action(hand, rng, game.style))
    check_invariants(hand)


@tables(40)
@given(games(), steps(200))
def test_replay_of_the_log_up_to_any_action_is_the_hand_at_that_action(game: Game, count: int) -> None:
    hand, rng = game.dealt(), game.rng()
    stood = {len(hand.log): snapshot(hand)}
    for _ in range(count):
        if hand.over:
            break
        apply(hand, next_action(hand, rng, game.style))
        stood.setdefault(len(hand.log), snapshot(hand))  # the first one: see the test of the silent answer
    for length, state in stood.items():
        assert snapshot(replay(hand.log[:length], hand.seed)) == state
    for length in rng.sample(range(1, len(hand.log) + 1), min(20, len(hand.log))):
        between = replay(hand.log[:length], hand.seed)  # inside of an action it is the hand after it
        assert len(between.log) == min(after for after in stood if after >= length)
        assert between.log == hand.log[: len(between.log)]


@tables(30)
@given(games(), steps())
def test_a_replayed_hand_goes_on_as_the_first_one_did(game: Game, count: int) -> None:
    """Also the stream: it stands where it stood, so that the next reshuffle is the same."""
    hand = game.part_way(count)
    again = replay(hand.log, hand.seed)
    for copy in (hand, again):
        rng = random.Random(game.seed)
        for _ in range(300):
            if not copy.over:
                apply(copy, next_action(copy, rng, "stubborn"))
    assert snapshot(again) == snapshot(hand)
    deck, other = [*hand.deck], [*hand.deck]
    hand.shuffler.shuffle(deck)
    again.shuffler.shuffle(other)
    assert other == deck


@tables(40)
@given(games())
def test_a_log_comes_back_from_its_lines_as_it_was(game: Game) -> None:
    hand = played_out(game.part_way(100), game.rng())
    text = [line + "\n" for line in lines(hand.log, 7)]
    (back,) = read(text)
    assert back.number == 7
    assert [as_event(found) for found in back.objects] == hand.log
    assert [as_object(event) for event in hand.log] == [
        {name: value for name, value in found.items() if name not in ("hand", "n")} for found in back.objects
    ]
    assert [found["n"] for found in back.objects] == list(range(len(hand.log)))
    for event in hand.log:
        assert len(event) == 1 + len(FIELDS[event[0]])
        assert json.loads(json.dumps(as_object(event))) == as_object(event)
    assert list(read(text * 2)) == [back, LoggedHand(7, len(text) + 1, back.objects)]


@tables(25)
@given(games(), steps())
def test_a_refused_action_changes_nothing_and_says_why(game: Game, count: int) -> None:
    hand = game.part_way(count)
    log, before = list(hand.log), snapshot(hand, without=("log", "deck"))
    for action in every_action(hand):
        try:
            apply(hand, action)
        except Refused as refused:
            assert hand.log == log
            assert snapshot(hand, without=("log", "deck")) == before, (action, refused.code)
            assert re.fullmatch(r"[A-Z]+\d?-\d", refused.rule) and refused.code in REFUSALS
            assert "{" not in str(refused)
        else:
            hand = game.part_way(count)


@tables(40)
@given(games(), steps())
def test_what_is_listed_is_what_is_accepted(game: Game, count: int) -> None:
    """But for a wrong card, which costs cards (PEN-1) and is not offered, and the director's penalty (PEN-2)."""
    check_listed(game.part_way(count))


def test_what_is_listed_is_what_is_accepted_at_every_sort_of_moment() -> None:
    """Whose answer to what, in which edition, with which options, by two players or more, with which last cards."""
    met = set()
    for game, _ in zip(all_games(seed=2), range(270), strict=False):
        hand, rng = game.dealt(), game.rng()
        for _step in range(60):
            if hand.over:
                break
            public = hand.public
            aimed = public.aimed[-2:].lstrip("RYGB") if public.step == "answer" else ""
            sort = (game.edition, public.step, aimed, game.players == 2, min(len(hand.cards[public.turn]), 3))
            if sort not in met:
                met.add(sort)
                check_listed(hand)
            apply(hand, next_action(hand, rng, game.style))
    assert len(met) > 80


def check_listed(hand: Hand) -> None:
    offered = listed(hand)
    assert len(offered) == len(set(offered))
    for action in offered:
        assert accepted(clone(hand), action), action
    for action in every_action(hand):
        copy = clone(hand)
        if accepted(copy, action) and as_listed(hand, action) not in offered:
            assert copy.log[len(hand.log)][0] == "penalty", action
            assert action[0] != "play" or hand.rules.penalise_wrong_card


@tables(60)
@given(games(), steps())
def test_out_of_turn_are_those_who_may_act_and_are_not_waited_for(game: Game, count: int) -> None:
    hand = game.part_way(count)
    able = [seat for seat in range(game.players) if legal(hand, seat)]
    assert hand.public.turn in able
    assert hand.out_of_turn() == [seat for seat in able if seat != hand.public.turn]


@tables(20)
@given(games(), st.sampled_from(sorted(BOTS)))
def test_every_hand_that_bots_play_ends(game: Game, bots: str) -> None:
    hand, rng = game.dealt(), game.rng()
    seats = [BOTS[bots](rng) for _ in range(game.players)]
    play_out(hand, [Counted(bot) for bot in seats])
    check_invariants(hand)


@tables(40)
@given(games())
def test_hands_end_however_stubborn_their_players_are(game: Game) -> None:
    """Who draws whenever that is possible empties the piles, and then passes until the hand is blocked (PLAY-7)."""
    hand, rng = game.dealt(), game.rng()
    bots = [RandomBot(rng, stubborn=True) for _ in range(game.players)]
    play_out(hand, [Counted(bot) for bot in bots], rng)
    check_invariants(hand)


class Counted:
    """A bot that is asked only so often."""

    def __init__(self, bot: Bot) -> None:
        self.bot, self.interrupt, self.times = bot, bot.interrupt, 0

    def choose(self, *asked: Any) -> Action:
        self.times += 1
        assert self.times < ACTIONS, "this hand does not end"
        return self.bot.choose(*asked)


@tables(60)
@given(games())
def test_the_scores_follow_from_the_cards_left(game: Game) -> None:
    hand = game.part_way(300)
    hand = played_out(hand, game.rng())
    _, winner, points, scores, seed, deck = hand.log[-1]
    left = [sum(map(printed_points, cards)) for cards in hand.cards]
    assert list(points) == left
    assert (seed, deck) == (hand.seed.hex(), hand.deck)
    assert [seat for seat in range(game.players) if not hand.cards[seat]] == ([] if winner is None else [winner])
    assert list(scores) == own_scores(game, left, winner)
    result = result_of(hand)
    assert (result.winner, result.points, result.scores, result.blocked) == (winner, points, scores, winner is None)
    assert result.winner_name == (None if winner is None else hand.public.names[winner])
    assert result.scores_by_name == {hand.public.names[seat]: scores[seat] for seat in range(game.players)}


def test_a_hand_that_goes_on_has_no_result_yet() -> None:
    with pytest.raises(ValueError, match="not over"):
        result_of(Game().dealt())


def own_scores(game: Game, left: list[int], winner: int | None) -> list[int]:
    """SCORE-2 to SCORE-4, SCORE-6 and TEAM-3, word by word."""
    sides = [{0, 2}, {1, 3}] if game.teams else [{seat} for seat in range(game.players)]
    scores = []
    for seat in range(game.players):
        side = next(side for side in sides if seat in side)
        if game.scoring != "winner-takes":
            scores.append(sum(left[mate] for mate in side))
        elif winner in side:
            scores.append(sum(points for other, points in enumerate(left) if other not in side))
        else:
            scores.append(0)
    return scores


@tables(30)
@given(games())
def test_equal_seeds_and_actions_give_the_same_bytes(game: Game) -> None:
    first, second = ("\n".join(lines(played_out(game.part_way(100), game.rng()).log)).encode() for _again in range(2))
    assert first == second


@tables(30)
@given(games(), st.data())
def test_an_undo_goes_back_to_the_hand_as_it_was_and_play_goes_on(game: Game, data: st.DataObject) -> None:
    hand, rng = game.dealt(), game.rng()
    stood = {len(hand.log): snapshot(hand, without=("log",))}
    for _ in range(data.draw(steps())):
        if hand.over:
            break
        apply(hand, next_action(hand, rng, game.style))
        stood.setdefault(len(hand.log), snapshot(hand, without=("log",)))
    lengths = sorted(stood)
    if hand.over:
        with pytest.raises(Refused, match="This hand is over"):
            undo(hand, lengths[0] - 1, "too late")
        return
    for to in {0, 1, len(hand.log) - 1, len(hand.log), -1} | set(range(lengths[0], lengths[-1])) - {
        length - 1 for length in lengths[:-1]
    }:
        before = snapshot(hand)
        try:
            undo(hand, to, "no such line")
        except Refused as refused:
            codes = {len(hand.log) - 1: "undo-here", -1: "undo-nothing", len(hand.log): "undo-nothing"}
            assert refused.code == codes.get(to, "undo-mid-move")
        else:
            raise AssertionError(f"undo to {to}, where no action ends")
        assert snapshot(hand) == before
    if len(lengths) == 1:
        return
    length = data.draw(st.sampled_from(lengths[:-1]))
    whole = list(hand.log)
    back = undo(hand, length - 1, "The wrong card was taken")
    assert hand.log == whole
    assert back.log == [*whole, ("undo", length - 1, "The wrong card was taken")]
    assert snapshot(back, without=("log",)) == stood[length]
    assert snapshot(replay(back.log, back.seed)) == snapshot(back)
    ended = played_out(back, rng)
    assert snapshot(verify(logged(ended))) == snapshot(ended)
    assert referee([line + "\n" for line in lines(ended.log)]) == 1


@tables(40)
@given(games())
def test_what_was_played_at_random_is_verified_and_refereed(game: Game) -> None:
    ended = played_out(game.part_way(200), game.rng())
    assert snapshot(verify(logged(ended))) == snapshot(ended)
    assert referee([line + "\n" for line in lines(ended.log)]) == 1


def test_the_random_play_of_these_tests_meets_everything_that_can_happen() -> None:
    """Or they would prove little."""
    met: Counter[str] = Counter()
    for game, _ in zip(all_games(), range(135), strict=False):
        hand, rng = game.dealt(), game.rng()
        for _step in range(200):
            met.update(["stacked"] if hand.public.stake > 4 else [])
            if not hand.over:
                apply(hand, next_action(hand, rng, game.style))
        met.update(event[0] for event in hand.log)
        met.update(f"{event[0]} {event[-1]}" for event in hand.log if event[0] in ("draw", "show", "penalty"))
        met.update("cancel" for event in hand.log if event[0] == "play" and event[7])
        met.update(f"challenge {event[2]}" for event in hand.log if event[0] == "challenge")
    wanted = (
        "turn_up,color,play,pass,accept,uno,catch,reshuffle,end,cancel,stacked,challenge True,challenge False,"
        "draw turn,draw draw-card,draw wild-draw-four,draw bluff,draw challenge-lost,draw sorting-hat,draw creeper,"
        "draw uno,draw penalty,show challenge,show howler,show creeper,penalty wrong-card,penalty suggestion"
    )
    assert not [kind for kind in wanted.split(",") if met[kind] < 3]


def after_an_answer_without_a_line() -> Hand:
    """With `stacking` who takes a draw card when nothing is left to draw says nothing that the log would show."""
    rules = Rules(EDITIONS["classic"], options=("stacking", "penalise_wrong_card"))
    hand = deal(rules, ("Ana Lucía", "Benoît", "Chidi"), dealer=0, seed=bytes(72))
    public = hand.public
    if public.step == "color":
        apply(hand, ("color", public.turn, "R"))
    while public.can_draw:
        apply(hand, ("draw", public.turn))
        apply(hand, ("pass", public.turn))
    while not (fitting := {"RD", "YD", "GD", "BD"}.intersection(playable(public, hand.cards[public.turn], None))):
        apply(hand, ("pass", public.turn))
    apply(hand, ("play", public.turn, min(fitting), None, None, False))
    apply(hand, ("suggestion", public.turn))
    assert not public.can_draw
    before = len(hand.log)
    apply(hand, ("accept", public.turn))
    assert len(hand.log) == before
    return hand


@pytest.mark.parametrize("after", ["play", "pass", "wrong-card"])
def test_an_answer_that_leaves_no_line_is_understood_from_what_follows(after: str) -> None:
    hand = after_an_answer_without_a_line()
    seat = hand.public.turn
    plays = [action for action in legal(hand, seat) if action[0] == "play"]
    apply(hand, plays[0] if after == "play" else (after, seat))
    assert snapshot(replay(hand.log, hand.seed)) == snapshot(hand)
    ended = played_out(hand, random.Random(1))
    assert snapshot(verify(logged(ended))) == snapshot(ended)
    assert referee([line + "\n" for line in lines(ended.log)]) == 1
