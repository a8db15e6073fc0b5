"""A hand in play: its public part, the private part of each seat, and its secrets.

The three are separate, so a view contains only what its viewer may see (engine/view.py), and a bot gets the same
(engine/simulation/bots.py).
"""

from collections.abc import Collection, Sequence
from typing import Any, Final

from engine.cards import COLORS, WILDS
from engine.rules import (
    LOG_VERSION,
    LOG_VERSIONS,
    MAX_PLAYERS,
    MIN_PLAYERS,
    OPTIONS,
    SCORINGS,
    TEAM_PLAYERS,
    WINNER_TAKES,
    Edition,
)
from engine.shuffle import Shuffler

# What a hand waits for, always from the seat `Public.turn`.
COLOR: Final = "color"  # the colour of a turned-up wild card (OPEN-5)
TURN: Final = "turn"  # a card, or to draw, or to pass when nothing is left to draw
DRAWN: Final = "drawn"  # the drawn card, or to keep it (PLAY-2)
ANSWER: Final = "answer"  # accept, challenge, cancel or pass on what is aimed at the seat
OVER: Final = "over"

# The first item is the type, the others are the fields of engine/log.py in their order, None or False where absent.
Event = tuple[Any, ...]
# The first item is the kind, the others its arguments: the table at the end of engine/hand.py.
Action = tuple[Any, ...]


def _matches() -> dict[str, frozenset[str]]:
    """Return the cards that fit on a coloured card, or on the colour chosen for a wild (PLAY-1, PLAY-4, PLAY-5)."""
    faces = "0123456789SRD"
    fitting = {}
    for color in COLORS:
        of_color = {color + face for face in faces}
        fitting[color] = frozenset(of_color | WILDS.keys())
        for face in faces:
            fitting[color + face] = frozenset(of_color | {other + face for other in COLORS} | WILDS.keys())
    return fitting


MATCHES: Final = _matches()
SCARCE: Final = 5  # with at most this many free cards, turns count towards PLAY-8
SCARCE_TURNS: Final = 10  # times the players: after so many such turns in a row the hand is blocked
MOST_TURNS: Final = 500  # times the players: after so many turns the hand is blocked in any case
WARNED: Final = 10  # turns before it is blocked the table is told

# The cards that make the next player draw, and the reason of that draw in the log.
FORCES: Final = {"WD": "wild-draw-four"} | {color + "D": "draw-card" for color in COLORS}


class Rules:
    """The rules of a hand: an edition, a scoring, teams or not, and the options that are on. Never changed once made.

    `log` is the version of the log: a hand may have begun under an earlier one. What every move needs is an attribute.
    Raises ValueError.
    """

    __slots__ = (
        "as_options",
        "asks",
        "closes_on_draw",
        "draw_size",
        "draw_until_playable",
        "edition",
        "gryffindor",
        "log",
        "must_play",
        "no_bluff",
        "options",
        "penalise_wrong_card",
        "scoring",
        "stacking",
        "teams",
    )

    def __init__(
        self,
        edition: Edition,
        *,
        scoring: str = WINNER_TAKES,
        teams: bool = False,
        options: Collection[str] = (),
        log: int = LOG_VERSION,
    ) -> None:
        if scoring not in SCORINGS:
            raise ValueError(f"There is no scoring “{scoring}”; there are {', '.join(SCORINGS)}.")
        if unknown := sorted(set(options) - OPTIONS.keys()):
            raise ValueError(f"There is no option “{unknown[0]}”; there are {', '.join(OPTIONS)}.")
        if log not in LOG_VERSIONS:
            raise ValueError(f"There is no version {log} of the log; there are {', '.join(map(str, LOG_VERSIONS))}.")
        self.log = log
        self.edition = edition
        self.scoring = scoring
        self.teams = teams
        self.options = frozenset(options)
        self.stacking = "stacking" in options
        self.draw_until_playable = "draw_until_playable" in options
        self.no_bluff = "no_bluff" in options
        self.must_play = "must_play" in options
        self.penalise_wrong_card = "penalise_wrong_card" in options
        self.as_options = {"scoring": scoring} | dict.fromkeys(sorted(options), True)  # as the log names them
        self.draw_size = edition.draw_size
        self.gryffindor = frozenset(f"{color}{number}" for color in COLORS for number in edition.gryffindor)  # HAT-3
        self.asks = edition.invisibility  # whether every targeted player must answer (INV-4)
        self.closes_on_draw = edition.uno_window == "turn-begins"  # what closes UNO windows: UNO-3 or UNO-5

    def check_players(self, players: int) -> None:
        """Raises ValueError for a number of players that cannot play by these rules."""
        if not MIN_PLAYERS <= players <= MAX_PLAYERS:
            raise ValueError(f"A hand has {MIN_PLAYERS} to {MAX_PLAYERS} players, not {players}.")
        if self.teams and players != TEAM_PLAYERS:
            raise ValueError(f"Teams are {TEAM_PLAYERS} players, not {players}.")


