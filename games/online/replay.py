"""A deal as it stands: its moves, replayed by the engine. Nothing of it is stored."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from engine.hand import apply
from engine.hand import deal as deal_cards
from engine.replay import undo
from engine.rules import EDITIONS
from engine.state import Action, Hand, Rules
from games.models import Deal

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


def rules_of(deal: Deal) -> Rules:
    rules = deal.rules
    return Rules(EDITIONS[rules["edition"]], scoring=rules["scoring"], teams=rules["teams"], options=rules["options"])


def dealt(deal: Deal, names: Iterable[str]) -> Played:
    """The hand before its first move; `names` by seat of the engine."""
    entropy = [bytes.fromhex(one["entropy"]) if one["entropy"] else None for one in deal.places]
    hand = deal_cards(rules_of(deal), tuple(names), dealer=deal.dealer, seed=bytes(deal.seed), entropy=entropy)
    return Played(hand)


def replay(deal: Deal, names: Iterable[str], *, but_last: int = 0) -> Played:
    """The hand as it stands, or as it stood before its last moves (what a spectator may see)."""
    played = dealt(deal, names)
    actions = deal.moves.order_by("number").values_list("action", flat=True)
    for action in actions[: max(0, deal.moves_made - but_last)]:
        played.follow(tuple(action))
    return played
