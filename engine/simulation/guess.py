"""Draws a hand that could be the real one, given what one seat knows: hidden cards at random (determinization).

For search programs that need a whole hand and may know only a view of it. `consistent_hand` reads nothing else.

It uses all that the rules make certain for the seat:

- its own cards, the discard pile, the deck, and each player's number of cards;
- cards shown to it (a challenge, a Howler, a Creeper) and not played since;
- after a reshuffle, drawn cards come from the discard pile, including the card drawn this turn;
- that card fits where `draw_until_playable` requires it;
- under `no_bluff`, a Wild Draw Four to be answered is no bluff.

All ways of dealing the other cards are equally likely.

It ignores what players left undone (not played, called or challenged), and what rules reveal about earlier moves: under
`must_play` a player who drew had nothing to play, and a Sorting Hat stops at the first named number. It also ignores
which player drew what after a reshuffle, and what was seen in an undone part. It knows the number of turns with nearly
all cards held (PLAY-8) only if the view gives the remaining ones.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from math import comb
from random import Random
from typing import Any

from engine.cards import WILDS, holds_color
from engine.log import as_event
from engine.replay import standing_events
from engine.rules import EDITIONS
from engine.shuffle import SEED_BYTES, Shuffler
from engine.state import ANSWER, DRAWN, FORCES, MATCHES, OVER, TURN, WARNED, Event, Hand, Public, Rules

HIDDEN = "?"  # stands in the log of such a hand for a card that the seat did not see


def consistent_hand(view: Mapping[str, Any], rng: Random) -> Hand:
    """Return a hand that gives the same view (`engine.view.view_for`, of a seat or of a spectator), to be played on or
    copied.

    Its log is the view's, with `HIDDEN` for every card that the view only counts. Its seed and the order of its deck
    are made up, so `verify` would refuse it. Raises ValueError for a view of a hand that is over, for a view `since` a
    line, and for one that no cards fit.
    """
    if view["step"] == OVER:
        raise ValueError("This hand is over, and its log tells every card.")
    log = [_event(line) for line in view["events"]]
    if not log or log[0][0] != "start":
        raise ValueError("A view with all of its events is needed: leave out `since`.")
    memory = _Memory(log, view.get("seat"))
    public = _public(view, log[0], memory)
    entropy = [bytes.fromhex(part) if part is not None else None for part in log[0][9]]
    seed = rng.randbytes(SEED_BYTES)
    hand = Hand(public, seed, entropy, Shuffler(seed, entropy), public.rules.edition.deck)
    hand.log = log
    _deal(hand, view, memory, rng)
    return hand


def _event(line: Mapping[str, Any]) -> Event:
    return as_event({**line, "cards": [HIDDEN] * line["count"]} if "count" in line else line)


class _Memory:
    """The facts of the log for a seat, beyond the current view."""

    def __init__(self, log: Sequence[Event], seat: int | None) -> None:
        self.seat = seat
        self.known: list[Counter[str]] = [Counter() for _name in log[0][3]]  # by seat: cards that they hold for certain
        self.reshuffled: Counter[str] | None = None  # the cards that can lie in the draw pile; None: any
        self.color = self.color_before = ""  # in play now, and before the last card
        self.since_play: Counter[int] = Counter()  # cards drawn since the last play, by seat, without shown ones
        self.drawn_from: Counter[str] | None = None  # `reshuffled` when the turn's card was drawn
        self.drew_creeper = False  # whether the turn's card was a Creeper
        self.turns = 0  # that are over
        self._discard: list[str] = []
        self._can_stack = log[0][6].get("stacking", False)
        self._stackable = False  # whether the last card may be answered with another draw card
        self._before: Event = log[0]
        follow: dict[str, Callable[[Event], None]] = {
            "turn_up": self._on_turn_up,
            "color": self._on_color,
            "play": self._on_play,
            "draw": self._on_draw,
            "show": self._on_show,
            "reshuffle": self._on_reshuffle,
        }
        for _n, event in standing_events(log):
            kind = event[0]
            if kind in follow:
                follow[kind](event)
            self.turns += kind == "pass" or (kind == "penalty" and event[2] == "wrong-card")
            self._stackable = self._stackable and kind not in ("accept", "challenge")
            self._before = event

    def _on_turn_up(self, event: Event) -> None:
        _, card, returned = event
        if not returned:
            self._discard = [card]
            self.color = "" if card in WILDS else card[0]

    def _on_color(self, event: Event) -> None:
        self.color = event[2]

    def _on_play(self, event: Event) -> None:
        _, seat, card, color, _target, _uno, _drawn, cancel = event
        if self.known[seat][card]:
            self.known[seat][card] -= 1
        self._discard.append(card)
        self.color, self.color_before = color or card[0], self.color
        self.since_play.clear()
        is_answer = cancel or (self._stackable and card in FORCES)
        self.turns += not is_answer
        self._stackable = self._can_stack and card in FORCES

    def _on_draw(self, event: Event) -> None:
        _, seat, cards, reason = event
        self.since_play[seat] += len(cards)
        if reason == "turn":
            self.drawn_from, self.drew_creeper = self.reshuffled, False
        if seat == self.seat and self.reshuffled is not None:
            self.reshuffled.subtract(cards)
        self._stackable = self._stackable and reason not in FORCES.values()

    def _on_show(self, event: Event) -> None:
        _, seat, _to, cards, reason = event
        if seat == self.seat or HIDDEN in cards:
            return
        if reason != "creeper":
            self.known[seat] = Counter(cards)
            return
        self.known[seat].update(cards)
        self.since_play[seat] -= 1
        self.drew_creeper = self._before[0] == "draw" and self._before[3] == "turn"
        if self.reshuffled is not None:
            self.reshuffled.subtract(cards)

    def _on_reshuffle(self, event: Event) -> None:
        if self._discard:  # else this is the reshuffle of OPEN-6
            self.reshuffled = Counter(self._discard[:-1])
            del self._discard[:-1]


def _public(view: Mapping[str, Any], start: Event, memory: _Memory) -> Public:
    edition, version = EDITIONS[view["edition"]], start[1]
    rules = Rules(edition, scoring=view["scoring"], teams=view["teams"], options=view["options"], log=version)
    public = Public(rules, tuple(view["players"]), view["dealer"])
    public.step, public.turn, public.direction = view["step"], view["turn"], view["direction"]
    public.discard, public.pile, public.counts = [*view["discard"]], view["pile"], [*view["counts"]]
    public.uno, public.passes = tuple(view["uno"]), view["passes"]
    public.in_play = view["color"] if public.discard[-1] in WILDS else public.discard[-1]
    if public.step == ANSWER:
        aimed = view["aimed"]
        public.aimed, public.asker, public.stake = aimed["card"], aimed["by"], aimed["stake"]
    _count_turns(public, view["turns_left"], memory.turns + (public.step in (TURN, DRAWN)))
    return public


def _count_turns(public: Public, turns_left: int | None, turns: int) -> None:
    """Set the counts of PLAY-8 so that as many turns are left as the view says."""
    public.turns = turns
    if turns_left is not None and turns <= public.most_turns - WARNED:
        public.scarce = public.most_scarce - turns_left
    elif turns_left is not None:
        public.turns = public.most_turns + 1 - turns_left


def _deal(hand: Hand, view: Mapping[str, Any], memory: _Memory, rng: Random) -> None:
    """Return all hands and the draw pile, with the drawn card and whether there was a bluff."""
    public, own = hand.public, memory.seat
    known = [[*cards.elements()] for cards in memory.known]
    if own is not None:
        known[own] = [*view["cards"]]
        hand.drawn = view["drawn"]
    unseen = _Unseen(public, known, memory.reshuffled, rng)
    other = public.turn if public.step == DRAWN and public.turn != own else None
    if other is not None and memory.drew_creeper:
        hand.drawn = "WC"
    elif other is not None:
        [hand.drawn] = drawn = unseen.take(1, lambda card: _can_be_drawn(public, memory, card))
        known[other] += drawn
    bluffed = public.asker if public.step == ANSWER and public.aimed == "WD" else None
    if bluffed is not None and bluffed != own and public.rules.no_bluff:
        missing = public.counts[bluffed] - len(known[bluffed]) - memory.since_play[bluffed]
        known[bluffed] += unseen.take(missing, lambda card: card[0] != memory.color_before)
    hidden, hand.pile = unseen.rest()
    for seat, cards in enumerate(known):
        missing = public.counts[seat] - len(cards)
        hand.cards.append([*cards, *hidden[:missing]])
        del hidden[:missing]
    if bluffed is not None:  # cards drawn since then lie at the end
        before = public.counts[bluffed] - memory.since_play[bluffed]
        hand.guilty = holds_color(hand.cards[bluffed][:before], memory.color_before)


def _can_be_drawn(public: Public, memory: _Memory, card: str) -> bool:
    """Return whether another player's drawn card can be this one; a Creeper would have been shown."""
    if card == "WC" or (memory.drawn_from is not None and not memory.drawn_from[card]):
        return False
    return not public.rules.draw_until_playable or card in MATCHES[public.in_play] or not public.can_draw


