"""Who plays for a seat where nobody does: a bot of the engine, or the least that the rules allow.

Both get only what everybody at the table may know and the cards of their own seat.
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
LEAST = ("accept", "pass", "draw", "color", "play")  # in the order of how little they do


def bot_of(kind: str) -> Bot:
    """The bot of a kind; a kind that this version does not know (any more) plays carefully."""
    return BOTS.get(kind, BOTS["careful"])(whim)


def answer(hand: Hand, kind: str) -> Action:
    """The action of a bot, or of nobody, for what the hand asks now."""
    seat = hand.public.turn
    cards, drawn = tuple(hand.cards[seat]), hand.drawn if hand.public.step == DRAWN else None
    if kind == ABSENT:
        return least_action(hand.public, seat, cards, drawn)
    return bot_of(kind).choose(hand.public, seat, cards, drawn)


def least_action(public: Public, seat: int, cards: Sequence[str], drawn: str | None) -> Action:
    """Draw and keep, accept, choose any colour; a card only where the rules leave nothing else (`must_play`)."""
    mine = [action for action in legal_actions(public, seat, cards, drawn) if action[0] in LEAST]
    return min(mine, key=lambda action: (LEAST.index(action[0]), action[0] == "play" and action[2] in WILDS))


def interruptions(deal: Deal, hand: Hand) -> Iterator[Action]:
    """The actions of bots while somebody can be caught: call UNO, catch; in any order, since all see it at once."""
    seats = [at for at, place in enumerate(deal.places) if place["bot"] not in ("", ABSENT)]
    for seat in whim.sample(seats, len(seats)):
        action = bot_of(deal.places[seat]["bot"]).interrupt(hand.public, seat, tuple(hand.cards[seat]))
        if action is not None and not _catches_own_side(hand.public, action):
            yield action


def _catches_own_side(public: Public, action: Action) -> bool:
    """Whether a bot's catch hits itself or its partner: the engine's bots do not look at sides."""
    if action[0] != "catch":
        return False
    _catch, seat, other = action
    return bool(other == seat or (public.rules.teams and other == (seat + 2) % public.players))
