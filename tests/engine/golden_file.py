"""Golden logs: plain-text files that say how a hand stands, what players do, and what then happens.

Reading one by an example:

    # WD4-4: What the file shows; the ids before the colon are its rules.
    edition classic                      and, if need be: scoring …, options …, teams
    cards Ana: R5 R6 WD                  a line for each seat, in seat order
    cards Benoît: B1 B2
    top R7                               `top W red`: the colour named for a wild
    pile G1 G2 G3 G4 Y1                  the next card first
    > Ana plays WD choosing green        what somebody does …
      play seat=0 card=WD color=G        … and the lines of the log that follow, or the refusal
    = turn Benoît; color green           what can be seen now

Further lines at the top: `discard` (the cards under the top, oldest first), `rest` (where the other cards of the deck
are: `pile`, which is under it, `discard` or somebody's name), `turn` (whose, else the first seat's), `direction right`,
`log 1` (an older version of the log).
With `players Ana, Benoît` instead of `cards` the hand is dealt: `seed` (a number), `dealer`. Without a seed it is a
game to a `target`, to which hands are added by their scores. What can be written stands in `_SENTENCES`, `_MOVES` and
`_CHECKS`.
"""

import re
from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path
from typing import Any

from engine.cards import COLORS
from engine.game import Game, dealer_of, dealers_by_birthday, draw_for_dealer
from engine.hand import apply, deal
from engine.legal import legal
from engine.log import as_event, as_object
from engine.refused import Refused
from engine.replay import action_of, undo
from engine.rules import DEFAULT_TARGET, EDITIONS, LOG_VERSION
from engine.shuffle import SEED_BYTES
from engine.state import Action, Event, Hand, Rules
from engine.view import event_for
from tests.engine.rigged import rigged

CARDS_SHOWN = 12  # a longer list is cut
_WHO = r"seat \d+|\S+"  # a name, or a seat that may not be at the table
LETTERS = {name.lower(): letter for letter, name in COLORS.items()}


def rules_shown(path: Path) -> list[str]:
    """The ids that the first line names before its colon."""
    return re.findall(r"[A-Z0-9]+-\d\b", path.read_text(encoding="utf-8").partition(":")[0])


