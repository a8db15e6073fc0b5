"""Who plays for a seat where nobody does: a bot of the engine, or the least that the rules allow.

Both are handed what everybody at the table may know and the cards of their own seat, and nothing else.
"""

import secrets
from collections.abc import Iterator, Sequence

from engine.cards import WILDS
from engine.legal import legal_actions
from engine.simulation.bots import BOTS, Bot
from engine.state import DRAWN, Action, Hand, Public
from games.models import Deal
from games.online.play.places import ABSENT

whim = secrets.SystemRandom()
LEAST = ("accept", "pass", "draw", "color", "play")  # from what does least


def bot_of(kind: str) -> Bot:
    """A kind that this version does not know (any more) plays carefully."""
    return BOTS.get(kind, BOTS["careful"])(whim)


def answer(hand: Hand, kind: str) -> Action:
    """What a bot, or nobody, does about what the hand asks now."""
    seat = hand.public.turn
    cards, drawn = tuple(hand.cards[seat]), hand.drawn if hand.public.step == DRAWN else None
    if kind == ABSENT:
        return least(hand.public, seat, cards, drawn)
    return bot_of(kind).choose(hand.public, seat, cards, drawn)


def least(public: Public, seat: int, cards: Sequence[str], drawn: str | None) -> Action:
    """Draw and keep, accept, choose any colour; a card only where the rules leave nothing else (`must_play`)."""
    mine = [action for action in legal_actions(public, seat, cards, drawn) if action[0] in LEAST]
    return min(mine, key=lambda action: (LEAST.index(action[0]), action[0] == "play" and action[2] in WILDS))


def interruptions(deal: Deal, hand: Hand) -> Iterator[Action]:
    """What bots do while somebody can be caught: call UNO themselves, catch. In any order, since all see it at once."""
    seats = [at for at, place in enumerate(deal.places) if place["bot"] not in ("", ABSENT)]
    for seat in whim.sample(seats, len(seats)):
        action = bot_of(deal.places[seat]["bot"]).interrupt(hand.public, seat, tuple(hand.cards[seat]))
        if action is not None and not _of_ones_own(hand.public, action):
            yield action


def _of_ones_own(public: Public, action: Action) -> bool:
    """A bot lets its partner be, and itself: what is right for bots that play alone would cost its own side."""
    if action[0] != "catch":
        return False
    _catch, seat, other = action
    return bool(other == seat or (public.rules.teams and other == (seat + 2) % public.players))
