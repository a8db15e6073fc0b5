"""A hand's log in words, one line a move: the action and its effects.

`story_of` reads the events of `engine.view.event_for`, so a story contains only what its viewer may see. `in_words`
makes the sentence of one line in the reader's language.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from engine.cards import COLOR_NAMES, COLORS, WILDS
from engine.rules import EDITIONS, Edition
from engine.sentences import Sentence
from league.lib.translate import card_name, translate

CARDS_DEALT = 7
MOST_NAMED = 4  # own drawn cards in one sentence
MOST_STORIES = 400  # cached stories of viewers, about 35 kB each


@dataclass(slots=True)
class Fact:
    """An event within a move. `other`: the affected seat, if not `seat`. `count`: cards, or a direction."""

    kind: str
    seat: int = -1
    other: int = -1
    count: int = 0
    card: str = ""
    color: str = ""
    cards: list[str] = field(default_factory=list)  # known to the viewer
    guilty: bool = False
    reason: str = ""
    drawn: "Fact | None" = None  # of a Creeper: the draw that revealed it


@dataclass(slots=True)
class Line:
    """A move. `number` counts from 1; 0 is the turned-up card. `first` and `last` are its lines in the log.

    `undone`: a director went back to before it.
    """

    number: int
    first: int
    last: int
    facts: list[Fact]
    undone: bool = False

    @property
    def seat(self) -> int:
        return self.facts[0].seat


@dataclass(slots=True)
class Story:
    """The moves of a hand. `before`: the colour in play before the last card, if known."""

    names: Sequence[str]
    edition: Edition
    lines: list[Line] = field(default_factory=list)
    before: str = ""


@dataclass(frozen=True, slots=True)
class _At:
    """The state of the hand after an event, for reading the next one."""

    direction: int = 1
    counts: tuple[int, ...] = ()
    color: str = ""
    before: str = ""
    top: tuple[int, str] = (-1, "")  # seat and code of the last card


class _Reader:
    def __init__(self, names: Sequence[str], edition: Edition) -> None:
        self.story = Story(names, edition)
        self.at = _At()
        self.after: list[_At] = []  # by line of the log
        self.numbered = 0
        self.shuffled = False
        self.events: list[Mapping[str, Any]] = []

    def read(self, n: int, event: Mapping[str, Any]) -> None:
        self.events.append(event)
        kind = event["type"]
        if kind == "start":
            self.at = _At(counts=(CARDS_DEALT,) * len(self.story.names))
            self.dealer = event["dealer"]
        elif kind != "deal":
            getattr(self, f"_{kind}")(n, event)
        if kind != "undo" and self.story.lines:
            self.story.lines[-1].last = n
        self.after.append(self.at)
        self.story.before = self.at.before

    def _begin(self, n: int, fact: Fact, *, numbered: bool = True) -> None:
        self.numbered += numbered
        self.story.lines.append(Line(self.numbered if numbered else 0, n, n, [fact]))
        if self.shuffled:
            self._add(Fact("shuffled"))
            self.shuffled = False

    def _add(self, fact: Fact) -> None:
        if self.story.lines:
            self.story.lines[-1].facts.append(fact)

    def _continues(self, seat: int, kind: str) -> Fact | None:
        """Return the last line's first fact if kind and seat match; then the new event belongs to it."""
        fact = self.story.lines[-1].facts[0] if self.story.lines else None
        return fact if fact and fact.kind == kind and fact.seat == seat else None

    def _set(self, **changes: Any) -> None:
        values = {name: getattr(self.at, name) for name in ("direction", "counts", "color", "before", "top")}
        self.at = _At(**(values | changes))

    def _count(self, seat: int, more: int) -> int:
        counts = list(self.at.counts)
        counts[seat] += more
        self._set(counts=tuple(counts))
        return counts[seat]

    def _next(self, seat: int) -> int:
        return (seat + self.at.direction) % len(self.story.names)

    # The events, as engine/log.py names them

    def _turn_up(self, n: int, event: Mapping[str, Any]) -> None:
        card = event["card"]
        self._begin(n, Fact("returned" if event.get("returned") else "turned-up", card=card), numbered=False)
        if event.get("returned"):
            return
        self._set(color="" if card in WILDS else card[0], top=(-1, card))
        if card[1:] == "R":
            self._set(direction=-1)
            self._add(Fact("turns", count=-1))
        elif card[1:] == "S":
            self._add(Fact("waits", self._next(self.dealer)))

    def _color(self, n: int, event: Mapping[str, Any]) -> None:
        self._begin(n, Fact("chooses", event["seat"], color=event["color"]))
        self._set(color=event["color"])

    def _play(self, n: int, event: Mapping[str, Any]) -> None:
        seat, card = event["seat"], event["card"]
        fact = Fact("plays", seat, event.get("target", -1), card=card, color=event.get("color", ""))
        drew = self._continues(seat, "draws-on-turn") if event.get("drawn") else None
        if drew is not None:
            fact.kind = "draws-and-plays"
            fact.count = drew.count
            line = self.story.lines[-1]
            line.facts[0] = fact
        else:
            self._begin(n, fact)
        remaining = self._count(seat, -1)
        if remaining == 1:
            self._add(Fact("called" if event.get("uno") else "one-left", seat))
        cancelled = self.at.top
        if event.get("cancel"):
            self._add(Fact("cancels", seat, card=cancelled[1]))
        self._set(before=self.at.color, color=event.get("color") or card[0], top=(seat, card))
        if remaining and not event.get("cancel"):
            self._effect(seat, card)

    def _effect(self, seat: int, card: str) -> None:
        two = len(self.story.names) == 2
        if card in WILDS:
            return
        if card[1] == "R" and not two:
            self._set(direction=-self.at.direction)
            self._add(Fact("turns", count=self.at.direction))
        elif (card[1] == "S" or (card[1] == "R" and two)) and not self.story.edition.invisibility:
            self._add(Fact("waits", self._next(seat)))

    def _draw(self, n: int, event: Mapping[str, Any]) -> None:
        seat, cards = event["seat"], event.get("cards")
        count = event.get("count", len(cards or ()))
        self._count(seat, count)
        if event["reason"] == "turn":
            fact = self._continues(seat, "draws-on-turn")
            if fact is None:
                fact = Fact("draws-on-turn", seat)
                self._begin(n, fact)
        else:
            facts = self.story.lines[-1].facts if self.story.lines else []
            of_turn = ("draws", "draws-on-turn", "challenge") if event["reason"] != "creeper" else ("draws",)
            fact = next((fact for fact in facts if fact.kind in of_turn and self._draws(fact) == seat), None)
            if fact is None:
                fact = Fact("draws", seat)
                self._add(fact)
        fact.count += count
        fact.cards += cards or []
        if self.shuffled:
            self._add(Fact("shuffled"))
            self.shuffled = False

    def _draws(self, fact: Fact) -> int:
        return fact.other if fact.kind == "challenge" and fact.guilty else fact.seat

    def _pass(self, n: int, event: Mapping[str, Any]) -> None:
        drew = self._continues(event["seat"], "draws-on-turn")
        if drew is not None:
            drew.kind = "draws-and-keeps"
        else:
            self._begin(n, Fact("passes", event["seat"]))

    def _accept(self, n: int, event: Mapping[str, Any]) -> None:
        card = self.at.top[1]
        self._begin(n, Fact("waits" if card not in WILDS and card[1] in "SR" else "accepts", event["seat"]))

    def _challenge(self, n: int, event: Mapping[str, Any]) -> None:
        self._begin(n, Fact("challenge", event["seat"], self.at.top[0], guilty=event["guilty"]))

    def _show(self, n: int, event: Mapping[str, Any]) -> None:
        if event["reason"] == "creeper":
            # Later events may extend this draw, so count its cards only when rendering.
            facts = self.story.lines[-1].facts if self.story.lines else []
            drawn = next((fact for fact in reversed(facts) if fact.count and self._draws(fact) == event["seat"]), None)
            self._add(Fact("creeper", event["seat"], drawn=drawn))
        elif event["reason"] != "challenge":
            self._add(Fact("shows", event["seat"], cards=event.get("cards", [])))

    def _uno(self, n: int, event: Mapping[str, Any]) -> None:
        self._begin(n, Fact("calls", event["seat"]))

    def _catch(self, n: int, event: Mapping[str, Any]) -> None:
        self._begin(n, Fact("catches", event["by"], event["seat"]))

    def _penalty(self, n: int, event: Mapping[str, Any]) -> None:
        self._begin(n, Fact(event["reason"], event["seat"]))

    def _reshuffle(self, n: int, event: Mapping[str, Any]) -> None:
        self.shuffled = bool(self.numbered)

    def _undo(self, n: int, event: Mapping[str, Any]) -> None:
        to = event["to"]
        for line in self.story.lines:
            line.undone = line.undone or (line.last > to and line.facts[0].kind != "undo")
        self.at = self.after[to]
        standing = [line.number for line in self.story.lines if not line.undone and line.facts[0].kind != "undo"]
        self.story.lines.append(Line(0, n, n, [Fact("undo", count=max(standing, default=0), reason=event["reason"])]))

    def _end(self, n: int, event: Mapping[str, Any]) -> None:
        winner = event["winner"]
        self._begin(n, Fact("blocked" if winner is None else "goes-out", -1 if winner is None else winner))


