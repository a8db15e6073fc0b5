"""A deal as it stands: its moves, replayed by the engine. No position is stored.

This process caches replayed hands, since most requests concern the same few. A deal and a number of moves always give
the same hand. Callers get a copy, which they may change. Only committed hands are cached, without names, since names
may change.
"""

import json
import threading
from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import partial

from django.db import connection, transaction
from django.db.models import QuerySet

from engine.hand import apply
from engine.hand import deal as deal_cards
from engine.replay import undo
from engine.rules import EDITIONS
from engine.state import Action, Hand, Rules
from games.models import Deal, Move
from league.lib.prepared_sql import PreparedQuery

MOST_CACHED = 200  # hands; each has about 30 kB
UNDO = "undo"
# Actions outside the turn. They don't answer the hand's question.
BESIDES = frozenset({"uno", "catch", "suggestion"})


@dataclass
class Played:
    """A hand after `moves` moves, with the moves a command may name, by number; 0 is the deal.

    `decision`: the move that led to the current question. `windows`: {seat: the move that left one card without calling
    UNO}, while it can be caught.
    """

    hand: Hand
    moves: int = 0
    decision: int = 0
    windows: dict[int, int] = field(default_factory=dict)

    def follow(self, action: Action) -> None:
        """Make one more move. Raises `engine.refused.Refused`; then nothing has changed."""
        if action[0] == UNDO:
            self.hand = undo(self.hand, action[1], action[2])
            self.windows.clear()  # players without UNO can be caught again
        else:
            apply(self.hand, action)
        self.moves += 1
        if action[0] not in BESIDES:
            self.decision = self.moves
        self.windows = {seat: self.windows.get(seat, self.moves) for seat in self.hand.public.uno}

    def copy(self, names: Iterable[str]) -> "Played":
        """Return an independent copy with these names."""
        hand = self.hand.copy()
        hand.public.names = tuple(names)
        hand.log[0] = (*hand.log[0][:3], hand.public.names, *hand.log[0][4:])
        return Played(hand, self.moves, self.decision, dict(self.windows))


def rules_of(deal: Deal) -> Rules:
    rules = deal.rules
    return Rules(
        EDITIONS[rules["edition"]],
        scoring=rules["scoring"],
        teams=rules["teams"],
        options=rules["options"],
        log=rules.get("log", 1),  # sealed before version 2 existed
    )


def deal_out(deal: Deal, names: Iterable[str]) -> Played:
    """Return the hand before its first move; `names` by engine seat."""
    entropy = [bytes.fromhex(place["entropy"]) if place["entropy"] else None for place in deal.places]
    promised = [place.get("promised") for place in deal.places]
    return Played(
        deal_cards(
            rules_of(deal),
            tuple(names),
            dealer=deal.dealer,
            seed=bytes(deal.seed),
            entropy=entropy,
            promised=promised,
        )
    )


def replay(deal: Deal, names: Iterable[str], *, but_last: int = 0) -> Played:
    """Return the hand as it stands, or without its last moves, for spectators."""
    names, moves = tuple(names), max(0, deal.moves_made - but_last)
    key = _key(deal, late=but_last > 0)
    earlier = _ahead_of_memory().get(key) or _memory.get(key, moves)
    played = earlier.copy(names) if earlier else deal_out(deal, names)
    if played.moves < moves:
        for (action,) in _moves.rows(deal.pk, played.moves, moves):
            played.follow(tuple(json.loads(action)))
    if (earlier is None or earlier.moves < moves) and not connection.in_atomic_block:
        cache(deal, played, late=but_last > 0)
    return played


def _moves_between() -> QuerySet[Move, tuple[str]]:
    """Return a query with three parameters: the deal, and the move numbers after and up to."""
    after = Move.objects.filter(deal=1).filter(number__gt=1)
    return after.filter(number__lte=1).order_by("number").values_list("action")


_moves = PreparedQuery(_moves_between)


def cache_after_commit(deal: Deal, played: Played) -> None:
    """Cache the hand once its last move is committed."""
    if _is_cacheable(played):
        transaction.on_commit(partial(_memory.put, _key(deal), _without_names(played)), robust=True)


def cache(deal: Deal, played: Played, *, late: bool = False) -> None:
    if _is_cacheable(played):
        _memory.put(_key(deal, late=late), _without_names(played))


def stage_uncommitted(deal: Deal, played: Played) -> None:
    """Let this thread see the hand after an unwritten move, until `discard_uncommitted`."""
    _ahead_of_memory()[_key(deal)] = _without_names(played)


def discard_uncommitted() -> None:
    _ahead_of_memory().clear()


def _ahead_of_memory() -> dict["_Key", Played]:
    hands: dict[_Key, Played] = vars(_here).setdefault("hands", {})
    return hands


_here = threading.local()


def forget() -> None:
    """Clear the cache, so the next replay starts with the deck; for measurements and tests."""
    _memory.clear()


def _is_cacheable(played: Played) -> bool:
    """Return whether the hand has no undo, whose written reason may have to be erased."""
    return all(event[0] != UNDO for event in played.hand.log)


def _without_names(played: Played) -> Played:
    return played.copy([""] * played.hand.public.players)


_Key = tuple[int, str, bool]


def _key(deal: Deal, *, late: bool = False) -> _Key:
    return deal.pk, deal.commitment, late


class _Memory:
    """A cache of hands, which callers copy and never change."""

    def __init__(self) -> None:
        self._hands: OrderedDict[_Key, Played] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: _Key, moves: int) -> Played | None:
        """Return the hand after at most this number of moves."""
        with self._lock:
            if (played := self._hands.get(key)) is None or played.moves > moves:
                return None
            self._hands.move_to_end(key)
            return played

    def clear(self) -> None:
        with self._lock:
            self._hands.clear()

    def put(self, key: _Key, played: Played) -> None:
        with self._lock:
            if (earlier := self._hands.get(key)) is None or earlier.moves < played.moves:
                self._hands[key] = played
            self._hands.move_to_end(key)
            while len(self._hands) > MOST_CACHED:
                self._hands.popitem(last=False)


_memory = _Memory()