class Golden:
    """One file, played: `written` is what stands in it, `text` what should, `hand` how the hand is at its end."""

    def __init__(self, path: Path) -> None:
        lines = path.read_text(encoding="utf-8").splitlines()
        first = next((number for number, line in enumerate(lines) if line.startswith((">", "="))), len(lines))
        self.written = "\n".join(lines) + "\n"
        self._read_setting(lines[:first])
        told = list(lines[:first])
        for line in lines[first:]:
            if line.startswith(">"):
                told += [line, *(f"  {said}" for said in self._happens(line[1:].strip()))]
            elif line.startswith("="):
                told.append("= " + "; ".join(map(self._seen, line[1:].strip().split("; "))))
            elif line.startswith("#") or not line:
                told.append(line)
        self.text = "\n".join(told) + "\n"

    # How things stand

    def _read_setting(self, lines: Sequence[str]) -> None:
        told: dict[str, str] = {}
        held: dict[str, list[str]] = {}
        for line in lines:
            key, _, value = line.partition(" ")
            if key == "cards":
                name, _, cards = value.partition(":")
                held[name] = cards.split()
            elif key not in _SETTINGS and not line.startswith("#"):
                raise ValueError(f"No golden file has a line “{line}” at its top.")
            told[key] = value
        options = told["options"].split(", ") if "options" in told else ()
        self.rules = Rules(
            EDITIONS[told["edition"]],
            scoring=told.get("scoring", "winner-takes"),
            teams="teams" in told,
            options=options,
            log=int(told.get("log", LOG_VERSION)),
        )
        self.names = list(held) or told["players"].split(", ")
        dealer = self.seat_of(told.get("dealer", self.names[0]))
        self.game = Game(self.rules, len(self.names), dealer, int(told.get("target", DEFAULT_TARGET)))
        self.held, self.told, self.dealer = held, told, dealer
        if self.is_a_hand:
            self.hand = self.fresh_hand()

    @property
    def is_a_hand(self) -> bool:
        return bool(self.held) or "seed" in self.told

    def fresh_hand(self) -> Hand:
        """The hand before anybody does anything."""
        held, told = self.held, self.told
        if not held:
            seed = int(told["seed"]).to_bytes(SEED_BYTES, "big")
            return deal(self.rules, self.names, dealer=self.dealer, seed=seed)
        top, _, color = told.get("top", "R7").partition(" ")
        return rigged(
            self.rules,
            held,
            top=top,
            color=LETTERS[color] if color else None,
            pile=told.get("pile", "").split(),
            discard=told.get("discard", "").split(),
            rest=told.get("rest", "pile"),
            turn=self.seat_of(told.get("turn", self.names[0])),
            direction=-1 if told.get("direction") == "right" else 1,
        )

    def seat_of(self, name: str) -> int:
        return int(name[5:]) if name.startswith("seat ") else self.names.index(name)

    def name_of(self, seat: int) -> str:
        return self.names[seat] if seat >= 0 else "nobody"

    # What happens

    def _happens(self, sentence: str) -> list[str]:
        for pattern, moved in _SENTENCES:
            if found := re.fullmatch(pattern, sentence):
                return moved(self, *found.groups())
        for pattern, action in _MOVES:
            if found := re.fullmatch(rf"({_WHO}) {pattern}", sentence):
                who, *how = found.groups()
                return self._move(action(self, self.seat_of(who), *how))
        raise ValueError(f"No golden file says “{sentence}”.")

    def _move(self, action: Action) -> list[str]:
        before = len(self.hand.log)
        try:
            apply(self.hand, action)
        except Refused as refused:
            return [_refusal(refused)]
        return [told(event) for event in self.hand.log[before:]]

    def dealt(self) -> list[str]:
        return [told(event) for event in self.hand.log if event[0] == "deal"]

    def turned_up(self) -> list[str]:
        return [told(event) for event in self.hand.log[1 + len(self.names) :]]

    def line_read(self, kind: str, fields: str) -> list[str]:
        """A line of a log that somebody else wrote."""
        found: dict[str, Any] = {"type": kind}
        for name, value in re.findall(r"(\w+)=((?:[^= ]+ ?)+)(?= \w+=|$)", fields):
            found[name] = value.split() if name == "cards" else int(value) if value.isdigit() else value
        try:
            return self._move(action_of(self.hand, as_event(found)))
        except Refused as refused:
            return [_refusal(refused)]

    def taken_back(self, to: str, reason: str) -> list[str]:
        try:
            self.hand = undo(self.hand, int(to), reason)
        except Refused as refused:
            return [_refusal(refused)]
        return [told(self.hand.log[-1])]

    def drawn_for_dealer(self, rounds: str) -> list[str]:
        """DEAL-1 with these cards, by seat of those who draw, instead of luck."""
        picks = []
        for cards in rounds.split(", then "):
            deck = list(self.rules.edition.deck)
            for card in cards.split():
                picks.append(deck.index(card))
                deck.remove(card)
        draws = draw_for_dealer(self.rules.edition, range(len(self.names)), lambda cards: picks.pop(0))
        shown = [" ".join(f"{self.name_of(seat)}={card}" for seat, card in drawn.items()) for drawn in draws]
        return [*(f"draw {line}" for line in shown), f"dealer {self.name_of(dealer_of(draws))}"]

    def birthdays(self, days: str) -> list[str]:
        born = [None if day == "unknown" else date.fromisoformat(f"2004-{day}") for day in days.split()]
        by_seat = {seat: (day.month, day.day) if day else None for seat, day in enumerate(born)}
        nearest = dealers_by_birthday(self.rules.edition, by_seat)
        return [f"nearest {', '.join(map(self.name_of, nearest)) or 'nobody: draw for it'}"]

    def hand_scored(self, scores: str) -> list[str]:
        """A hand of the game, by the scores of those who play."""
        self.game.add([int(score) for score in scores.split()])
        score = self.game.score
        outs = [self.name_of(seat) for seat, out in enumerate(score.out_in_hand) if out == len(self.game.hands)]
        lines = [f"totals {' '.join(map(str, score.totals))}"]
        lines += [f"out {', '.join(outs)}"] if outs else []
        over = f"over places={' '.join(map(str, score.places))}"
        return [*lines, over if score.over else f"next dealer={self.name_of(self.game.dealer)}"]

    # What can be seen

    def _seen(self, check: str) -> str:
        for pattern, answer in _CHECKS:
            if found := re.match(pattern, check):
                return f"{found[0].strip()} {answer(self, *found.groups())}"
        raise ValueError(f"No golden file asks for “{check}”.")

    def may(self, name: str) -> str:
        seat = self.seat_of(name)
        kinds: dict[str, None] = {}
        for action in legal(self.hand, seat):
            also = {"play": 2, "catch": 2}.get(action[0])
            word = action[also] if also else ""
            kinds[f"{action[0]} {self.name_of(word) if action[0] == 'catch' else word}".strip()] = None
        return ", ".join(kinds) or "nothing"

    def sees(self, name: str, kind: str) -> str:
        event = next(event for event in reversed(self.hand.log) if event[0] == kind)
        viewer = None if name == "spectator" else self.seat_of(name)
        return " ".join(_fields(event_for(event, viewer))) or "nothing"