def story_of(events: Sequence[Mapping[str, Any]], names: Sequence[str] = ()) -> Story:
    """Return the moves of a hand, oldest first. `events` are those of a view, from the first; `names` by seat."""
    return _read_on(None, events, names).story


@contextmanager
def story_so_far(of: Hashable, events: Sequence[Mapping[str, Any]], names: Sequence[str]) -> Iterator[Story]:
    """Yield the story, reading only events since the last call for the same hand and viewer (`of`).

    The story grows with later events, so use it only inside the block. Stories with an undo are not cached, since its
    reason may have to be erased.
    """
    with _lock:
        reader = _stories.pop(of, None)
    reader = _read_on(reader, events, names)
    yield reader.story
    if all(event["type"] != "undo" for event in events):
        with _lock:
            _stories[of] = reader
            while len(_stories) > MOST_STORIES:
                _stories.popitem(last=False)


_stories: OrderedDict[Hashable, _Reader] = OrderedDict()
_lock = threading.Lock()


def _read_on(reader: _Reader | None, events: Sequence[Mapping[str, Any]], names: Sequence[str]) -> _Reader:
    if reader is None or reader.events != events[: len(reader.events)]:
        start = events[0]
        reader = _Reader(names or start["players"], EDITIONS[start["edition"]])
    reader.story.names = names or reader.story.names
    for n in range(len(reader.events), len(events)):
        reader.read(n, events[n])
    return reader


