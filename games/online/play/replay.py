"""A deal as it stands: its moves, replayed by the engine. Nothing of it is stored.

What was replayed is kept in this process's memory, since most requests are about the same few hands: moves are never
changed, so a deal and a number of moves give the same hand for ever. Whoever asks gets a copy and may go on with it;
only what is committed is kept. Nobody is named in what is kept, for names may change.
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
from league.lib.prepared_sql import Written

MOST_KEPT = 200  # hands; each has about 30 kB
UNDO = "undo"
# What anybody may do besides whoever the hand waits for. It does not answer what the hand asks.
BESIDES = frozenset({"uno", "catch", "suggestion"})


@dataclass
class Played:
    """A hand and what a command may name: moves by their number, 0 for the deal itself.

    `decision`: the move by which the hand came to ask what it asks now. `windows`: {seat: the move by which it left one
    card and did not call UNO}, while it can be caught.
    """

    hand: Hand
    made: int = 0  # moves
    decision: int = 0
    windows: dict[int, int] = field(default_factory=dict)

    def follow(self, action: Action) -> None:
        """One more move. Raises `engine.refused.Refused`; then nothing has changed."""
        if action[0] == UNDO:
            self.hand = undo(self.hand, action[1], action[2])
            self.windows.clear()  # whoever can be caught again can be caught anew
        else:
            apply(self.hand, action)
        self.made += 1
        if action[0] not in BESIDES:
            self.decision = self.made
        self.windows = {seat: self.windows.get(seat, self.made) for seat in self.hand.public.uno}

    def copy(self, names: Iterable[str]) -> "Played":
        """The same, to be gone on with by itself, with these names."""
        hand = self.hand.copy()
        hand.public.names = tuple(names)
        hand.log[0] = (*hand.log[0][:3], hand.public.names, *hand.log[0][4:])
        return Played(hand, self.made, self.decision, dict(self.windows))


def rules_of(deal: Deal) -> Rules:
    rules = deal.rules
    return Rules(
        EDITIONS[rules["edition"]],
        scoring=rules["scoring"],
        teams=rules["teams"],
        options=rules["options"],
        log=rules.get("log", 1),  # sealed before there was another
    )


def dealt(deal: Deal, names: Iterable[str]) -> Played:
    """The hand before its first move; `names` by seat of the engine."""
    entropy = [bytes.fromhex(one["entropy"]) if one["entropy"] else None for one in deal.places]
    promised = [one.get("promised") for one in deal.places]
    return Played(
        deal_cards(
            rules_of(deal),
            tuple(names),
            dealer=deal.dealer,
            seed=bytes(deal.seed),
            entropy=entropy,
            promised=promised,
            copyable=True,
        )
    )


def replay(deal: Deal, names: Iterable[str], *, but_last: int = 0) -> Played:
    """The hand as it stands, or as it stood before its last moves (what a spectator may see)."""
    names, wanted = tuple(names), max(0, deal.moves_made - but_last)
    kept = _kept.get(_key(deal, late=but_last > 0), wanted)
    played = kept.copy(names) if kept else dealt(deal, names)
    if played.made < wanted:
        for (action,) in _moves.rows(deal.pk, played.made, wanted):
            played.follow(tuple(json.loads(action)))
    if (kept is None or kept.made < wanted) and not connection.in_atomic_block:
        keep(deal, played, late=but_last > 0)
    return played


def _moves_between() -> QuerySet[Move, tuple[str]]:
    """Its parameters are the deal, and the moves after which and up to which."""
    after = Move.objects.filter(deal=1).filter(number__gt=1)
    return after.filter(number__lte=1).order_by("number").values_list("action")


_moves = Written(_moves_between)


def keep_after_commit(deal: Deal, played: Played) -> None:
    """Keep the hand as it is now, if the move that made it so is committed."""
    if _may_be_kept(played):
        transaction.on_commit(partial(_kept.put, _key(deal), _unnamed(played)), robust=True)


def keep(deal: Deal, played: Played, *, late: bool = False) -> None:
    if _may_be_kept(played):
        _kept.put(_key(deal, late=late), _unnamed(played))


def forget() -> None:
    """Keep nothing, so that the next replay begins with the deck; for measurements and tests."""
    _kept.clear()


def _may_be_kept(played: Played) -> bool:
    """A reason for an undo is what somebody wrote, and may have to be forgotten: it is read anew each time."""
    return all(event[0] != UNDO for event in played.hand.log)


def _unnamed(played: Played) -> Played:
    return played.copy([""] * played.hand.public.players)


_Key = tuple[int, str, bool]


def _key(deal: Deal, *, late: bool = False) -> _Key:
    return deal.pk, deal.commitment, late


class _Kept:
    """Hands that nobody changes: they are copied when they are taken."""

    def __init__(self) -> None:
        self._hands: OrderedDict[_Key, Played] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: _Key, moves: int) -> Played | None:
        """The hand after at most so many moves."""
        with self._lock:
            if (found := self._hands.get(key)) is None or found.made > moves:
                return None
            self._hands.move_to_end(key)
            return found

    def clear(self) -> None:
        with self._lock:
            self._hands.clear()

    def put(self, key: _Key, played: Played) -> None:
        with self._lock:
            if (there := self._hands.get(key)) is None or there.made < played.made:
                self._hands[key] = played
            self._hands.move_to_end(key)
            while len(self._hands) > MOST_KEPT:
                self._hands.popitem(last=False)


_kept = _Kept()
