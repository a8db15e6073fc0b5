"""Hands and games played by bots, all from one seed: for tests, demo data, statistics and the benchmark."""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from engine.game import Game
from engine.hand import apply, deal
from engine.result import result_of
from engine.shuffle import ENTROPY_BYTES, SEED_BYTES, promise
from engine.simulation.bots import BOTS, Bot, RandomBot
from engine.state import COLOR, OVER, Hand, Rules

NAMES = ("Ana", "Benoît", "Chidi", "Đorđe", "Émilie", "Farah", "Goran", "Hana", "Iker", "Jun")
MOST_MOVES = 20_000  # of a hand; the rules end one of ten players after 5 000 turns (PLAY-8)
ROUGH = 8  # one in so many hands of random bots is played by stubborn ones, and one by bold ones


@dataclass(frozen=True)
class Setting:
    """The rules, the number of players, and the bots (keys of `BOTS`, by seat in turn)."""

    rules: Rules
    players: int
    bots: Sequence[str] = ("random",)
    seed: str = "0"

    def __post_init__(self) -> None:
        self.rules.check_players(self.players)
        if unknown := [bot for bot in self.bots if bot not in BOTS]:
            raise ValueError(f"There is no bot “{unknown[0]}”; there are {', '.join(BOTS)}.")


def hands(setting: Setting, count: int) -> Iterator[Hand]:
    """`count` independent hands, played to the end; the deal passes left from hand to hand."""
    for number in range(count):
        yield _play_hand(setting, str(number), NAMES[: setting.players], number % setting.players)


def games(setting: Setting, count: int, target: int) -> Iterator[tuple[Game, list[Hand]]]:
    """`count` games, each to the target, with their hands."""
    for number in range(count):
        game = Game(setting.rules, setting.players, dealer=number % setting.players, target=target)
        played: list[Hand] = []
        while not game.score.over:
            playing = game.playing
            names = [NAMES[seat] for seat in playing]
            hand = _play_hand(setting, f"{number}/{len(played)}", names, playing.index(game.dealer), playing)
            played.append(hand)
            game.add(result_of(hand).scores)
        yield game, played


def _play_hand(setting: Setting, key: str, names: Sequence[str], dealer: int, seats: Sequence[int] = ()) -> Hand:
    """Play a hand with a stream of its own, so that it is the same whatever is played before it."""
    rng = random.Random(f"{setting.seed}/{key}")
    mood = rng.randrange(ROUGH) if set(setting.bots) == {"random"} else ROUGH
    entropy = [rng.randbytes(rng.randint(1, ENTROPY_BYTES)) if rng.random() < 0.5 else None for _ in names]
    promised = [promise(extra) if extra is not None else None for extra in entropy]
    seed = rng.randbytes(SEED_BYTES)
    hand = deal(setting.rules, names, dealer=dealer, seed=seed, entropy=entropy, promised=promised)
    if mood < 2:
        bots: list[Bot] = [RandomBot(rng, stubborn=mood == 0, bold=mood == 1) for _ in names]
    else:
        bots = [BOTS[setting.bots[seat % len(setting.bots)]](rng) for seat in seats or range(len(names))]
    play_out(hand, bots, rng if mood == 0 else None)
    return hand


class Endless(Exception):
    """Bots did not end a hand; `str()` says so."""

    def __init__(self) -> None:
        super().__init__(f"A hand was given up after {MOST_MOVES} moves of the bots that play it.")


def play_out(hand: Hand, bots: Sequence[Bot], director: random.Random | None = None) -> None:
    """Play a hand to its end, bots by seat. A `director` penalises a player now and then (PEN-2). Raises `Endless`."""
    public, cards = hand.public, hand.cards
    for _move in range(MOST_MOVES):
        if public.step == OVER:
            return
        seat = public.turn
        apply(hand, bots[seat].choose(public, seat, cards[seat], hand.drawn))
        if public.uno:
            _ask_everybody(hand, bots)
        if director is not None and public.step not in (OVER, COLOR) and director.random() < 0.01:
            apply(hand, ("suggestion", director.randrange(public.players)))
    raise Endless


def _ask_everybody(hand: Hand, bots: Sequence[Bot]) -> None:
    """Let each bot call UNO or catch once, starting left of the first player who can be caught."""
    public = hand.public
    first = public.uno[0]
    for step in range(1, public.players + 1):
        seat = (first + step) % public.players
        if not public.uno:
            return
        action = bots[seat].interrupt(public, seat, hand.cards[seat])
        if action is not None:
            apply(hand, action)


@dataclass
class Tally:
    """A summary of several hands."""

    hands: int = 0
    games: int = 0
    turns: int = 0
    blocked: int = 0
    won: Counter[str] = field(default_factory=Counter)  # hands, by name
    won_games: Counter[str] = field(default_factory=Counter)  # by name; all players in a shared first place
    kinds: Counter[str] = field(default_factory=Counter)  # lines by type

    def add(self, hand: Hand) -> None:
        self.hands += 1
        self.turns += hand.public.turns
        winner = result_of(hand).winner_name
        if winner is None:
            self.blocked += 1
        else:
            self.won[winner] += 1
        self.kinds.update(event[0] for event in hand.log)

    def add_game(self, game: Game) -> None:
        self.games += 1
        self.won_games.update(NAMES[seat] for seat, place in enumerate(game.score.places) if place == 1)