def in_words(line: Line, story: Story, me: int | None = None) -> str:
    """Return “Chidi plays Blue 9, one card left”, with “You” for the reader's own seat."""
    text = _sentence(line, story, me)
    return capfirst(text) if _begins_with_me(line, me) else text


def timed_out_in_words(line: Line, story: Story, me: int | None = None) -> str:
    """Return “Time was up: Chidi draws a card”, for a move made after a timeout."""
    return _("Time was up: %(move)s") % {"move": _sentence(line, story, me)}


def _sentence(line: Line, story: Story, me: int | None) -> str:
    parts = [_in_words(fact, story, me) for fact in _facts_to_list(line.facts)]
    return ", ".join(part for part in parts if part)


def _begins_with_me(line: Line, me: int | None) -> bool:
    first = _facts_to_list(line.facts)[0]
    return first.seat < 0 or first.seat == me


def _facts_to_list(facts: list[Fact]) -> list[Fact]:
    """Return the facts to list. An accept followed by its effect is left out."""
    return facts[1:] if facts[0].kind == "accepts" and len(facts) > 1 else facts


def color_in_words(color: str) -> str:
    """Return the colour as used inside a sentence: “blue”."""
    return translate(Sentence(COLORS[color].lower(), context=COLOR_NAMES))


def played_card(card: str, color: str, edition: Edition) -> str:
    """Return “Blue 9” or “Wild (blue)”."""
    name = card_name(card, edition)
    return _("%(card)s (%(color)s)") % {"card": name, "color": color_in_words(color)} if color else name


def _in_words(fact: Fact, story: Story, me: int | None) -> str:
    words = {
        "name": story.names[fact.seat],
        "other": story.names[fact.other],
        "count": fact.count,
        "card": played_card(fact.card, fact.color, story.edition) if fact.card else "",
        "color": color_in_words(fact.color) if fact.color else "",
        "reason": fact.reason,
        "cards": ", ".join(card_name(card, story.edition) for card in fact.cards),
    }
    say = _SAY[fact.kind]
    return say(fact, fact.seat == me and me is not None, fact.other == me and me is not None) % words


