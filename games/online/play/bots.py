"""Plays for an empty seat: an engine bot, or the least that the rules allow.

Both get only public facts and the cards of their own seat.
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
LEAST = ("accept", "pass", "draw", "color", "play")  # least first


def bot_of(kind: str) -> Bot:
    """Return a bot of this kind; an unknown kind plays carefully."""
    return BOTS.get(kind, BOTS["careful"])(whim)


def answer(hand: Hand, kind: str) -> Action:
    """Return the next action of a bot, or of an absent player."""
    seat = hand.public.turn
    cards, drawn = tuple(hand.cards[seat]), hand.drawn if hand.public.step == DRAWN else None
    if kind == ABSENT:
        return least_action(hand.public, seat, cards, drawn)
    return bot_of(kind).choose(hand.public, seat, cards, drawn)


def least_action(public: Public, seat: int, cards: Sequence[str], drawn: str | None) -> Action:
    """Return a draw, pass, accept or any colour; a card only if the rules force one (`must_play`)."""
    mine = [action for action in legal_actions(public, seat, cards, drawn) if action[0] in LEAST]
    return min(mine, key=lambda action: (LEAST.index(action[0]), action[0] == "play" and action[2] in WILDS))


def interruptions(deal: Deal, hand: Hand) -> Iterator[Action]:
    """Yield the bots' actions while a player can be caught: call UNO or catch, in random order."""
    seats = [at for at, place in enumerate(deal.places) if place["bot"] not in ("", ABSENT)]
    for seat in whim.sample(seats, len(seats)):
        action = bot_of(deal.places[seat]["bot"]).interrupt(hand.public, seat, tuple(hand.cards[seat]))
        if action is not None and not _catches_own_side(hand.public, action):
            yield action


def _catches_own_side(public: Public, action: Action) -> bool:
    """Return whether a catch hits the bot's own side, since engine bots ignore sides."""
    if action[0] != "catch":
        return False
    _catch, seat, other = action
    return bool(other == seat or (public.rules.teams and other == (seat + 2) % public.players))