def _refusal(refused: Refused) -> str:
    return f"refused {refused.code} {refused.rule}: {refused}"


def told(event: Event) -> str:
    """The line of a log as a golden file has it: no seed, and no list of cards that is too long to read."""
    found = as_object(event)
    return " ".join([found["type"], *_fields(found)])


def _fields(found: dict[str, Any]) -> list[str]:
    shown = []
    for name, value in found.items():
        if name in ("type", "seed", "deck"):
            continue
        if name == "guilty":
            shown.append("guilty" if value else "innocent")
        elif value is True:
            shown.append(name)
        elif isinstance(value, list) and len(value) > CARDS_SHOWN:
            shown.append(f"{name}={' '.join(value[:CARDS_SHOWN])} … ({len(value)} cards)")
        elif isinstance(value, list):
            shown.append(f"{name}={' '.join(map(str, value))}")
        else:
            shown.append(f"{name}={'nobody' if value is None else value}")
    return shown


_SETTINGS = (
    *("edition", "scoring", "options", "teams", "cards", "top", "pile", "discard", "rest", "turn", "direction"),
    *("players", "dealer", "seed", "target", "log"),
)

_SENTENCES: list[tuple[str, Callable[..., list[str]]]] = [
    (r"the cards are dealt", Golden.dealt),
    (r"a card is turned up", Golden.turned_up),
    (r"the log has (\w+) (.*)", Golden.line_read),
    (r"the director goes back to (\d+): (.+)", Golden.taken_back),
    (r"everybody draws (.+)", Golden.drawn_for_dealer),
    (r"the birthdays are (.+)", Golden.birthdays),
    (r"a hand scores (.+)", Golden.hand_scored),
]


def _play(golden: Golden, seat: int, card: str, color: str | None, target: str | None, uno: str | None) -> Action:
    letter = None if color is None else LETTERS[color]
    return ("play", seat, card, letter, None if target is None else golden.seat_of(target), uno is not None)


# After the name of who does it.
_MOVES: list[tuple[str, Callable[..., Action]]] = [
    (rf"plays (\S+)(?: choosing (\w+))?(?: at ({_WHO}))?( and calls UNO)?", _play),
    (r"draws", lambda golden, seat: ("draw", seat)),
    (r"passes", lambda golden, seat: ("pass", seat)),
    (r"accepts", lambda golden, seat: ("accept", seat)),
    (r"challenges", lambda golden, seat: ("challenge", seat)),
    (r"names (\w+)", lambda golden, seat, color: ("color", seat, LETTERS.get(color, color))),
    (r"calls UNO", lambda golden, seat: ("uno", seat)),
    (rf"catches ({_WHO})", lambda golden, seat, caught: ("catch", seat, golden.seat_of(caught))),
    (r"showed a wrong card", lambda golden, seat: ("wrong-card", seat)),
    (r"suggested a play", lambda golden, seat: ("suggestion", seat)),
    (r"tries to (\w+)", lambda golden, seat, kind: (kind, seat)),
]

_CHECKS: list[tuple[str, Callable[..., str]]] = [
    (r"turn\b", lambda golden: golden.name_of(golden.hand.public.turn)),
    (r"step\b", lambda golden: golden.hand.public.step),
    (r"color\b", lambda golden: COLORS[golden.hand.public.color].lower() if golden.hand.public.color else "none"),
    (r"direction\b", lambda golden: "left" if golden.hand.public.direction == 1 else "right"),
    (r"pile\b", lambda golden: str(golden.hand.public.pile)),
    (r"discard\b", lambda golden: " ".join(golden.hand.public.discard)),
    (r"blocked in\b", lambda golden: f"{golden.hand.public.turns_left or 'many'} turns"),
    (r"stake\b", lambda golden: str(golden.hand.public.stake)),
    (r"can be caught:", lambda golden: ", ".join(map(golden.name_of, golden.hand.public.uno)) or "nobody"),
    (r"(\S+) holds\b", lambda golden, name: " ".join(golden.hand.cards[golden.seat_of(name)]) or "nothing"),
    (r"(\S+) may\b", Golden.may),
    (r"(\S+) sees (\w+)\b", Golden.sees),
]