# A sentence for each kind of fact and reader. `mine`: the reader is `fact.seat`; `at_me`: the reader is `fact.other`.


def _plays(fact: Fact, mine: bool, at_me: bool) -> str:
    if fact.card != "WL" or fact.other < 0:
        return _("you play %(card)s") if mine else _("%(name)s plays %(card)s")
    if mine:
        return _("you play %(card)s, aimed at %(other)s")
    return _("%(name)s plays %(card)s, aimed at you") if at_me else _("%(name)s plays %(card)s, aimed at %(other)s")


def _draws_and_plays(fact: Fact, mine: bool, at_me: bool) -> str:
    return _("you draw and play %(card)s") if mine else _("%(name)s draws and plays %(card)s")


def _draws(fact: Fact, mine: bool, at_me: bool) -> str:
    if mine and 0 < len(fact.cards) <= MOST_NAMED:
        return _("you draw %(cards)s")
    if mine:
        return ngettext("you draw a card", "you draw %(count)d cards", fact.count)
    return ngettext("%(name)s draws a card", "%(name)s draws %(count)d cards", fact.count)


def _challenge(fact: Fact, mine: bool, at_me: bool) -> str:
    if fact.guilty and at_me:
        return _("%(name)s challenges: you bluffed and draw %(count)d")
    if fact.guilty:
        guilty = _("%(name)s challenges: %(other)s bluffed and draws %(count)d")
        return _("you challenge: %(other)s bluffed and draws %(count)d") if mine else guilty
    in_vain = _("%(name)s loses the challenge and draws %(count)d")
    return _("you lose the challenge and draw %(count)d") if mine else in_vain


def _catches(fact: Fact, mine: bool, at_me: bool) -> str:
    if mine:
        return _("you catch %(other)s")
    return _("%(name)s catches you") if at_me else _("%(name)s catches %(other)s")


def _creeper(fact: Fact, mine: bool, at_me: bool) -> str:
    if fact.drawn is not None and fact.drawn.count == 1:
        return _("it is a Creeper")
    return _("a Creeper among them")


def _undo(fact: Fact, mine: bool, at_me: bool) -> str:
    if fact.count:
        return _("the director undid all moves after %(count)d: %(reason)s")
    return _("the director undid all moves: %(reason)s")


_SAY: Mapping[str, Callable[[Fact, bool, bool], str]] = {
    "plays": _plays,
    "draws-and-plays": _draws_and_plays,
    "draws": _draws,
    "draws-on-turn": _draws,
    "draws-and-keeps": _draws,
    "challenge": _challenge,
    "catches": _catches,
    "undo": _undo,
    "turned-up": lambda fact, mine, at_me: _("%(card)s is turned up"),
    "returned": lambda fact, mine, at_me: _("%(card)s goes back into the pile"),
    "turns": lambda fact, mine, at_me: _("the direction changes"),
    "shuffled": lambda fact, mine, at_me: _("the discard pile is shuffled"),
    "creeper": _creeper,
    "called": lambda fact, mine, at_me: _("UNO"),
    "one-left": lambda fact, mine, at_me: _("you have one card left") if mine else _("one card left"),
    "cancels": lambda fact, mine, at_me: _("%(card)s has no effect"),
    "blocked": lambda fact, mine, at_me: _("the hand is blocked"),
    "waits": lambda fact, mine, at_me: _("you wait") if mine else _("%(name)s waits"),
    "chooses": lambda fact, mine, at_me: _("you choose %(color)s") if mine else _("%(name)s chooses %(color)s"),
    "passes": lambda fact, mine, at_me: _("you pass") if mine else _("%(name)s passes"),
    "accepts": lambda fact, mine, at_me: _("you accept") if mine else _("%(name)s accepts"),
    "shows": lambda fact, mine, at_me: _("you show all cards") if mine else _("%(name)s shows all cards"),
    "calls": lambda fact, mine, at_me: _("you call UNO") if mine else _("%(name)s calls UNO"),
    "goes-out": lambda fact, mine, at_me: _("you go out") if mine else _("%(name)s goes out"),
    "wrong-card": lambda fact, mine, at_me: _("you play a wrong card") if mine else _("%(name)s plays a wrong card"),
    "suggestion": lambda fact, mine, at_me: (
        _("you have a penalty for a hint") if mine else _("%(name)s has a penalty for a hint")
    ),
}
