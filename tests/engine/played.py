"""For the tests that play at random: tables of every sort, actions of every sort, and all that a hand consists of."""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from hypothesis import strategies as st

from engine.hand import apply, deal
from engine.legal import legal
from engine.refused import Refused
from engine.rules import EDITIONS, OPTIONS, SCORINGS
from engine.shuffle import Shuffler, promise
from engine.state import Action, Hand, Public, Rules

NAMES = ("Ana Lucía", "Benoît", "Chidi", "Đorđe", "Émilie", "Farah", "Xiaoming", "Zoë", "Ines", "João")
STYLES = ("any", "eager", "stubborn")  # how a random player chooses: see `next_action`


@dataclass(frozen=True)
class Game:
    """What is dealt, and the seed of everything that is done afterwards."""

    edition: str = "classic"
    players: int = 4
    teams: bool = False
    scoring: str = "winner-takes"
    options: frozenset[str] = frozenset()
    seed: int = 0
    style: str = "any"

    def dealt(self) -> Hand:
        rng = random.Random(f"deal {self.seed}")
        rules = Rules(EDITIONS[self.edition], scoring=self.scoring, teams=self.teams, options=self.options)
        entropy = [rng.randbytes(rng.randint(0, 32)) if rng.random() < 0.5 else None for _ in range(self.players)]
        dealer = rng.randrange(self.players)
        promised = [promise(extra) if extra is not None else None for extra in entropy]
        names, seed = NAMES[: self.players], rng.randbytes(72)
        return deal(rules, names, dealer=dealer, seed=seed, entropy=entropy, promised=promised)

    def rng(self) -> random.Random:
        return random.Random(f"play {self.seed}")

    def part_way(self, steps: int) -> Hand:
        """The hand after so many actions, or just before its end."""
        hand, rng = self.dealt(), self.rng()
        for _ in range(steps):
            action = next_action(hand, rng, self.style)
            if would_end(hand, action):
                break
            apply(hand, action)
        return hand


@st.composite
def games(draw: st.DrawFn) -> Game:
    teams = draw(st.booleans())
    return Game(
        edition=draw(st.sampled_from(sorted(EDITIONS))),
        players=4 if teams else draw(st.integers(2, 10)),
        teams=teams,
        scoring=draw(st.sampled_from(sorted(SCORINGS))),
        options=frozenset(draw(st.sets(st.sampled_from(sorted(OPTIONS))))),
        seed=draw(st.integers(0, 2**32)),
        style=draw(st.sampled_from(STYLES)),
    )


def all_games(seed: int = 0) -> Iterator[Game]:
    """Every edition with every number of players, teams, scorings, styles, and sets of options, over and over."""
    rng = random.Random(f"games {seed}")
    while True:
        for edition in EDITIONS:
            for players in range(2, 11):
                yield Game(
                    edition=edition,
                    players=players,
                    teams=players == 4 and rng.random() < 0.5,
                    scoring=rng.choice(sorted(SCORINGS)),
                    options=frozenset(option for option in OPTIONS if rng.random() < 0.4),
                    seed=rng.randrange(2**32),
                    style=rng.choice(STYLES),
                )


def listed(hand: Hand) -> list[Action]:
    """What every seat may do, as the engine lists it."""
    return [action for seat in range(hand.public.players) for action in legal(hand, seat)]


def next_action(hand: Hand, rng: random.Random, style: str) -> Action:
    """A legal action, a director's penalty now and then. `eager` plays when it can, `stubborn` draws when it can."""
    public = hand.public
    if public.step != "color" and rng.random() < 0.02:
        return ("suggestion", rng.randrange(public.players))
    if hand.rules.penalise_wrong_card and public.step == "turn" and rng.random() < 0.05:
        wrong = ("wrong-card", public.turn)
        if accepted(clone(hand), wrong):
            return wrong
    by_kind: dict[str, list[Action]] = {}
    for action in listed(hand):
        by_kind.setdefault(action[0], []).append(action)
    if style == "stubborn" and rng.random() < 0.9:
        by_kind = {kind: some for kind, some in by_kind.items() if kind != "play"} or by_kind
    if style == "eager" and rng.random() < 0.9:
        by_kind = {kind: some for kind, some in by_kind.items() if kind in ("play", "uno")} or by_kind
    return rng.choice(by_kind[rng.choice(sorted(by_kind))])


def accepted(hand: Hand, action: Action) -> bool:
    """Apply it, and say whether that was possible."""
    try:
        apply(hand, action)
    except Refused:
        return False
    return True


def would_end(hand: Hand, action: Action) -> bool:
    copy = clone(hand)
    apply(copy, action)
    return copy.over


def frozen(value: Any) -> Any:
    """A value that cannot be changed, equal for what is equal."""
    if isinstance(value, (list, tuple)):
        return tuple(map(frozen, value))
    if isinstance(value, dict):
        return tuple((key, frozen(item)) for key, item in value.items())
    return value