class Public:
    """The public part of a hand. Bots and views read it; only engine modules write it."""

    __slots__ = (
        "aimed",
        "asker",
        "counts",
        "dealer",
        "direction",
        "discard",
        "in_play",
        "most_scarce",
        "most_turns",
        "names",
        "passes",
        "pile",
        "players",
        "rules",
        "scarce",
        "stake",
        "step",
        "turn",
        "turns",
        "uno",
    )

    def __init__(self, rules: Rules, names: tuple[str, ...], dealer: int) -> None:
        self.rules = rules
        self.names = names  # by seat
        self.players = len(names)
        self.dealer = dealer
        self.step: str = TURN
        self.turn = dealer  # the seat that the hand waits for
        self.direction = 1  # 1 to the left, -1 to the right
        self.in_play = ""  # the top card, or the colour alone when a wild is on top: a key of MATCHES
        self.discard: list[str] = []  # oldest first
        self.pile = 0  # cards in the draw pile
        self.counts = [0] * self.players  # cards held, by seat
        self.uno: tuple[int, ...] = ()  # seats that left one card and have not called: they can be caught (UNO-2)
        self.passes = 0  # passes with nothing to draw, in a row (PLAY-7)
        self.turns = 0  # that have come up, including this one (PLAY-8)
        self.scarce = 0  # number of turns in a row with at most SCARCE free cards
        self.most_turns = MOST_TURNS * self.players if rules.log > 1 else -1  # -1: without end
        self.most_scarce = SCARCE_TURNS * self.players if rules.log > 1 else -1
        # While an answer is awaited:
        self.aimed = ""  # the card that is aimed at `turn`
        self.asker = -1  # the seat that played it
        self.stake = 0  # cards that it makes the target draw

    @property
    def color(self) -> str:
        """Return the colour in play (PLAY-4); empty before OPEN-5's choice."""
        return self.in_play[:1]

    @property
    def can_draw(self) -> bool:
        """Return whether anything is left to draw (PLAY-7)."""
        return self.pile > 0 or len(self.discard) > 1

    @property
    def turns_left(self) -> int | None:
        """Return the number of turns until the hand is blocked if nothing changes (PLAY-8); None while that is far
        away."""
        if self.most_turns < 0 or self.step in (COLOR, OVER):
            return None
        remaining = self.most_turns - self.turns + 1
        if self.scarce:
            remaining = min(remaining, self.most_scarce - self.scarce)
        return remaining if remaining <= WARNED else None

    def copy(self) -> "Public":
        copy = Public(self.rules, self.names, self.dealer)
        copy.step, copy.turn, copy.direction = self.step, self.turn, self.direction
        copy.in_play, copy.discard, copy.pile = self.in_play, [*self.discard], self.pile
        copy.counts, copy.uno = [*self.counts], self.uno
        copy.passes, copy.turns, copy.scarce = self.passes, self.turns, self.scarce
        copy.aimed, copy.asker, copy.stake = self.aimed, self.asker, self.stake
        return copy

    def after(self, seat: int, steps: int = 1) -> int:
        """Return the seat some steps on, in the direction of play."""
        return (seat + steps * self.direction) % self.players


class Hand:
    """A hand in play. Made by `engine.hand.deal`, changed by `engine.hand.apply` alone, which appends to `log`."""

    __slots__ = ("cards", "deck", "drawn", "entropy", "guilty", "log", "pile", "public", "rules", "seed", "shuffler")

    def __init__(
        self, public: Public, seed: bytes, entropy: Sequence[bytes | None], shuffler: Shuffler, deck: Sequence[str]
    ) -> None:
        self.public = public
        self.rules = public.rules
        self.log: list[Event] = []
        # Known to the holder:
        self.cards: list[list[str]] = []  # by seat
        self.drawn: str | None = None  # the card of PLAY-2, while the step is DRAWN
        # Secret until the hand is over:
        self.pile: list[str] = []  # the next card last
        self.guilty = False  # whether the Wild Draw Four that is to be answered was a bluff (WD4-2)
        self.seed = seed
        self.entropy = tuple(entropy)  # published, but by the log
        self.shuffler = shuffler
        self.deck = tuple(deck)  # as first shuffled, in the order of dealing

    @property
    def over(self) -> bool:
        return self.public.step == OVER

    def out_of_turn(self) -> list[int]:
        """Return the seats that may call UNO or catch although the hand does not wait for them (UNO-1, UNO-2)."""
        return [seat for seat in range(self.public.players) if self.public.uno and seat != self.public.turn]

    def copy(self) -> "Hand":
        """Return a second hand that is equal now; what happens in one does not happen in the other."""
        copy = Hand(self.public.copy(), self.seed, self.entropy, self.shuffler.copy(), self.deck)
        copy.log = [*self.log]
        copy.cards = [[*cards] for cards in self.cards]
        copy.drawn, copy.guilty, copy.pile = self.drawn, self.guilty, [*self.pile]
        return copy
