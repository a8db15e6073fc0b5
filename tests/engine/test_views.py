"""Nobody sees what is not theirs: worlds that differ only in what a viewer cannot know look equal to that viewer.

`WILD_HANDS=10000` tries a tenth as many tables in each test instead of some dozen.
"""

import json
import os
import random
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from engine.hand import apply, deal
from engine.refused import Refused
from engine.replay import undo
from engine.rules import EDITIONS
from engine.simulation.bots import BOTS, RandomBot
from engine.simulation.simulate import play_out
from engine.state import Action, Event, Hand, Rules
from engine.view import event_for, view_for
from tests.engine.played import NAMES, Game, all_games, clone, every_action, games, listed, next_action

HANDS = int(os.environ.get("WILD_HANDS") or 0)


def tables(count: int):
    """At least so many tables."""
    return settings(max_examples=max(HANDS // 10, count), suppress_health_check=[HealthCheck.too_slow])


def shown(hand: Hand, viewer: int | None) -> str:
    return json.dumps(view_for(hand, viewer))


def other_world(hand: Hand, viewer: int | None, rng: random.Random) -> Hand:
    """The hand with all cards that the viewer cannot know changed among each other, and with another past and seed."""
    world, public = clone(hand), hand.public
    others = [seat for seat in range(public.players) if seat != viewer]
    unknown = [*world.pile, *(card for seat in others for card in world.cards[seat])]
    rng.shuffle(unknown)
    for cards in (world.pile, *(world.cards[seat] for seat in others)):
        cards[:], unknown = unknown[: len(cards)], unknown[len(cards) :]
    world.log = [_otherwise(event, viewer, rng, hand.deck) for event in hand.log]
    world.seed = rng.randbytes(72)
    world.deck = tuple(rng.sample(hand.deck, len(hand.deck)))
    if public.turn != viewer:
        world.drawn = rng.choice(hand.deck)
    if public.step == "answer" and public.asker != viewer:
        world.guilty = not hand.guilty
    return world


def _otherwise(event: Event, viewer: int | None, rng: random.Random, deck: tuple[str, ...]) -> Event:
    """A line of the log, with other cards where the viewer did not see them."""
    kind = event[0]
    if kind in ("deal", "draw") and event[1] != viewer:
        return (*event[:2], tuple(rng.sample(deck, len(event[2]))), *event[3:])
    if kind == "show" and event[2] != "all" and viewer not in (event[1], event[2]):
        return (*event[:3], tuple(rng.sample(deck, len(event[3]))), event[4])
    if kind == "reshuffle":
        return (kind, tuple(rng.sample(deck, len(event[1]))))
    return event


def outcome(hand: Hand, action: Action) -> tuple[str, str] | None:
    """Why it is refused; None when it is not."""
    try:
        apply(clone(hand), action)
    except Refused as refused:
        return refused.code, str(refused)
    return None


def viewers(hand: Hand) -> Iterator[int | None]:
    yield from range(hand.public.players)
    yield None


@pytest.mark.slow
@tables(60)
@given(games(), st.integers(0, 200))
def test_two_worlds_that_are_equal_to_a_viewer_look_equal_to_that_viewer(game: Game, count: int) -> None:
    hand, rng = game.part_way(count), game.rng()
    for viewer in viewers(hand):
        assert shown(other_world(hand, viewer, rng), viewer) == shown(hand, viewer)


@pytest.mark.slow
@tables(40)
@given(games(), st.integers(0, 150))
def test_refusals_tell_a_player_nothing_about_what_others_hold(game: Game, count: int) -> None:
    hand, rng = game.part_way(count), game.rng()
    for viewer in {hand.public.turn, rng.randrange(game.players)}:
        world = other_world(hand, viewer, rng)
        for action in every_action(hand):
            if action[1] == viewer:
                assert outcome(world, action) == outcome(hand, action), action


@pytest.mark.slow
@tables(40)
@given(games(), st.integers(0, 150), st.sampled_from(sorted(BOTS)))
def test_a_bot_does_the_same_in_two_worlds_that_look_the_same(game: Game, count: int, name: str) -> None:
    hand = game.part_way(count)
    seat = hand.public.turn
    world = other_world(hand, seat, game.rng())
    first, second = (
        BOTS[name](random.Random(7)).choose(of.public, seat, of.cards[seat], of.drawn) for of in (hand, world)
    )
    assert first == second


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_bot_is_not_told_the_card_that_another_player_drew(edition: str) -> None:
    told = []

    class Listening:
        def __init__(self, bot):
            self.bot, self.interrupt = bot, bot.interrupt

        def choose(self, public, seat, cards, drawn):
            told.append(drawn)
            assert drawn is None or (public.step == "drawn" and drawn in cards)
            return self.bot.choose(public, seat, cards, drawn)

    hand, rng = Game(edition, players=3).dealt(), random.Random(5)
    play_out(hand, [Listening(RandomBot(rng)) for _ in range(3)])
    assert any(told)


@pytest.mark.slow
@tables(60)
@given(games(), st.integers(0, 300))
def test_the_events_of_a_view_name_only_cards_that_the_viewer_saw(game: Game, count: int) -> None:
    hand = game.part_way(count)
    for viewer in viewers(hand):
        for event, line in zip(hand.log, view_for(hand, viewer)["events"], strict=True):
            assert line == event_for(event, viewer)
            kind, who = event[0], event[1]
            own = viewer is not None and who == viewer
            if kind in ("deal", "draw"):
                assert ("cards" in line) == own
                assert own or line["count"] == len(event[2])
            elif kind == "show":
                to = event[2]
                assert ("cards" in line) == (to == "all" or viewer in (who, to))
            elif kind == "reshuffle":
                assert line == {"type": "reshuffle", "count": len(event[1])}
            else:
                assert "cards" not in line


@pytest.mark.slow
@tables(60)
@given(games(), st.integers(0, 150))
def test_a_view_holds_the_viewers_own_cards_and_no_seed_before_the_end(game: Game, count: int) -> None:
    hand = game.part_way(count)
    assume(not hand.over)
    common = set(view_for(hand, None))
    for seat in range(game.players):
        view = view_for(hand, seat)
        assert set(view) - common == {"seat", "cards", "drawn", "playable"}
        assert view["cards"] == hand.cards[seat]
        assert view["drawn"] in (None, *hand.cards[seat])
        assert set(view["playable"]) == {
            action[2] for action in listed(hand) if action[0] == "play" and action[1] == seat
        }
        view["cards"].append("changed")  # what is done to a view is not done to the hand
        view["discard"].clear()
        view["counts"].clear()
        assert "changed" not in hand.cards[seat]
        assert hand.public.discard and hand.public.counts
    for viewer in viewers(hand):
        text = shown(hand, viewer)
        assert hand.seed.hex() not in text
        assert "deck" not in text


def test_the_cards_of_a_challenge_are_shown_to_the_challenger_alone() -> None:
    met = 0
    for game in all_games():
        hand, rng = game.dealt(), game.rng()
        for _ in range(60):
            if hand.public.aimed != "WD" or hand.public.step != "answer":
                if not hand.over:
                    apply(hand, next_action(hand, rng, "eager"))
                continue
            challenger, challenged = hand.public.turn, hand.public.asker
            cards = sorted(hand.cards[challenged])
            start = len(hand.log)
            apply(hand, ("challenge", challenger))
            for viewer in viewers(hand):
                show = next(line for line in view_for(hand, viewer)["events"][start:] if line["type"] == "show")
                told = {"cards": cards} if viewer in (challenger, challenged) else {"count": len(cards)}
                assert show == {"type": "show", "seat": challenged, "to": challenger, "reason": "challenge"} | told
            met += 1
        if met >= 30:
            return


def test_a_howler_is_read_out_to_everybody() -> None:
    met = 0
    for seed in range(2000):
        hand = Game("harry-potter-fr", players=3, seed=seed, style="eager").part_way(60)
        for event in hand.log:
            if event[0] == "show":
                met += event[4] == "howler"
                assert event[4] != "howler" or all(event_for(event, viewer)["cards"] for viewer in viewers(hand))
        if met >= 10:
            return
    raise AssertionError("no Howler was played")


def test_a_view_shows_every_card_when_the_hand_is_over() -> None:
    hand = Game(seed=3).dealt()
    play_out(hand, [RandomBot(random.Random(1)) for _ in range(4)])
    for viewer in viewers(hand):
        end = view_for(hand, viewer)["events"][-1]
        assert end["seed"] == hand.seed.hex()
        assert end["deck"] == list(hand.deck)
        assert view_for(hand, viewer)["turn"] is None


def test_a_view_since_a_line_tells_what_came_after_it_and_nothing_else():
    """Whoever keeps the events and asks for the newer ones has what a whole view tells, also after an undo."""
    rng = random.Random(5)
    hand = deal(Rules(EDITIONS["classic"]), NAMES, dealer=0, seed=rng.randbytes(72))
    bots = [RandomBot(rng, bold=True) for _ in NAMES]
    kept: dict[int | None, list[dict]] = {viewer: [] for viewer in (None, *range(len(NAMES)))}
    while True:
        for viewer, events in kept.items():
            newer = view_for(hand, viewer, since=len(events))
            events += newer["events"]
            whole = view_for(hand, viewer)
            assert events == whole["events"]
            assert {**newer, "events": events} == whole
            assert newer["lines"] == len(events)
            assert view_for(hand, viewer, since=len(events))["events"] == []
        if hand.over:
            break
        turn = hand.public.turn
        if len(hand.log) > 40 and all(event[0] != "undo" for event in hand.log):
            hand = undo(hand, next(n for n, event in enumerate(hand.log) if event[0] == "pass"), "misread")
        else:
            apply(hand, bots[turn].choose(hand.public, turn, hand.cards[turn], hand.drawn))
    for line in (-1, len(hand.log) + 1):
        with pytest.raises(ValueError, match="no line"):
            view_for(hand, None, since=line)