def fields_of(kind: type) -> Sequence[str]:
    """The names of the attributes of a class of the engine, also when it is compiled: then it has no slots."""
    return kind.__slots__ if hasattr(kind, "__slots__") else kind.__mypyc_attrs__


def snapshot(hand: Hand, without: tuple[str, ...] = ()) -> dict[str, Any]:
    """Every field of a hand and of its public part, but the rules, which never change, and the stream."""
    left_out = {"rules", "public", "shuffler", *without}
    fields = {name: frozen(getattr(hand, name)) for name in fields_of(Hand) if name not in left_out}
    public = {name: frozen(getattr(hand.public, name)) for name in fields_of(Public) if name != "rules"}
    return fields | {"public": public}


def clone(hand: Hand) -> Hand:
    """The hand once more. Its stream starts again, so that what is drawn after a reshuffle is another card."""
    copy = hand.copy()
    copy.shuffler = Shuffler(hand.seed)
    return copy


def every_action(hand: Hand) -> Iterator[Action]:
    """Every action with real seats, held cards and known colours, the impossible ones too, and some that are not."""
    seats = range(-1, hand.public.players + 1)
    for seat in seats:
        for kind in ("draw", "pass", "accept", "challenge", "uno", "wrong-card", "suggestion"):
            yield (kind, seat)
        for color in ("R", "Y", "G", "B", "W", ""):
            yield ("color", seat, color)
        for other in seats:
            yield ("catch", seat, other)
    yield ("resign", 0)
    for seat in seats:
        turns = seat == hand.public.turn
        held = hand.cards[seat] if turns else hand.cards[seat % hand.public.players][:1]
        for card in sorted({*held, "WD", "WI", "R5", "XX"}):
            for color in ("R", "B", "X", None) if turns else ("R", None):
                for target in (None, *seats) if turns and card in ("WH", "WL") else (None, 0):
                    yield ("play", seat, card, color, target, False)
                    yield ("play", seat, card, color, target, True)


def as_listed(hand: Hand, action: Action) -> Action:
    """The action in the one way that `legal` says it: the next player of HAT-2 need not be named."""
    if action[0] == "play" and action[2] == "WH" and hand.rules.edition.hat_target == "next":
        return (*action[:4], None, action[5])
    return action


def any_action(hand: Hand, rng: random.Random) -> Action:
    """One action, as wild as a broken or hostile client could send it; often nearly right."""
    public = hand.public
    seat = public.turn if rng.random() < 0.6 else rng.randint(-2, public.players + 1)
    kind = rng.choice(("play", "play", "play", "draw", "pass", "color", "accept", "challenge", "uno", "catch", "other"))
    if kind == "play":
        held = hand.cards[seat % public.players]
        card = rng.choice(held) if held and rng.random() < 0.8 else rng.choice(("W", "WD", "WI", "WX", "", "r5", "G10"))
        color = rng.choice((None, None, "R", "Y", "G", "B", "W", "red", ""))
        target = rng.choice((None, None, None, rng.randint(-2, public.players + 1)))
        return ("play", seat, card, color, target, rng.random() < 0.3)
    if kind == "color":
        return ("color", seat, rng.choice("RYGBX"))
    if kind == "catch":
        caught = rng.choice(public.uno) if public.uno and rng.random() < 0.7 else rng.randint(-2, public.players + 1)
        return ("catch", caught if rng.random() < 0.2 else seat, caught)
    if kind == "other":
        return (rng.choice(("wrong-card", "suggestion", "resign", "", "end")), seat)
    return (kind, seat)


def check_invariants(hand: Hand) -> None:
    """What holds at every moment, whatever was done."""
    public, rules = hand.public, hand.rules
    everywhere = Counter(chain(hand.pile, public.discard, *hand.cards))
    assert everywhere == Counter(rules.edition.deck), everywhere - Counter(rules.edition.deck)
    assert public.counts == [len(cards) for cards in hand.cards]
    assert public.pile == len(hand.pile)
    top = public.discard[-1]
    assert public.in_play in ({top} if top[0] != "W" else {"R", "Y", "G", "B"} if public.step != "color" else {""})
    assert public.direction in (-1, 1)
    assert all(0 <= seat < public.players for seat in public.uno)
    assert len(set(public.uno)) == len(public.uno)
    if hand.over:
        assert hand.log[-1][0] == "end"
        assert listed(hand) == []
        return
    assert all(hand.cards)
    assert 0 <= public.turn < public.players
    assert 0 <= public.passes < public.players
    assert (hand.drawn is not None) == (public.step == "drawn")  # nobody hears of it who did not draw it
    assert hand.drawn in (None, *hand.cards[public.turn])
    if public.step == "answer":
        assert public.aimed == top
        assert public.asker != public.turn
    else:
        assert public.stake == 0
