"""A deal as it stands: its moves, replayed by the engine. Nothing of it is stored.

This process keeps replayed hands in its memory, since most requests are about the same few: moves are never changed, so
a deal and a number of moves give the same hand for ever. Callers get a copy and may go on with it. Only committed hands
are kept, and without names, since those may change.
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

MOST_KEPT = 200  # hands; each has about 30 kB
UNDO = "undo"
# Actions of others than whoever the hand waits for. They do not answer what the hand asks.
BESIDES = frozenset({"uno", "catch", "suggestion"})


@dataclass
class Played:
    """A hand after so many `moves`, and the moves that a command may name, by number; 0 is the deal itself.

    `decision`: the move after which the hand asks what it asks now. `windows`: {seat: the move by which it left one
    card and did not call UNO}, while it can be caught.
    """

    hand: Hand
    moves: int = 0
    decision: int = 0
    windows: dict[int, int] = field(default_factory=dict)

    def follow(self, action: Action) -> None:
        """Make one more move. Raises `engine.refused.Refused`; then nothing has changed."""
        if action[0] == UNDO:
            self.hand = undo(self.hand, action[1], action[2])
            self.windows.clear()  # whoever can be caught after it can be caught anew
        else:
            apply(self.hand, action)
        self.moves += 1
        if action[0] not in BESIDES:
            self.decision = self.moves
        self.windows = {seat: self.windows.get(seat, self.moves) for seat in self.hand.public.uno}

    def copy(self, names: Iterable[str]) -> "Played":
        """A copy with these names, which can go on by itself."""
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
        log=rules.get("log", 1),  # it was sealed before there was another version
    )


def deal_out(deal: Deal, names: Iterable[str]) -> Played:
    """The hand before its first move; `names` by seat of the engine."""
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
    """The hand as it stands, or before its last moves (what a spectator may see)."""
    names, moves = tuple(names), max(0, deal.moves_made - but_last)
    key = _key(deal, late=but_last > 0)
    earlier = _ahead_of_memory().get(key) or _memory.get(key, moves)
    played = earlier.copy(names) if earlier else deal_out(deal, names)
    if played.moves < moves:
        for (action,) in _moves.rows(deal.pk, played.moves, moves):
            played.follow(tuple(json.loads(action)))
    if (earlier is None or earlier.moves < moves) and not connection.in_atomic_block:
        keep(deal, played, late=but_last > 0)
    return played


def _moves_between() -> QuerySet[Move, tuple[str]]:
    """A query whose parameters are the deal, and the numbers of moves after which and up to which."""
    after = Move.objects.filter(deal=1).filter(number__gt=1)
    return after.filter(number__lte=1).order_by("number").values_list("action")


_moves = PreparedQuery(_moves_between)


def keep_after_commit(deal: Deal, played: Played) -> None:
    """Keep the hand as it is now, once its last move is committed."""
    if _may_be_kept(played):
        transaction.on_commit(partial(_memory.put, _key(deal), _without_names(played)), robust=True)


def keep(deal: Deal, played: Played, *, late: bool = False) -> None:
    if _may_be_kept(played):
        _memory.put(_key(deal, late=late), _without_names(played))


def stage_uncommitted(deal: Deal, played: Played) -> None:
    """Let this thread see the hand after a move that is not written yet, until `discard_uncommitted`."""
    _ahead_of_memory()[_key(deal)] = _without_names(played)


def discard_uncommitted() -> None:
    _ahead_of_memory().clear()


def _ahead_of_memory() -> dict["_Key", Played]:
    hands: dict[_Key, Played] = vars(_here).setdefault("hands", {})
    return hands


_here = threading.local()


def forget() -> None:
    """Keep nothing, so that the next replay begins with the deck; for measurements and tests."""
    _memory.clear()


def _may_be_kept(played: Played) -> bool:
    """Whether a hand has no undo: somebody wrote its reason, which may have to be forgotten, so it is not kept."""
    return all(event[0] != UNDO for event in played.hand.log)


def _without_names(played: Played) -> Played:
    return played.copy([""] * played.hand.public.players)


_Key = tuple[int, str, bool]


def _key(deal: Deal, *, late: bool = False) -> _Key:
    return deal.pk, deal.commitment, late


class _Memory:
    """Hands that nobody changes: callers copy them."""

    def __init__(self) -> None:
        self._hands: OrderedDict[_Key, Played] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: _Key, moves: int) -> Played | None:
        """The hand after at most so many moves."""
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
            while len(self._hands) > MOST_KEPT:
                self._hands.popitem(last=False)


_memory = _Memory()