class _Unseen:
    """The unseen cards of a seat: some may lie in the draw pile, others must be in a hand."""

    def __init__(
        self, public: Public, known: Sequence[Sequence[str]], reshuffled: Counter[str] | None, rng: Random
    ) -> None:
        self.rng = rng
        self.loose: list[str] = []
        self.fixed: list[str] = []
        unseen = Counter(public.rules.edition.deck)
        unseen.subtract(public.discard)
        for cards in known:
            unseen.subtract(cards)
        for card, copies in unseen.items():
            loose = copies if reshuffled is None else min(copies, max(0, reshuffled[card]))
            self.loose += [card] * loose
            self.fixed += [card] * (copies - loose)
        self.spare = len(self.loose) - public.pile  # so many of the loose cards are held after all
        hidden = sum(public.counts) - sum(map(len, known))
        if min(unseen.values()) < 0 or self.spare < 0 or self.spare + len(self.fixed) != hidden:
            raise ValueError("No cards of this deck fit this view.")

    def take(self, count: int, fits: Callable[[str], bool]) -> list[str]:
        """Draw cards for a player, each as likely as in a random deal. Raises ValueError."""
        loose, fixed = [*filter(fits, self.loose)], [*filter(fits, self.fixed)]
        from_loose = range(min(count, self.spare) + 1)
        ways = [
            comb(len(loose), some) * comb(len(fixed), count - some) * comb(len(self.loose) - some, self.spare - some)
            for some in from_loose
        ]
        if not any(ways):
            raise ValueError("No cards of this deck fit this view.")
        [some] = self.rng.choices(from_loose, ways)
        taken = [self.rng.sample(loose, some), self.rng.sample(fixed, count - some)]
        for cards, of in zip(taken, (self.loose, self.fixed), strict=True):
            for card in cards:
                of.remove(card)
        self.spare -= some
        return [*taken[0], *taken[1]]

    def rest(self) -> tuple[list[str], list[str]]:
        """Return the cards that others hold, and the draw pile."""
        self.rng.shuffle(self.loose)
        hidden = [*self.fixed, *self.loose[: self.spare]]
        self.rng.shuffle(hidden)
        return hidden, self.loose[self.spare :]
